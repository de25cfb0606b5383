import AssayCore

extension DirectoryTree {
  /// The SHA-256 of a single file.
  ///
  /// - Throws: ``SourceError``.
  func contentHash() throws -> String {
    var hash = ContentHash()
    var offset = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = try buffer.withUnsafeMutableBytes { bytes in
        let count = try read(name, at: offset, into: bytes)
        hash.update(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        return count
      }
      if count == 0 { return hash.hexadecimal() }
      offset += count
    }
  }
}
