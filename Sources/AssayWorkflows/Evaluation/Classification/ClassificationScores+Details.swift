package import AssayCore
package import AssayMetrics

extension ClassificationScores: TaskScores, TaskDetails {
  package var task: ModelTask { .classification }

  package var wrapped: EvaluationDetails { .classification(self) }

  package var table: ScoreTable {
    ScoreTable(
      count: count, MetricKind.kinds(of: .classification), overall: { self[$0] },
      perClass: { perClass($0) })
  }

  package func members(
    _ json: ScoreTableJSON, _ settings: EvaluationSettings
  ) -> [JSONValue.Member] {
    members(json) + [
      .init("zero_division", .string(json.zeroDivision.rawValue)),
      .init(
        "zero_division_note",
        .string(
          "macro_* and weighted_* count undefined classes as 0, *_defined leave them out; precision, "
            + "recall and f1 of a class are "
            + (json.zeroDivision == .zero ? "0" : "null") + " if undefined")),
    ]
  }

  package func members(_ json: ScoreTableJSON) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("n", JSONValue(count)), .init("classes", json.classNames),
    ]
    for value in json.values {
      members.append(value)
      if value.name == MetricKind.baselineAccuracy.rawValue {
        members.append(
          .init("baseline_class", JSONValue(baselineClass.map { json.classes[$0] })))
      }
    }
    return members + [
      .init("confusion", .array(confusion.rows.map { .array($0.map { JSONValue($0) }) })),
      .init("defined", json.definedCounts), .init("ece_bins", calibrationJSON),
      .init(
        "risk_coverage",
        ["confidence": Self.json(riskByConfidence), "margin": Self.json(riskByMargin)]),
      .init("abstention", abstentionJSON), .init("intervals", json.intervals),
      .init("interval_methods", json.intervalMethods),
      .init("interval_reasons", IntervalNotes.json(missingIntervals, classes: json.classes)),
    ]
  }

  private var calibrationJSON: JSONValue {
    [
      "rule": .string(Calibration.rule),
      "bins": .array(
        calibration.bins.map { bin in
          [
            "low": .number(bin.low), "high": .number(bin.high), "n": JSONValue(bin.count),
            "accuracy": JSONValue(bin.accuracy), "confidence": JSONValue(bin.meanConfidence),
          ]
        }),
    ]
  }

  /// The maximum number of points of a risk–coverage curve.
  private static let curvePoints = 101

  private static func json(_ curve: RiskCoverageCurve) -> JSONValue {
    .array(
      curve.thinned(to: curvePoints).map { point in
        [
          "threshold": .number(point.threshold), "coverage": .number(curve.coverage(of: point)),
          "risk": .number(point.risk),
        ]
      })
  }

  private var abstentionJSON: JSONValue {
    guard let abstention else { return .null }
    return [
      "accept": .number(abstention.rule.accept), "margin": .number(abstention.rule.margin),
      "answered": JSONValue(abstention.answered), "right": JSONValue(abstention.right),
      "n": JSONValue(abstention.count),
    ]
  }
}
