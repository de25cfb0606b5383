package import AssayCore

/// The scores of one sample; each is a fraction in 0...1, or `nil` if it is undefined.
///
/// With one evaluated class they are that class's scores. With several, each is the mean over the
/// classes that are defined in the sample.
package struct SampleMaskScores: Sendable, Equatable {
  package var iou: Double?
  package var dice: Double?
  package var precision: Double?
  package var recall: Double?
  package var boundaryIoU: Double?
  /// The share of correctly labeled pixels, background included.
  package var pixelAccuracy: Double?
  /// The defined measures of a single evaluated class, each in its own unit and range.
  package var measures: [MaskMeasure: Double] = [:]

  /// Creates scores that are all undefined.
  package init() {}

  /// - Parameters:
  ///   - regions: the evaluated classes that occur anywhere in the set of samples; a single
  ///     evaluated class in any case.
  ///   - empty: the rule for the score of classes that neither side of the sample contains.
  init(_ regions: [RegionCounts], right: Double, evaluated: Double, empty: EmptyRule) {
    func mean(_ score: (RegionCounts) -> Double?) -> Double? {
      regions.compactMap { $0.isPresent ? score($0) : empty.score }.mean()
    }
    iou = mean(\.iou)
    dice = mean(\.dice)
    precision = mean(\.precision)
    recall = mean(\.recall)
    boundaryIoU = mean(\.boundaryIoU)
    pixelAccuracy = RegionCounts.ratio(right, evaluated)
  }

  /// The per-sample value that a mean over samples averages; `nil` for other metrics.
  static func part(of kind: MetricKind) -> ((SampleMaskScores) -> Double?)? {
    switch kind {
    case .meanIoU, .sampleMIoU: \.iou
    case .meanDice, .sampleMDice: \.dice
    case .meanPrecision: \.precision
    case .meanRecall: \.recall
    case .meanBoundaryIoU: \.boundaryIoU
    case .meanPixelAccuracy: \.pixelAccuracy
    default: MaskMeasure(mean: kind).map { measure in { $0.measures[measure] } }
    }
  }
}
