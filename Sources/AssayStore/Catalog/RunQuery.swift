import GRDB

/// The samples of a run as SQL: its entries are `r`, a sample is `s`, its label `a`, the label's class `c`.
struct RunQuery {
  /// The table expression; its parameters come first.
  let tables = """
    runSample r
    JOIN sample s ON s.id = r.sample
    LEFT JOIN annotation a ON a.sample = s.id AND a.annotationSet = ? AND a.ordinal = 0
      AND a.shape = 'label'
    LEFT JOIN category c ON c.id = a.category
    """
  let condition: String
  let arguments: [DatabaseValue]
  /// The number of the dataset's classes.
  let classCount: Int

  /// - Throws: ``StoreError/expression(_:)``.
  init(_ run: RunRecord, where expression: String?, in database: Database) throws {
    let scope = try DatasetScope(of: run.dataset, in: database)
    let filter = try expression.map { try ViewCompiler.compile($0, in: scope, database) }
    try scope.checkUnions()
    condition = "r.run = ? AND \(filter?.sql ?? "1")"
    arguments =
      [scope.labels.annotationSet.databaseValue, run.id.databaseValue] + (filter?.arguments ?? [])
    classCount = scope.labels.categories.count
  }
}
