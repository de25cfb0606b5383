import GRDB

/// The samples of a run as SQL: its entries are `r`, a sample is `s`, its label `a`, the label's class `c`.
struct RunQuery {
  /// The table expression; its parameters come first.
  let tables: String
  let condition: String
  let arguments: [DatabaseValue]
  /// The number of the dataset's classes.
  let classCount: Int
  /// The columns that a `SampleRecord` reads.
  let columns: String

  /// With a corrected ground truth, the samples that it excludes are omitted.
  ///
  /// - Throws: ``StoreError/expression(_:)``.
  init(
    _ run: RunRecord, where expression: String?, truth: TruthSource, in database: Database
  ) throws {
    let scope = try DatasetScope(of: run.dataset, truth: truth, in: database)
    tables = """
      runSample r
      JOIN sample s ON s.id = r.sample
      \(truth.labelJoin(set: "?"))
      LEFT JOIN category c ON c.id = \(truth.label)
      """
    let filter = try expression.map { try ViewCompiler.compile($0, in: scope, database) }
    try scope.checkUnions()
    condition = "r.run = ? AND \(filter?.sql ?? "1")" + (truth.counts.map { " AND \($0)" } ?? "")
    arguments =
      [scope.labels.annotationSet.databaseValue, run.id.databaseValue] + (filter?.arguments ?? [])
    classCount = scope.labels.categories.count
    columns = SampleRecord.columns(truth, of: scope.labels)
  }
}
