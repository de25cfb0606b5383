/// File names made of names that people gave.
enum FileNames {
  /// A distinct file-safe stem for each name, in their order: letters, digits, `.`, `_` and `-` stay, the
  /// rest becomes `_`; what is taken already gets `-2`, `-3`, …
  static func stems(for names: [String], taken: Set<String> = []) -> [String] {
    // Case-insensitive disks would write two classes into one file.
    var used = Set(taken.map { $0.lowercased() })
    return names.map { name in
      let safe = stem(for: name)
      var candidate = safe
      var number = 2
      while !used.insert(candidate.lowercased()).inserted {
        candidate = "\(safe)-\(number)"
        number += 1
      }
      return candidate
    }
  }

  private static func stem(for name: String) -> String {
    var safe = ""
    for character in name {
      let isKept = character.isLetter || character.isNumber || "._-".contains(character)
      let next = isKept ? String(character) : "_"
      // Disks take 255 bytes; the rest is for what comes before and after.
      if safe.utf8.count + next.utf8.count > 120 { break }
      safe += next
    }
    return safe.isEmpty ? "_" : safe
  }
}
