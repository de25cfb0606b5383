package import AssayCore

/// The errors of a run's detections in numbers: the cost of each type of error, the confusion between classes,
/// and the results at score thresholds.
///
/// The cost of a type is the increase of the average precision at the working IoU if errors of that type alone
/// are fixed, and 0 if it does not increase. To fix classification and localization errors, the best detection
/// about an object becomes right and the others are removed; to fix both, duplicate and background errors, the
/// detections are removed; to fix missed errors, the objects are removed. The average precision is COCO's (101
/// recalls; the mean over classes with an object) of COCO's matches. tidecv 1.0.1 differs: it counts classes
/// without objects as 0, cuts images to 100 detections of all classes together, and gives detections on crowds
/// a type of error. Without objects or detections all costs are 0. Definitions: D. Bolya et al. (2020), "TIDE:
/// A General Toolbox for Identifying Object Detection Errors", with foreground at the working IoU and
/// background at 0.1.
package struct ErrorScores: Sendable, Equatable {
  /// The number of images *n*.
  package let count: Int
  /// The number of classes *k*.
  package let classCount: Int
  /// The IoU at which detections are right, and the score from which working points and the confusion
  /// matrix look at them.
  package let workingIoU: Double
  package let workingScore: Double
  /// The average precision at the working IoU, which the costs start from; `nil` without objects.
  package let averagePrecision: Double?
  /// The mistakes of all detections.
  package let counts: ErrorCounts
  /// The mistakes of detections from the working score on.
  package let workingCounts: ErrorCounts
  /// The number of times each class was detected as each other: rows ground truth, columns detections, the last
  /// of both the background. The detections with at least the working score are matched as for precision and
  /// recall, so that the diagonal holds the true positives; then each detection left over, best score first,
  /// takes the object of another class left over that it overlaps most, if by at least the working IoU; the
  /// rest is background. Those on crowds of their class are left out. `nil` for more than ``confusionLimit``
  /// classes.
  package let confusion: ConfusionMatrix?
  /// The agreement of scores with the share of right detections, over all detections that count; `nil` if a
  /// score is outside 0...1.
  package let calibration: Calibration?
  /// The points at the working score, by class and over all classes.
  package let workingPoints: [WorkingPoint]
  package let overall: WorkingPoint
  /// The point at the score with the highest F1, by class; `nil` if no detection is right.
  package let bestPoints: [WorkingPoint?]
  private var numbers: [MetricKind: Score] = [:]
  private var classNumbers: [MetricKind: [Score]] = [:]

  /// Most classes of a confusion matrix, which grows with their square.
  package static let confusionLimit = 2_000

  /// The keys with one number a run.
  package static let kinds: [MetricKind] = DetectionErrorKind.allCases.map(\.cost) + [.ece15]

  /// The keys with one number a class, besides those of the costs.
  package static let classKinds: [MetricKind] = [
    .bestF1, .bestThreshold, .precision, .recall, .f1, .support,
  ]

  /// The score under one of ``kinds``; undefined for the others.
  package subscript(kind: MetricKind) -> Score { numbers[kind] ?? .undefined }

  /// The scores under one of ``classKinds``, or the cost of a type of error in a class's own average
  /// precision; empty for the others.
  package func perClass(_ kind: MetricKind) -> [Score] { classNumbers[kind] ?? [] }

  /// Returns the cost of a type of error, in 0...1.
  package func cost(_ kind: DetectionErrorKind) -> Score { self[kind.cost] }

  /// Reduces a tally.
  ///
  /// - Parameters:
  ///   - score: the working score, where it is not the tally's own. In the confusion matrix detections are
  ///     paired with objects of other classes from the tally's own score on.
  ///   - settings: intervals of F1, precision and recall by class and of the best F1, from
  ///     ``Bootstrap/leastSamples`` images on. Costs get none: small sets underrate those of class and
  ///     duplicate, and a bootstrap of 200 images with 80 classes covers them in 18 % and 4 % (measured).
  /// - Throws: ``MetricError/tooManySamples(_:limit:)``; `CancellationError` where a worker was stopped.
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
