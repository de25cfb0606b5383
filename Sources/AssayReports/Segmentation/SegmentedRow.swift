package import AssayMetrics

/// One evaluated sample in the report's table.
package struct SegmentedRow: Sendable, Equatable {
  /// The sample's key in its dataset.
  package var key: String
  package var scores: SampleMaskScores
  /// The uncertainty of the model, from 0 to 1; `nil` if it is not known.
  package var uncertainty: Double?
  /// The distance of the predicted mask's center of mass from its box's center; `nil` if nothing is
  /// predicted or several classes are evaluated.
  package var centerOffset: Double?

  package init(
    key: String, scores: SampleMaskScores, uncertainty: Double? = nil, centerOffset: Double? = nil
  ) {
    self.key = key
    self.scores = scores
    self.uncertainty = uncertainty
    self.centerOffset = centerOffset
  }
}
