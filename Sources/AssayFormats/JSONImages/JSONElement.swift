import AssayCore

/// A part of a JSON file with the annotations of one image.
struct JSONElement: Sendable {
  /// The index of the file in ``JSONImagePlan/files``.
  var file: Int32
  /// The bytes in the file.
  var bytes: Range<Int>
  /// The index in the list; -1 for the whole file and for a member.
  var index: Int32 = -1
  /// The JSON pointer of a member, or of the list in the file's object; `nil` for the whole file and
  /// for a file that is a list.
  var member: String?

  /// The JSON pointer of the element; empty for the whole file.
  var pointer: String { (member ?? "") + (index < 0 ? "" : "/\(index)") }

  /// Reads a range of a file.
  ///
  /// - Throws: ``JSONElementProblem``; any error that the tree throws.
  static func bytes(
    of range: Range<Int>, in path: String, _ tree: any SourceTree
  ) throws -> [UInt8] {
    let bytes = try [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
      filled = 0
      while filled < range.count {
        let count = try tree.read(
          path, at: range.lowerBound + filled,
          into: UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[
              filled..<range.count]))
        guard count > 0 else { return }
        filled += count
      }
    }
    guard bytes.count == range.count else {
      throw JSONElementProblem(
        kind: .truncated, text: "the file became shorter while it was read; left out")
    }
    return bytes
  }

  /// Reads a whole file.
  ///
  /// - Throws: ``JSONElementProblem``; any error that the tree throws.
  static func whole(_ file: SourceFile, _ tree: any SourceTree, limit: Int) throws -> [UInt8] {
    guard file.size <= limit else {
      throw JSONElementProblem(
        kind: .unsupportedFile,
        text:
          "the file is larger than \(limit >> 20) MiB, the limit for this kind of file; left out")
    }
    return try bytes(of: 0..<max(0, file.size), in: file.path, tree)
  }
}

/// The reason why an element cannot be used.
struct JSONElementProblem: Error, Hashable, Sendable {
  var kind: IssueKind
  var text: String

  init(kind: IssueKind, text: String) {
    self.kind = kind
    self.text = text
  }

  /// Broken JSON.
  ///
  /// - Parameter start: the offset of the text in its file.
  init(_ error: JSONError, from start: Int) {
    self.init(
      kind: .unsupportedFile,
      text: "broken JSON at byte \(start + error.offset): \(error.message); left out")
  }
}

/// A JSON pointer's parts (RFC 6901).
enum JSONPointer {
  static func escaped(_ name: String) -> String {
    guard name.contains(where: { $0 == "~" || $0 == "/" }) else { return name }
    return name.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
      .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
  }
}
