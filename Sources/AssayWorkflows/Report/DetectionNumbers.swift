import AssayCore
import AssayMetrics
import AssayReports

/// The metrics of an evaluated detector for its report.
struct DetectionNumbers {
  private let evaluation: Evaluation
  private let details: DetectionDetails
  private let kept: KeptScores

  /// - Parameter kept: stored intervals, which need not be computed again.
  init(_ evaluation: Evaluation, _ details: DetectionDetails, _ kept: KeptScores) {
    self.evaluation = evaluation
    self.details = details
    self.kept = kept
  }

  /// The score under a key with one value per run.
  func score(_ kind: MetricKind) -> Score { kept.score(kind, evaluation.scores[kind]) }

  var errors: ErrorScores { details.errors }

  private var kinds: [MetricKind] { DetectionScores.kinds(details.matching.overlap) }

  /// Returns the notes on missing and shifted intervals.
  ///
  /// - Parameter made: true if intervals were to be computed.
  func intervalNotes(made: Bool) -> [String] {
    guard made else { return [] }
    return IntervalNotes.missing(
      kinds.map { ($0, [evaluation.scores[$0].missing]) }
        + DetectionScores.classKinds.map { ($0, evaluation.scores.perClass($0).map(\.missing)) },
      classes: evaluation.classes)
      + IntervalNotes.shifted(kinds.map { score($0).interval })
  }

  /// The IoU thresholds whose curves are drawn, if the settings have them; otherwise their first.
  private static let drawn = [0.5, 0.75]

  /// A report without images, error types and facts.
  func report(of evaluated: EvaluatedRun<ObjectDetection>) -> DetectionReport {
    let run = evaluated.run
    let errors = details.errors
    let overall = errors.overall
    let curves = curves
    var report = DetectionReport(
      run: run.name, model: run.modelWords, view: run.view,
      matching: details.matching,
      counts: ObjectTotals(
        images: evaluation.scores.count, truths: details.truths, detections: details.detections,
        counted: overall.right + overall.wrong, right: overall.right),
      scores: Dictionary(
        uniqueKeysWithValues: (kinds + DetectionScores.decisionKinds + ErrorScores.kinds).map {
          ($0, score($0))
        }),
      classes: classes(curves))
    report.evaluation = evaluated.evaluation?.name
    report.curves = curves.compactMap { lines in PrecisionRecallLine.mean(lines.compactMap(\.self))
    }
    report.sizes = sizes
    report.confusion = errors.confusion
    report.calibration = errors.calibration
    return report
  }

  private func classes(_ curves: [[PrecisionRecallLine?]]) -> [DetectedClass] {
    func list(_ kind: MetricKind) -> [Score] {
      zip(evaluation.classes, evaluation.scores.perClass(kind)).map { name, score in
        kept.score(kind, of: name, score)
      }
    }
    let (ap, ap50) = (list(.perCategoryAP), list(.perCategoryAP50))
    let (precision, recall, f1) = (list(.precision), list(.recall), list(.f1))
    let (best, threshold) = (list(.bestF1), list(.bestThreshold))
    return evaluation.classes.indices.map { index in
      DetectedClass(
        name: evaluation.classes[index], truths: details.errors.workingPoints[index].truths,
        ap: ap[index], ap50: ap50[index], precision: precision[index], recall: recall[index],
        f1: f1[index], bestF1: best[index], bestThreshold: threshold[index],
        curves: curves.compactMap { $0[index] })
    }
  }

  /// The lines of each drawn threshold, one per class; `nil` for classes without objects.
  private var curves: [[PrecisionRecallLine?]] {
    let thresholds = details.matching.iouThresholds
    var places = Self.drawn.compactMap { wanted in
      thresholds.firstIndex { abs($0 - wanted) < 1e-9 }
    }
    if places.isEmpty, !thresholds.isEmpty { places = [0] }
    return places.map { place in
      details.scores.precisionRecall(threshold: place).map { curve in
        curve.map { PrecisionRecallLine(iou: thresholds[place], precision: $0.precision) }
      }
    }
  }

  /// The number of objects in each area range except the first, which contains all of them.
  private var sizes: [String: Int] {
    var sizes: [String: Int] = [:]
    for (place, range) in details.matching.areaRanges.enumerated().dropFirst() {
      sizes[range.name] = details.scores.precisionRecall(threshold: 0, area: place)
        .reduce(0) { $0 + ($1?.truths ?? 0) }
    }
    return sizes
  }
}
