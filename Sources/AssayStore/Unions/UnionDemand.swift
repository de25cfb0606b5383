import AssayCore
import GRDB

/// The classes whose unions the expressions of a query need.
final class UnionDemand {
  private let dataset: Int64
  private let annotationSet: Int64
  private let database: Database
  /// The classes whose unions are complete.
  private let ready: Set<Int64>
  /// True if unions are looked up in the connection's own table, too.
  let hasOwnTable: Bool
  private(set) var wanted: Set<Int64> = []

  init(of dataset: DatasetRecord, _ annotationSet: Int64, in database: Database) throws {
    self.dataset = dataset.id
    self.annotationSet = annotationSet
    self.database = database
    var ready = Set(
      try Int64.fetchAll(
        database,
        sql: """
          SELECT c.id FROM category c JOIN annotationSet t ON t.taxonomy = c.taxonomy
          WHERE t.id = ? AND c.hasUnions
          """, arguments: [annotationSet]))
    hasOwnTable = try TemporaryUnions.exists(in: database)
    if hasOwnTable {
      let now = try DatasetRecord.fetch(dataset.id, in: database)
      try ready.formUnion(TemporaryUnions.categories(of: now, in: database))
    }
    self.ready = ready
  }

  /// Adds a class, by row id.
  func want(_ category: Int64) { wanted.insert(category) }

  /// - Throws: ``MissingUnions``.
  func check() throws {
    let missing = wanted.subtracting(ready)
    guard missing.isEmpty else {
      throw MissingUnions(
        dataset: try DatasetRecord.fetch(dataset, in: database), annotationSet: annotationSet,
        categories: missing.sorted())
    }
  }

  /// A class's union in row `k` of `sampleCategory`, in pixels.
  var area: String {
    guard hasOwnTable else { return "k.unionArea" }
    return """
      ifnull(k.unionArea, (SELECT u.area FROM \(TemporaryUnions.table) u \
      WHERE u.category = k.category AND u.sample = k.sample))
      """
  }
}

/// A query needs unions that were never computed, of these classes (row ids).
struct MissingUnions: Error {
  /// The dataset as it is now.
  var dataset: DatasetRecord
  var annotationSet: Int64
  var categories: [Int64]
}
