package import AssayCore

/// The evaluation of a run with given settings.
package struct EvaluationRecord: Hashable, Sendable {
  package var id: Int64
  package var name: String
  package var run: RunRecord
  /// The settings as JSON text.
  package var settings: String
  /// The class names that the tallies' ground truth and predictions index.
  package var classes: [String]
  package var createdAt: String
  /// The settings of a detector's matches; `nil` for other tasks.
  package var matching: MatchSettings?
  /// The last ledger entry that its ground truth includes; `nil` for the imported ground truth.
  package var ledgerSequence: Int64?

  /// The default name of an evaluation.
  package static let defaultName = "default"
}

/// An evaluation to be saved.
package struct EvaluationDraft: Hashable, Sendable {
  package var run: Int64
  package var name: String
  package var settings: String
  /// The class names in taxonomy order; the tallies use indices into them.
  package var classes: [String]
  /// The tallies of a classification.
  package var tallies: [TallyRecord]
  /// The tallies of a segmentation.
  package var pixelTallies: [PixelTallyRecord]
  /// The tallies of a multi-label classification.
  package var labelTallies: [LabelTallyRecord] = []
  /// The tallies of a detection, and the settings of its matches.
  package var detections: [DetectionTallyRecord]
  package var matching: MatchSettings?
  /// The last ledger entry that the ground truth includes; `nil` for the imported ground truth.
  package var ledgerSequence: Int64?
  package var scores: [ScoreRecord]

  package init(
    run: Int64, name: String, settings: String = "{}", classes: [String],
    tallies: [TallyRecord] = [], pixelTallies: [PixelTallyRecord] = [],
    detections: [DetectionTallyRecord] = [], matching: MatchSettings? = nil,
    ledgerSequence: Int64? = nil, scores: [ScoreRecord]
  ) {
    self.run = run
    self.name = name
    self.settings = settings
    self.classes = classes
    self.tallies = tallies
    self.pixelTallies = pixelTallies
    self.detections = detections
    self.matching = matching
    self.ledgerSequence = ledgerSequence
    self.scores = scores
  }
}

/// The contribution of one sample to every classification score.
package struct TallyRecord: Hashable, Sendable {
  package var sample: Int64
  /// The indices of the label and the prediction in the evaluation's classes.
  package var truth: Int
  package var predicted: Int
  /// The 1-based rank of the true class by descending score; 0 if the run has no such class.
  package var rank: Int
  package var confidence: Double
  package var margin: Double

  package init(
    sample: Int64, truth: Int, predicted: Int, rank: Int, confidence: Double, margin: Double
  ) {
    self.sample = sample
    self.truth = truth
    self.predicted = predicted
    self.rank = rank
    self.confidence = confidence
    self.margin = margin
  }
}

/// One metric value of an evaluation.
package struct ScoreRecord: Hashable, Sendable {
  package var metric: MetricKind
  /// The class, for a per-class metric.
  package var category: String?
  /// The slice; `nil` for all samples.
  package var slice: String?
  /// `nil` if undefined.
  package var value: Double?
  /// The 95 % CI; `nil` if there is none.
  package var low: Double?
  package var high: Double?
  /// The number of samples that it covers.
  package var n: Int
  /// For a mean over values that can be undefined: how many were defined, out of how many.
  package var defined: Int?
  package var total: Int?

  package init(
    metric: MetricKind, category: String? = nil, slice: String? = nil, value: Double?,
    low: Double? = nil, high: Double? = nil, n: Int, defined: Int? = nil, total: Int? = nil
  ) {
    self.metric = metric
    self.category = category
    self.slice = slice
    self.value = value
    self.low = low
    self.high = high
    self.n = n
    self.defined = defined
    self.total = total
  }
}
