import AssayCore

/// A source in memory.
struct MemoryTree: SourceTree {
  var name = "memory"
  var isSingleFile = false
  private var contents: [(path: String, bytes: [UInt8])]

  /// A single file.
  init(_ bytes: [UInt8], name: String = "rows.csv") {
    self.name = name
    isSingleFile = true
    contents = [(name, bytes)]
  }

  init(_ text: String, name: String = "rows.csv") { self.init(Array(text.utf8), name: name) }

  /// A folder.
  init(folder: [String: [UInt8]]) {
    contents = folder.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { ($0.key, $0.value) }
  }

  func files() throws -> [SourceFile] {
    contents.map { SourceFile(path: $0.path, size: $0.bytes.count, modified: 0) }
  }

  func read(
    _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    guard let (_, bytes) = contents.first(where: { $0.path == path }) else { throw Missing() }
    let count = max(0, min(buffer.count, bytes.count - offset))
    if count > 0 { buffer.copyBytes(from: bytes[offset..<(offset + count)]) }
    return count
  }

  struct Missing: Error {}
}
