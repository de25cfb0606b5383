package import AssayCore
package import AssayMetrics
package import AssayReports
package import AssayStore

/// The numbers of segmented samples with what only evaluations of masks have.
package struct SegmentationDetails: TaskDetails {
  package var scores: SegmentationScores
  /// The keys of the samples, in the order of `scores.samples`.
  package var keys: [String]
  /// Other facts about each sample, in the same order; empty if there are none.
  package var traits: [SampleTraits] = []
  package var sweep: ThresholdSweep?
  /// The score of calling every pixel one class; `nil` where no pixel was evaluated.
  package var baseline: SegmentationBaseline?
  /// The run's own threshold; `nil` where it takes the likeliest class, or of files.
  package var ownThreshold: Double?

  package init(scores: SegmentationScores, keys: [String]) {
    self.scores = scores
    self.keys = keys
  }

  package var task: ModelTask { .segmentation }

  package var wrapped: EvaluationDetails { .segmentation(self) }

  package var table: ScoreTable { scores.table }

  /// The scores of a sweep, as slices called `threshold=0.4`.
  package var furtherRecords: [ScoreRecord] {
    (sweep?.points ?? []).flatMap { point in
      [
        (MetricKind.meanIoU, point.meanIoU), (.meanDice, point.meanDice), (.iou, point.iou),
        (.dice, point.dice),
      ].map { kind, score in
        ScoreRecord(kind, nil, score, slice: "threshold=\(point.threshold)", n: scores.count)
      }
    }
  }
}

extension Evaluation {
  /// The evaluation of masks in files.
  package init(_ files: FileSegmentationResult) {
    var details = SegmentationDetails(scores: files.scores, keys: files.files)
    details.baseline = SegmentationBaseline(files.tally)
    self.init(
      subject: .files(truth: files.truthPath, scores: files.resultPath),
      classes: Array(files.scores.labels.names[files.scores.labels.judged]), details: details,
      settings: files.settings)
    notes = files.notes
  }
}
