import AssayCore
import GRDB

/// A person whose annotations are beside the labels of a dataset.
package struct Annotator: Hashable, Sendable {
  /// The name or number in the source.
  package var name: String
  /// The number of labels and regions.
  package var annotations: Int
}

extension Catalog {
  /// The people whose annotations are beside the labels of a dataset, in the order of the source;
  /// empty if each image has one annotation.
  package func annotators(of dataset: Int64) throws -> [Annotator] {
    try read("reading the annotators") { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT name, regions FROM annotationSet
          WHERE dataset = ? AND substr(name, 1, length(?2)) = ?2 ORDER BY id
          """, arguments: [dataset, AnnotationSet.prefix]
      ).map { row in
        Annotator(
          name: AnnotationSet.annotator(ofName: row["name"]), annotations: row["regions"])
      }
    }
  }

  /// Passes on what other people annotated in samples of a dataset that have several annotations.
  ///
  /// - Parameters:
  ///   - ids: samples of one dataset, ascending.
  ///   - geometry: whether to read the packed geometry of regions.
  ///   - body: receives the sample's index in `ids`, and the annotations of each person; an
  ///     empty list if the person found nothing in the image.
  /// - Throws: ``StoreError``; any error that `body` throws.
  package func forEachOtherAnnotations(
    of ids: [Int64], geometry: Bool = false,
    _ body: (_ index: Int, _ annotations: [String: [AnnotationRecord]]) throws -> Void
  ) throws {
    guard let first = ids.first, let last = ids.last else { return }
    try withReader("reading the annotators' annotations") { database in
      let names = try Self.annotators(from: first, to: last, in: database)
      guard !names.isEmpty else { return }
      let scan = try TruthScan(
        database, truth,
        columns: """
          a.ordinal, c.ordinal, a.shape, a.isCrowd, a.area, a.x, a.y, a.width, a.height, a.sourceId,
            a.attributes, t.name
          """, geometry: geometry,
        joins: """
          CROSS JOIN category c ON c.id = a.category
          CROSS JOIN annotationSet t ON t.id = a.annotationSet
          """, ofAnnotators: true, where: "c.ordinal IS NOT NULL")
      let classCount = try AnnotationSet.classCount(forSample: first, in: database)
      try scan.begin(first, last)
      var row = try scan.next()
      for (index, id) in ids.enumerated() {
        guard let people = names[id] else { continue }
        var found = Dictionary(people.map { ($0, [AnnotationRecord]()) }) { first, _ in first }
        while let current = row, current.integer(0) <= id {
          if current.integer(0) == id {
            let category = try AnnotationSet.checked(
              ordinal: current.integer(2), of: id, classCount: classCount)
            found[AnnotationSet.annotator(ofName: current.text(12)), default: []].append(
              try AnnotationRecord(
                current, category: category, hasBytes: geometry, bytesAt: 13))
          }
          row = try scan.next()
        }
        try body(index, found)
      }
    }
  }

  /// The people who annotated each sample beside its labels.
  private static func annotators(
    from first: Int64, to last: Int64, in database: Database
  ) throws -> [Int64: [String]] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT s.id, j.value AS name FROM sample s, json_each(s.attributes, '$.annotators') j
        WHERE s.id BETWEEN ? AND ? AND s.attributes IS NOT NULL
        """, arguments: [first, last])
    var names: [Int64: [String]] = [:]
    for row in rows {
      guard let name = String.fromDatabaseValue(row["name"]) else { continue }
      names[row["id"], default: []].append(name)
    }
    return names
  }
}
