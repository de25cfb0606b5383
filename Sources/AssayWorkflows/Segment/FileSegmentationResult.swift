package import AssayMetrics

/// The result of evaluating masks in files.
package struct FileSegmentationResult: Sendable {
  /// The type of the files.
  package enum Content: String, Sendable {
    /// Label maps: pixels are class numbers.
    case labels
    /// Binary masks: pixels are set or not.
    case binary
    /// COCO instances and results, as the union per image.
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
  /// Notes on the metrics for the reader, one sentence each.
  package var notes: [String]
}
