import AssayCore
import GRDB

/// The value that samples are sorted by, as SQL over a sample `s` and its label: a number, or a text by its bytes; NULL without one.
struct SortKey {
  var value: Condition
  var isText: Bool

  /// - Throws: ``StoreError/expression(_:)``, also for a subject of which a sample can have several.
  init(_ source: String, in scope: DatasetScope, _ database: Database) throws {
    do throws(ExpressionError) {
      let (subject, offset) = try ViewExpression.parse(order: source)
      let compiler = ViewCompiler(source: source, scope: scope, database: database)
      if let text = try compiler.text(subject, at: offset) {
        (value, isText) = (Condition("nullif(\(text.sql), '')", text.arguments), true)
      } else {
        (value, isText) = (try compiler.scalar(subject), false)
      }
    } catch {
      throw StoreError.expression(error)
    }
  }
}

extension ViewExpression {
  /// Reads the left side of a comparison alone, if samples can be sorted by it: `run(r1).iou`, `key`.
  ///
  /// - Returns: the subject, and the 0-based character where it starts.
  /// - Throws: `ExpressionError`, also for a subject of which a sample can have several.
  package static func parse(
    order source: String
  ) throws(ExpressionError) -> (subject: Subject, offset: Int) {
    var tokens = try TokenReader(source)
    let (subject, offset) = try SubjectParser.parse(&tokens)
    if subject.domain == .truth {
      throw tokens.error(at: offset, "“\(subject)” is true or false, not a number or a text")
    }
    if subject.isManyValued {
      throw tokens.error(
        at: offset, "samples cannot be sorted by “\(subject)”: a sample can have several")
    }
    guard tokens.next.kind == .end else { throw tokens.unexpected("the end") }
    return (subject, offset)
  }
}

extension ViewCompiler {
  /// A text of a sample as SQL; `nil` for numbers, and for custom fields that have numbers.
  fileprivate func text(
    _ subject: ViewExpression.Subject, at offset: Int
  ) throws(ExpressionError) -> Condition? {
    switch subject {
    case .key: return Condition("s.key")
    case .split: return Condition("s.sourceSplit")
    case .label:
      guard !scope.labels.hasSets else {
        throw ExpressionError(
          source: source, offset: offset,
          message:
            "samples cannot be sorted by “label”: a sample can have several; “labels” is their number"
        )
      }
      return Condition("(SELECT q.name FROM category q WHERE q.id = \(scope.truth.label))")
    case .part(let name?):
      return try partitions(name).first.map { Self.part(of: $0.id) }
    case .custom(let name):
      let column = try column(of: name)
      do throws(ExpressionError) {
        _ = try self.column(of: name, needsNumbers: true)
        return nil
      } catch {
        return column.text
      }
    case .field(let field): return field.isText ? Self.value(field) : nil
    case .run(let name, let evaluation, let cut, .label):
      let run = try run(name)
      try check(run, evaluation, cut, .label, at: name)
      return prediction(
        "(SELECT k.name FROM runClass k WHERE k.run = p.run AND k.ordinal = p.class)", of: run)
    case .width, .height, .aspect, .labels, .labelsWith, .count, .coverage, .similarity, .objects,
      .corrections, .run, .issue, .part, .mark, .correctedBy, .tag, .note:
      return nil
    }
  }
}
