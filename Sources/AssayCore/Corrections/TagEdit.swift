import Foundation

/// The change that an entry makes to the tags of a sample: one tag that is added or removed.
package struct TagEdit: Hashable, Sendable {
  /// A name that ``TagName`` accepts.
  package var tag: String
  /// True if the tag is added.
  package var isAddition: Bool

  package init(tag: String, isAddition: Bool) {
    self.tag = tag
    self.isAddition = isAddition
  }
}

/// The rules for the name of a tag.
package enum TagName {
  /// The maximum number of characters.
  package static let limit = 100

  /// Returns a name as it is stored: without blanks at its ends, in Unicode's composed form.
  ///
  /// - Throws: ``TagNameError``.
  package static func checked(_ text: String) throws(TagNameError) -> String {
    let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
      .precomposedStringWithCanonicalMapping
    guard !name.isEmpty else { throw .empty }
    let scalars = name.unicodeScalars
    // A character can have any number of combining scalars.
    guard name.count <= limit, scalars.count <= 4 * limit else { throw .tooLong(name.count) }
    let bad = scalars.first {
      switch $0.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: true
      default: $0.reordersText
      }
    }
    if let bad { throw .control(bad) }
    return name
  }
}

/// The reasons why a text cannot be the name of a tag.
package enum TagNameError: Error, Hashable {
  case empty
  /// With the number of characters.
  case tooLong(Int)
  /// With the control character, or the one that reorders the text around it.
  case control(Unicode.Scalar)
}

extension TagNameError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "the tag is empty; expected 1 to \(TagName.limit) characters"
    case .tooLong(let count):
      "the tag has \(count) characters; expected 1 to \(TagName.limit)"
    case .control(let scalar):
      "the tag contains the control character \(scalar.visible); use printable characters"
    }
  }
}

/// The tags of a replay. Edits of tags commute with all other entries, so they count on every
/// branch, in the ledger's order: of two opposite edits of one tag, the later one counts.
extension CorrectionReplay {
  /// The tags of the sample, sorted.
  var tags: [String] {
    var tags: Set<String> = []
    for (_, edit) in tagEdits.sorted(by: { $0.key < $1.key }) where edit.isActive {
      if edit.change.isAddition {
        tags.insert(edit.change.tag)
      } else {
        tags.remove(edit.change.tag)
      }
    }
    return tags.sorted()
  }

  /// The edits of tags by their places among the steps, each with whether it counts: it was made on
  /// this image and is not undone.
  var tagEdits: [Int: (change: TagEdit, isActive: Bool)] {
    var edits: [Int: (change: TagEdit, isActive: Bool)] = [:]
    for (index, step) in context.chain.steps.enumerated() {
      guard case .success(let operation) = step.operation else { continue }
      switch operation {
      case .tag(let edit): edits[index] = (edit, !step.isForeign)
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
