package import AssayCore
import AssayFormats
package import AssayMetrics
package import AssayReports
package import AssayStore

/// The metrics of segmented samples, and the details that only segmentation has.
package struct SegmentationDetails: TaskDetails {
  package var scores: SegmentationScores
  /// The keys of the samples, in the order of `scores.samples`.
  package var keys: [String]
  /// Further properties of each sample, in the same order; empty if there are none.
  package var traits: [SampleTraits] = []
  package var sweep: ThresholdSweep?
  /// The score of predicting one class for every pixel; `nil` if no pixel was evaluated.
  package var baseline: SegmentationBaseline?
  /// The run's own threshold; `nil` if it predicts the most likely class, or for files.
  package var ownThreshold: Double?

  package init(scores: SegmentationScores, keys: [String]) {
    self.scores = scores
    self.keys = keys
  }

  package var task: ModelTask { .segmentation }

  package var wrapped: EvaluationDetails { .segmentation(self) }

  package var table: ScoreTable { scores.table }

  /// The scores of a sweep, as slices named `threshold=0.4`.
  package var furtherRecords: [ScoreRecord] {
    (sweep?.points ?? []).flatMap { point in
      [
        (MetricKind.meanIoU, point.meanIoU), (.meanDice, point.meanDice), (.iou, point.iou),
        (.dice, point.dice),
      ].map { kind, score in
        ScoreRecord(kind, nil, score, slice: "threshold=\(point.threshold)", n: scores.count)
      }
    }
  }
}

extension Evaluation {
  /// The details of an evaluation of mask files.
  package init(_ files: FileSegmentationResult) {
    var details = SegmentationDetails(scores: files.scores, keys: files.files)
    details.baseline = SegmentationBaseline(files.tally)
    self.init(
      subject: .files(truth: files.truthPath, scores: files.resultPath),
      classes: Array(files.scores.labels.names[files.scores.labels.evaluated]), details: details,
      settings: files.settings)
    notes = files.notes
  }
}

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

  /// The samples with their scores as CSV, in the order of the run; undefined scores are empty.
  package var samplesCSV: String? {
    var text =
      "sample,iou,dice,precision,recall,pixel_accuracy,boundary_iou,center_offset,uncertainty,"
      + MaskMeasure.allCases.map(\.rawValue).joined(separator: ",") + "\n"
    for (index, key) in keys.enumerated() {
      let score = scores.samples[index]
      let trait = index < traits.count ? traits[index] : SampleTraits()
      var numbers = [
        score.iou, score.dice, score.precision, score.recall, score.pixelAccuracy,
        score.boundaryIoU, trait.centerOffset, trait.uncertainty,
      ]
      numbers += MaskMeasure.allCases.map { score.measures[$0] }
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
        return all.isEmpty ? [] : Array(all[labels.evaluated])
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
          "evaluated": JSONValue(evaluatedPixels), "void": JSONValue(void),
          "void_share": .number(voidShare),
        ]), .init("defined_by_key", json.definedCounts),
      .init("intervals", json.intervals), .init("interval_methods", json.intervalMethods),
    ]
  }

  /// The number of evaluated pixels.
  package var evaluatedPixels: Int { confusion.totals.truth.reduce(0, +) }

  /// The share of all pixels that was ignored, in 0...1.
  package var voidShare: Double { void == 0 ? 0 : Double(void) / Double(void + evaluatedPixels) }

  /// The number of samples that have an IoU.
  package var definedSamples: Int { samples.count { $0.iou != nil } }
}
