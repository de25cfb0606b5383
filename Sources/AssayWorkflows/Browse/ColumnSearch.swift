import AssayCore
import AssayStore

/// Finds the samples of an expression in the columns of a dataset that are in memory, with the results of
/// `Catalog.ids(in:where:orderedBy:)`.
///
/// The terms that facets of classes, numbers and runs add are of this kind. Expressions with other fields are left to
/// the catalog, and so are those with unknown names, which it refuses.
struct ColumnSearch {
  private typealias Comparator = ViewExpression.Comparator

  private let table: BrowseTable
  /// The runs over the dataset, by name.
  private let runs: [String: RunRecord]

  init(_ table: BrowseTable) {
    self.table = table
    runs = Dictionary(table.runs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The ids of the samples, ascending.
  ///
  /// - Returns: `nil` if a field is not in memory.
  func ids(where text: String) -> [Int64]? {
    guard let expression = try? ViewExpression.parse(text), let holds = flags(expression) else {
      return nil
    }
    var ids: [Int64] = []
    for (place, id) in table.columns.ids.enumerated() where holds[place] { ids.append(id) }
    return ids
  }

  private func flags(_ expression: ViewExpression) -> [Bool]? {
    switch expression {
    case .all(let parts): return combined(parts, start: true) { $0 && $1 }
    case .any(let parts): return combined(parts, start: false) { $0 || $1 }
    case .not(let part): return flags(part).map { $0.map { !$0 } }
    case .comparison(let comparison): return flags(comparison)
    }
  }

  private func combined(
    _ parts: [ViewExpression], start: Bool, _ combine: (Bool, Bool) -> Bool
  ) -> [Bool]? {
    var result = [Bool](repeating: start, count: table.columns.ids.count)
    for part in parts {
      guard let flags = flags(part) else { return nil }
      for place in result.indices { result[place] = combine(result[place], flags[place]) }
    }
    return result
  }

  private func flags(_ comparison: ViewExpression.Comparison) -> [Bool]? {
    if case .field(let comparator, let other, _) = comparison.test {
      guard let left = correctness(of: comparison.subject), let right = correctness(of: other)
      else { return nil }
      switch comparator {
      case .equal: return zip(left, right).map { $0 != nil && $0 == $1 }
      case .notEqual: return zip(left, right).map { $0 != nil && $1 != nil && $0 != $1 }
      default: return nil
      }
    }
    if let values = correctness(of: comparison.subject) {
      guard case .compare(.equal, let literal) = comparison.test,
        literal.text == "true" || literal.text == "false"
      else { return nil }
      let wanted = literal.text == "true"
      return values.map { $0 == wanted }
    }
    if let (codes, names) = classes(of: comparison.subject) {
      return member(codes, of: names, comparison.test)
    }
    return numbers(of: comparison.subject).flatMap { compared($0, comparison.test) }
  }

  // MARK: Fields

  /// A run of this dataset, without an evaluation or thresholds.
  private func run(
    _ subject: ViewExpression.Subject
  ) -> (run: RunRecord, field: ViewExpression.RunField)? {
    guard case .run(let name, evaluation: nil, let thresholds, let field) = subject,
      thresholds == .init(), let run = runs[name.text], field.tasks.contains(run.task)
    else { return nil }
    return (run, field)
  }

  /// True for each prediction that is right; `nil` elements without a prediction or a label.
  private func correctness(of subject: ViewExpression.Subject) -> [Bool?]? {
    guard table.isSingleLabel, let (run, field) = run(subject), field == .correct,
      let predicted = table.heldPredictions(of: run.id)?.class
    else { return nil }
    let labels = table.columns.label
    // Without any label, the catalog says so.
    guard labels.contains(where: { $0 >= 0 }) else { return nil }
    // A class that the run does not have is never predicted.
    let own = table.classes.map { Int32(run.classes.firstIndex(of: $0) ?? -1) }
    return labels.indices.map { place in
      let label = Int(labels[place])
      guard own.indices.contains(label), predicted[place] >= 0 else { return nil }
      return predicted[place] == own[label]
    }
  }

  /// The label of each sample, or the class that a run predicts.
  private func classes(of subject: ViewExpression.Subject) -> ([Int32], [String])? {
    if case .label = subject {
      return table.isSingleLabel ? (table.columns.label, table.classes) : nil
    }
    guard let (run, field) = run(subject), field == .label,
      let predicted = table.heldPredictions(of: run.id)
    else { return nil }
    return (predicted.class, run.classes)
  }

  private func member(
    _ codes: [Int32], of names: [String], _ test: ViewExpression.Test
  ) -> [Bool]? {
    let isNegated: Bool
    let literals: [ViewExpression.Literal]
    switch test {
    case .compare(.equal, let literal): (isNegated, literals) = (false, [literal])
    case .compare(.notEqual, let literal): (isNegated, literals) = (true, [literal])
    case .among(let list): (isNegated, literals) = (false, list)
    default: return nil
    }
    var isWanted = [Bool](repeating: isNegated, count: names.count)
    for literal in literals {
      guard let place = names.firstIndex(of: literal.text) else { return nil }
      isWanted[place] = !isNegated
    }
    return codes.map { code in isWanted.indices.contains(Int(code)) && isWanted[Int(code)] }
  }

  /// NaN where a sample has no number.
  private func numbers(of subject: ViewExpression.Subject) -> [Double]? {
    switch subject {
    case .width: return table.heldNumbers("width")
    case .height: return table.heldNumbers("height")
    case .aspect: return table.heldNumbers("aspect")
    case .objects(nil, .all([])): return table.heldNumbers("objects()")
    default: break
    }
    guard let (run, field) = run(subject) else { return nil }
    if run.task.output == .label {
      let predicted = table.heldPredictions(of: run.id)
      switch field {
      case .confidence: return predicted?.confidence
      case .margin: return predicted?.margin
      default: return nil
      }
    }
    return table.heldNumbers("run(\(QueryWords.spelled(run.name))).\(field.rawValue)")
  }

  private func compared(_ numbers: [Double], _ test: ViewExpression.Test) -> [Bool]? {
    // A comparison with NaN is false.
    switch test {
    case .compare(let comparator, let literal):
      guard let value = literal.number else { return nil }
      switch comparator {
      case .equal: return numbers.map { $0 == value }
      case .notEqual: return numbers.map { !$0.isNaN && $0 != value }
      case .less: return numbers.map { $0 < value }
      case .lessOrEqual: return numbers.map { $0 <= value }
      case .greater: return numbers.map { $0 > value }
      case .greaterOrEqual: return numbers.map { $0 >= value }
      }
    case .within(let low, let high):
      guard let low = low.number, let high = high.number else { return nil }
      return numbers.map { $0 >= low && $0 <= high }
    case .among, .like, .field: return nil
    }
  }
}
