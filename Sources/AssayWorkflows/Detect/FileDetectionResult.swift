package import AssayFormats
package import AssayMetrics

/// The result of an evaluation of detections in files.
package struct FileDetectionResult: Sendable {
  package var truthPath: String
  package var resultPath: String
  package var overlap: OverlapKind
  /// True if the overlap was chosen by the shapes that the results have.
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
  package var findings: [OddityCount]
  /// What pycocotools makes of them.
  package var reference: FileDetectionReference
  package var settings: EvaluationSettings
  /// Remarks for readers of the numbers, one sentence each.
  package var notes: [String]

  /// The settings that detections were matched with.
  package var matching: DetectionSettings { tally.settings }
}
