package import AssayCore
package import AssayMetrics

/// The numbers of matched detections with what only evaluations of detectors have.
package struct DetectionDetails: TaskDetails {
  /// In the order of their ids in the source.
  package var classes: [String]
  /// The settings that detections were matched with.
  package var matching: DetectionSettings
  package var scores: DetectionScores
  /// The types of error with their costs, the confusion matrix, thresholds and calibration.
  package var errors: ErrorScores
  /// The keys of the samples in ascending order of their ids in the source, and what was found in each.
  package var keys: [String]
  package var counts: [ObjectCounts]

  package init(
    classes: [String], matching: DetectionSettings, scores: DetectionScores, errors: ErrorScores,
    keys: [String], counts: [ObjectCounts]
  ) {
    self.classes = classes
    self.matching = matching
    self.scores = scores
    self.errors = errors
    self.keys = keys
    self.counts = counts
  }

  package var task: ModelTask { .detection }

  package var wrapped: EvaluationDetails { .detection(self) }

  package var table: ScoreTable {
    let (ofErrors, classesOfErrors) = (Set(ErrorScores.kinds), Set(ErrorScores.classKinds))
    return ScoreTable(
      count: keys.count, MetricKind.kinds(of: .detection),
      overall: { ofErrors.contains($0) ? errors[$0] : scores[$0] },
      perClass: { classesOfErrors.contains($0) ? errors.perClass($0) : scores.perClass($0) })
  }

  /// The objects that must be found, and the detections that count, of all scores.
  package var truths: Int { scores.tally.truthCount }
  package var detections: Int { scores.tally.resultCount }

  /// The options, with their values, by which detections were matched otherwise than usual; what overlaps is
  /// not among them.
  package func differences(_ settings: EvaluationSettings) -> [(option: String, value: String)] {
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
