package import AssayMetrics

/// The result of an evaluation of masks in files.
package struct FileSegmentationResult: Sendable {
  /// The content of the files.
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
  /// The names of the samples, in the order of the tally: paths relative to the ground truth's folder without their
  /// extension, or COCO's `file_name`.
  package var files: [String]
  package var tally: SegmentationTally
  package var scores: SegmentationScores
  package var settings: EvaluationSettings
  /// Remarks for readers of the numbers, one sentence each.
  package var notes: [String]
}
