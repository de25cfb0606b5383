package import AssayCore
package import AssayMetrics

/// The content of the report of a detector, as plain values.
package struct DetectionReport: Sendable {
  /// The run's name.
  package var run: String
  /// The evaluation's name; `nil` for the unnamed one.
  package var evaluation: String?
  /// The model's name, or the source of imported predictions.
  package var model: String
  /// The view it was run on, as typed: `coco/val2017`.
  package var view: String
  /// The settings by which detections were matched to the ground truth.
  package var matching: DetectionSettings
  /// The numbers of images, objects and detections evaluated, and of detections that are correct at
  /// the working IoU and score.
  package var counts: ObjectTotals
  /// The 12 COCO metrics, the VOC variant and the costs of the types of error, as far as available.
  package var scores: [MetricKind: Score]
  /// The evaluated classes, in the evaluation's order.
  package var classes: [DetectedClass]
  /// Precision over recall, averaged over the classes, at some IoU thresholds.
  package var curves: [PrecisionRecallLine] = []
  /// The numbers of small, medium and large objects, keyed by those names.
  package var sizes: [String: Int] = [:]
  /// The types of error, in their fixed order.
  package var errors: [DetectionErrorGroup] = []
  /// The counts, ground truth by prediction, in the order of ``classes``, the background last.
  package var confusion: ConfusionMatrix?
  /// The agreement of scores with the share of correct detections.
  package var calibration: Calibration?
  /// The facts of the evaluation: dataset, split, model, settings, versions, date.
  package var facts: [FactGroup] = []
  /// The notes that a reader must see before the numbers.
  package var notes: [String] = []
  /// One line about whose ground truth was used, if it is not the imported one.
  package var truth: String?
  /// The queries for the samples of sections, by the type of error.
  package var queries: [String: SectionQuery] = [:]

  package init(
    run: String, model: String, view: String, matching: DetectionSettings, counts: ObjectTotals,
    scores: [MetricKind: Score], classes: [DetectedClass]
  ) {
    self.run = run
    self.model = model
    self.view = view
    self.matching = matching
    self.counts = counts
    self.scores = scores
    self.classes = classes
  }

  /// Renders the report as one page and its charts as PNG; the same value gives the same bytes.
  ///
  /// - Parameter workers: the number of threads that encode images; the result does
  ///   not depend on it.
  /// - Throws: ``ReportError``.
  package func render(workers: Int = 2) throws(ReportError) -> RenderedReport {
    if let confusion, confusion.classCount != classes.count + 1 {
      throw .mismatch(
        what: "confusion matrix", expected: classes.count + 1, found: confusion.classCount)
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
      ObjectAnswerSection(report: self),
      ObjectClassesSection(report: self),
      ObjectErrorsSection(report: self),
      PrecisionRecallSection(report: self),
      ObjectSizesSection(report: self),
      ObjectConfusionSection(report: self),
      ObjectReliabilitySection(report: self),
      ObjectNumbersSection(report: self),
      ProvenanceSection(facts: facts, terms: Term.detection),
    ]
  }
}

extension DetectionReport {
  /// The types of error with the highest cost first; ties are in their fixed order.
  var sortedErrors: [DetectionErrorGroup] {
    errors.enumerated().sorted { first, second in
      (-(first.element.cost.value ?? -1), first.offset)
        < (-(second.element.cost.value ?? -1), second.offset)
    }.map(\.element)
  }

  /// The mistakes of a type whose images are shown: more of the type with the highest cost.
  package func shown(of kind: DetectionErrorKind) -> [DetectionMistake] {
    let sorted = sortedErrors
    guard let place = sorted.firstIndex(where: { $0.kind == kind }) else { return [] }
    let limit = place == 0 ? PictureLimits.perFirstError : PictureLimits.perError
    return Array(sorted[place].mistakes.prefix(limit))
  }

  /// Returns the score for a key; undefined if it was not computed.
  func score(_ kind: MetricKind) -> Score { scores[kind] ?? .undefined }

  /// The text `IoU 0.5`.
  var workingIoU: String { "IoU " + NumberText.short(matching.workingIoU) }

  /// The text `a score of at least 0.3`.
  var workingScore: String { "a score of at least \(NumberText.short(matching.workingScore))" }

  /// The name of the score that errors reduce: `AP50`.
  var errorBase: String {
    matching.workingIoU == 0.5 ? "AP50" : "AP at " + workingIoU
  }

  /// The shapes whose overlap is computed: `boxes`.
  var shapes: String { matching.overlap == .mask ? "masks" : matching.overlap.noun }

  /// `1 image`, `5,000 images`.
  static func counted(_ count: Int, _ one: String, _ several: String? = nil) -> String {
    "\(NumberText.count(count)) \(count == 1 ? one : several ?? one + "s")"
  }
}
