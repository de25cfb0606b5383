import AssayCore

/// What tells whether a source is the one that was imported before.
enum InputHash {
  /// The hexadecimal SHA-256 of a single file's bytes, read in pieces.
  ///
  /// - Throws: ``SourceError``.
  static func file(_ tree: DirectoryTree) throws -> String {
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
  ///
  /// - Throws: ``SourceError``.
  static func folder(_ tree: DirectoryTree) throws -> String {
    var hash = ContentHash()
    for file in try tree.files() {
      // A zero ends the path: no name holds one.
      hash.update("\(file.path)\u{0}\(file.size) \(file.modified)\n")
    }
    return hash.hexadecimal()
  }
}
