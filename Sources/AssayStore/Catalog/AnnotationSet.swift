import AssayCore
import GRDB

/// The annotation set that holds a dataset's labels and regions, with its classes.
struct AnnotationSet {
  /// The set's name in every dataset.
  static let name = "labels"

  /// The name of the set that holds a person's annotations of images whose labels are someone
  /// else's.
  static func name(ofAnnotator annotator: String) -> String { prefix + annotator }

  /// The person of such a set.
  static func annotator(ofName name: String) -> String {
    name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
  }

  /// The start of the names of annotators' sets.
  static let prefix = "annotator:"

  /// The name of the set that holds the votes of several people for each image, and of its classes.
  static let votes = "votes"

  /// Deletes the sets beside the labels, which each import makes again.
  static func deleteOthers(of dataset: Int64, in database: Database) throws {
    let sets = try Int64.fetchAll(
      database, sql: "SELECT id FROM annotationSet WHERE dataset = ? AND name <> ?",
      arguments: [dataset, name])
    guard !sets.isEmpty else { return }
    let list = sets.map(String.init).joined(separator: ", ")
    let own = """
      FROM annotation WHERE annotationSet IN (\(list))
        AND sample IN (SELECT id FROM sample WHERE dataset = \(dataset))
      """
    try database.execute(sql: "DELETE FROM geometry WHERE id IN (SELECT geometry \(own))")
    try database.execute(sql: "DELETE \(own)")
    try database.execute(sql: "DELETE FROM annotationSet WHERE id IN (\(list))")
    let taxonomies = "(SELECT id FROM taxonomy WHERE dataset = \(dataset) AND name <> '\(name)')"
    try database.execute(sql: "DELETE FROM category WHERE taxonomy IN \(taxonomies)")
    try database.execute(sql: "DELETE FROM taxonomy WHERE id IN \(taxonomies)")
  }

  /// The set's id, or -1 (which no row has) if the dataset has no such set.
  let annotationSet: Int64
  /// True if a sample has a set of labels.
  let isMultiLabel: Bool
  /// True if images have labels beside regions, or labels with fields: annotations of the shape
  /// `tag`.
  let hasTags: Bool
  /// True if an image can have several labels.
  var hasSets: Bool { isMultiLabel || hasTags }
  /// The live classes in order: row id and the importer's data.
  let categories: [(id: Int64, category: Category)]

  /// - Throws: ``StoreError/damaged(table:_:)`` if the classes are not numbered from 0.
  init(of dataset: Int64, in database: Database) throws {
    let set = try Row.fetchOne(
      database,
      sql: """
        SELECT id, taxonomy, multiLabel, tags FROM annotationSet WHERE dataset = ? AND name = ?
        """, arguments: [dataset, Self.name])
    guard let set else {
      annotationSet = -1
      isMultiLabel = false
      hasTags = false
      categories = []
      return
    }
    annotationSet = set["id"]
    isMultiLabel = set["multiLabel"]
    let tags: Int = set["tags"]
    hasTags = tags > 0
    let taxonomy: Int64 = set["taxonomy"]
    categories = try Row.fetchAll(
      database,
      sql: """
        SELECT id, name, sourceId, supercategory, isVoid, ordinal, attributes
        FROM category
        WHERE taxonomy = ? AND ordinal IS NOT NULL ORDER BY ordinal
        """, arguments: [taxonomy]
    ).enumerated().map { place, row in
      // All other code uses the ordinal as the index into this list.
      let ordinal: Int64 = row["ordinal"]
      guard ordinal == place else {
        throw StoreError.damaged(
          table: "category", "the class at position \(place) has the ordinal \(ordinal)")
      }
      return (
        row["id"],
        Category(
          name: row["name"], sourceID: SourceID(row["sourceId"] as DatabaseValue),
          supercategory: row["supercategory"], isVoid: row["isVoid"],
          attributes: row["attributes"])
      )
    }
  }

  /// The number of classes in a sample's dataset; the ordinals of its regions are smaller. 0 if
  /// there is no such sample.
  static func classCount(forSample id: Int64, in database: Database) throws -> Int {
    try Int.fetchOne(
      database,
      sql: """
        SELECT count(*) FROM category WHERE ordinal IS NOT NULL AND taxonomy = (
          SELECT t.taxonomy FROM sample s JOIN annotationSet t ON t.dataset = s.dataset
          WHERE s.id = ? AND t.name = ?)
        """, arguments: [id, name]) ?? 0
  }

  /// The stored ordinal of a region's class, checked against the number of classes.
  ///
  /// - Parameter classCount: the value of ``classCount(forSample:in:)``.
  /// - Throws: ``StoreError/damaged(table:_:)`` if the dataset has no such class.
  static func checked(
    ordinal: Int64, of sample: Int64, classCount: Int
  ) throws(StoreError) -> Int {
    guard 0..<Int64(classCount) ~= ordinal else {
      throw .damaged(
        table: "category",
        "sample \(sample) has a region of class \(ordinal), and its dataset has \(classCount) classes"
      )
    }
    return Int(ordinal)
  }

  /// The ordinal of each class's row id.
  var ordinals: [Int64: Int] {
    Dictionary(
      zip(categories.map(\.id), categories.indices), uniquingKeysWith: { first, _ in first })
  }
}
