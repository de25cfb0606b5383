import AssayCore
import GRDB

/// Turns an expression into a condition on a sample `s` and its label `a`, looking up the names.
///
/// Values become parameters, never text of the SQL. Every condition is 0 or 1, never NULL:
/// comparisons with an undefined value are false.
struct ViewCompiler {
  let source: String
  let scope: DatasetScope
  let database: Database

  /// - Throws: ``StoreError/expression(_:)``.
  static func compile(
    _ source: String, in scope: DatasetScope, _ database: Database
  ) throws -> Condition {
    do throws(ExpressionError) {
      let expression = try ViewExpression.parse(source)
      let compiler = ViewCompiler(source: source, scope: scope, database: database)
      return try compiler.condition(expression)
    } catch {
      throw StoreError.expression(error)
    }
  }

  /// A field that is a number, as SQL over a sample `s`.
  ///
  /// - Throws: ``StoreError/expression(_:)``.
  static func compile(
    field source: String, in scope: DatasetScope, _ database: Database
  ) throws -> Condition {
    do throws(ExpressionError) {
      let subject = try ViewExpression.parse(field: source)
      return try ViewCompiler(source: source, scope: scope, database: database).scalar(subject)
    } catch {
      throw StoreError.expression(error)
    }
  }

  func condition(_ expression: ViewExpression) throws(ExpressionError) -> Condition {
    switch expression {
    case .all(let terms): .all(try conjunction(terms))
    case .any(let terms): .any(try conditions(terms))
    case .not(let term): !(try condition(term))
    case .comparison(let comparison): try condition(comparison)
    }
  }

  private func conditions(_ terms: [ViewExpression]) throws(ExpressionError) -> [Condition] {
    var conditions: [Condition] = []
    for term in terms { conditions.append(try condition(term)) }
    return conditions
  }

  private func condition(
    _ comparison: ViewExpression.Comparison
  ) throws(ExpressionError) -> Condition {
    let comparison = try resolved(comparison)
    if case .field(let comparator, let other, let offset) = comparison.test {
      return try condition(comparison, comparator, other, at: offset)
    }
    if let term = try classTerm(comparison) { return condition([term], of: term.category) }
    let test = comparison.test
    switch comparison.subject {
    case .key:
      if case .like(let pattern) = test {
        return Condition("s.key GLOB ?", [Self.glob(pattern)])
      }
      return member(Condition("s.key"), test, values: test.literals.map(\.text))
    case .tag:
      var tags: [String] = []
      for literal in test.literals { tags.append(try tag(literal)) }
      return scope.truth.isTagged(with: tags)
    case .note:
      if case .like(let pattern) = test {
        return scope.truth.hasNote("n.note GLOB ?", [Self.glob(pattern)])
      }
      let notes = test.literals.map(\.text)
      return scope.truth.hasNote("n.note IN (\(Condition.placeholders(notes.count)))", notes)
    case .width, .height, .aspect, .labels, .corrections:
      return number(try scalar(comparison.subject), test)
    case .field(let field):
      guard field.isText else { return number(Self.value(field), test) }
      if case .like(let pattern) = test {
        let value = Self.value(field)
        return Condition(
          "ifnull((\(value.sql)) GLOB ?, 0)", value.arguments + [Self.glob(pattern)])
      }
      return member(Self.value(field), test, values: test.literals.map(\.text))
    case .custom(let name): return try condition(field: name, test)
    case .mark(let mark): return truth(scope.truth.has(mark), test)
    case .correctedBy:
      var authors: [String] = []
      for literal in test.literals { authors.append(try author(literal)) }
      return scope.truth.isCorrected(by: authors)
    case .split:
      var spellings: [String] = []
      for literal in test.literals { spellings += try splits(literal) }
      return member(Condition("s.sourceSplit"), test, values: spellings)
    case .label:
      var ids: [Int64] = []
      for literal in test.literals { ids.append(try category(literal)) }
      if scope.labels.isMultiLabel {
        // One of a sample's labels; `!=` means none of them, and also matches samples without any
        // label.
        let hasLabel = scope.truth.hasLabel(ids, set: scope.labels.annotationSet)
        if case .compare(.notEqual, _) = test { return !hasLabel }
        return hasLabel
      }
      try checkIsLabeled(test, classes: ids)
      let label = Condition(scope.truth.label)
      guard scope.labels.hasTags else { return member(label, test, values: ids) }
      // The label of the image, or one beside regions; `!=` means that it has some and none of these.
      let isAny = Condition.any([
        member(label, .among(test.literals), values: ids),
        scope.truth.hasLabel(ids, set: scope.labels.annotationSet),
      ])
      guard case .compare(.notEqual, _) = test else { return isAny }
      let count = scope.truth.labelCount(set: scope.labels.annotationSet)
      return .all([Condition("\(count.sql) > 0", count.arguments), !isAny])
    case .count, .coverage: return Condition("0")  // Done above.
    case .similarity, .objects, .labelsWith:
      return number(try scalar(comparison.subject), test)
    case .issue:
      var kinds: [String] = []
      for literal in test.literals { kinds.append(try issueKind(literal)) }
      // The kinds of imports and those of checks are different words.
      return Condition(
        """
        (EXISTS (SELECT 1 FROM issue x WHERE x.sample = s.id \
        AND x.kind IN (\(Condition.placeholders(kinds.count)))) \
        OR EXISTS (SELECT 1 FROM findingSample y JOIN finding f ON f.id = y.finding \
        WHERE y.sample = s.id AND f.kind IN (\(Condition.placeholders(kinds.count)))))
        """, kinds + kinds)
    case .part(let name): return try part(name, test)
    case .run(let name, let evaluation, let cut, let field):
      guard field == .label || field == .correct || field == .accepted else {
        return number(try scalar(comparison.subject), test)
      }
      let run = try run(name)
      try check(run, evaluation, cut, field, at: name)
      return try answer(of: run, field, at: name, test)
    }
  }

