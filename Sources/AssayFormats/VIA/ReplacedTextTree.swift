import AssayCore

/// A source in which some files have another text; the other files are unchanged.
struct ReplacedTextTree: SourceTree {
  private let tree: any SourceTree
  private let texts: [String: [UInt8]]

  /// - Parameter texts: the bytes of the replaced files, by path.
  init(_ tree: any SourceTree, _ texts: [String: [UInt8]]) {
    self.tree = tree
    self.texts = texts
  }

  /// The files that have another text.
  var replaced: [SourceFile] {
    get throws { try files().filter { texts[$0.path] != nil } }
  }

  var name: String { tree.name }
  var isSingleFile: Bool { tree.isSingleFile }

  func files() throws -> [SourceFile] {
    try tree.files().map { file in
      guard let text = texts[file.path] else { return file }
      return SourceFile(path: file.path, size: text.count, modified: file.modified)
    }
  }

  func issues() throws -> [Issue] { try tree.issues() }

  func read(
    _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    guard let text = texts[path] else { return try tree.read(path, at: offset, into: buffer) }
    let count = max(0, min(buffer.count, text.count - offset))
    if count > 0 { buffer.copyBytes(from: text[offset..<offset + count]) }
    return count
  }
}
