package import AssayCore

/// The sizes of image files that an earlier import read, by path, size and time. An import takes them
/// instead of reading the files again.
package struct KnownImages: Sendable {
  /// Two hashes of a file's path, size and time: 16 bytes instead of a path, for millions of files.
  private struct Key: Hashable {
    var first: Int
    var second: Int

    init(_ path: String, _ stamp: FileStamp) {
      // Not of the text: names that differ in bytes alone (é in one or two code points) are different files.
      var path = path
      (first, second) = path.withUTF8 { bytes in
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        hasher.combine(stamp)
        let first = hasher.finalize()
        hasher = Hasher()
        hasher.combine(stamp)
        hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        hasher.combine(first)
        return (first, hasher.finalize())
      }
    }
  }

  private var sizes: [Key: ImageSize] = [:]
  /// The SHA-256 of files, 32 bytes each, one after another, and their places there.
  private var digests: [UInt8] = []
  private var places: [Key: Int] = [:]

  package init() {}

  package var isEmpty: Bool { sizes.isEmpty }

  /// Adds a file whose image is not rotated by its orientation.
  package mutating func add(_ path: String, _ stamp: FileStamp, _ size: ImageSize) {
    sizes[Key(path, stamp)] = size
  }

  /// Adds the SHA-256 of a file.
  ///
  /// - Parameter hash: 32 bytes.
  package mutating func add(_ path: String, _ stamp: FileStamp, hash: [UInt8]) {
    precondition(hash.count == Self.digestSize)
    places[Key(path, stamp)] = digests.count
    digests += hash
  }

  private static let digestSize = 32

  /// The SHA-256 of a file, hexadecimal; `nil` if it is not known, or the file is new or changed.
  package func hash(of path: String, _ stamp: FileStamp) -> String? {
    guard !places.isEmpty, let place = places[Key(path, stamp)] else { return nil }
    return ContentHash.hexadecimal(Array(digests[place..<place + Self.digestSize]))
  }

  /// The size of the image in a file; `nil` if the file is new or changed.
  package func size(of path: String, _ stamp: FileStamp) -> ImageSize? {
    sizes.isEmpty ? nil : sizes[Key(path, stamp)]
  }
}
