/// Names of files and folders made of what people or data sets call things, that every disk takes.
enum SafeFileName {
  /// Disks take 255 bytes; the rest is for what comes before and after.
  private static let limit = 120
  private static let forbidden = Set("<>:\"/\\|?*".unicodeScalars)
  /// Windows gives these to devices, whatever follows a dot.
  private static let devices: Set<String> = Set(
    ["con", "prn", "aux", "nul"] + (1...9).flatMap { ["com\($0)", "lpt\($0)"] })

  /// The name with `_` for what a disk forbids, hides or does not show: separators, control and direction
  /// characters, a dot at the start, blanks and dots at the ends. Never empty.
  static func of(_ name: String) -> String {
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
