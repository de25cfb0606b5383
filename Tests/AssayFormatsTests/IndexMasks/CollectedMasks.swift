import AssayCore
import AssayFormats
import AssayImaging

/// The complete result of an import of masks, independent of its batches.
struct CollectedMasks: Hashable {
  struct Region: Hashable {
    var label: String
    var area: Double?
    var box: Box?
    var mask: Mask
  }

  struct Sample: Hashable {
    var key: String
    var split: String?
    var size: ImageSize?
    var regions: [Region] = []
  }

  var samples: [Sample] = []
  var issues: [Issue] = []
  /// The classes in their final order.
  var classes: [Category] = []
  var run = FinishedImport(outcome: ImportOutcome(), contentHash: nil)
  private var read = 0
  private var rejected = 0

  init(
    _ tree: some SourceTree, as format: DatasetFormat, _ options: ImportOptions = ImportOptions()
  ) throws {
    var categories: [Category] = []
    run = try Importers.importer(for: format).run(tree, options) { batch in
      categories += batch.newCategories
      read += batch.read
      rejected += batch.rejected
      issues += batch.issues
      samples += batch.samples.map { Sample(key: $0.key, split: $0.split, size: $0.size) }
      for annotation in batch.annotations {
        guard let range = annotation.geometry, let size = samples[annotation.sample].size else {
          continue
        }
        samples[annotation.sample].regions.append(
          Region(
            label: categories[annotation.category].name, area: annotation.area,
            box: annotation.box,
            mask: try Mask(size: size, compressed: Array(batch.geometry[range]))))
      }
    }
    let order = run.outcome.ordinals.indices.sorted {
      run.outcome.ordinals[$0] < run.outcome.ordinals[$1]
    }
    classes = order.map { categories[$0] }
  }

  init(detecting tree: some SourceTree, _ options: ImportOptions = ImportOptions()) throws {
    try self.init(tree, as: FormatDetector.detect(tree).format, options)
  }

  var names: [String] { classes.map(\.name) }
  var keys: [String] { samples.map(\.key) }
  var kinds: [IssueKind] { issues.map(\.kind) }

  /// The areas of a sample's regions by class.
  func areas(_ key: String) -> [String: Int] {
    let regions = samples.first { $0.key == key }?.regions ?? []
    return Dictionary(regions.map { ($0.label, $0.mask.area) }, uniquingKeysWith: +)
  }

  var isBalanced: Bool {
    run.outcome.read == run.outcome.accepted + run.outcome.rejected && read == run.outcome.read
      && rejected == run.outcome.rejected && samples.count == run.outcome.accepted
      && run.outcome.ordinals.sorted() == Array(run.outcome.ordinals.indices)
  }
}

extension MemoryTree {
  /// A folder of images and texts.
  ///
  /// - Parameter masks: the rows of a gray PNG for each path.
  init(
    masks: [String: [[UInt8]]], photos: [String: (width: Int, height: Int)],
    texts: [String: String] = [:]
  )
    throws
  {
    var folder = texts.mapValues { Array($0.utf8) }
    for (path, rows) in masks {
      let width = rows.first?.count ?? 0
      guard let raster = Raster(width: width, height: rows.count, elements: Array(rows.joined()))
      else { throw Missing() }
      folder[path] = try ImageCodec.encodePNG(raster)
    }
    for (path, size) in photos {
      let elements = (0..<3 * size.width * size.height).map { UInt8(truncatingIfNeeded: $0 * 77) }
      guard
        let raster = Raster(
          width: size.width, height: size.height, channels: 3, elements: elements)
      else { throw Missing() }
      folder[path] = try ImageCodec.encodePNG(raster)
    }
    self.init(folder: folder)
  }
}
