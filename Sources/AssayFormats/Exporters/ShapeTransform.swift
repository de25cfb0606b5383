package import AssayCore

/// A change of the shapes of all objects on the way to a format.
package enum ShapeTransform: Hashable, Sendable {
  /// Masks and polygons become boxes: their extent.
  case boxes
  /// Polygons become masks, filled as pycocotools fills them.
  case masks
  /// Masks become polygons.
  case polygons(OutlineSimplifier)

  /// Changes an object.
  ///
  /// - Parameters:
  ///   - size: the image's size; `nil` if it is unknown.
  ///   - counts: counts the change.
  package func apply(
    to object: inout ExportObject, in size: ImageSize?, _ counts: inout ShapeCounts
  ) {
    switch (self, object.shape) {
    case (.boxes, .mask), (.boxes, .polygons):
      guard let bounds = ExportOutlines.bounds(of: object.shape) else {
        counts.kept += 1
        return
      }
      object.shape = .box
      object.box = bounds
      counts.changed += 1
    case (.masks, .polygons(let polygons)):
      guard let size else {
        counts.kept += 1
        return
      }
      let mask = Mask(polygons: polygons, size: size)
      // A polygon beside the image, or thinner than a pixel.
      guard mask.area > 0 else {
        counts.kept += 1
        return
      }
      object.shape = .mask(mask)
      counts.changed += 1
    case (.polygons(let simplifier), .mask(let mask)):
      // Crowds are masks by COCO's definition.
      guard mask.area > 0, !object.isCrowd else {
        counts.kept += 1
        return
      }
      let outcome = simplifier.polygons(of: mask)
      object.shape = .polygons(outcome.polygons)
      counts.changed += 1
      counts.add(outcome)
    default: break
    }
  }
}

/// The number of objects whose shape a ``ShapeTransform`` changed, and what that cost.
package struct ShapeCounts: Hashable, Sendable {
  /// The number of objects that were changed, and of those that could not be.
  package var changed = 0
  package var kept = 0
  /// The numbers of corners of all outlines before and after.
  package private(set) var before = 0
  package private(set) var after = 0
  /// The number of rings that keep their exact form.
  package private(set) var exactRings = 0
  /// The lowest IoU of an instance; `nil` without instances.
  package private(set) var lowest: Double?
  private var sum = 0.0
  /// The number of instances by IoU in steps of 1 / 10,000, rounded down.
  private var steps: [Int] = []
  private static let stepCount = 10_000

  package init() {}

  mutating func add(_ outcome: OutlineSimplifier.Outcome) {
    before += outcome.before
    after += outcome.after
    exactRings += outcome.exactRings
    lowest = min(lowest ?? 1, outcome.iou)
    sum += outcome.iou
    if steps.isEmpty { steps = Array(repeating: 0, count: Self.stepCount + 1) }
    steps[min(Self.stepCount, max(0, Int(outcome.iou * Double(Self.stepCount))))] += 1
  }

  package mutating func add(_ other: ShapeCounts) {
    changed += other.changed
    kept += other.kept
    before += other.before
    after += other.after
    exactRings += other.exactRings
    sum += other.sum
    if let low = other.lowest { lowest = min(lowest ?? 1, low) }
    if steps.isEmpty {
      steps = other.steps
    } else {
      for place in other.steps.indices { steps[place] += other.steps[place] }
    }
  }

  /// The number of instances with an IoU.
  package var measured: Int { steps.reduce(0, +) }

  /// The mean IoU of the instances; `nil` without instances.
  package var mean: Double? { measured > 0 ? sum / Double(measured) : nil }

  /// The IoU that 95 % of the instances reach, rounded down to four decimals; `nil` without instances.
  package var fifthPercentile: Double? {
    let rank = (measured + 19) / 20
    guard rank > 0 else { return nil }
    var seen = 0
    for (step, count) in steps.enumerated() {
      seen += count
      if seen >= rank { return Double(step) / Double(Self.stepCount) }
    }
    return nil
  }
}
