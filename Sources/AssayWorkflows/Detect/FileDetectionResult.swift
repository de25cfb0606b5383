package import AssayFormats
package import AssayMetrics

/// What came of judging detections in files.
package struct FileDetectionResult: Sendable {
  package var truthPath: String
  package var resultPath: String
  package var overlap: OverlapKind
  /// Whether the overlap was chosen by what the results have.
  package var isOverlapChosen: Bool
  /// The classes' names, in the order of their ids.
  package var classes: [String]
  package var images: Int
  /// The annotations and the results that are judged.
  package var truths: Int
  package var results: Int
  package var tally: DetectionTally
  package var scores: DetectionScores
  package var health: FileDetectionHealth
  /// Everything odd about the files.
  package var findings: [COCOFinding]
  /// What pycocotools makes of them.
  package var reference: FileDetectionReference
  package var settings: EvaluationSettings
  /// What a reader has to know beside the numbers, one sentence each.
  package var notes: [String]

  /// How detections were matched.
  package var matching: DetectionSettings { tally.settings }
}
