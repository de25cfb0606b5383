package import AssayCore

/// The scores of one sample; each is a fraction in 0...1, or `nil` where it is undefined.
///
/// Of one judged class they are that class's. Of several each is the mean over the classes that are
/// defined in the sample.
package struct SampleMaskScores: Sendable, Equatable {
  package var iou: Double?
  package var dice: Double?
  package var precision: Double?
  package var recall: Double?
  package var boundaryIoU: Double?
  /// Pixels labeled right, background included.
  package var pixelAccuracy: Double?
  /// Of one judged class the measures that are defined, each in its own unit and range.
  package var measures: [MaskMeasure: Double] = [:]

  /// Nothing defined.
  package init() {}

  /// - Parameters:
  ///   - regions: the judged classes that the set of samples has anywhere; of one judged class, that one.
  ///   - empty: gives the score of those that the sample has on neither side.
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

  /// The value a mean over samples is taken of; `nil` for other metrics.
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
