import AssayCore
import AssayImaging
import AssayStore
import Foundation

/// The image of one sample: whether it is the same as before, and its size.
struct CheckedImage {
  /// By what a file is taken for the same without reading it.
  struct Signature: Hashable, Sendable {
    var version: Int
    var size: Int64 = 0
    var modified: Int64 = 0
    var changed: Int64 = 0
    var inode: UInt64 = 0
  }

  let dataset: DatasetRecord
  let sample: SampleRecord

  /// - Returns: of embedded pixels the dataset's import alone; of a file that cannot be seen one of nothing.
  func signature() -> Signature {
    var signature = Signature(version: dataset.importVersion)
    guard let location = sample.location else { return signature }
    var facts = stat()
    guard stat(dataset.root + "/" + location, &facts) == 0 else { return signature }
    signature.size = Int64(facts.st_size)
    signature.modified = Self.nanoseconds(facts.st_mtim)
    signature.changed = Self.nanoseconds(facts.st_ctim)
    signature.inode = UInt64(facts.st_ino)
    return signature
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// The image's size in the frame that annotations are in; `nil` where nobody can tell.
  func size() -> ImageSize? {
    if let size = sample.size { return size }
    guard let location = sample.location, let tree = try? DirectoryTree(dataset.root),
      let bytes = try? tree.readAll(location, limit: SampleImages.fileLimit)
    else { return nil }
    return try? ImageCodec.header(of: bytes).orientedSize
  }
}
