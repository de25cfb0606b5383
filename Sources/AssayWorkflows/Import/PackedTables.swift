import AssayCore
import AssayFormats

/// Large deflated files of a zip archive that hold images: Parquet files, record files and shards. Reading
/// one image of such a file means to unpack all that is before it.
enum PackedTables {
  /// The maximum size of a deflated file with images: it is unpacked within a second or two.
  private static let sizeLimit = 256 << 20

  /// Refuses an archive whose images are in such a file.
  ///
  /// - Parameter format: the requested format; `nil` to detect it.
  /// - Throws: ``ImportError/packedTable(archive:entry:size:)``; any error that the tree throws.
  static func check(_ tree: ListedTree, _ format: DatasetFormat?) throws {
    guard let archive = tree.source.archive,
      format.map({ $0.embedsImages || $0 == .webDataset }) ?? true
    else { return }
    let files = try tree.files()
    let large = files.first { file in
      file.size > sizeLimit && holdsImages(file.path)
        && archive.isDeflated(tree.source.prefix + file.path)
    }
    guard let large, format != nil || !files.contains(where: { FileNameKind($0.path) == .image })
    else { return }
    throw ImportError.packedTable(
      archive: archive.name, entry: tree.source.prefix + large.path, size: large.size)
  }

  private static func holdsImages(_ path: String) -> Bool {
    ParquetFile.isNamed(path) || TFRecordFile.isNamed(path) || ShardTree.isShard(path)
  }
}
