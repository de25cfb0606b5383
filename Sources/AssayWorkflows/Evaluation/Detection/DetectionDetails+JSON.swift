package import AssayCore
import AssayFormats
package import AssayMetrics

extension DetectionDetails {
  package func members(
    _ json: ScoreTableJSON, _ settings: EvaluationSettings
  ) -> [JSONValue.Member] {
    [
      .init("iou_type", .string(matching.overlap.rawValue)), .init("n", JSONValue(keys.count)),
      .init("truths", JSONValue(truths)), .init("detections", JSONValue(detections)),
      .init("classes", json.classNames),
    ] + scores.valueMembers(json) + errorMembers + scores.intervalMembers(json)
  }

  private var errorMembers: [JSONValue.Member] {
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
      .init("error_counts", Self.json(errors.counts)),
      .init("error_counts_from_score", Self.json(errors.workingCounts)),
      .init("labels", .array(names + ["background"])),
      .init(
        "confusion",
        errors.confusion.map { .array($0.rows.map { .array($0.map { JSONValue($0) }) }) } ?? .null),
      .init("calibration", errors.calibration.map(Self.json) ?? .null),
    ]
  }

  private static func json(_ counts: ErrorCounts) -> JSONValue {
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

  /// The samples with what was found in them as CSV, in ascending order of their ids in the source; undefined
  /// numbers are empty.
  package var samplesCSV: String? {
    var text = "sample,truths,detections,true_positives,false_positives,false_negatives,"
    text += "precision,recall,class_errors,place_errors,both_errors,duplicates,"
    text += "background_errors,missed\n"
    for (key, sample) in zip(keys, counts) {
      let numbers = [
        sample.truths, sample.detections, sample.truePositives, sample.falsePositives,
        sample.falseNegatives,
      ].map(String.init)
      let shares = [sample.precision, sample.recall].map { $0.map { "\($0)" } ?? "" }
      let errors = DetectionErrorKind.allCases.map { String(sample.errors[$0] ?? 0) }
      text += CSVText.field(key) + ","
      text += (numbers + shares + errors).joined(separator: ",") + "\n"
    }
    return text
  }
}

extension DetectionScores: TaskScores {
  /// COCO's numbers alone.
  package var table: ScoreTable {
    let own = Set(Self.kinds + Self.classKinds)
    return ScoreTable(
      count: tally.count, MetricKind.kinds(of: .detection).filter { own.contains($0) },
      overall: { self[$0] }, perClass: { perClass($0) })
  }

  package func members(_ json: ScoreTableJSON) -> [JSONValue.Member] {
    [.init("n", JSONValue(tally.count))] + valueMembers(json) + intervalMembers(json)
  }

  /// The numbers in the JSON of an evaluation of files.
  func members(classes: [String]) -> [JSONValue.Member] {
    let json = ScoreTableJSON(table, classes: classes, zeroDivision: .undefined)
    return valueMembers(json) + intervalMembers(json)
  }

  fileprivate func valueMembers(_ json: ScoreTableJSON) -> [JSONValue.Member] {
    let stats = Self.stats.map { JSONValue.Member($0.rawValue, json.value(of: $0)) }
    return [.init("stats", .object(stats))] + json.values
  }

  fileprivate func intervalMembers(_ json: ScoreTableJSON) -> [JSONValue.Member] {
    [
      .init("intervals", json.intervals), .init("interval_methods", json.intervalMethods),
      .init("interval_reasons", IntervalNotes.json(missingIntervals, classes: json.classes)),
    ]
  }
}
