import AssayCore
import AssayFormats

/// A region of any shape, and its class.
struct CollectedShape: Hashable {
  var label: String
  var kind: ShapeKind
  var box: Box?
  /// The polygons or lines; empty for other shapes.
  var points: [[Double]] = []
  var area: Double?
  var isCrowd: Bool
  var attributes: String?
}

typealias CollectedShapes = CollectedRegions<CollectedShape>

extension CollectedRegions where Region == CollectedShape {
  init(
    _ tree: some SourceTree, as format: DatasetFormat, _ options: ImportOptions = ImportOptions()
  ) throws {
    try self.init(tree, as: format, options) { annotation, label, geometry in
      var points: [[Double]] = []
      if let geometry, annotation.shape != .mask,
        case .polygons(let found) = try Geometry(
          shape: .polygon, packed: geometry.bytes, size: geometry.size)
      {
        points = found
      }
      return CollectedShape(
        label: label, kind: annotation.shape, box: annotation.box, points: points,
        area: annotation.area, isCrowd: annotation.isCrowd, attributes: annotation.attributes)
    }
  }

  /// Detects the format first.
  init(detecting tree: some SourceTree, _ options: ImportOptions = ImportOptions()) throws {
    try self.init(tree, as: FormatDetector.detect(tree).format, options)
  }

  var splits: [String?] { samples.map(\.split) }
  var shapes: [CollectedShape] { samples.flatMap(\.regions) }
  /// Kind, severity and place of each issue: `badShape error a.xml:1`.
  var places: [String] { issues.map { "\($0.kind) \($0.severity) \($0.location)" } }

  /// True if the counts agree, and every annotation that was read is kept or has an issue of
  /// severity error. The label of an image is an annotation, unless one with fields is among the regions.
  var isBalanced: Bool {
    let labels = samples.count { sample in
      guard let label = sample.label else { return false }
      return !sample.regions.contains { $0.kind == .label && $0.label == label }
    }
    return isOutcomeBalanced && run.lists?.annotationsKept == shapes.count + labels
      && (run.lists?.annotationsRead ?? 0) >= shapes.count + labels
  }
}
