import AssayCore
import AssayImaging
import AssayStore
import AssayTestSupport
import Foundation

/// A catalog in its own folder, which is removed with the value.
final class StatsCatalog {
  /// One sample: its split, its class (an index into the names) and its image, embedded or as a
  /// file.
  struct Sample {
    var split: String? = nil
    var category: Int?
    var raster: Raster<UInt8>
    var isFile = false
  }

  private let temporary: TemporaryFolder
  let folder: URL
  let catalog: Catalog

  init(_ samples: [Sample], classes: [String]) throws {
    temporary = try TemporaryFolder()
    folder = temporary.url
    catalog = try Catalog.open(folder.appending(path: "assay.db").path, .create)
    var batch = ImportedBatch()
    batch.newCategories = classes.map { Category(name: $0) }
    batch.pixelFormat = samples.contains { $0.raster.channels == 3 && !$0.isFile } ? .rgb8 : .gray8
    for (index, sample) in samples.enumerated() {
      let size = ImageSize(width: sample.raster.width, height: sample.raster.height)
      var imported = ImportedSample(
        key: "\(index)", split: sample.split, size: size, category: sample.category)
      if sample.isFile {
        let name = "\(index).png"
        imported.location = name
        try Data(ImageCodec.encodePNG(sample.raster)).write(to: folder.appending(path: name))
      } else {
        let start = batch.pixels.count
        batch.pixels += sample.raster.elements
        imported.pixels = start..<batch.pixels.count
      }
      batch.samples.append(imported)
    }
    let draft = ImportDraft(
      name: "set", format: .pixelCSV, root: folder.path, isSingleFile: false)
    _ = try catalog.importDataset(draft) { writer in
      batch.read = samples.count
      try writer.write(batch)
      var outcome = ImportOutcome()
      outcome.read = samples.count
      outcome.accepted = samples.count
      outcome.ordinals = Array(classes.indices)
      return (outcome, nil)
    }
  }

}
