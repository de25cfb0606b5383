import AssayCore
import GRDB

/// The annotation set that holds a dataset's labels and regions, with its classes.
struct LabelSet {
  /// The set's name in every dataset.
  static let name = "labels"

  /// The set's id; -1, which no row has, where the dataset has no such set.
  let annotationSet: Int64
  /// The live classes in order: row id and what the importer gave.
  let categories: [(id: Int64, category: Category)]

  /// - Throws: ``StoreError/damaged(table:_:)`` where the classes are not numbered from 0.
  init(of dataset: Int64, in database: Database) throws {
    let set = try Row.fetchOne(
      database, sql: "SELECT id, taxonomy FROM annotationSet WHERE dataset = ? AND name = ?",
      arguments: [dataset, Self.name])
    guard let set else {
      annotationSet = -1
      categories = []
      return
    }
    annotationSet = set["id"]
    let taxonomy: Int64 = set["taxonomy"]
    categories = try Row.fetchAll(
      database,
      sql: """
        SELECT id, name, sourceId, supercategory, isVoid, ordinal FROM category
        WHERE taxonomy = ? AND ordinal IS NOT NULL ORDER BY ordinal
        """, arguments: [taxonomy]
    ).enumerated().map { place, row in
      // Everything else takes the ordinal for the place in this list.
      let ordinal: Int64 = row["ordinal"]
      guard ordinal == place else {
        throw StoreError.damaged(table: "category", "the class \(place) has the ordinal \(ordinal)")
      }
      return (
        row["id"],
        Category(
          name: row["name"], sourceID: SourceID(row["sourceId"] as DatabaseValue),
          supercategory: row["supercategory"], isVoid: row["isVoid"])
      )
    }
  }

  /// The ordinal of each class's row id.
  var ordinals: [Int64: Int] {
    Dictionary(
      zip(categories.map(\.id), categories.indices), uniquingKeysWith: { first, _ in first })
  }
}
