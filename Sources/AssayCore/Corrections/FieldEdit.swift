import Foundation

/// The change that an entry makes to the custom fields of a sample: one field that is set or removed.
package struct FieldEdit: Hashable, Sendable {
  /// A name that ``CustomField/checked(name:)`` accepts.
  package var name: String
  /// A value that ``CustomField/checked(_:)`` accepts; `null` removes the field, also one of the source.
  package var value: JSONValue

  package init(name: String, value: JSONValue) {
    self.name = name
    self.value = value
  }

  /// The change in words: `lighting = "dim"`, `lighting removed`.
  package var words: String { value == .null ? "\(name) removed" : "\(name) = \(value.text())" }
}

/// The rules for custom fields of samples: names with a text, a number, `true` or `false`.
package enum CustomField {
  /// The maximum number of characters of a name, and of a text.
  package static let nameLimit = 100
  package static let textLimit = 1_000
  /// The fields of a video's frames, which belong to its import.
  package static let reserved: Set<String> = ["frame", "time", "track"]

  /// Returns a name as it is stored: without blanks at its ends, in Unicode's composed form.
  ///
  /// - Throws: ``CustomFieldError``.
  package static func checked(name text: String) throws(CustomFieldError) -> String {
    let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
      .precomposedStringWithCanonicalMapping
    guard !name.isEmpty else { throw .emptyName }
    guard name.count <= nameLimit, name.unicodeScalars.count <= 4 * nameLimit else {
      throw .longName(name.count)
    }
    if let bad = forbidden(in: name)
      ?? name.unicodeScalars.first(where: { "\"\\".unicodeScalars.contains($0) })
    {
      throw .badName(bad)
    }
    guard !reserved.contains(name) else { throw .reserved(name) }
    return name
  }

  /// Returns a value if a field can have it; texts in Unicode's composed form.
  ///
  /// - Throws: ``CustomFieldError`` for a list, an object, a number that is not finite, and a text that is too long or
  ///   has control characters.
  package static func checked(_ value: JSONValue) throws(CustomFieldError) -> JSONValue {
    switch value {
    case .null, .bool, .integer: return value
    case .number(let number):
      guard number.isFinite else { throw .notFinite }
      return value
    case .string(let text):
      let composed = text.precomposedStringWithCanonicalMapping
      guard composed.count <= textLimit, composed.unicodeScalars.count <= 4 * textLimit else {
        throw .longText(composed.count)
      }
      if let bad = forbidden(in: composed) { throw .badText(bad) }
      return .string(composed)
    case .array, .object: throw .notPlain(value.kindName)
    }
  }

  private static func forbidden(in text: String) -> Unicode.Scalar? {
    text.unicodeScalars.first {
      switch $0.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: true
      default: $0.reordersText
      }
    }
  }
}

/// The reasons why a field cannot be set.
package enum CustomFieldError: Error, Hashable {
  case emptyName
  /// With the number of characters.
  case longName(Int)
  /// With the character that a name cannot have.
  case badName(Unicode.Scalar)
  /// A name that the frames of videos have from their import.
  case reserved(String)
  case notFinite
  /// With the number of characters.
  case longText(Int)
  /// With the control character, or the one that reorders the text around it.
  case badText(Unicode.Scalar)
  /// A list or an object, in words.
  case notPlain(String)
}

extension CustomFieldError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .emptyName:
      "the name of the field is empty; expected 1 to \(CustomField.nameLimit) characters"
    case .longName(let count):
      "the name of the field has \(count) characters; expected 1 to \(CustomField.nameLimit)"
    case .badName(let scalar):
      "the name of the field contains \(scalar.properties.generalCategory == .control || scalar.reordersText ? scalar.visible : "the character \(scalar)"); use printable characters other than quotation marks and backslashes"
    case .reserved(let name):
      "“\(name)” is a field of a video's frames, which the import sets; use another name"
    case .notFinite: "a number of a field must be finite"
    case .longText(let count):
      "the text has \(count) characters; a field has at most \(CustomField.textLimit)"
    case .badText(let scalar):
      "the text contains the control character \(scalar.visible); use printable characters"
    case .notPlain(let kind):
      "a field has a text, a number, true or false, not \(kind)"
    }
  }
}

/// The change that an entry makes to what people say about a sample beside its ground truth.
package enum SampleEdit: Hashable, Sendable {
  case tag(TagEdit)
  case field(FieldEdit)

  /// The kind of its entries.
  package var kind: CorrectionKind {
    switch self {
    case .tag(let edit): edit.isAddition ? .tag : .untag
    case .field: .field
    }
  }

  /// The members of an entry's payload that say it.
  package var members: [JSONValue.Member] {
    switch self {
    case .tag(let edit): [.init("tag", .string(edit.tag))]
    case .field(let edit): [.init("field", .string(edit.name)), .init("value", edit.value)]
    }
  }

  /// True if it removes a tag or a field.
  package var isRemoval: Bool {
    switch self {
    case .tag(let edit): !edit.isAddition
    case .field(let edit): edit.value == .null
    }
  }

  /// Reads the edit of an entry; `nil` for an entry of another kind, and for one that is not valid.
  package init?(kind: CorrectionKind, payload: JSONValue) {
    switch kind {
    case .tag, .untag:
      guard let name = payload["tag"]?.text.flatMap({ try? TagName.checked($0) }) else {
        return nil
      }
      self = .tag(TagEdit(tag: name, isAddition: kind == .tag))
    case .field:
      guard let name = payload["field"]?.text.flatMap({ try? CustomField.checked(name: $0) }),
        let value = payload["value"].flatMap({ try? CustomField.checked($0) })
      else { return nil }
      self = .field(FieldEdit(name: name, value: value))
    default: return nil
    }
  }
}

/// The tags and custom fields of a replay. Edits of them commute with all other entries, so they count on every branch,
/// in the ledger's order: of two edits of one tag or one field, the later one counts.
extension CorrectionReplay {
  /// The tags of the sample, sorted.
  var tags: [String] {
    var tags: Set<String> = []
    for case .tag(let edit) in activeEdits {
      if edit.isAddition { tags.insert(edit.tag) } else { tags.remove(edit.tag) }
    }
    return tags.sorted()
  }

  /// The fields of the sample that people set or removed, sorted by name; `null` for a removed one.
  var fields: [JSONValue.Member] {
    var fields: [String: JSONValue] = [:]
    for case .field(let edit) in activeEdits { fields[edit.name] = edit.value }
    return fields.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, $0.value) }
  }

  /// The edits that count, in the ledger's order.
  private var activeEdits: [SampleEdit] {
    sampleEdits.sorted { $0.key < $1.key }.filter(\.value.isActive).map(\.value.change)
  }

  /// The edits by their places among the steps, each with whether it counts: it was made on this image and is not
  /// undone.
  var sampleEdits: [Int: (change: SampleEdit, isActive: Bool)] {
    var edits: [Int: (change: SampleEdit, isActive: Bool)] = [:]
    for (index, step) in context.chain.steps.enumerated() {
      guard case .success(let operation) = step.operation else { continue }
      switch operation {
      case .edit(let edit): edits[index] = (edit, !step.isForeign)
      case .undo(let uuid), .redo(let uuid):
        guard !step.isForeign, let named = context.chain.step(uuid: uuid), named < index,
          let edit = edits[named], !context.chain.steps[named].isForeign
        else { continue }
        if case .undo = operation {
          edits[named] = (edit.change, false)
        } else {
          edits[named] = (edit.change, true)
        }
      default: break
      }
    }
    return edits
  }
}
