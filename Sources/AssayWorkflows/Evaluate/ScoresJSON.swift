import AssayCore
import AssayMetrics

/// The scores of one set of samples as JSON members.
struct ScoresJSON {
  private let scores: ClassificationScores
  private let classes: [String]
  private let zeroDivision: Evaluation.ZeroDivision

  init(
    _ scores: ClassificationScores, classes: [String], zeroDivision: Evaluation.ZeroDivision
  ) {
    self.scores = scores
    self.classes = classes
    self.zeroDivision = zeroDivision
  }

  /// Points of a risk–coverage curve, at most.
  private static let curvePoints = 101

  var members: [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("n", JSONValue(scores.count)),
      .init("classes", .array(classes.map { .string($0) })),
    ]
    for kind in MetricKind.kinds(of: .classification) {
      members.append(.init(kind.rawValue, value(of: kind)))
      if kind == .baselineAccuracy {
        members.append(.init("baseline_class", JSONValue(scores.baselineClass.map { classes[$0] })))
      }
    }
    members += [
      .init(
        "confusion",
        .array(scores.confusion.rows.map { .array($0.map { JSONValue($0) }) })),
      .init("defined", definedCounts), .init("ece_bins", calibration),
      .init(
        "risk_coverage",
        [
          "confidence": curve(scores.riskByConfidence), "margin": curve(scores.riskByMargin),
        ]),
      .init("abstention", abstention), .init("intervals", intervals),
      .init("interval_methods", methods),
      .init(
        "interval_reasons", IntervalNotes.json(scores.missingIntervals, classes: classes)),
    ]
    return members
  }

  private func value(of kind: MetricKind) -> JSONValue {
    guard kind.isPerCategory else { return JSONValue(scores[kind].value) }
    let undefined: JSONValue =
      zeroDivision == .zero && [.precision, .recall, .f1].contains(kind) ? .number(0) : .null
    return .array(
      scores.perClass(kind).map { score in
        guard let value = score.value else { return undefined }
        return kind == .support ? .integer(Int64(value)) : .number(value)
      })
  }

  /// Of means over classes: how many were defined, of how many.
  private var definedCounts: JSONValue {
    .object(
      MetricKind.kinds(of: .classification).compactMap { kind in
        guard let defined = scores[kind].defined, let total = scores[kind].total else {
          return nil
        }
        return .init(
          kind.rawValue, ["defined": JSONValue(defined), "total": JSONValue(total)])
      })
  }

  private var calibration: JSONValue {
    [
      "rule": .string(Calibration.rule),
      "bins": .array(
        scores.calibration.bins.map { bin in
          [
            "low": .number(bin.low), "high": .number(bin.high), "n": JSONValue(bin.count),
            "accuracy": JSONValue(bin.accuracy), "confidence": JSONValue(bin.meanConfidence),
          ]
        }),
    ]
  }

  private func curve(_ curve: RiskCoverageCurve) -> JSONValue {
    .array(
      curve.thinned(to: Self.curvePoints).map { point in
        [
          "threshold": .number(point.threshold), "coverage": .number(curve.coverage(of: point)),
          "risk": .number(point.risk),
        ]
      })
  }

  private var abstention: JSONValue {
    guard let abstention = scores.abstention else { return .null }
    return [
      "accept": .number(abstention.rule.accept), "margin": .number(abstention.rule.margin),
      "answered": JSONValue(abstention.answered), "right": JSONValue(abstention.right),
      "n": JSONValue(abstention.count),
    ]
  }

  /// Under each key `[low, high]` or `null`, for classes a list of them; no keys without intervals.
  private var intervals: JSONValue {
    guard hasIntervals else { return .object([]) }
    return .object(
      MetricKind.kinds(of: .classification).map { kind in
        .init(
          kind.rawValue,
          kind.isPerCategory
            ? .array(scores.perClass(kind).map { pair($0.interval) }) : pair(scores[kind].interval))
      })
  }

  private var methods: JSONValue {
    .object(
      MetricKind.kinds(of: .classification).compactMap { kind in
        let score =
          kind.isPerCategory
          ? scores.perClass(kind).first { $0.interval != nil } : scores[kind]
        return score?.interval.map { .init(kind.rawValue, .string($0.method.rawValue)) }
      })
  }

  private var hasIntervals: Bool {
    MetricKind.kinds(of: .classification).contains { kind in
      scores[kind].interval != nil || scores.perClass(kind).contains { $0.interval != nil }
    }
  }

  private func pair(_ interval: Interval?) -> JSONValue {
    interval.map { [.number($0.low), .number($0.high)] } ?? .null
  }
}
