/// The members of every entry's payload besides the change: author, time, tool, duration.
///
/// Read leniently, because a later version or another program may have written it: a member that is
/// missing or has another type is `nil`.
package struct CorrectionMetadata: Hashable, Sendable {
  /// Empty if the payload names none.
  package var author: String
  /// The tool: `editor`, `command line`.
  package var tool: String?
  /// `2026-11-21T14:40:05Z`.
  package var time: String?
  /// Active seconds since the visit's previous entry, 0 or more.
  package var seconds: Double?
  package var note: String?
  /// True if the author is done with the sample.
  package var isDone: Bool
  /// The annotation set whose ground truth is changed.
  package var set: String?
  /// The name of the class that is changed.
  package var category: String?
  /// The tag that is added or removed.
  package var tag: String?
  /// The custom field that is set or removed.
  package var field: FieldEdit?
  /// Uuids of the side-branch entries that this one resolves.
  package var resolves: [String]
  /// The review for which its author corrected the sample independently; `nil` for an entry that
  /// counts for everybody.
  package var independent: String?
  /// The rule by which the entry was made from independent versions; `nil` for other entries.
  package var consensus: String?

  /// - Parameter payload: the entry's payload, read as JSON.
  package init(_ payload: JSONValue) {
    author = payload["author"]?.text ?? ""
    tool = payload["tool"]?.text
    time = payload["time"]?.text
    seconds = payload["seconds"]?.double.flatMap { $0 >= 0 ? $0 : nil }
    note = payload["note"]?.text
    isDone = payload["done"] == .bool(true)
    set = payload["set"]?.text
    category = payload["category"]?.text
    tag = payload["tag"]?.text
    field = payload["field"]?.text.map { FieldEdit(name: $0, value: payload["value"] ?? .null) }
    resolves = payload["resolves"]?.elements?.compactMap(\.text) ?? []
    independent = payload["independent"]?.text
    consensus = payload["consensus"]?["rule"]?.text
  }
}

extension LedgerEntry {
  /// The members of the payload besides the change. Reads the whole payload: for a sample's history
  /// see ``EffectiveTruth/history``.
  package var remarks: CorrectionMetadata {
    CorrectionMetadata((try? JSONValue(parsing: payload)) ?? .object([]))
  }
}
