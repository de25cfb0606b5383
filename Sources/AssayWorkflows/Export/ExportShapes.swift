package import AssayCore
import AssayFormats
import Foundation

/// A change of the shapes of all objects of an export.
package enum ShapeChoice: Hashable, Sendable {
  /// Masks and polygons become boxes: their extent.
  case boxes
  /// Polygons become masks.
  case masks
  /// Masks become polygons with a tolerance in pixels, at least 0.
  case polygons(tolerance: Double)

  var transform: ShapeTransform {
    switch self {
    case .boxes: .boxes
    case .masks: .masks
    case .polygons(let tolerance): .polygons(OutlineSimplifier(tolerance: tolerance))
    }
  }

  fileprivate var name: String {
    switch self {
    case .boxes: "boxes"
    case .masks: "masks"
    case .polygons: "polygons"
    }
  }
}

extension DatasetExportSummary {
  /// The changes of shapes and what they cost; `null` without a change.
  package var shapes: JSONValue {
    guard let choice = request.shapes else { return .null }
    let counts = survey.shapes
    let members: [JSONValue.Member] = [
      .init("to", .string(choice.name)), .init("changed", JSONValue(counts.changed)),
      .init("unchanged", JSONValue(counts.kept)),
    ]
    guard case .polygons(let tolerance) = choice else { return .object(members) }
    return .object(
      members + [
        .init("tolerance_pixels", .number(tolerance)),
        .init(
          "iou",
          [
            "mean": JSONValue(counts.mean), "min": JSONValue(counts.lowest),
            "p5": JSONValue(counts.fifthPercentile),
          ]),
        .init(
          "vertices", ["before": JSONValue(counts.before), "after": JSONValue(counts.after)]),
        .init("exact_rings", JSONValue(counts.exactRings)),
      ])
  }

  /// The same as one line; `nil` without a change.
  package var shapesText: String? {
    guard let choice = request.shapes else { return nil }
    let counts = survey.shapes
    var text = "\(Counted.text(counts.changed, "object", "objects")) changed to \(choice.name)"
    if counts.kept > 0 {
      text += ", \(counts.kept) not (crowds, empty shapes, or images of unknown size)"
    }
    guard case .polygons(let tolerance) = choice, let mean = counts.mean else { return text }
    let ious = [mean, counts.fifthPercentile ?? mean, counts.lowest ?? mean].map {
      String(format: "%.4f", $0)
    }
    text += ": tolerance \(tolerance) px, IoU mean \(ious[0]), 5th percentile \(ious[1]), min "
    text += "\(ious[2]); \(counts.before) vertices before, \(counts.after) after"
    guard counts.exactRings > 0 else { return text }
    return text + "; \(Counted.text(counts.exactRings, "outline is", "outlines are")) exact (they "
      + "would vanish, cross or touch)"
  }
}
