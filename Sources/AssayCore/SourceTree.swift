/// A file of a source: path relative to the root with `/`, size in bytes, modification time in
/// nanoseconds since 1970.
package struct SourceFile: Hashable, Sendable {
  package var path: String
  package var size: Int
  package var modified: Int64

  package init(path: String, size: Int, modified: Int64) {
    self.path = path
    self.size = size
    self.modified = modified
  }
}

/// An importer's view of the disk: names, sizes and bytes below one root, nothing else.
///
/// The file system implementation is in AssayWorkflows; tests use one in memory. Thread-safe.
package protocol SourceTree: Sendable {
  /// The last component of the root's path, for messages and default names.
  var name: String { get }

  /// True if the source is a single file (then ``files()`` has exactly one).
  var isSingleFile: Bool { get }

  /// Every regular file below the root, sorted by path (bytewise). Hidden files (a component that
  /// starts with `.`) are omitted. Links to files and folders below the root are followed; others
  /// are ``issues()``.
  ///
  /// - Throws: if the root cannot be listed or contains more files than the limit.
  func files() throws -> [SourceFile]

  /// The links that ``files()`` does not follow: those that leave the root, and those with a
  /// missing target; the first 10,000 of them.
  ///
  /// - Throws: the same errors as ``files()``.
  func issues() throws -> [Issue]

  /// Reads up to `buffer.count` bytes at `offset` and returns the number of bytes; 0 at the end.
  ///
  /// - Throws: if the file cannot be opened or read.
  func read(_ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws
    -> Int
}

extension SourceTree {
  package func issues() throws -> [Issue] { [] }

  /// The whole file.
  ///
  /// - Parameter limit: the maximum number of bytes.
  /// - Throws: ``SourceReadError/tooLarge(path:limit:)`` over the limit; otherwise the same errors
  ///   as ``read(_:at:into:)``.
  package func readAll(_ path: String, limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = 1 << 16
    while true {
      guard bytes.count <= limit else {
        throw SourceReadError.tooLarge(path: path, limit: limit)
      }
      let offset = bytes.count
      let part = try [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
        count = try read(path, at: offset, into: UnsafeMutableRawBufferPointer(buffer))
      }
      if part.isEmpty { return bytes }
      bytes += part
      chunk = min(chunk * 2, 1 << 22)
    }
  }
}

/// The errors of reading a source, independent of its storage.
package enum SourceReadError: Error, Hashable {
  case tooLarge(path: String, limit: Int)
}

extension SourceReadError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLarge(let path, let limit):
      "\(path) is larger than \(limit) bytes, the limit for this kind of file"
    }
  }
}
