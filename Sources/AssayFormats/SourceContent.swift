import AssayCore

/// A short description of a source's contents, for errors.
enum SourceContent {
  static let utf16 = "text in UTF-16"

  private static let signatures: [(bytes: [UInt8], name: String)] = [
    ([0x89, 0x50, 0x4E, 0x47], "a PNG image"),
    ([0xFF, 0xD8, 0xFF], "a JPEG image"),
    (Array("PK\u{3}\u{4}".utf8), "a ZIP archive"),
    (Array("SQLite format 3".utf8), "a SQLite database"),
    (Array("%PDF".utf8), "a PDF"),
    ([0x93] + Array("NUMPY".utf8), "a NumPy array"),
    ([0xFF, 0xFE], utf16), ([0xFE, 0xFF], utf16),
    ([0x42, 0x5A, 0x68], "bzip2"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz"),
    ([0x28, 0xB5, 0x2F, 0xFD], "zstd"),
  ]

  /// The kind of a file that is not UTF-8 text; `nil` if it can be text.
  static func binaryKind(of bytes: [UInt8]) -> String? {
    for (signature, name) in signatures where bytes.starts(with: signature) { return name }
    return bytes.firstIndex(of: 0).map { "a binary file (byte \($0) is 0)" }
  }

  /// Fills the buffer from the beginning of a file as far as possible, and returns the number of
  /// bytes.
  ///
  /// - Throws: any error that the tree throws.
  static func readHead(
    _ tree: any SourceTree, _ path: String, into head: inout [UInt8]
  ) throws -> Int {
    try head.withUnsafeMutableBytes { bytes in
      var filled = 0
      while filled < bytes.count {
        let count = try tree.read(
          path, at: filled, into: UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]))
        if count == 0 { break }
        filled += count
      }
      return filled
    }
  }

  /// A description of a source's contents: "a folder with 12 files (10 .txt, 2 .csv)".
  ///
  /// - Throws: any error that the tree throws.
  static func describe(_ tree: any SourceTree) throws -> String {
    let files = try tree.files()
    if tree.isSingleFile {
      guard let file = files.first else { return "a file that no longer exists" }
      let lines = try TableHead.read(tree, file).lines
      let start = String(decoding: lines[0].prefix(60), as: UTF8.self)
      return "text whose first line starts with '\(start)'"
    }
    let leftOut = try tree.issues()
    let unread =
      leftOut.first.map { first in
        ", and \(leftOut.count) \(leftOut.count == 1 ? "entry" : "entries") that cannot be read "
          + "(\(first.location.file): \(first.message))"
      } ?? ""
    guard !files.isEmpty else {
      return leftOut.isEmpty ? "an empty folder" : "a folder without files" + unread
    }
    var counts: [String: Int] = [:]
    for file in files { counts[suffix(of: file.path), default: 0] += 1 }
    let most = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(4)
    let list = most.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    return
      "a folder with \(Counted.text(files.count, "file", "files")) (\(list)\(counts.count > 4 ? ", …" : ""))"
      + unread
  }

  /// The CSV files of a folder, which are separate sources.
  static func tables(of files: [SourceFile]) -> [String] {
    files.map(\.path).filter { path in
      [".csv", ".csv.gz"].contains { path.hasSuffix(ignoringCase: $0) }
        && FileNameKind(path) != .harmless
    }
  }

  private static func suffix(of path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "without suffix" }
    return name[dot...].lowercased()
  }
}
