import AssayCore
import GRDB

extension ViewCompiler {
  /// Refuses to compare labels with a class of objects in a dataset whose samples have no labels: no sample would be
  /// selected, whatever is in the images.
  func checkIsLabeled(
    _ test: ViewExpression.Test, classes: [Int64]
  ) throws(ExpressionError) {
    guard !scope.labels.hasTags, let literal = test.literals.first, let category = classes.first
    else { return }
    let isLabeled: Bool
    do {
      isLabeled = try !hasRegions(of: category) || hasLabels()
    } catch {
      throw ExpressionError(
        source: source, offset: literal.offset, message: "the labels cannot be read: \(error)")
    }
    guard !isLabeled else { return }
    let name = literal.text
    let isNot = if case .compare(.notEqual, _) = test { true } else { false }
    throw ExpressionError(
      source: source, offset: literal.offset,
      message:
        "the samples of “\(scope.dataset.name)” have no labels, “\(name)” is a class of their objects: "
        + "write count(\(QueryWords.spelled(name))) \(isNot ? "= 0" : "> 0")")
  }

  private func hasRegions(of category: Int64) throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: """
        SELECT EXISTS (SELECT 1 FROM \(scope.truth.sampleCategory) k
          WHERE k.annotationSet = ? AND k.category = ? AND k.count + k.crowdCount > 0)
        """, arguments: [scope.labels.annotationSet, category]) ?? false
  }

  private func hasLabels() throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: """
        SELECT EXISTS (SELECT 1 FROM sample s \(scope.truth.labelJoin(set: "?1"))
          WHERE s.dataset = ?2 AND s.retired = 0 AND \(scope.truth.label) IS NOT NULL)
        """, arguments: [scope.labels.annotationSet, scope.dataset.id]) ?? false
  }
}
