package import AssayCore
import AssayFormats
package import AssayMetrics

/// The metrics of matched detections, and the details that only detection has.
package struct DetectionDetails: TaskDetails {
  /// The classes, in the order of their ids in the source.
  package var classes: [String]
  /// The matching settings.
  package var matching: DetectionSettings
  package var scores: DetectionScores
  /// The error types with their dAP, the confusion matrix, thresholds and calibration.
  package var errors: ErrorScores
  /// The keys of the samples in ascending order of their ids in the source, and the counts of each.
  package var keys: [String]
  package var counts: [ObjectCounts]

  package init(
    classes: [String], matching: DetectionSettings, scores: DetectionScores, errors: ErrorScores,
    keys: [String], counts: [ObjectCounts]
  ) {
    self.classes = classes
    self.matching = matching
    self.scores = scores
    self.errors = errors
    self.keys = keys
    self.counts = counts
  }

  package var task: ModelTask { .detection }

  package var wrapped: EvaluationDetails { .detection(self) }

  package var table: ScoreTable {
    let (ofErrors, classesOfErrors) = (Set(ErrorScores.kinds), Set(ErrorScores.classKinds))
    return ScoreTable(
      count: keys.count,
      MetricKind.kinds(of: .detection).filter {
        !DetectionScores.isAbsent($0, matching.overlap)
      },
      overall: { ofErrors.contains($0) ? errors[$0] : scores[$0] },
      perClass: { classesOfErrors.contains($0) ? errors.perClass($0) : scores.perClass($0) })
  }

  /// The number of objects to be found, and the number of detections that count, over all scores.
  package var truths: Int { scores.tally.truthCount }
  package var detections: Int { scores.tally.resultCount }

  /// The matching options with non-default values, except the kind of overlap.
  package func differences(_ settings: EvaluationSettings) -> [(option: String, value: String)] {
    let usual = DetectionSettings.coco(matching.overlap)
    return settings.objects.differences.filter { option, _ in
      switch option {
      case "iou-thresholds": matching.iouThresholds != usual.iouThresholds
      case "max-dets": matching.maxDetections != usual.maxDetections
      case "iou": matching.workingIoU != usual.workingIoU
      case "score": matching.workingScore != usual.workingScore
      default: option != "iou-type"
      }
    }
  }

  /// The classes with an object or a false positive, lowest AP first; undefined ones are left out.
  package var worstClasses: [Int] {
    let all = scores.perClass(.perCategoryAP)
    return all.indices.filter { all[$0].value != nil }.sorted {
      (all[$0].value ?? 0, $0) < (all[$1].value ?? 0, $1)
    }
  }
}

extension DetectionDetails {
  package func members(
    _ json: ScoreTableJSON, _ settings: EvaluationSettings
  ) -> [JSONValue.Member] {
    [
      .init("iou_type", .string(matching.overlap.rawValue)), .init("n", JSONValue(keys.count)),
      .init("objects", JSONValue(truths)), .init("detections", JSONValue(detections)),
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

  /// The samples with their counts as CSV, in ascending order of their ids in the source; undefined
  /// numbers are empty.
  package var samplesCSV: String? {
    var text = "sample,truths,detections,true_positives,false_positives,false_negatives,"
    text += "precision,recall,classification_errors,localization_errors,both_errors,duplicates,"
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
  /// COCO's metrics of the compared shapes only.
  package var table: ScoreTable {
    let own = Set(kinds + Self.classKinds)
    return ScoreTable(
      count: tally.count, MetricKind.kinds(of: .detection).filter { own.contains($0) },
      overall: { self[$0] }, perClass: { perClass($0) })
  }

  package func members(_ json: ScoreTableJSON) -> [JSONValue.Member] {
    [.init("n", JSONValue(tally.count))] + valueMembers(json) + intervalMembers(json)
  }

  /// The metrics in the JSON of an evaluation of files.
  func members(classes: [String]) -> [JSONValue.Member] {
    let json = ScoreTableJSON(table, classes: classes, zeroDivision: .undefined)
    return valueMembers(json) + intervalMembers(json)
  }

  fileprivate func valueMembers(_ json: ScoreTableJSON) -> [JSONValue.Member] {
    let stats = self.stats.map { JSONValue.Member($0.rawValue, json.value(of: $0)) }
    return [.init("stats", .object(stats))] + json.values
  }

  fileprivate func intervalMembers(_ json: ScoreTableJSON) -> [JSONValue.Member] {
    [
      .init("intervals", json.intervals), .init("interval_methods", json.intervalMethods),
      .init("interval_reasons", IntervalNotes.json(missingIntervals, classes: json.classes)),
    ]
  }
}
