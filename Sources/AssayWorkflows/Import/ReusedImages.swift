import AssayCore
import AssayFormats
import AssayStore
import Foundation

/// The image files that an import does not read because they are as an earlier import read them: the
/// one that it replaces, or one that was interrupted.
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
  /// The images that this import has read; `nil` if they are not on disk.
  private let journal: ImageJournal?
  /// The files of the folder, by path, if a scan was given: importers that read no image tell no stamp.
  private let listed: [[UInt8]: FileStamp]?
  /// The number of hashes that were taken from the scan.
  private var hashes = 0

  /// The time before which a file that will change gets another time, in nanoseconds since 1970: 2 seconds
  /// ago. A file that changed later is read by the next import again.
  static func settledTime() -> Int64 { Int64(Date().timeIntervalSince1970 * 1e9) - 2_000_000_000 }

  /// - Parameters:
  ///   - images: the source of the images.
  ///   - old: the dataset that is replaced; `nil` for a new one.
  ///   - scan: the parts of a scan of the images; `nil` for none.
  ///   - catalog: the catalog, beside which an interrupted import leaves what it has read.
  /// - Throws: `StoreError`; ``ScanError`` and ``PartError`` for a scan that is of no use.
  init(
    _ images: ListedTree, replacing old: DatasetRecord?, scan: RecordParts?, in catalog: Catalog
  ) throws {
    listed =
      scan == nil
      ? nil
      : try Dictionary(
        images.files().map {
          (Array($0.path.utf8), FileStamp(size: $0.size, modified: $0.modified))
        }, uniquingKeysWith: { $1 })
    keepsStamps = images.source.directory != nil
    settled = Self.settledTime()
    var known = KnownImages()
    if keepsStamps, let old, old.root == images.root {
      try catalog.forEachFileStamp(of: old.id) { known.add($0, $1, $2) }
    }
    journal = keepsStamps ? ImageJournal(besideCatalog: catalog.path, root: images.root) : nil
    journal?.read(into: &known)
    if let scan {
      guard keepsStamps else { throw ScanError.noFolder(path: images.root) }
      try scan.addImages(of: images.root, to: &known)
    }
    self.known = known
  }

  /// Counts the samples whose files were not read, and marks stamps that do not tell a change.
  mutating func take(_ batch: ImportedBatch) -> ImportedBatch {
    var batch = batch
    for place in batch.samples.indices {
      guard let path = batch.samples[place].location else { continue }
      if let listed, let stamp = batch.samples[place].stamp ?? listed[Array(path.utf8)],
        let hash = known.hash(of: path, stamp)
      {
        batch.samples[place].contentHash = hash
        hashes += 1
      }
      guard let stamp = batch.samples[place].stamp else { continue }
      if known.size(of: path, stamp) != nil {
        count += 1
      } else if let size = batch.samples[place].size, stamp.modified <= settled {
        journal?.add(path, stamp, size)
      }
      if !keepsStamps {
        batch.samples[place].stamp = nil
      } else if stamp.modified > settled {
        batch.samples[place].stamp?.modified = FileStamp.unsettled
      }
    }
    return batch
  }

  /// - Throws: ``Interrupted`` if an interrupt was requested; what was read is kept.
  func checkInterruption() throws {
    guard Interruption.isRequested else { return }
    journal?.flush()
    guard let journal, journal.count > 0 else {
      return try Interruption.check("nothing was imported; run the same command to start again")
    }
    try Interruption.check(
      "nothing is in the catalog yet; run the same command to continue: the sizes of "
        + "\(journal.count) images are kept in \(journal.path)")
  }

  /// Ends an import: what it kept for the next attempt is not needed after success, or after an error
  /// that another attempt would meet again.
  func finish() { journal?.remove() }

  /// The sentence for the output of the import; `nil` if every file was read.
  var note: String? {
    let hashed = "the scan has the hashes of \(hashes) of its images"
    guard count > 0 else {
      return listed == nil
        ? nil
        : hashed
          + "; no size was taken from it: this import reads no headers, or the files have changed"
    }
    let sizes =
      count == 1
      ? "1 image was not read again: its file has the same size and time"
      : "\(count) images were not read again: their files have the same sizes and times"
    return listed == nil ? sizes : sizes + "; " + hashed
  }
}
