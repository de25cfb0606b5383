import AssayCore

/// The pooled pixels of a set of samples, and the scores computed from them.
struct PooledRegions: Sendable, Equatable {
  /// The evaluated classes.
  var classes: [RegionCounts]
  /// The numbers of correctly labeled pixels, and of all evaluated pixels, background included.
  var right: Double
  var evaluated: Double

  /// The metrics with one value per run that are computed from pooled pixels.
  static func kinds(for labels: SegmentationLabels) -> [MetricKind] {
    SegmentationScores.kinds(for: labels).filter { SampleMaskScores.part(of: $0) == nil }
  }

  /// The metrics with one value per class.
  static let classKinds = MetricKind.kinds(of: .segmentation).filter(\.isPerCategory)

  /// The score of one of ``kinds(for:)``; `nil` if it is undefined.
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

  /// Returns the number of classes that a metric averages over; `nil` if it is not a mean over
  /// classes.
  func defined(_ kind: MetricKind) -> Int? {
    Self.part(of: kind).map { part in classes.count { part($0) != nil } }
  }

  /// The score of a class for one of ``classKinds``.
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

  /// Returns the function for the class score that a mean over classes averages; `nil` for other
  /// metrics.
  private static func part(of kind: MetricKind) -> ((RegionCounts) -> Double?)? {
    switch kind {
    case .miou: { $0.iou }
    case .mdice: { $0.dice }
    case .meanClassAccuracy: { $0.recall }
    default: nil
    }
  }

  private var total: RegionCounts { classes.reduce(into: RegionCounts()) { $0 += $1 } }

  /// The mean IoU of the classes, each weighted by its number of ground-truth pixels.
  private var frequencyWeightedIoU: Double? {
    let weighted = classes.map { $0.truth * ($0.iou ?? 0) }.compensatedSum()
    return RegionCounts.ratio(weighted, classes.map(\.truth).compensatedSum())
  }
}
