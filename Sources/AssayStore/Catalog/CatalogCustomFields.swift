package import AssayCore
import GRDB

/// A field of samples: what people set, else what the source states.
package struct FieldCount: Hashable, Sendable {
  package var name: String
  /// The number of samples with a value, and of those whose value a person set.
  package var samples: Int
  package var edited: Int
  /// The number of samples by the kind of value: texts, numbers, truth values.
  package var texts: Int
  package var numbers: Int
  package var truths: Int
  /// The smallest and largest number; `nil` without one.
  package var range: ClosedRange<Double>?
  /// The texts and their numbers of samples, most frequent first; empty if there are more than
  /// ``valueLimit``.
  package var values: [Value]

  /// A text, `true` or `false`, and the number of samples with it.
  package struct Value: Hashable, Sendable {
    package var text: String
    package var samples: Int
  }

  /// The maximum number of different texts that are counted each.
  package static let valueLimit = 1_000
}

/// A value of one field of one sample.
package struct FieldValue: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case text(String)
    case number(Double)
    case truth(Bool)
  }

  /// The sample's row id.
  package var sample: Int64
  package var name: String
  package var content: Content
  /// True if a person set it.
  package var isEdited: Bool
}

extension Catalog {
  /// Passes the fields of all samples of a dataset to a closure, the samples in ascending order: texts, numbers and
  /// truth values; without lists and objects.
  ///
  /// - Throws: ``StoreError``; any error that `body` throws.
  package func forEachFieldValue(
    of dataset: Int64, _ body: (FieldValue) throws -> Void
  ) throws {
    try withReader("reading the fields of samples") { database in
      let plain = "('text', 'integer', 'real', 'true', 'false')"
      let own: String
      let isOverridden: String
      if let marks = truth.marks {
        let table = "\(truth.schema).sampleField"
        own = """
          UNION ALL
          SELECT f.sample, f.name, json_type(f.value), json_extract(f.value, '$'), 1
          FROM \(table) f JOIN sample s ON s.id = f.sample
          WHERE f.state = \(marks) AND s.dataset = ?1 AND s.retired = 0
            AND json_type(f.value) IN \(plain)
          """
        isOverridden = """
          AND NOT EXISTS (SELECT 1 FROM \(table) f
            WHERE f.state = \(marks) AND f.sample = s.id AND f.name = j.key)
          """
      } else {
        (own, isOverridden) = ("", "")
      }
      let statement = try RawStatement(
        database,
        """
        SELECT s.id, j.key, j.type, j.atom, 0 FROM sample s, json_each(s.attributes) j
        WHERE s.dataset = ?1 AND s.retired = 0 AND s.attributes IS NOT NULL
          AND j.type IN \(plain) \(isOverridden)
        \(own) ORDER BY 1
        """)
      statement.bind(dataset, at: 1)
      while try statement.step() {
        let content: FieldValue.Content =
          switch statement.text(2) {
          case "text": .text(statement.text(3))
          case "true": .truth(true)
          case "false": .truth(false)
          default: .number(statement.real(3))
          }
        try body(
          FieldValue(
            sample: statement.integer(0), name: statement.text(1), content: content,
            isEdited: statement.integer(4) != 0))
      }
    }
  }

  /// The fields in a selection, sorted by name.
  ///
  /// - Throws: ``StoreError/expression(_:)``.
  package func fieldCounts(in selection: Selection) throws -> (samples: Int, fields: [FieldCount]) {
    let ids = try ids(in: selection, where: nil, orderedBy: nil).ids
    let chosen = Set(ids)
    var counts: [String: FieldCount] = [:]
    var texts: [String: [String: Int]] = [:]
    try forEachFieldValue(of: selection.dataset.id) { value in
      guard chosen.contains(value.sample) else { return }
      var count =
        counts[value.name]
        ?? FieldCount(
          name: value.name, samples: 0, edited: 0, texts: 0, numbers: 0, truths: 0, range: nil,
          values: [])
      count.samples += 1
      if value.isEdited { count.edited += 1 }
      switch value.content {
      case .text(let text):
        count.texts += 1
        if texts[value.name, default: [:]].count <= FieldCount.valueLimit {
          texts[value.name, default: [:]][text, default: 0] += 1
        }
      case .number(let number):
        count.numbers += 1
        let known = count.range ?? number...number
        count.range = min(known.lowerBound, number)...max(known.upperBound, number)
      case .truth(let truth):
        count.truths += 1
        texts[value.name, default: [:]][truth ? "true" : "false", default: 0] += 1
      }
      counts[value.name] = count
    }
    let fields = counts.values.sorted { $0.name < $1.name }.map { count in
      var count = count
      let found = texts[count.name] ?? [:]
      if found.count <= FieldCount.valueLimit {
        count.values = found.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
          .map { FieldCount.Value(text: $0.key, samples: $0.value) }
      }
      return count
    }
    return (ids.count, fields)
  }

  /// The values of one field in a dataset as JSON texts, by the samples' row ids; without those that people removed.
  ///
  /// - Parameter name: a name that ``CustomField`` accepts.
  package func fieldTexts(_ name: String, in dataset: Int64) throws -> [Int64: String] {
    try read("reading a field of samples") { database in
      let json = truth.fieldJSON(name)
      let statement = try RawStatement(
        database,
        """
        SELECT s.id, \(json) FROM sample s
        WHERE s.dataset = ?1 AND s.retired = 0 AND ifnull(json_type(\(json)), 'null') <> 'null'
        """)
      statement.bind(dataset, at: 1)
      var texts: [Int64: String] = [:]
      while try statement.step() { texts[statement.integer(0)] = statement.text(1) }
      return texts
    }
  }

  /// The fields that people set or removed, of each sample, sorted by name; empty if there are none in the catalog.
  func editedFields(of samples: [Int64], in database: Database) throws -> [[JSONValue.Member]] {
    guard let marks = truth.marks else { return [] }
    let isAny = try Bool.fetchOne(
      database,
      sql: "SELECT EXISTS (SELECT 1 FROM \(truth.schema).sampleField WHERE state = ?)",
      arguments: [marks])
    guard isAny == true else { return [] }
    let statement = try RawStatement(
      database,
      """
      SELECT name, value FROM \(truth.schema).sampleField WHERE state = \(marks) AND sample = ?1
      ORDER BY name
      """)
    return try samples.map { sample in
      statement.bind(sample, at: 1)
      defer { statement.reset() }
      var fields: [JSONValue.Member] = []
      while try statement.step() {
        guard let value = try? JSONValue(parsing: statement.text(1)) else {
          throw StoreError.damaged(table: "sampleField", "a value of sample \(sample) is no JSON")
        }
        fields.append(.init(statement.text(0), value))
      }
      return fields
    }
  }

  /// The fields that people set, of each sample, sorted by name; empty if there are none in the catalog.
  package func editedFields(of samples: [Int64]) throws -> [[JSONValue.Member]] {
    try read("reading fields of samples") { try editedFields(of: samples, in: $0) }
  }
}
