package import AssayCore

/// A run judged under stated settings.
package struct EvaluationRecord: Hashable, Sendable {
  package var id: Int64
  package var name: String
  package var run: RunRecord
  /// The settings as JSON text.
  package var settings: String
  /// The class names that truth and prediction of the tallies count by.
  package var classes: [String]
  package var createdAt: String
  /// The settings of a detector's matches; `nil` for other tasks.
  package var matching: MatchSettings?
  /// The last entry of the ledger that its truth goes by; `nil` for the imported truth.
  package var ledgerSequence: Int64?

  /// The name of an evaluation that was given none.
  package static let defaultName = "default"
}

/// An evaluation to be kept.
package struct EvaluationDraft: Hashable, Sendable {
  package var run: Int64
  package var name: String
  package var settings: String
  /// The class names in taxonomy order; the tallies count by their places.
  package var classes: [String]
  /// Those of a classification.
  package var tallies: [TallyRecord]
  /// Those of a segmentation.
  package var pixelTallies: [PixelTallyRecord]
  /// Those of a multi-label classification.
  package var labelTallies: [LabelTallyRecord] = []
  /// Those of a detection, and what their matches go by.
  package var detections: [DetectionTallyRecord]
  package var matching: MatchSettings?
  /// The last entry of the ledger that the truth goes by; `nil` for the imported truth.
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
  /// The label's and the prediction's index in the evaluation's classes.
  package var truth: Int
  package var predicted: Int
  /// The 1-based place of the truth in the scores, largest first; 0 where the run has no such class.
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

/// One number of an evaluation.
package struct ScoreRecord: Hashable, Sendable {
  package var metric: MetricKind
  /// The class, for a metric that is given per category.
  package var category: String?
  /// The subset, where the number is not over everything.
  package var slice: String?
  /// `nil` where undefined.
  package var value: Double?
  /// The 95 % interval; `nil` where there is none.
  package var low: Double?
  package var high: Double?
  /// The samples it is over.
  package var n: Int
  /// For a mean over things that may be undefined: how many were defined, of how many.
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
