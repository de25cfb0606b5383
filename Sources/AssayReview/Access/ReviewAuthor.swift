import AssayCore

/// The name under which a person's corrections are kept.
package enum ReviewAuthor {
  /// The longest name, in characters.
  static let longestName = 80

  /// The name without blanks around it.
  ///
  /// - Throws: ``ReviewServerError/badAuthor(_:)`` for one that is empty, too long, or has control
  ///   characters or such as change the direction of text.
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
