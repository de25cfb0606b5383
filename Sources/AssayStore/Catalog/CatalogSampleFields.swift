package import AssayCore
import GRDB

extension Catalog {
  /// Calls a closure with the further fields of images: those that the source states, such as the weather of
  /// BDD100K, and the custom ones of people, which replace them. Images without any are left out.
  ///
  /// - Parameter body: receives the sample's index in `samples`, and the fields in their order.
  /// - Throws: ``StoreError/damaged(table:_:)``; any error that `body` throws.
  package func forEachFields(
    of samples: [Int64], _ body: (_ index: Int, _ fields: [JSONValue.Member]) throws -> Void
  ) throws {
    try read("reading the fields of images") { database in
      let statement = try RawStatement(
        database, "SELECT attributes FROM sample WHERE id = ?1 AND attributes IS NOT NULL")
      let edited = try editedFields(of: samples, in: database)
      for (index, sample) in samples.enumerated() {
        statement.bind(sample, at: 1)
        defer { statement.reset() }
        var fields: [JSONValue.Member] = []
        if try statement.step() {
          guard let stated = (try? JSONValue(parsing: statement.text(0)))?.members else {
            throw StoreError.damaged(
              table: "sample", "the fields of sample \(sample) are no JSON object")
          }
          fields = stated
        }
        for edit in edited.isEmpty ? [] : edited[index] {
          fields.removeAll { $0.name == edit.name }
          if edit.value != .null { fields.append(edit) }
        }
        guard !fields.isEmpty else { continue }
        try body(index, fields)
      }
    }
  }

  /// Returns whether any image of a dataset has further fields, of its source or of people.
  package func hasSampleFields(in dataset: Int64) throws -> Bool {
    try read("looking for fields of images") { database in
      let isStated = try Bool.fetchOne(
        database,
        sql: """
          SELECT EXISTS (
            SELECT 1 FROM sample WHERE dataset = ? AND retired = 0 AND attributes IS NOT NULL)
          """, arguments: [dataset])
      if isStated == true { return true }
      guard let marks = truth.marks else { return false }
      return try Bool.fetchOne(
        database,
        sql: """
          SELECT EXISTS (
            SELECT 1 FROM \(truth.schema).sampleField f JOIN sample s ON s.id = f.sample
            WHERE f.state = ?1 AND s.dataset = ?2 AND s.retired = 0 AND f.value <> 'null')
          """, arguments: [marks, dataset]) == true
    }
  }
}
