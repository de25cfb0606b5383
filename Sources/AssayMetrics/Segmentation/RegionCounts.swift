/// The pixel counts of one class in one or more samples, from which its scores are computed.
///
/// Integers below 2⁵³ in float64, so that sums of them are exact in any order.
struct RegionCounts: Sendable, Equatable {
  /// The numbers of pixels in both ground truth and prediction, in the ground truth, and in the
  /// prediction.
  var hits = 0.0
  var truth = 0.0
  var predicted = 0.0
  /// The numbers of pixels in both boundary bands, and in either.
  var bandHits = 0.0
  var bandUnion = 0.0

  /// True if the ground truth or the prediction has a pixel of it.
  var isPresent: Bool { truth + predicted > 0 }

  var union: Double { truth + predicted - hits }

  var iou: Double? { Self.ratio(hits, union) }

  var dice: Double? { Self.ratio(2 * hits, truth + predicted) }

  var precision: Double? { Self.ratio(hits, predicted) }

  var recall: Double? { Self.ratio(hits, truth) }

  var boundaryIoU: Double? { Self.ratio(bandHits, bandUnion) }

  static func ratio(_ part: Double, _ whole: Double) -> Double? {
    whole > 0 ? part / whole : nil
  }

  static func += (sum: inout RegionCounts, term: RegionCounts) {
    sum.hits += term.hits
    sum.truth += term.truth
    sum.predicted += term.predicted
    sum.bandHits += term.bandHits
    sum.bandUnion += term.bandUnion
  }
}
