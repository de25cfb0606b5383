package import AssayMetrics

/// What came of judging masks in files.
package struct FileSegmentationResult: Sendable {
  /// What the files held.
  package enum Content: String, Sendable {
    /// Pixels are numbers of classes.
    case labels
    /// One class; pixels are set or not.
    case binary
    /// COCO's instances and results, united per image.
    case coco
  }

  package var truthPath: String
  package var resultPath: String
  package var content: Content
  /// What the samples are called, in the order of the tally: paths relative to the truth's folder without
  /// their ending, or COCO's `file_name`.
  package var files: [String]
  package var tally: SegmentationTally
  package var scores: SegmentationScores
  package var settings: EvaluationSettings
  /// What a reader has to know beside the numbers, one sentence each.
  package var notes: [String]
}
