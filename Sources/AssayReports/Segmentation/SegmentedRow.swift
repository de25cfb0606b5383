package import AssayMetrics

/// One judged sample in the report's table.
package struct SegmentedRow: Sendable, Equatable {
  /// The sample's key in its dataset.
  package var key: String
  package var scores: SampleMaskScores
  /// How unsure the model was, from 0 to 1; `nil` where that is not known.
  package var unsureness: Double?
  /// The distance of the predicted mask's centre of mass from its box's centre; `nil` where nothing is
  /// predicted or several classes are judged.
  package var centerOffset: Double?

  package init(
    key: String, scores: SampleMaskScores, unsureness: Double? = nil, centerOffset: Double? = nil
  ) {
    self.key = key
    self.scores = scores
    self.unsureness = unsureness
    self.centerOffset = centerOffset
  }
}
