import AssayCore

/// The pixels of a set of samples taken together, and the scores that follow from them.
struct PooledRegions: Sendable, Equatable {
  /// The judged classes.
  var classes: [RegionCounts]
  /// Pixels labeled right, and all that were judged, background included.
  var right: Double
  var evaluated: Double

  /// The scores with one number a run that follow from pooled pixels.
  static func kinds(for labels: SegmentationLabels) -> [MetricKind] {
    SegmentationScores.kinds(for: labels).filter { SampleMaskScores.part(of: $0) == nil }
  }

  /// The scores with one number a class.
  static let classKinds = MetricKind.kinds(of: .segmentation).filter(\.isPerCategory)

  /// The score under a key of ``kinds(for:)``; `nil` where it is undefined.
  func value(_ kind: MetricKind) -> Double? {
    switch kind {
    case .iou: total.iou
    case .dice: total.dice
    case .boundaryIoU: total.boundaryIoU
    case .pixelAccuracy: RegionCounts.ratio(right, evaluated)
    case .frequencyWeightedIoU: frequencyWeightedIoU
    default: Self.part(of: kind).flatMap { part in classes.compactMap(part).mean() }
    }
  }

  /// Returns the number of classes that the score under a key is a mean of; `nil` if it is not a mean over
  /// classes.
  func defined(_ kind: MetricKind) -> Int? {
    Self.part(of: kind).map { part in classes.count { part($0) != nil } }
  }

  /// The score of a class under a key of ``classKinds``.
  static func value(_ kind: MetricKind, of region: RegionCounts) -> Double? {
    switch kind {
    case .classIoU: region.iou
    case .classDice: region.dice
    case .classBoundaryIoU: region.boundaryIoU
    case .precision: region.precision
    case .recall: region.recall
    case .support: region.truth
    default: nil
    }
  }

  /// Returns the function for the class score that a mean over classes averages; `nil` for other keys.
  private static func part(of kind: MetricKind) -> ((RegionCounts) -> Double?)? {
    switch kind {
    case .miou: { $0.iou }
    case .mdice: { $0.dice }
    case .meanClassAccuracy: { $0.recall }
    default: nil
    }
  }

  private var total: RegionCounts { classes.reduce(into: RegionCounts()) { $0 += $1 } }

  /// The mean IoU of the classes, each weighted by its pixels in the truth.
  private var frequencyWeightedIoU: Double? {
    let weighted = classes.map { $0.truth * ($0.iou ?? 0) }.compensatedSum()
    return RegionCounts.ratio(weighted, classes.map(\.truth).compensatedSum())
  }
}
