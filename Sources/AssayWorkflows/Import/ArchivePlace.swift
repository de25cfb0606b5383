import AssayCore
import Foundation

/// The place in an archive whose files an importer sees: completes the paths that it delivers.
struct ArchivePlace {
  /// The prefixes of the paths of issues, and of the keys and locations of samples.
  private let files: String
  private let samples: String

  init(_ tree: ListedTree, images: ListedTree?, _ format: DatasetFormat) {
    files = tree.source.prefix
    // The rows of a table have numbers as keys.
    let isTable = tree.isSingleFile && !format.embedsImages
    samples = images?.source.prefix ?? (isTable ? "" : tree.source.prefix)
  }

  func complete(_ batch: ImportedBatch) -> ImportedBatch {
    guard !files.isEmpty || !samples.isEmpty else { return batch }
    var batch = batch
    for place in batch.samples.indices where batch.samples[place].location != nil {
      batch.samples[place].key = samples + batch.samples[place].key
      batch.samples[place].location = batch.samples[place].location.map { samples + $0 }
    }
    for place in batch.issues.indices {
      batch.issues[place].location.file = files + batch.issues[place].location.file
      batch.issues[place].sampleKey = batch.issues[place].sampleKey.map { samples + $0 }
    }
    return batch
  }
}

/// The size and time of a file on disk, as text; zeros if there is none.
struct DiskStamp: CustomStringConvertible {
  let description: String

  init(_ path: String) {
    var status = stat()
    let isThere = stat(path, &status) == 0
    let file = SourceFile(path: path, status)
    description = isThere ? "\(file.size) \(file.modified)" : "0 0"
  }
}
