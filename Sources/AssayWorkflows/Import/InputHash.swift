import AssayCore

/// The hash by which an input is recognized as already imported: the SHA-256 of a single file's
/// bytes; for a folder or archive, and for a separate image folder, that of the file listing.
struct InputHash {
  private let source: ListedTree
  private let images: ListedTree?

  init(source: ListedTree, images: ListedTree?) {
    self.source = source
    self.images = images
  }

  /// The hash of the current input, hexadecimal.
  ///
  /// - Parameter file: the hash of a single file's bytes, if it is already known.
  /// - Throws: ``SourceError``; ``Interrupted``.
  func hash(of file: String? = nil) throws -> String {
    guard source.isSingleFile else { return try Self.folder(source) }
    let bytes = try file ?? Self.file(source)
    guard let images else { return bytes }
    var hash = ContentHash()
    hash.update("\(bytes) \(try Self.folder(images))")
    return hash.hexadecimal()
  }

  /// The hexadecimal SHA-256 of a single file's bytes, read in pieces.
  private static func file(_ tree: ListedTree) throws -> String {
    var hash = ContentHash()
    var offset = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      try Interruption.check("nothing was imported; run the same command to start again")
      let count = try buffer.withUnsafeMutableBytes { bytes in
        let count = try tree.read(tree.name, at: offset, into: bytes)
        hash.update(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        return count
      }
      guard count > 0 else { return hash.hexadecimal() }
      offset += count
    }
  }

  /// The hexadecimal SHA-256 of a folder's files as sorted lines of path, size and modification
  /// time; the files' contents are not read.
  private static func folder(_ tree: ListedTree) throws -> String {
    var hash = ContentHash()
    // The times in an archive have few digits.
    if tree.source.directory == nil { hash.update("\(DiskStamp(tree.root))\n") }
    for file in try tree.files() {
      // A zero byte ends the path, because names cannot contain one.
      hash.update("\(file.path)\u{0}\(file.size) \(file.modified)\n")
    }
    return hash.hexadecimal()
  }
}
