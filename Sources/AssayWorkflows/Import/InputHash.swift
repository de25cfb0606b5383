import AssayCore
import Synchronization

/// The hash by which an input is recognized as already imported: the SHA-256 of a single file's
/// bytes; for a folder or archive, and for a separate image folder, that of the file listing.
final class InputHash: Sendable {
  private let source: ListedTree
  private let images: ListedTree?
  private let listing: ListingHash?

  init(source: ListedTree, images: ListedTree?) {
    self.source = source
    self.images = images
    listing = (source.isSingleFile ? images : source).map { ListingHash($0) }
  }

  /// Begins to compute the hash of the listing beside other work.
  func begin() { listing?.begin() }

  /// The hash of the current input, hexadecimal.
  ///
  /// - Parameter file: the hash of a single file's bytes, if it is already known.
  /// - Throws: ``SourceError``; ``Interrupted``.
  func hash(of file: String? = nil) throws -> String {
    guard source.isSingleFile else { return try listing?.get() ?? "" }
    let bytes = try file ?? Self.file(source)
    guard let listing else { return bytes }
    var hash = ContentHash()
    hash.update("\(bytes) \(try listing.get())")
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
}

/// The hash of a listing, computed once: on a thread of its own, or when it is needed.
private final class ListingHash: Sendable {
  private let value: ListingHashValue
  private let thread = Mutex<WorkerThreads?>(nil)

  init(_ tree: ListedTree) { value = ListingHashValue(tree) }

  deinit { thread.withLock { $0 }?.join() }

  /// Begins on a thread of its own, if the system grants one.
  func begin() {
    let value = value
    thread.withLock { thread in
      guard thread == nil else { return }
      // An error is met again where the value is needed.
      thread = try? WorkerThreads(1) { _ in _ = try? value.get() }
    }
  }

  /// - Throws: ``SourceError``.
  func get() throws -> String { try value.get() }
}

/// The hexadecimal SHA-256 of a folder's files as sorted lines of path, size and modification time; the
/// files' contents are not read.
private final class ListingHashValue: Sendable {
  private let tree: ListedTree
  private let found = Mutex<String?>(nil)

  /// The number of bytes that are hashed at once.
  private static let block = 1 << 16

  init(_ tree: ListedTree) { self.tree = tree }

  /// The hash; a second thread waits for the first one.
  ///
  /// - Throws: ``SourceError``.
  func get() throws -> String {
    try found.withLock { found in
      if let found { return found }
      let value = try compute()
      found = value
      return value
    }
  }

  private func compute() throws -> String {
    var hash = ContentHash()
    // The times in an archive have few digits.
    if let remote = tree.source.remote {
      hash.update("\(remote.listing.hash)\n")
    } else if tree.source.directory == nil {
      hash.update("\(DiskStamp(tree.root))\n")
    }
    var lines: [UInt8] = []
    lines.reserveCapacity(Self.block + 8_192)
    for file in try tree.files() {
      // A zero byte ends the path, because names cannot contain one.
      lines += file.path.utf8
      lines.append(0)
      DecimalText.append(Int64(file.size), to: &lines)
      lines.append(UInt8(ascii: " "))
      DecimalText.append(file.modified, to: &lines)
      lines.append(UInt8(ascii: "\n"))
      guard lines.count >= Self.block else { continue }
      lines.withUnsafeBytes { hash.update($0) }
      lines.removeAll(keepingCapacity: true)
    }
    lines.withUnsafeBytes { hash.update($0) }
    return hash.hexadecimal()
  }
}
