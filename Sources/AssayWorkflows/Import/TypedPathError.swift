import AssayFormats

/// An error of an import whose commands have the path as it was typed in place of `PATH`, so that they can be copied.
package struct TypedPathError: Error, CustomStringConvertible {
  package let description: String

  /// - Parameter path: the path without a format.
  /// - Returns: `nil` for other errors than those about sources, and for texts without `PATH`.
  package init?(_ error: any Error, path: String) {
    guard error is FormatError || error is ImportError else { return nil }
    let text = "\(error)"
    let replaced = Self.replaced(text, path: path)
    guard replaced != text else { return nil }
    description = replaced
  }

  /// A text with a path in place of the word `PATH`. In single quotes it stays if the path has one.
  package static func replaced(_ text: String, path: String) -> String {
    // A folder is typed with or without its last slash.
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    var result = ""
    var rest = text[...]
    while let range = rest.range(of: "PATH") {
      let before = (result + rest[..<range.lowerBound]).last
      let after = rest[range.upperBound...].first
      result += rest[..<range.lowerBound]
      rest = rest[range.upperBound...]
      let isWord =
        !(before.map { $0.isLetter || $0.isNumber || "_$=/".contains($0) } ?? false)
        && (after.map { ":/ '".contains($0) || $0.isNewline } ?? true)
      if !isWord || (before == "'" && path.contains("'")) {
        result += "PATH"
      } else {
        result += before == "'" ? path : ShellText.quoted(path)
      }
    }
    return result + rest
  }
}
