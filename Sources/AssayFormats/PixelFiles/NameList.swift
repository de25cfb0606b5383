import AssayCore

/// Small text files of class names: one per line, or with a number before it.
enum NameList {
  /// The maximum size of such a file: 16 MiB.
  static let byteLimit = 16 << 20

  /// The lines of a text without blanks around them, blank ones included.
  ///
  /// - Throws: ``FormatError/table(_:line:problem:)`` if it is not UTF-8; `SourceReadError`; any
  ///   error that the tree throws.
  static func lines(_ tree: any SourceTree, _ path: String) throws -> [String] {
    var bytes = try tree.readAll(path, limit: byteLimit)
    if bytes.starts(with: TableHead.byteOrderMark) {
      bytes.removeFirst(TableHead.byteOrderMark.count)
    }
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw FormatError.table(path, line: 1, problem: "the file is not UTF-8 text")
    }
    return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
      LabelSeparator.trimmed(String($0))
    }
  }

  /// The names of a text with one name per line, numbered from `first`; blank lines at the end do
  /// not count.
  ///
  /// - Throws: as ``lines(_:_:)``, and ``FormatError/table(_:line:problem:)`` for a blank line among
  ///   the names and a name over ``LabelReader/nameLimit`` bytes.
  static func names(
    _ tree: any SourceTree, _ path: String, first: Int = 0
  ) throws -> [NumberedClasses.Name] {
    var lines = try lines(tree, path)
    while lines.last?.isEmpty == true { lines.removeLast() }
    return try lines.enumerated().map { place, name in
      guard !name.isEmpty, name.utf8.count <= LabelReader.nameLimit else {
        throw FormatError.table(
          path, line: place + 1,
          problem: name.isEmpty
            ? "a blank line among the class names"
            : "a class name of \(name.utf8.count) bytes, over \(LabelReader.nameLimit)")
      }
      return NumberedClasses.Name(number: first + place, name: name)
    }
  }
}
