import AssayCore
import GRDB

extension Catalog {
  /// The samples that a run has done, in its order; with an expression, only matching samples.
  ///
  /// Samples that have been retired since are included.
  ///
  /// - Throws: ``StoreError/expression(_:)``.
  package func doneSamples(
    of run: Int64, where expression: String? = nil
  ) throws -> [SampleRecord] {
    try asking("reading the samples of a run") { database in
      try Self.doneSamples(of: run, where: expression, truth: truth, in: database)
    }
  }

  /// The same query within a transaction.
  static func doneSamples(
    of run: Int64, where expression: String?, truth: TruthSource, in database: Database
  ) throws -> [SampleRecord] {
    let record = try RunRecord.fetch(run, in: database)
    let query = try RunQuery(record, where: expression, truth: truth, in: database)
    let statement = try RawStatement(
      database,
      """
      SELECT \(query.columns) FROM \(query.tables)
      WHERE \(query.condition) AND r.status = 'done' ORDER BY r.position
      """)
    statement.bind(query.arguments)
    var samples: [SampleRecord] = []
    samples.reserveCapacity(record.done)
    while try statement.step() {
      samples.append(try SampleRecord(statement, classes: query.classCount))
    }
    return samples
  }
}
