import AssayCore

/// The name under which a person's corrections are stored.
package enum ReviewAuthor {
  /// The maximum length of a name, in characters.
  static let longestName = 80

  /// Returns the name without surrounding spaces.
  ///
  /// - Throws: ``ReviewServerError/badAuthor(_:)`` if the name is empty, too long, or contains
  ///   control characters or characters that change the text direction.
  package static func checked(_ name: String) throws(ReviewServerError) -> String {
    let blanks = name.drop { $0 == " " }
    let trimmed = String(blanks.reversed().drop { $0 == " " }.reversed())
    guard (1...longestName).contains(trimmed.count), trimmed.utf8.count <= 4 * longestName,
      trimmed.unicodeScalars.allSatisfy(isPlain)
    else { throw .badAuthor(name) }
    return trimmed
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
      .privateUse:
      false
    default: true
    }
  }
}
