import AssayCore
package import AssayMetrics

/// The content of the report of a segmentation run, as plain values.
package struct SegmentationReport: Sendable {
  /// The run's name.
  package var run: String
  /// The evaluation's name; `nil` for the unnamed one.
  package var evaluation: String?
  /// The model's name, or the source of imported predictions.
  package var model: String
  /// The view it was run on, as typed: `coco/val2017`.
  package var view: String
  /// The numbers.
  package var scores: SegmentationScores
  /// The samples in the order of ``SegmentationScores/samples``.
  package var rows: [SegmentedRow]
  package var baseline: SegmentationBaseline?
  /// The samples with the lowest IoU, lowest first.
  package var worst: [EvaluatedImage] = []
  /// Some random samples, in the run's order.
  package var random: [EvaluatedImage] = []
  /// The seed of the random samples.
  package var randomSeed: UInt64 = 0
  /// Samples around the median IoU, in ascending order.
  package var median: [EvaluatedImage] = []
  /// The samples with the highest IoU, highest first.
  package var best: [EvaluatedImage] = []
  /// All samples of a small set, lowest IoU first; the four groups above are then empty.
  package var all: [EvaluatedImage] = []
  /// The scores as a function of the threshold; `nil` if they were not measured.
  package var sweep: SweepCurve?
  /// The facts of the evaluation: dataset, split, model, settings, versions, date.
  package var facts: [FactGroup] = []
  /// The notes that a reader must see before the numbers.
  package var notes: [String] = []
  /// One line about whose ground truth was used, if it is not the imported one.
  package var truth: String?
  /// The queries for the samples of sections, by the group: `worst`, `random`, `median`, `best`, `all`.
  package var queries: [String: SectionQuery] = [:]

  package init(
    run: String, model: String, view: String, scores: SegmentationScores, rows: [SegmentedRow]
  ) {
    self.run = run
    self.model = model
    self.view = view
    self.scores = scores
    self.rows = rows
  }

  /// Renders the report as one page and its charts as PNG; the same value gives the same bytes.
  ///
  /// - Parameter workers: the number of threads that encode images; the result does
  ///   not depend on it.
  /// - Throws: ``ReportError``.
  package func render(workers: Int = 2) throws(ReportError) -> RenderedReport {
    guard rows.count == scores.count else {
      throw .mismatch(what: "table", expected: scores.count, found: rows.count)
    }
    let page = ReportPage(
      title: "\(model) on \(view)",
      subtitle: "Run \(run)" + (evaluation.map { ", evaluation \($0)" } ?? ""), sections: sections,
      facts: facts)
    return try page.render(workers: workers)
  }

  /// The sections in reading order.
  private var sections: [any ReportSection] {
    [
      MaskAnswerSection(report: self),
      MaskClassesSection(report: self),
      WorstMasksSection(report: self),
      MaskSamplesSection(report: self),
      SpreadSection(report: self),
      SweepSection(report: self),
      DoubtSection(report: self),
      PixelMatrixSection(report: self),
      MaskTableSection(report: self),
      ProvenanceSection(facts: facts, terms: Term.segmentation),
    ]
  }
}

extension SegmentationReport {
  /// The keys of the two headline metrics: means over samples for one class,
  /// over classes for several.
  var headline: (iou: MetricKind, dice: MetricKind) {
    scores.labels.isBinary ? (.meanIoU, .meanDice) : (.miou, .mdice)
  }

  /// The evaluated class if there is only one.
  var onlyClass: String? {
    scores.labels.isBinary ? scores.labels.names[scores.labels.evaluated.lowerBound] : nil
  }

  /// The name of a sample's IoU: `IoU` or `mIoU`.
  var sampleIoU: String { scores.labels.isBinary ? "IoU" : "mIoU" }

  /// The name of a sample's Dice: `Dice` or `mDice`.
  var sampleDice: String { scores.labels.isBinary ? "Dice" : "mDice" }

  /// The defined IoUs of the samples.
  var definedIoU: [Double] { rows.compactMap(\.scores.iou) }

  /// `250 samples`.
  static func samples(_ count: Int) -> String {
    count == 1 ? "1 sample" : NumberText.count(count) + " samples"
  }
}
