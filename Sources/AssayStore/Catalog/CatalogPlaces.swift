import AssayCore
import GRDB

/// Lookup of samples by key, and of a sample's dataset.
extension Catalog {
  /// The sample with this key in a dataset; `nil` if the dataset's current import has none.
  package func sample(key: String, of dataset: Int64) throws -> SampleRecord? {
    try read("looking for a sample") { database in
      let statement = try RawStatement(
        database, "SELECT id FROM sample WHERE dataset = ?1 AND key = ?2 AND retired = 0")
      statement.bind(dataset, at: 1)
      statement.bind(key, at: 2)
      guard try statement.step() else { return nil }
      return try samples(ids: [statement.integer(0)]).first
    }
  }

  /// The dataset of a sample; `nil` if there is no such sample.
  package func dataset(ofSample sample: Int64) throws -> DatasetRecord? {
    try read("looking for a sample's dataset") { database in
      try Row.fetchOne(
        database,
        sql: DatasetRecord.query + " WHERE d.id = (SELECT dataset FROM sample WHERE id = ?)",
        arguments: [sample]
      ).map(DatasetRecord.init(row:))
    }
  }
}
