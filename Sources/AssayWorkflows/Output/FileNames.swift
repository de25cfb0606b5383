import AssayFormats

/// Creates file names from user-defined names.
enum FileNames {
  /// A distinct file-safe stem for each name, in their order: letters, digits, `.`, `_` and `-` are
  /// kept, other characters become `_`; a stem that is already used gets `-2`, `-3`, …
  static func stems(for names: [String], taken: Set<String> = []) -> [String] {
    // On case-insensitive file systems, two classes would be written to one file.
    var distinct = DistinctNames(ignoresCase: true, taken: taken)
    return names.map { distinct.add(stem(for: $0)) }
  }

  private static func stem(for name: String) -> String {
    var safe = ""
    for character in name {
      let isKept = character.isLetter || character.isNumber || "._-".contains(character)
      let next = isKept ? String(character) : "_"
      // File systems allow 255 bytes; the rest is for prefixes and suffixes.
      if safe.utf8.count + next.utf8.count > 120 { break }
      safe += next
    }
    return safe.isEmpty ? "_" : safe
  }
}
