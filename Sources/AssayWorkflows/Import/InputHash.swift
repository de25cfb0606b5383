import AssayCore

/// What tells whether a source is the one that was imported before: the SHA-256 of a single file's
/// bytes; of a folder, and of the folder of images apart from the source, that of the listing.
struct InputHash {
  private let source: ListedTree
  private let images: ListedTree?

  init(source: ListedTree, images: ListedTree?) {
    self.source = source
    self.images = images
  }

  /// The hash of the input as it is now, hexadecimal.
  ///
  /// - Parameter file: the hash of a single file's bytes, where it is known already.
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
      try Interruption.check("nothing was imported; the same command starts again")
      let count = try buffer.withUnsafeMutableBytes { bytes in
        let count = try tree.read(tree.name, at: offset, into: bytes)
        hash.update(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        return count
      }
      guard count > 0 else { return hash.hexadecimal() }
      offset += count
    }
  }

  /// The hexadecimal SHA-256 of a folder's files as sorted lines of path, size and time of change;
  /// their bytes are not read.
  private static func folder(_ tree: ListedTree) throws -> String {
    var hash = ContentHash()
    for file in try tree.files() {
      // A zero ends the path: no name holds one.
      hash.update("\(file.path)\u{0}\(file.size) \(file.modified)\n")
    }
    return hash.hexadecimal()
  }
}
