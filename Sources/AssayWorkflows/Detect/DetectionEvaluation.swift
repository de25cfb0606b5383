package import AssayCore
package import AssayMetrics

/// A judged run of a detector: all numbers, and what they are about.
package struct DetectionEvaluation: Sendable {
  /// A part of the samples, judged on its own.
  package struct Slice: Sendable {
    /// What the samples were parted by, and this part's name.
    package var by: String
    package var value: String
    /// Its samples.
    package var count: Int
    package var scores: DetectionScores
  }

  package var subject: Evaluation.Subject
  /// The name that it is stored under; `nil` where it is not stored.
  package var name: String?
  /// In the order of their ids in the source.
  package var classes: [String]
  /// What detections were matched with.
  package var matching: DetectionSettings
  package var scores: DetectionScores
  /// The types of error with their costs, the confusion matrix, thresholds and calibration.
  package var errors: ErrorScores
  /// The keys of the samples in ascending order of their ids in the source, and what was found in each.
  package var keys: [String]
  package var counts: [ObjectCounts]
  package var slices: [Slice] = []
  /// With what detections were matched with filled in.
  package var settings: EvaluationSettings
  /// What a reader has to know beside the numbers, one sentence each.
  package var notes: [String] = []

  package init(
    subject: Evaluation.Subject, classes: [String], matching: DetectionSettings,
    scores: DetectionScores, errors: ErrorScores, keys: [String], counts: [ObjectCounts],
    settings: EvaluationSettings
  ) {
    self.subject = subject
    self.classes = classes
    self.matching = matching
    self.scores = scores
    self.errors = errors
    self.keys = keys
    self.counts = counts
    self.settings = settings
  }

  /// The number of samples.
  package var count: Int { keys.count }

  /// The objects that must be found, and the detections that count, of all scores.
  package var truths: Int { scores.tally.truthCount }
  package var detections: Int { scores.tally.resultCount }

  /// The score under a key with one number a run, whichever part of the metrics has it.
  package func score(_ kind: MetricKind) -> Score {
    ErrorScores.kinds.contains(kind) ? errors[kind] : scores[kind]
  }

  /// The scores under a key with one number a class, in the order of ``classes``.
  package func perClass(_ kind: MetricKind) -> [Score] {
    ErrorScores.classKinds.contains(kind) ? errors.perClass(kind) : scores.perClass(kind)
  }

  /// The options, with their values, by which detections were matched otherwise than usual; what overlaps is
  /// not among them.
  package var differences: [(option: String, value: String)] {
    let usual = DetectionSettings(overlap: matching.overlap)
    return settings.objects.differences.filter { option, _ in
      switch option {
      case "iou-thresholds": matching.iouThresholds != usual.iouThresholds
      case "max-dets": matching.maxDetections != usual.maxDetections
      case "iou": matching.workingIoU != usual.workingIoU
      case "score": matching.workingScore != usual.workingScore
      default: option != "iou-type"
      }
    }
  }

  /// The classes with an object or a wrong detection, the lowest AP first; undefined ones are left out.
  package var worstClasses: [Int] {
    let all = scores.perClass(.perCategoryAP)
    return all.indices.filter { all[$0].value != nil }.sorted {
      (all[$0].value ?? 0, $0) < (all[$1].value ?? 0, $1)
    }
  }
}
