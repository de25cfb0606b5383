import AssayCore
import AssayMetrics

/// The scores of one set of judged detections as JSON members.
struct DetectionScoresJSON {
  private let scores: DetectionScores
  /// `nil` of a part, which has COCO's numbers alone.
  private let errors: ErrorScores?
  private let classes: [String]

  init(_ scores: DetectionScores, _ errors: ErrorScores?, classes: [String]) {
    self.scores = scores
    self.errors = errors
    self.classes = classes
  }

  /// The numbers with the classes' names before them.
  var namedMembers: [JSONValue.Member] {
    [.init("classes", .array(classes.map { .string($0) }))] + members
  }

  var members: [JSONValue.Member] {
    let stats = DetectionScores.stats.map { kind in
      JSONValue.Member(kind.rawValue, JSONValue(scores[kind].value))
    }
    return [.init("stats", .object(stats))]
      + kinds.map { .init($0.rawValue, value(of: $0)) } + errorMembers + [
        .init("intervals", intervals), .init("interval_methods", methods),
        .init(
          "interval_reasons", IntervalNotes.json(scores.missingIntervals, classes: classes)),
      ]
  }

  private var kinds: [MetricKind] {
    MetricKind.kinds(of: .detection).filter { kind in
      errors != nil || DetectionScores.kinds.contains(kind)
        || DetectionScores.classKinds.contains(kind)
    }
  }

  private func score(_ kind: MetricKind) -> Score {
    ErrorScores.kinds.contains(kind) ? errors?[kind] ?? .undefined : scores[kind]
  }

  private func perClass(_ kind: MetricKind) -> [Score] {
    ErrorScores.classKinds.contains(kind) ? errors?.perClass(kind) ?? [] : scores.perClass(kind)
  }

  private func value(of kind: MetricKind) -> JSONValue {
    guard kind.isPerCategory else { return JSONValue(score(kind).value) }
    return list(kind) { score in
      kind == .support ? JSONValue(score.value.map { Int($0) }) : JSONValue(score.value)
    }
  }

  /// By name where COCO's tools have it so, else in the order of the classes.
  private func list(_ kind: MetricKind, _ value: (Score) -> JSONValue) -> JSONValue {
    let values = perClass(kind).map(value)
    guard DetectionScores.classKinds.contains(kind) else { return .array(values) }
    return .object(zip(classes, values).map { .init($0, $1) })
  }

  private var errorMembers: [JSONValue.Member] {
    guard let errors else { return [] }
    let names = classes.map { JSONValue.string($0) }
    return [
      .init(
        "working",
        [
          "iou": .number(errors.workingIoU), "score": .number(errors.workingScore),
          "true_positives": JSONValue(errors.overall.right),
          "false_positives": JSONValue(errors.overall.wrong),
          "false_negatives": JSONValue(errors.overall.notFound),
          "precision": JSONValue(errors.overall.precision),
          "recall": JSONValue(errors.overall.recall), "f1": JSONValue(errors.overall.f1),
        ]),
      .init("error_counts", counts(errors.counts)),
      .init("error_counts_from_score", counts(errors.workingCounts)),
      .init("labels", .array(names + ["background"])),
      .init(
        "confusion",
        errors.confusion.map { .array($0.rows.map { .array($0.map { JSONValue($0) }) }) } ?? .null),
      .init("calibration", errors.calibration.map(Self.json) ?? .null),
    ]
  }

  private func counts(_ counts: ErrorCounts) -> JSONValue {
    .object(
      DetectionErrorKind.allCases.map { .init($0.rawValue, JSONValue(counts.count($0))) })
  }

  private static func json(_ calibration: Calibration) -> JSONValue {
    [
      "bins": .array(
        calibration.bins.map { bin in
          [
            "low": .number(bin.low), "high": .number(bin.high), "count": JSONValue(bin.count),
            "accuracy": JSONValue(bin.accuracy), "mean_confidence": JSONValue(bin.meanConfidence),
          ]
        }),
      "error": JSONValue(calibration.error), "rule": .string(Calibration.objectRule),
    ]
  }

  /// Under each key `[low, high]` or `null`, for classes as under the key itself; no keys without intervals.
  private var intervals: JSONValue {
    let hasIntervals = kinds.contains { kind in
      kind.isPerCategory
        ? perClass(kind).contains { $0.interval != nil } : score(kind).interval != nil
    }
    guard hasIntervals else { return .object([]) }
    return .object(
      kinds.map { kind in
        .init(
          kind.rawValue,
          kind.isPerCategory
            ? list(kind) { pair($0.interval) } : pair(score(kind).interval))
      })
  }

  private var methods: JSONValue {
    .object(
      kinds.compactMap { kind in
        let score = kind.isPerCategory ? perClass(kind).first { $0.interval != nil } : score(kind)
        return score?.interval.map { .init(kind.rawValue, .string($0.method.rawValue)) }
      })
  }

  private func pair(_ interval: Interval?) -> JSONValue {
    interval.map { [.number($0.low), .number($0.high)] } ?? .null
  }
}
