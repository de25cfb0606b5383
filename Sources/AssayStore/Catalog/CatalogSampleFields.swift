package import AssayCore
import GRDB

extension Catalog {
  /// Calls a closure with the further fields of images that the source states, such as the weather of
  /// BDD100K. Images without any are left out.
  ///
  /// - Parameter body: receives the sample's index in `samples`, and the fields in their order.
  /// - Throws: ``StoreError/damaged(table:_:)``; any error that `body` throws.
  package func forEachFields(
    of samples: [Int64], _ body: (_ index: Int, _ fields: [JSONValue.Member]) throws -> Void
  ) throws {
    try read("reading the fields of images") { database in
      let statement = try RawStatement(
        database, "SELECT attributes FROM sample WHERE id = ?1 AND attributes IS NOT NULL")
      for (index, sample) in samples.enumerated() {
        statement.bind(sample, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { continue }
        guard let fields = (try? JSONValue(parsing: statement.text(0)))?.members else {
          throw StoreError.damaged(
            table: "sample", "the fields of sample \(sample) are no JSON object")
        }
        try body(index, fields)
      }
    }
  }

  /// Returns whether any image of a dataset has further fields.
  package func hasSampleFields(in dataset: Int64) throws -> Bool {
    try read("looking for fields of images") { database in
      try Bool.fetchOne(
        database,
        sql: """
          SELECT EXISTS (
            SELECT 1 FROM sample WHERE dataset = ? AND retired = 0 AND attributes IS NOT NULL)
          """, arguments: [dataset]) == true
    }
  }
}
