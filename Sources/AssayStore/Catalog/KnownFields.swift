import GRDB

/// A field that objects of a dataset have, with the kind of its values.
package struct KnownField: Hashable, Sendable {
  /// The kind of most of a field's values. The raw value is the page's spelling.
  package enum Kind: String, Sendable {
    case boolean
    case number
    case text
  }

  package var name: String
  package var kind: Kind
  /// The texts that it has, in alphabetical order; empty if they are more than ``valueLimit``.
  package var values: [String]

  /// The maximum number of different texts of a field that are a choice.
  package static let valueLimit = 50
  /// The maximum length of such a text in bytes.
  private static let lengthLimit = 200
  /// The maximum number of fields, and of annotations that are read.
  private static let countLimit = 200
  private static let annotationLimit = 200_000

  /// The values of one field, as they are read.
  private struct Tally {
    var counts: [Kind: Int] = [:]
    var texts: Set<String> = []
    var isChoice = true
  }

  fileprivate static func read(set: Int64, _ database: Database) throws -> [KnownField] {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT f.key AS name, f.type AS type, CASE WHEN f.type = 'text' THEN f.value END AS value,
          count(*) AS count
        FROM (
          SELECT attributes FROM annotation
          WHERE annotationSet = ? AND attributes IS NOT NULL LIMIT \(annotationLimit)) a,
          json_each(CASE WHEN json_valid(a.attributes) THEN a.attributes ELSE '{}' END) f
        WHERE f.type IN ('true', 'false', 'integer', 'real', 'text')
        GROUP BY 1, 2, 3
        """, arguments: [set])
    var tallies: [String: Tally] = [:]
    while let row = try rows.next() {
      guard let name: String = row["name"], let type: String = row["type"],
        let count: Int = row["count"], tallies[name] != nil || tallies.count < countLimit
      else { continue }
      let kind: Kind =
        switch type {
        case "true", "false": .boolean
        case "text": .text
        default: .number
        }
      var tally = tallies[name] ?? Tally()
      tally.counts[kind, default: 0] += count
      if kind == .text {
        let text: String = row["value"] ?? ""
        if text.utf8.count <= lengthLimit, tally.texts.count < valueLimit {
          tally.texts.insert(text)
        } else {
          tally.isChoice = false
        }
      }
      tallies[name] = tally
    }
    return tallies.sorted { $0.key < $1.key }.map { name, tally in
      let kinds: [Kind] = [.boolean, .number, .text]
      let kind = kinds.max { tally.counts[$0, default: 0] < tally.counts[$1, default: 0] } ?? .text
      let isChoice = kind == .text && tally.isChoice
      return KnownField(name: name, kind: kind, values: isChoice ? tally.texts.sorted() : [])
    }
  }
}

extension Catalog {
  /// Returns the fields with a boolean, a number or a text that imported objects of a dataset have, by name.
  package func knownFields(in dataset: DatasetRecord) throws -> [KnownField] {
    try read("reading the fields of objects") { database in
      let labels = try AnnotationSet(of: dataset.id, in: database)
      return try KnownField.read(set: labels.annotationSet, database)
    }
  }
}
