import AssayCore
import AssayFormats
import AssayStore
import Foundation

/// The image files that an import does not read because they are as the import before read them.
struct ReusedImages {
  /// The images that the import before read; empty for a first import.
  let known: KnownImages
  /// True if files on disk are recognized by their size and time. The times in archives are set by
  /// those who make them.
  private let keepsStamps: Bool
  /// The time after which a file may change again without another time, in nanoseconds since 1970.
  private let settled: Int64
  /// The number of images that were not read again.
  private(set) var count = 0

  /// A file that changed less than this before an import is read by the next one again.
  private static let margin: Int64 = 2_000_000_000

  /// - Parameters:
  ///   - images: the source of the images.
  ///   - old: the dataset that is replaced; `nil` for a new one.
  /// - Throws: `StoreError`.
  init(_ images: ListedTree, replacing old: DatasetRecord?, in catalog: Catalog) throws {
    keepsStamps = images.source.directory != nil
    settled = Int64(Date().timeIntervalSince1970 * 1e9) - Self.margin
    var known = KnownImages()
    if keepsStamps, let old, old.root == images.root {
      try catalog.forEachFileStamp(of: old.id) { known.add($0, $1, $2) }
    }
    self.known = known
  }

  /// Counts the samples whose files were not read, and removes stamps that do not tell a change.
  mutating func take(_ batch: ImportedBatch) -> ImportedBatch {
    var batch = batch
    for place in batch.samples.indices {
      guard let stamp = batch.samples[place].stamp, let path = batch.samples[place].location else {
        continue
      }
      if known.size(of: path, stamp) != nil { count += 1 }
      if !keepsStamps || stamp.modified > settled { batch.samples[place].stamp = nil }
    }
    return batch
  }

  /// The sentence for the output of the import; `nil` if every file was read.
  var note: String? {
    guard count > 0 else { return nil }
    return count == 1
      ? "1 image was not read again: its file has the same size and time"
      : "\(count) images were not read again: their files have the same sizes and times"
  }
}
