package import AssayCore
import AssayFormats
package import AssayMetrics

extension SegmentationDetails {
  package func members(
    _ json: ScoreTableJSON, _ settings: EvaluationSettings
  ) -> [JSONValue.Member] {
    var members = scores.members(json)
    if let baseline {
      members.append(
        .init(
          "baseline", ["class": .string(baseline.name), "value": .number(baseline.value)]))
    }
    if let sweep { members += [.init("sweep", sweep.json), .init("best", sweep.bestJSON)] }
    return members + [.init("threshold", JSONValue(settings.masks.threshold))]
  }

  /// The samples with their scores as CSV, in the order of the run; undefined numbers are empty.
  package var samplesCSV: String? {
    var text =
      "sample,iou,dice,precision,recall,pixel_accuracy,boundary_iou,centre_offset,unsureness\n"
    for (index, key) in keys.enumerated() {
      let score = scores.samples[index]
      let trait = index < traits.count ? traits[index] : SampleTraits()
      let numbers = [
        score.iou, score.dice, score.precision, score.recall, score.pixelAccuracy,
        score.boundaryIoU, trait.centerOffset, trait.unsureness,
      ]
      text +=
        CSVText.field(key) + ","
        + numbers.map { $0.map { "\($0)" } ?? "" }
        .joined(separator: ",") + "\n"
    }
    return text
  }
}

extension SegmentationScores: TaskScores {
  package var table: ScoreTable {
    ScoreTable(
      count: count, MetricKind.kinds(of: .segmentation), overall: { self[$0] },
      perClass: { kind in
        let all = perClass(kind)
        return all.isEmpty ? [] : Array(all[labels.judged])
      })
  }

  package func members(_ json: ScoreTableJSON) -> [JSONValue.Member] {
    [
      .init("n", JSONValue(count)), .init("defined", JSONValue(definedSamples)),
      .init("classes", json.classNames),
    ] + json.values + [
      .init("labels", .array(labels.names.map { .string($0) })),
      .init("confusion", .array(confusion.rows.map { .array($0.map { JSONValue($0) }) })),
      .init(
        "pixels",
        [
          "judged": JSONValue(judgedPixels), "void": JSONValue(void),
          "void_share": .number(voidShare),
        ]), .init("defined_by_key", json.definedCounts),
      .init("intervals", json.intervals), .init("interval_methods", json.intervalMethods),
    ]
  }

  /// The pixels that were evaluated.
  package var judgedPixels: Int { confusion.totals.truth.reduce(0, +) }

  /// The share of all pixels that was left out, in 0...1.
  package var voidShare: Double { void == 0 ? 0 : Double(void) / Double(void + judgedPixels) }

  /// The number of samples that have an IoU.
  package var definedSamples: Int { samples.count { $0.iou != nil } }
}