  /// A comparison of a value with names or ids, where `!=` is "has one, and not one of these".
  func member(
    _ value: Condition, _ test: ViewExpression.Test, values: [any DatabaseValueConvertible]
  ) -> Condition {
    var isNegated = false
    if case .compare(.notEqual, _) = test { isNegated = true }
    let list = Condition.placeholders(values.count)
    return Condition(
      "ifnull(\(value.sql) \(isNegated ? "NOT IN" : "IN") (\(list)), 0)", value.arguments + values)
  }

  func number(_ value: Condition, _ test: ViewExpression.Test) -> Condition {
    let numbers = test.literals.compactMap(\.number)
    let right =
      switch test {
      case .compare(let comparator, _): "\(comparator.rawValue) ?"
      case .among(let list): "IN (\(Condition.placeholders(list.count)))"
      case .within: "BETWEEN ? AND ?"
      case .like, .field: "IS NULL AND 0"  // Not a test of a number.
      }
    return Condition("ifnull(\(value.sql) \(right), 0)", value.arguments + numbers)
  }

  private func part(
    _ partition: ViewExpression.Word?, _ test: ViewExpression.Test
  ) throws(ExpressionError) -> Condition {
    let partitions = try partitions(partition)
    let known = partitions.flatMap(\.parts)
    for literal in test.literals where !known.contains(literal.text) {
      throw unknown("unknown part “\(literal.text)”", literal.text, literal.offset, among: known)
    }
    let names = test.literals.map(\.text)
    if partition != nil, let id = partitions.first?.id {
      return member(Self.part(of: id), test, values: names)
    }
    return .any(names.map { scope.isIn(part: $0, of: partitions) })
  }

  /// A comparison of a classifier's prediction, or of whether it is correct.
  private func answer(
    of run: ExpressionRun, _ field: ViewExpression.RunField, at name: ViewExpression.Word,
    _ test: ViewExpression.Test
  ) throws(ExpressionError) -> Condition {
    if field == .label {
      return member(
        prediction("p.class", of: run), test, values: try ordinals(test.literals, of: run))
    }
    return member(
      field == .accepted ? isAccepted(run) : try isCorrect(run, at: name), test,
      values: test.literals.map { $0.text == "true" ? 1 : 0 })
  }

  /// A classifier's prediction for a sample `s`; NULL if there is none.
  ///
  /// - Parameter column: SQL over the prediction `p`.
  func prediction(_ column: String, of run: ExpressionRun) -> Condition {
    Condition(
      """
      (SELECT \(column) FROM prediction p WHERE p.run = ? AND p.sample = s.id AND p.ordinal = 0)
      """, [run.id])
  }

  /// 1 if the decision of a classifier's run accepts its prediction for a sample `s`, else 0; NULL
  /// without a prediction.
  func isAccepted(_ run: ExpressionRun) -> Condition {
    let test = acceptance("p", of: run)
    return Condition(
      "(SELECT \(test.sql) FROM prediction p WHERE p.run = ? AND p.sample = s.id AND p.ordinal = 0)",
      test.arguments + [run.id])
  }

  /// 1 if the decision of a run accepts a prediction or a detection, else 0.
  ///
  /// - Parameter row: the name of its row in SQL, which has a class and a confidence.
  func acceptance(_ row: String, of run: ExpressionRun) -> Condition {
    let accepted = (run.acceptance ?? []).enumerated().compactMap { place, threshold in
      threshold.map { (place, $0) }
    }
    guard !accepted.isEmpty else { return Condition("0") }
    let cases = accepted.map { place, _ in "WHEN \(place) THEN \(row).confidence >= ?" }
    return Condition(
      "CASE \(row).class \(cases.joined(separator: " ")) ELSE 0 END", accepted.map { $0.1 })
  }

  /// 1 if a classifier's prediction for a sample `s` is correct, else 0; NULL without a prediction
  /// or a label.
  func isCorrect(
    _ run: ExpressionRun, at name: ViewExpression.Word
  ) throws(ExpressionError) -> Condition {
    try requireGroundTruth(of: run, at: name)
    return prediction(
      """
      CASE WHEN \(scope.truth.label) IS NULL THEN NULL ELSE p.class = ifnull((SELECT k.ordinal \
      FROM category c JOIN runClass k ON k.name = c.name AND k.run = p.run \
      WHERE c.id = \(scope.truth.label)), -1) END
      """, of: run)
  }
}
