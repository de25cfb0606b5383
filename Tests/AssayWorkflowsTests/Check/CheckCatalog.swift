import AssayCore
import AssayImaging
import AssayStore
import AssayTestSupport
import Foundation

import AssayWorkflows

/// A catalog `set` of generated images in class folders, with planted faults.
final class CheckCatalog {
  let folder: TemporaryFolder
  let catalog: Catalog

  /// - Parameter files: names below the dataset's folder with their bytes.
  init(_ files: [(name: String, bytes: [UInt8])]) throws {
    folder = try TemporaryFolder()
    for (name, bytes) in files { try folder.write("set/" + name, bytes) }
    var request = ImportRequest(folder.path("set") + ":image-folder")
    request.name = "set"
    _ = try DatasetImport(request, workers: 2).run(
      catalogPath: folder.path("assay.db"), progress: NoProgress())
    catalog = try Catalog.open(folder.path("assay.db"), .readWrite)
  }

  static func jpeg(
    _ seed: UInt64, quality: Int = 92, crop: Double = 0, isMirrored: Bool = false, gain: Double = 1
  ) throws -> [UInt8] {
    try ImageCodec.encodeJPEG(
      SeededPhoto.raster(seed: seed, crop: crop, isMirrored: isMirrored, gain: gain),
      quality: quality)
  }

  /// Two splits with duplicates of every sort, a blank, a dark and a truncated image.
  static func planted() throws -> CheckCatalog {
    let png = try ImageCodec.encodePNG(SeededPhoto.raster(seed: 7))
    var files: [(name: String, bytes: [UInt8])] = [
      ("train/cat/1.jpg", try jpeg(1)), ("train/cat/2.jpg", try jpeg(2)),
      ("train/dog/3.jpg", try jpeg(3)), ("train/dog/4.jpg", try jpeg(4)),
      // The same bytes with another label, and the same pixels in another file.
      ("train/dog/1-copy.jpg", try jpeg(1)), ("train/cat/7.png", png),
      (
        "train/cat/7-again.png",
        try ImageCodec.encodePNG(SeededPhoto.raster(seed: 7), compression: .fast)
      ),
      // Near duplicates, one of them in the other split.
      ("train/cat/2-mirror.jpg", try jpeg(2, isMirrored: true)),
      ("val/dog/3-crop.jpg", try jpeg(3, quality: 60, crop: 0.05, gain: 1.1)),
      ("val/cat/5.jpg", try jpeg(5)), ("val/cat/6.jpg", try jpeg(6)),
      (
        "val/cat/blank.png",
        try ImageCodec.encodePNG(Raster(repeating: 0, width: 240, height: 180))
      ),
      ("val/dog/dark.jpg", try jpeg(8, gain: 0.15)),
      ("train/owl/9.jpg", try jpeg(9)),
    ]
    files.append(("val/dog/cut.jpg", Array(try jpeg(10).dropLast(900))))
    return try CheckCatalog(files)
  }
}
