package import AssayCore

/// The errors of a run's detections in numbers: the ΔAP of each error type, the confusion between
/// classes, and the results at score thresholds.
///
/// The ΔAP (cost) of a type is the increase of the average precision at the working IoU if only
/// errors of that type are fixed, and 0 if it does not increase. To fix classification and
/// localization errors, the best detection about an object becomes correct and the others are
/// removed; to fix both, duplicate and background errors, the detections are removed; to fix missed
/// errors, the objects are removed. The average precision is COCO's (101 recalls; the mean over
/// classes with an object) with COCO's matches. tidecv 1.0.1 differs: it counts classes without
/// objects as 0, limits images to 100 detections of all classes together, and assigns an error type
/// to detections on crowds. Without objects or detections all ΔAP values are 0. Definitions: D.
/// Bolya et al. (2020), "TIDE: A General Toolbox for Identifying Object Detection Errors", with
/// foreground at the working IoU and background at 0.1.
package struct ErrorScores: Sendable, Equatable {
  /// The number of images *n*.
  package let count: Int
  /// The number of classes *k*.
  package let classCount: Int
  /// The IoU at which detections are correct, and the minimum score of detections in working points
  /// and the confusion matrix.
  package let workingIoU: Double
  package let workingScore: Double
  /// The average precision at the working IoU, which ΔAP is relative to; `nil` without objects.
  package let averagePrecision: Double?
  /// The errors of all detections.
  package let counts: ErrorCounts
  /// The errors of detections with at least the working score.
  package let workingCounts: ErrorCounts
  /// The number of times each class was detected as each other: rows ground truth, columns
  /// detections, the last of both the background. Detections with at least the working score are
  /// matched as for precision and recall, so that the diagonal contains the true positives. Then
  /// each remaining detection, best score first, is paired with the remaining object of another
  /// class that it overlaps most, if the overlap is at least the working IoU; the rest is
  /// background. Detections on crowds of their class are left out. `nil` for more than
  /// ``confusionLimit`` classes.
  package let confusion: ConfusionMatrix?
  /// The calibration of scores against the share of correct detections, over all detections that
  /// count; `nil` if a score is outside 0...1.
  package let calibration: Calibration?
  /// The points at the working score, by class and over all classes.
  package let workingPoints: [WorkingPoint]
  package let overall: WorkingPoint
  /// The point at the score with the highest F1, by class; `nil` if no detection is correct.
  package let bestPoints: [WorkingPoint?]
  private var numbers: [MetricKind: Score] = [:]
  private var classNumbers: [MetricKind: [Score]] = [:]

  /// The maximum number of classes of a confusion matrix, which grows with their square.
  package static let confusionLimit = 2_000

  /// The metrics with one value per run.
  package static let kinds: [MetricKind] = DetectionErrorKind.allCases.map(\.cost) + [.ece15]

  /// The metrics with one value per class, besides ΔAP.
  package static let classKinds: [MetricKind] = [
    .bestF1, .bestThreshold, .precision, .recall, .f1, .support,
  ]

  /// The score of one of ``kinds``; undefined for other metrics.
  package subscript(kind: MetricKind) -> Score { numbers[kind] ?? .undefined }

  /// The scores of one of ``classKinds``, or the ΔAP of an error type in a class's own average
  /// precision; empty for other metrics.
  package func perClass(_ kind: MetricKind) -> [Score] { classNumbers[kind] ?? [] }

  /// Returns the ΔAP of an error type, in 0...1.
  package func cost(_ kind: DetectionErrorKind) -> Score { self[kind.cost] }

  /// Computes the scores of a tally.
  ///
  /// - Parameters:
  ///   - score: the working score, if it is not the tally's own. In the confusion matrix,
  ///     detections with at least the tally's own score are paired with objects of other classes.
  ///   - settings: intervals of F1, precision and recall by class and of the best F1, from
  ///     ``Bootstrap/leastSamples`` images on. ΔAP has none: small sets underestimate
  ///     classification and duplicate errors, and a bootstrap of 200 images with 80 classes covers
  ///     them in 18 % and 4 % of cases (measured).
  /// - Throws: ``MetricError/tooManySamples(_:limit:)``; `CancellationError` if a worker was
  ///   stopped.
  /// - Complexity: O(*detections* · log *detections*), with intervals plus draws times detections.
  package init(
    _ tally: ErrorTally, score: Double? = nil,
    _ settings: ScoringSettings = ScoringSettings(intervals: nil)
  ) throws {
    guard tally.count < ErrorRanking.imageLimit else {
      throw MetricError.tooManySamples(tally.count, limit: ErrorRanking.imageLimit - 1)
    }
    let workingScore = score ?? tally.settings.workingScore
    self.workingScore = workingScore
    workingIoU = tally.settings.workingIoU
    count = tally.count
    classCount = tally.classCount
    counts = ErrorCounts(tally)
    workingCounts = ErrorCounts(tally, from: workingScore)
    confusion =
      tally.classCount <= Self.confusionLimit
      ? ConfusionMatrix(objects: tally, from: workingScore) : nil
    calibration = Calibration(objects: tally)
    let reduction = try ErrorReduction(
      tally, workingScore: workingScore, workers: settings.workers)
    workingPoints = reduction.rankings.map { WorkingPoint($0, at: workingScore) }
    overall = WorkingPoint.pooled(workingPoints, at: workingScore)
    bestPoints = reduction.rankings.map { WorkingPoint.best($0) }
    let plain = reduction.plain
    averagePrecision = plain.averagePrecision
    for kind in DetectionErrorKind.allCases {
      numbers[kind.cost] = Score(plain.cost(kind))
      classNumbers[kind.cost] = plain.classCosts(kind).map { Score($0) }
    }
    numbers[.ece15] = Score(calibration?.error)
    classNumbers[.bestF1] = zip(bestPoints, workingPoints).map { best, working in
      Score(best?.f1 ?? (working.truths > 0 ? 0 : nil))
    }
    classNumbers[.bestThreshold] = bestPoints.map { Score($0?.score) }
    classNumbers[.precision] = workingPoints.map { Score($0.precision) }
    classNumbers[.recall] = workingPoints.map { Score($0.recall) }
    classNumbers[.f1] = workingPoints.map { Score($0.f1) }
    classNumbers[.support] = workingPoints.map { Score(Double($0.truths)) }
    guard let bootstrap = settings.intervals, tally.count >= Bootstrap.leastSamples else { return }
    let draws = try reduction.draws(bootstrap, hasCosts: false, workers: settings.workers)
    for kind in ErrorReduction.Values.classKinds {
      for category in 0..<classCount where classNumbers[kind]?[category].value != nil {
        classNumbers[kind]?[category].interval = PercentileInterval.of(
          draws.lazy.map { $0.value(kind, category) })
      }
    }
  }
}
