import AssayCore
import AssayFormats

/// A box or polygons, and their class.
struct CollectedObject: Hashable {
  var label: String
  var box: Box?
  /// The polygons; empty for a box alone.
  var polygons: [[Double]] = []
  var area: Double?
  var attributes: String?
}

typealias CollectedObjects = CollectedRegions<CollectedObject>

extension CollectedRegions where Region == CollectedObject {
  init(
    _ tree: some SourceTree, as format: DatasetFormat = .yolo,
    _ options: ImportOptions = ImportOptions()
  ) throws {
    try self.init(tree, as: format, options) { annotation, label, geometry in
      var polygons: [[Double]] = []
      if let geometry,
        case .polygons(let found) = try Geometry(
          shape: annotation.shape, packed: geometry.bytes, size: geometry.size)
      {
        polygons = found
      }
      return CollectedObject(
        label: label, box: annotation.box, polygons: polygons, area: annotation.area,
        attributes: annotation.attributes)
    }
  }

  /// Detects the format first.
  init(detecting tree: some SourceTree, _ options: ImportOptions = ImportOptions()) throws {
    try self.init(tree, as: FormatDetector.detect(tree).format, options)
  }

  var splits: [String?] { samples.map(\.split) }
  var objects: [CollectedObject] { samples.flatMap(\.regions) }
  /// Kind, severity and place of each issue: `badShape error labels/a.txt:1`.
  var places: [String] { issues.map { "\($0.kind) \($0.severity) \($0.location)" } }

  var isBalanced: Bool {
    let others = samples.flatMap(\.others.values).reduce(0) { $0 + $1.count }
    // The class of an image can be an annotation of the source.
    let regions = objects.count + others
    let labels = samples.count { $0.label != nil }
    return isOutcomeBalanced
      && (regions...regions + labels).contains(run.lists?.annotationsKept ?? -1)
  }
}

extension CollectedRegions.Sample where Region == CollectedObject {
  var objects: [CollectedObject] { regions }
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
