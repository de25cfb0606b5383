/// The target of a correction.
///
/// In the ledger it is a text: `label`, `sample`, or an object in canonical JSON:
/// `{"category":"person","set":"instances"}` (a category's whole region),
/// `{"occurrence":0,"set":"instances","sourceId":12}` (an annotation of the source),
/// `{"entry":"0f8f…"}` (an object that an entry created), `{"entry":"0f8f…","occurrence":1}` (the
/// second of them).
package enum CorrectionTarget: Hashable, Sendable {
  /// The sample's label.
  case label
  /// The sample as a whole.
  case sample
  /// All pixels of a category, by name, in an annotation set.
  case region(set: String, category: String)
  /// An annotation of the source. `occurrence` is a 0-based counter of the annotations in the
  /// sample and set that have the same id (or have none), in source order.
  case annotation(set: String, sourceID: SourceID?, occurrence: Int)
  /// An object that an entry created, by the entry's uuid. `occurrence` is a 0-based counter within
  /// the entry.
  case made(entry: String, occurrence: Int = 0)
}

extension CorrectionTarget {
  /// True for one object: an annotation of the source, or one that an entry created.
  package var isObject: Bool {
    switch self {
    case .annotation, .made: true
    case .label, .sample, .region: false
    }
  }

  /// The spelling in the ledger.
  package var text: String {
    switch self {
    case .label: "label"
    case .sample: "sample"
    case .region(let set, let category):
      JSONValue.object([.init("category", .string(category)), .init("set", .string(set))])
        .canonicalText
    case .annotation(let set, let id, let occurrence):
      JSONValue.object([
        .init("occurrence", .integer(Int64(occurrence))), .init("set", .string(set)),
        .init("sourceId", id.json),
      ]).canonicalText
    case .made(let entry, let occurrence):
      JSONValue.object(
        [.init("entry", .string(entry))]
          + (occurrence == 0 ? [] : [.init("occurrence", .integer(Int64(occurrence)))])
      ).canonicalText
    }
  }

  /// Reads a spelling; `nil` for one from a later version.
  package init?(text: String) {
    switch text {
    case "label": self = .label
    case "sample": self = .sample
    default:
      guard let value = try? JSONValue(parsing: text) else { return nil }
      if let entry = value["entry"]?.text {
        guard case .integer(let number) = value["occurrence"] ?? .integer(0),
          let number = Int(exactly: number), number >= 0
        else { return nil }
        self = .made(entry: entry, occurrence: number)
      } else if let set = value["set"]?.text, let category = value["category"]?.text {
        self = .region(set: set, category: category)
      } else if let set = value["set"]?.text, case .integer(let occurrence)? = value["occurrence"],
        let occurrence = Int(exactly: occurrence), occurrence >= 0
      {
        switch value["sourceId"] {
        case .integer(let id):
          self = .annotation(set: set, sourceID: .integer(id), occurrence: occurrence)
        case .string(let id):
          self = .annotation(set: set, sourceID: .text(id), occurrence: occurrence)
        case .null: self = .annotation(set: set, sourceID: nil, occurrence: occurrence)
        default: return nil
        }
      } else {
        return nil
      }
    }
  }
}

extension SourceID? {
  fileprivate var json: JSONValue {
    switch self {
    case .integer(let id): .integer(id)
    case .text(let id): .string(id)
    case nil: .null
    }
  }
}
