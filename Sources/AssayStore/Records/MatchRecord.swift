package import AssayCore

/// The settings of an evaluation's matches.
package struct MatchSettings: Hashable, Sendable {
  /// The most thresholds that matches are kept for.
  package static let thresholdLimit = 63

  /// The IoU thresholds, ascending: bit k of ``MatchRecord/matched`` is of the k-th.
  package var thresholds: [Double]
  /// The IoU, one of the thresholds, at which queries and the types of error call a detection right.
  package var iou: Double
  /// The least score that queries look at unless told.
  package var score: Double

  package init(thresholds: [Double], iou: Double, score: Double) {
    self.thresholds = thresholds
    self.iou = iou
    self.score = score
  }
}

/// The match of one detection, or of one object without a detection.
package struct MatchRecord: Hashable, Sendable {
  /// The detection's place in its sample, as ``Catalog/detections(of:where:)`` gives them; `nil` for an
  /// object that was not found at the working IoU.
  package var prediction: Int?
  /// The annotation's ordinal in its sample: the object that was matched at the working IoU, or the one
  /// that the error is about.
  package var annotation: Int?
  /// An index into the evaluation's classes: the detection's, else the object's.
  package var `class`: Int
  /// The detection's.
  package var confidence: Double?
  /// Of the detection and the annotation.
  package var iou: Double?
  /// The error type at the working IoU; `nil` for what is right or ignored, and for a missed object
  /// that another error explains.
  package var error: DetectionErrorKind?
  /// Bit k: whether it was matched at the k-th IoU threshold.
  package var matched: UInt64
  /// Bit k: whether it is neither right nor wrong at the k-th IoU threshold.
  package var ignored: UInt64

  package init(
    prediction: Int?, annotation: Int?, class: Int, confidence: Double? = nil, iou: Double? = nil,
    error: DetectionErrorKind? = nil, matched: UInt64 = 0, ignored: UInt64 = 0
  ) {
    self.prediction = prediction
    self.annotation = annotation
    self.class = `class`
    self.confidence = confidence
    self.iou = iou
    self.error = error
    self.matched = matched
    self.ignored = ignored
  }
}

/// The matches of one sample.
package struct SampleMatches: Hashable, Sendable {
  package var sample: Int64
  /// In the order in which they were stored.
  package var rows: [MatchRecord]
}

/// A match with its sample.
package struct SampleMatch: Hashable, Sendable {
  package var sample: Int64
  package var match: MatchRecord
}

/// The contribution of one sample to every detection score.
package struct DetectionTallyRecord: Hashable, Sendable {
  package var sample: Int64
  /// The metrics' own packing of the sample's matches and errors.
  package var matches: [UInt8]
  package var errors: [UInt8]
  /// A row for each detection, and one for each object not matched at the working IoU; empty where the
  /// tallies were read, as ``Catalog/matches(of:samples:)`` gives these.
  package var rows: [MatchRecord]
  /// The objects that count, crowds and others that are ignored left out.
  package var truths: Int

  package init(
    sample: Int64, matches: [UInt8], errors: [UInt8], rows: [MatchRecord] = [], truths: Int
  ) {
    self.sample = sample
    self.matches = matches
    self.errors = errors
    self.rows = rows
    self.truths = truths
  }
}

/// The IoU and the least score that an expression's numbers of a run went by.
package struct MatchBasis: Hashable, Sendable {
  /// The run as the expression spells it: `r1`, `r1@strict`.
  package var run: String
  /// `nil` where none of the numbers depends on it.
  package var iou: Double?
  /// `nil` where none of the numbers depends on it.
  package var score: Double?

  package init(run: String, iou: Double?, score: Double?) {
    self.run = run
    self.iou = iou
    self.score = score
  }
}
