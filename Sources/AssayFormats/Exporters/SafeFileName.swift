/// File and folder names, derived from names of users or datasets, that every file system accepts.
package enum SafeFileName {
  /// File systems allow 255 bytes; the rest is for prefixes and suffixes.
  private static let limit = 120
  private static let forbidden = Set("<>:\"/\\|?*".unicodeScalars)
  /// Windows reserves these for devices, with any suffix.
  private static let devices: Set<String> = Set(
    ["con", "prn", "aux", "nul"] + (1...9).flatMap { ["com\($0)", "lpt\($0)"] })

  /// The name with `_` for characters that a file system forbids, hides or does not show:
  /// separators, control and direction characters, a leading dot, surrounding blanks and trailing
  /// dots. Never empty.
  package static func of(_ name: String) -> String {
    var safe = ""
    for character in name {
      let isKept = character.unicodeScalars.allSatisfy { scalar in
        !forbidden.contains(scalar) && !isInvisible(scalar)
      }
      let next = isKept ? String(character) : "_"
      if safe.utf8.count + next.utf8.count > limit { break }
      safe += next
    }
    if let first = safe.first, first == "." || first == " " || first == "~" {
      safe = "_" + safe.dropFirst()
    }
    if let last = safe.last, last == "." || last == " " { safe = safe.dropLast() + "_" }
    let stem = safe.split(separator: ".", omittingEmptySubsequences: false).first ?? ""
    if devices.contains(stem.lowercased()) { safe = "_" + safe }
    return safe.isEmpty ? "_" : safe
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
      .unassigned:
      true
    default: false
    }
  }
}
