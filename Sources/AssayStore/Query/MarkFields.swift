import AssayCore
import GRDB

/// Review marks of samples, as conditions on a sample `s`. They are the same for the imported and
/// the corrected ground truth.
extension TruthSource {
  /// Returns the condition that a sample has a mark.
  func has(_ mark: ViewExpression.ReviewMark) -> Condition {
    let condition =
      switch mark {
      case .corrected: "corrections > 0"
      case .leftOut: "leftOut IS NOT NULL"
      case .reviewed: "status = '\(ReviewStatus.done.rawValue)'"
      case .unsure: "status = '\(ReviewStatus.unsure.rawValue)'"
      case .conflict: "conflicts > 0"
      }
    guard let marks else { return Condition("0") }
    return Condition(
      """
      s.id IN (SELECT sample FROM \(schema).correctedSample WHERE state = \(marks) AND \(condition))
      """)
  }

  /// The number of visits that changed its ground truth.
  var corrections: Condition {
    guard let marks else { return Condition("0") }
    return Condition(
      """
      ifnull((SELECT z.corrections FROM \(schema).correctedSample z \
      WHERE z.state = \(marks) AND z.sample = s.id), 0)
      """)
  }

  /// Returns the condition that one of these people changed its ground truth.
  func isCorrected(by authors: [String]) -> Condition {
    guard let marks else { return Condition("0") }
    return Condition(
      """
      s.id IN (SELECT sample FROM \(schema).correctedBy WHERE state = \(marks) AND corrections > 0 \
      AND author IN (\(Condition.placeholders(authors.count))))
      """, authors)
  }

  /// All known authors of entries, sorted.
  func authors(in database: Database) throws -> [String] {
    guard let marks else { return [] }
    return try String.fetchAll(
      database,
      sql: "SELECT DISTINCT author FROM \(schema).correctedBy WHERE state = ? ORDER BY author",
      arguments: [marks])
  }
}

extension ViewCompiler {
  /// A comparison of a Boolean with `true` and `false`.
  func truth(_ condition: Condition, _ test: ViewExpression.Test) -> Condition {
    var wanted = Set(test.literals.map { $0.text == "true" })
    if case .compare(.notEqual, _) = test { wanted = Set([true, false]).subtracting(wanted) }
    switch (wanted.contains(true), wanted.contains(false)) {
    case (true, true): return Condition("1")
    case (true, false): return condition
    case (false, true): return !condition
    case (false, false): return Condition("0")
    }
  }

  /// Returns the name of a person with entries.
  func author(_ literal: Literal) throws(ExpressionError) -> String {
    let known: [String]
    do {
      known = try scope.truth.authors(in: database)
    } catch {
      throw ExpressionError(
        source: source, offset: literal.offset, message: "the authors cannot be read: \(error)")
    }
    guard known.contains(literal.text) else {
      throw unknown(
        known.isEmpty
          ? "there are no corrections yet"
          : "unknown author “\(literal.text)”: no corrections",
        literal.text, literal.offset, among: known)
    }
    return literal.text
  }
}
