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
