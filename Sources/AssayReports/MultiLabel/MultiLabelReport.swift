package import AssayCore
package import AssayMetrics

/// The content of the report of a multi-label run, as plain values.
package struct MultiLabelReport: Sendable {
  /// A sample with its classes, to be shown as an image.
  package struct Picture: Sendable {
    /// The sample's key in its dataset.
    package var key: String
    /// Its pixels, 1 or 3 channels; the page reduces images longer than ``PictureLimits/labeledLongest``.
    package var raster: Raster<UInt8>
    /// The ordinals of the ground-truth classes and of the predicted ones.
    package var labels: [Int]
    package var predicted: [Int]
    /// One score per class, in `0...1`, by ordinal.
    package var scores: [Double]

    package init(
      key: String, raster: Raster<UInt8>, labels: [Int], predicted: [Int], scores: [Double]
    ) {
      self.key = key
      self.raster = raster
      self.labels = labels
      self.predicted = predicted
      self.scores = scores
    }
  }

  /// The run's name.
  package var run: String
  /// The evaluation's name; `nil` for the unnamed one.
  package var evaluation: String?
  /// The model's name, or the source of imported predictions.
  package var model: String
  /// The view it was run on, as typed: `photos/validation`.
  package var view: String
  /// Class names by ordinal.
  package var classes: [String]
  /// The numbers.
  package var scores: MultiLabelScores
  /// Classes that are missed and added together, the most frequent first; see ``LabelMistakes/confusions``.
  package var confusions: [LabelConfusion] = []
  /// The samples with the most wrong classes, worst first; see ``LabelMistakes/worst``. More than
  /// ``PictureLimits/mistakes`` are not shown.
  package var pictures: [Picture] = []
  /// The inputs of the model; `nil` if they are not known (imported predictions).
  package var inputs: SeenInputs?
  /// The facts of the evaluation: dataset, split, model, settings, versions, date.
  package var facts: [FactGroup] = []
  /// The notes that a reader must see before the numbers: corrections not used,
  /// classes left out, failures.
  package var notes: [String] = []
  /// One line about whose ground truth was used, if it is not the imported one.
  package var truth: String?
  /// The queries for the samples of sections, by the section's id.
  package var queries: [String: SectionQuery] = [:]

  package init(
    run: String, model: String, view: String, classes: [String], scores: MultiLabelScores
  ) {
    self.run = run
    self.model = model
    self.view = view
    self.classes = classes
    self.scores = scores
  }

  /// Renders the report as one page and its charts as PNG; the same value gives the same bytes.
  ///
  /// - Parameter workers: the number of threads that encode images; the result does
  ///   not depend on it.
  /// - Throws: ``ReportError``.
  package func render(workers: Int = 2) throws(ReportError) -> RenderedReport {
    guard scores.classCount == classes.count else {
      throw .mismatch(what: "scores", expected: classes.count, found: scores.classCount)
    }
    return try ReportPage(
      title: "\(model) on \(view)",
      subtitle: "Run \(run)" + (evaluation.map { ", evaluation \($0)" } ?? ""),
      sections: [
        LabelAnswerSection(report: self),
        LabelClassesSection(report: self),
        LabelMistakesSection(report: self),
        LabelSamplesSection(report: self),
        InputsSection(inputs: inputs, query: queries["inputs"]),
        LabelNumbersSection(report: self),
        ProvenanceSection(facts: facts, terms: Term.multiLabel),
      ], facts: facts
    ).render(workers: workers)
  }

  /// The threshold that all classes share; `nil` if they have different ones.
  var threshold: Double? {
    let values = scores.thresholds.values
    return values.allSatisfy { $0 == values.first } ? values.first : nil
  }

  /// `the threshold 0.5`, `the thresholds of the classes`.
  var thresholdText: String {
    threshold.map { "the threshold \(NumberText.short($0))" } ?? "the thresholds of the classes"
  }

  /// The number of labels, over all samples, in the ground truth, in the predictions, and in both.
  var labels: (truth: Int, predicted: Int, right: Int) {
    let totals = scores.totals
    return (
      totals.truth.reduce(0, +), totals.predicted.reduce(0, +), totals.hits.reduce(0, +)
    )
  }

  /// The number of samples whose predicted classes are exactly those of the ground truth.
  var exact: Int {
    Int(((scores[.subsetAccuracy].value ?? 0) * Double(scores.count)).rounded())
  }

  /// Returns the name of a class; “?” for an ordinal without a name.
  func name(_ category: Int) -> String {
    classes.indices.contains(category) ? classes[category] : "?"
  }

  /// `1 sample`, `2,000 samples`.
  static func counted(_ number: Int, _ noun: String, _ several: String? = nil) -> String {
    "\(NumberText.count(number)) \(number == 1 ? noun : several ?? noun + "s")"
  }
}

extension Term {
  /// All terms of the report of a multi-label run.
  static let multiLabel: [Term] =
    [interval, sameScore, threshold, missedLabels] + [labelTP, labelFP, labelFN]
    + MetricKind.kinds(of: .multiLabel).filter { $0 != .support }.map {
      Term($0, in: .multiLabel)
    }

  static let sameScore = Term(
    key: "baseline", title: "baseline",
    definition:
      "The mAP of a model that gives every sample the same score: the share of samples with the class, averaged "
      + "over the classes that occur.")
  static let threshold = Term(
    key: "threshold", title: "threshold",
    definition: "A class is predicted for a sample if its score is at least the threshold.")
  static let missedLabels = Term(
    key: "missed", title: "missed and added",
    definition:
      "A missed label is in the ground truth and is not predicted (false negative); an added label is predicted "
      + "and is not in the ground truth (false positive).")
  static let labelTP = Term(
    key: "tp", title: "TP",
    definition: "True positives: samples that have the class and are predicted to have it.")
  static let labelFP = Term(
    key: "fp", title: "FP",
    definition: "False positives: samples that are predicted to have the class and do not have it.")
  static let labelFN = Term(
    key: "fn", title: "FN",
    definition:
      "False negatives: samples that have the class and are not predicted to have it.")
}
