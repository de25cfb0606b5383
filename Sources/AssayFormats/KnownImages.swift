package import AssayCore

/// The sizes of image files that an earlier import read, by path, size and time. An import takes them
/// instead of reading the files again.
package struct KnownImages: Sendable {
  /// Two hashes of a file's path, size and time: 16 bytes instead of a path, for millions of files.
  private struct Key: Hashable {
    var first: Int
    var second: Int

    init(_ path: String, _ stamp: FileStamp) {
      var hasher = Hasher()
      hasher.combine(path)
      hasher.combine(stamp)
      first = hasher.finalize()
      hasher = Hasher()
      hasher.combine(stamp)
      hasher.combine(path)
      hasher.combine(first)
      second = hasher.finalize()
    }
  }

  private var sizes: [Key: ImageSize] = [:]

  package init() {}

  package var isEmpty: Bool { sizes.isEmpty }

  /// Adds a file whose image is not rotated by its orientation.
  package mutating func add(_ path: String, _ stamp: FileStamp, _ size: ImageSize) {
    sizes[Key(path, stamp)] = size
  }

  /// The size of the image in a file; `nil` if the file is new or changed.
  package func size(of path: String, _ stamp: FileStamp) -> ImageSize? {
    sizes.isEmpty ? nil : sizes[Key(path, stamp)]
  }
}
