import AssayCore

/// The errors of one image: every detection and every ground-truth object with its verdict, from which all
/// counts and costs follow without matching again.
///
/// Detections find objects as in COCO's evaluation, at the working IoU, in the first area range and with the
/// most detections of a class that the settings allow; those that find none get the first error that fits:
/// - localization: they overlap an object of their class by 0.1 to the working IoU, both ends included;
/// - classification: an object of another class by the working IoU or more;
/// - duplicate: an object of their class by as much, which a better detection found;
/// - background: no object by more than 0.1;
/// - both: the rest, which overlap an object of another class too little.
///
/// An object that was not found is missed unless a detection with a classification or localization error is
/// about it.
/// Source: tidecv 1.0.1, `quantify.py`, except for the differences stated in ``ErrorScores``.
package struct ImageErrors: Sendable, Equatable {
  /// The overlap below which a detection has nothing to do with an object.
  package static let backgroundOverlap = 0.1

  /// A detection as it is kept.
  struct Found: Sendable, Equatable {
    var `class`: Int32
    var mark: Mark
    /// True if it is the best of the detections with a classification or localization error about an object
    /// that no detection finds: the one that becomes right if its error is fixed.
    var isFixable = false
    /// The object it is about, or −1.
    var truth: Int32 = -1
    var overlap: Float = 0
    /// From the working score on the object it is paired with in the confusion matrix, or −1: the one it
    /// finds, else one of another class that no detection finds.
    var confusedTruth: Int32 = -1
    /// A bit for each area range that its area is in.
    var sizes: UInt32
    var score: Double
  }

  /// The result of a detection; in this order in packed form.
  enum Mark: UInt8, Sendable, CaseIterable {
    case right, `class`, place, both, duplicate, background, ignored
  }

  /// An object of the truth as it is kept.
  struct Truth: Sendable, Equatable {
    var `class`: Int32
    var outcome: TruthObjectVerdict.Outcome
    /// As in ``TruthObjectVerdict``, or −1.
    var found: Int32 = -1
    var sizes: UInt32
    var area: Float
  }

  /// In the given order.
  var founds: [Found]
  var truths: [Truth]

  init(founds: [Found], truths: [Truth]) {
    self.founds = founds
    self.truths = truths
  }

  /// Judges the detections of one image that were matched already.
  ///
  /// - Parameters:
  ///   - truth: the image's objects, classes that are not judged left out.
  ///   - found: its detections in any order; equal scores rank in the given order.
  ///   - matches: what the settings make of both.
  /// - Complexity: O(*truth* · *found*).
  package init(
    truth: [TruthObject], found: [FoundObject], matches: ImageMatches,
    _ settings: DetectionSettings
  ) {
    self = ErrorMatching(truth: truth, found: found, matches, settings).errors
  }

  /// Matches and judges the detections of one image.
  ///
  /// - Throws: ``MetricError``.
  package init(
    truth: [TruthObject], found: [FoundObject], _ settings: DetectionSettings
  ) throws(MetricError) {
    let matcher = try DetectionMatcher(settings.forErrors)
    self = try Self.judging(truth: truth, found: found, settings, matcher)
  }

  /// - Parameter matcher: of ``DetectionSettings/forErrors``.
  static func judging(
    truth: [TruthObject], found: [FoundObject], _ settings: DetectionSettings,
    _ matcher: DetectionMatcher
  ) throws(MetricError) -> ImageErrors {
    var working = settings
    working.iouThresholds = matcher.settings.iouThresholds
    return ImageErrors(
      truth: truth, found: found, matches: try matcher.matches(truth: truth, found: found),
      working)
  }

  /// The verdict of each detection, in the given order.
  package var foundVerdicts: [FoundObjectVerdict] { founds.map(\.verdict) }

  /// The score of each detection.
  package var foundScores: [Double] { founds.map(\.score) }

  /// The verdict of each object of the truth, in the given order.
  package var truthVerdicts: [TruthObjectVerdict] { truths.map(\.verdict) }
}

extension ImageErrors.Found {
  var verdict: FoundObjectVerdict {
    FoundObjectVerdict(
      outcome: mark.outcome, error: mark.error, truth: truth < 0 ? nil : Int(truth),
      overlap: truth < 0 ? nil : Double(overlap))
  }
}

extension ImageErrors.Truth {
  var verdict: TruthObjectVerdict {
    TruthObjectVerdict(outcome: outcome, found: found < 0 ? nil : Int(found))
  }
}

extension ImageErrors.Mark {
  var outcome: FoundObjectVerdict.Outcome {
    switch self {
    case .right: .right
    case .ignored: .ignored
    default: .wrong
    }
  }

  var error: DetectionErrorKind? {
    switch self {
    case .right, .ignored: nil
    case .class: .class
    case .place: .place
    case .both: .both
    case .duplicate: .duplicate
    case .background: .background
    }
  }
}

extension DetectionSettings {
  /// All that errors need to be matched for.
  var forErrors: DetectionSettings {
    var settings = self
    settings.iouThresholds = [workingIoU]
    settings.areaRanges = Array(areaRanges.prefix(1))
    return settings
  }
}
