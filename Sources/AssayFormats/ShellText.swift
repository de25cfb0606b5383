/// Names and paths in commands that a user can copy into a shell.
package enum ShellText {
  /// A name as one word of a shell: in single quotes if it has a character with a meaning there.
  package static func quoted(_ name: String) -> String {
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
        || "._-/+=@%:".unicodeScalars.contains($0)
    }
    if isPlain, !name.hasPrefix("-"), !name.isEmpty { return name }
    return "'"
      + name.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''") + "'"
  }

  /// The command that unpacks a gzip file and keeps it. `gunzip` alone refuses a name without `.gz`.
  ///
  /// - Parameter suffix: the suffix of the unpacked file if it has a name without `.gz`.
  static func gunzip(_ path: String, suffix: String = "") -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let isNamed = [".gz", ".tgz", ".taz"].contains { name.hasSuffix(ignoringCase: $0) }
    return isNamed
      ? "gunzip -k \(quoted(name))"
      : "gunzip -c \(quoted(name)) > \(quoted("unpacked-" + name + suffix))"
  }

  /// A path below `PATH`, which stands for the path of the import.
  static func below(_ path: String) -> String { quoted("PATH/" + path) }
}
