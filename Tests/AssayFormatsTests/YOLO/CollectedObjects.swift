import AssayCore
import AssayFormats
import AssayImaging

/// The complete result of an import of boxes and polygons, independent of its batches.
struct CollectedObjects: Hashable {
  struct Object: Hashable {
    var label: String
    var box: Box?
    /// The polygons; empty for a box alone.
    var polygons: [[Double]] = []
    var area: Double?
    var attributes: String?
  }

  struct Sample: Hashable {
    var key: String
    var split: String?
    var size: ImageSize?
    var objects: [Object] = []
  }

  var samples: [Sample] = []
  var issues: [Issue] = []
  /// The classes in their final order.
  var classes: [Category] = []
  var run = FinishedImport(outcome: ImportOutcome(), contentHash: nil)
  private var read = 0
  private var rejected = 0

  init(
    _ tree: some SourceTree, as format: DatasetFormat = .yolo,
    _ options: ImportOptions = ImportOptions()
  ) throws {
    var categories: [Category] = []
    run = try Importers.importer(for: format).run(tree, options) { batch in
      categories += batch.newCategories
      read += batch.read
      rejected += batch.rejected
      issues += batch.issues
      samples += batch.samples.map { Sample(key: $0.key, split: $0.split, size: $0.size) }
      for annotation in batch.annotations {
        var polygons: [[Double]] = []
        if let range = annotation.geometry, let size = samples[annotation.sample].size,
          case .polygons(let found) = try Geometry(
            shape: annotation.shape, packed: Array(batch.geometry[range]), size: size)
        {
          polygons = found
        }
        samples[annotation.sample].objects.append(
          Object(
            label: categories[annotation.category].name, box: annotation.box, polygons: polygons,
            area: annotation.area, attributes: annotation.attributes))
      }
    }
    let order = run.outcome.ordinals.indices.sorted {
      run.outcome.ordinals[$0] < run.outcome.ordinals[$1]
    }
    classes = order.map { categories[$0] }
  }

  /// Detects the format first.
  init(detecting tree: some SourceTree, _ options: ImportOptions = ImportOptions()) throws {
    try self.init(tree, as: FormatDetector.detect(tree).format, options)
  }

  var names: [String] { classes.map(\.name) }
  var keys: [String] { samples.map(\.key) }
  var splits: [String?] { samples.map(\.split) }
  var kinds: [IssueKind] { issues.map(\.kind) }
  var objects: [Object] { samples.flatMap(\.objects) }
  /// Kind, severity and place of each issue: `badShape error labels/a.txt:1`.
  var places: [String] { issues.map { "\($0.kind) \($0.severity) \($0.location)" } }

  var isBalanced: Bool {
    run.outcome.read == run.outcome.accepted + run.outcome.rejected && read == run.outcome.read
      && rejected == run.outcome.rejected && samples.count == run.outcome.accepted
      && run.outcome.ordinals.sorted() == Array(run.outcome.ordinals.indices)
      && run.lists?.annotationsKept == objects.count
  }
}

extension MemoryTree {
  /// A YOLO dataset of gray PNGs of 10×10 pixels and texts.
  init(images: [String], texts: [String: String]) throws {
    try self.init(
      masks: [:],
      photos: Dictionary(uniqueKeysWithValues: images.map { ($0, (width: 10, height: 10)) }),
      texts: texts)
  }

  /// One image with the lines of its label file.
  init(lines: String, data: String? = nil) throws {
    var texts = ["labels/a.txt": lines]
    texts["data.yaml"] = data
    try self.init(images: ["images/a.png"], texts: texts)
  }
}
