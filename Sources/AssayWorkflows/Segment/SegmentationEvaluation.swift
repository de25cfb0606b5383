package import AssayCore
package import AssayMetrics
package import AssayReports

/// Judged masks, of a run or of files: all numbers, and what they are about.
package struct SegmentationEvaluation: Sendable {
  /// A part of the samples, judged on its own.
  package struct Slice: Sendable {
    /// What the samples were parted by, and this part's name.
    package var by: String
    package var value: String
    package var scores: SegmentationScores
  }

  package var subject: Evaluation.Subject
  /// The name that it is stored under; `nil` where it is not stored.
  package var name: String?
  package var scores: SegmentationScores
  /// The keys of the samples, in the order of `scores.samples`.
  package var keys: [String]
  /// What else is known of each sample, in the same order; empty where nothing is.
  package var traits: [SampleTraits] = []
  package var slices: [Slice] = []
  package var sweep: ThresholdSweep?
  /// What calling every pixel one class would score; `nil` where nothing was judged.
  package var baseline: SegmentationBaseline?
  package var settings: EvaluationSettings
  /// The run's own threshold; `nil` where it takes the likeliest class, or of files.
  package var ownThreshold: Double?
  /// What a reader has to know beside the numbers, one sentence each.
  package var notes: [String] = []

  package init(
    subject: Evaluation.Subject, scores: SegmentationScores, keys: [String],
    settings: EvaluationSettings
  ) {
    self.subject = subject
    self.scores = scores
    self.keys = keys
    self.settings = settings
  }

  /// What came of judging files.
  package init(_ files: FileSegmentationResult) {
    self.init(
      subject: .files(truth: files.truthPath, scores: files.resultPath, pairedBySample: true),
      scores: files.scores, keys: files.files, settings: files.settings)
    baseline = SegmentationBaseline(files.tally)
    notes = files.notes
  }

  /// The names of the judged classes.
  package var classes: [String] { Array(scores.labels.names[scores.labels.judged]) }

  /// The pixels that were judged.
  package var judgedPixels: Int { scores.confusion.totals.truth.reduce(0, +) }

  /// The share of all pixels that was left out, in 0...1.
  package var voidShare: Double {
    scores.void == 0 ? 0 : Double(scores.void) / Double(scores.void + judgedPixels)
  }

  /// The number of samples that have an IoU.
  package var defined: Int { scores.samples.count { $0.iou != nil } }

  /// The mean over samples that comes first: of IoU.
  package var headline: MetricKind { scores.labels.isBinary ? .meanIoU : .miou }
}
