package import AssayCore
import AssayFormats
package import AssayMetrics
import AssayReports

/// The metrics of a multi-label evaluation and its samples.
package struct MultiLabelDetails: TaskDetails {
  package let scores: MultiLabelScores
  /// The samples, in the order of ``keys``.
  package let tally: MultiLabelTally
  package let keys: [String]
  /// The names of the evaluated classes.
  package let classes: [String]

  package var task: ModelTask { .multiLabel }

  package var wrapped: EvaluationDetails { .multiLabel(self) }

  package var table: ScoreTable { scores.table }

  /// The sample at an index in `0..<keys.count`, at the thresholds of the evaluation.
  package func sample(_ index: Int) -> MultiLabelTally.Evaluated {
    tally.evaluated(index, scores.thresholds)
  }

  /// The mean numbers of true and of predicted labels per sample; `nil` without samples.
  package var labelsPerSample: (truth: Double, predicted: Double)? {
    guard scores.count > 0 else { return nil }
    let samples = Double(scores.count)
    return (
      Double(scores.totals.truth.reduce(0, +)) / samples,
      Double(scores.totals.predicted.reduce(0, +)) / samples
    )
  }

  /// The number of samples without a true label.
  package var unlabeled: Int { keys.indices.count { tally.labels.size(of: $0) == 0 } }

  package func members(
    _ json: ScoreTableJSON, _ settings: EvaluationSettings
  ) -> [JSONValue.Member] {
    scores.members(json) + [
      .init("labels_per_sample", JSONValue(labelsPerSample?.truth)),
      .init("predicted_labels_per_sample", JSONValue(labelsPerSample?.predicted)),
      .init("samples_without_labels", JSONValue(unlabeled)),
      .init(
        "note",
        .string(
          "macro_* count undefined classes as 0, *_defined leave them out; a class is predicted if its "
            + "score is at least its threshold; best_threshold and best_f1 of a class are chosen on "
            + "these samples")),
    ]
  }

  /// One row per sample: its labels, the predicted, the missed and the added labels, each list
  /// separated by `|`, and the ranking loss. `|` and `\` in a class name are escaped with `\`.
  package var samplesCSV: String? {
    let names = classes.map { name in
      String(
        String.UnicodeScalarView(
          name.unicodeScalars.flatMap { $0 == "|" || $0 == "\\" ? ["\\", $0] : [$0] }))
    }
    func list(_ ordinals: [Int]) -> String {
      CSVText.field(ordinals.map { names[$0] }.joined(separator: "|"))
    }
    var text = "sample,labels,predicted,missed,added,ranking_loss\n"
    for (index, key) in keys.enumerated() {
      let sample = sample(index)
      let fields: [String] = [
        CSVText.field(key), list(sample.labels), list(sample.predicted), list(sample.missed),
        list(sample.added), "\(sample.rankingLoss)",
      ]
      text += fields.joined(separator: ",") + "\n"
    }
    return text
  }
}

extension MultiLabelScores: TaskScores {
  package var table: ScoreTable {
    ScoreTable(
      count: count, MetricKind.kinds(of: .multiLabel), overall: { self[$0] },
      perClass: { perClass($0) })
  }

  package func members(_ json: ScoreTableJSON) -> [JSONValue.Member] {
    [.init("n", JSONValue(count)), .init("classes", json.classNames)] + json.values + [
      .init("thresholds", .array(thresholds.values.map { .number($0) })),
      .init(
        "counts",
        .array(
          (0..<classCount).map { category in
            let counts = counts(of: category)
            return [
              "tp": JSONValue(counts.truePositives), "fp": JSONValue(counts.falsePositives),
              "fn": JSONValue(counts.falseNegatives), "tn": JSONValue(counts.trueNegatives),
            ]
          })),
      .init("defined", json.definedCounts), .init("intervals", json.intervals),
      .init("interval_methods", json.intervalMethods),
      .init("interval_reasons", IntervalNotes.json(missingIntervals, classes: json.classes)),
    ]
  }

  /// The reasons why scores have no interval, by key.
  var missingIntervals: [(kind: MetricKind, missing: [MissingInterval?])] {
    MetricKind.kinds(of: .multiLabel).map { kind in
      (kind, (kind.isPerCategory ? perClass(kind) : [self[kind]]).map(\.missing))
    }
  }
}
