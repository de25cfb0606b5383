package import AssayMetrics

/// The content of the report of a classification run, as plain values.
package struct ClassificationReport: Sendable {
  /// The images of one cell of the confusion matrix.
  package struct Cell: Sendable {
    /// The ordinal of the true class.
    package var truth: Int
    /// The ordinal of the predicted class.
    package var predicted: Int
    /// The cell's samples, most confident first; samples beyond
    /// ``PictureLimits/perCell`` are not shown.
    package var pictures: [SamplePicture]

    package init(truth: Int, predicted: Int, pictures: [SamplePicture]) {
      self.truth = truth
      self.predicted = predicted
      self.pictures = pictures
    }
  }

  /// The run's name.
  package var run: String
  /// The evaluation's name; `nil` for the unnamed one.
  package var evaluation: String?
  /// The model's name, or the source of imported predictions.
  package var model: String
  /// The view it was run on, as typed: `faces/validation`.
  package var view: String
  /// Class names in the order of all matrices and lists.
  package var classes: [String]
  /// The numbers.
  package var scores: ClassificationScores
  /// False for a run that has predicted classes and no scores.
  package var hasScores = true
  /// Images for cells of the confusion matrix, each cell at most once.
  package var cells: [Cell] = []
  /// The wrong predictions with the largest confidence, largest first.
  package var mistakes: [SamplePicture] = []
  /// The inputs of the model; `nil` if they are not known (imported predictions).
  package var inputs: SeenInputs?
  /// Mean and standard deviation images, one per class.
  package var means: [MeanFaceSheet.Column] = []
  /// The reason why there are no mean images: different sizes, or no readable image.
  package var meansNote: String?
  /// The facts of the evaluation: dataset, split, model, settings, versions, date.
  package var facts: [FactGroup] = []
  /// The notes that a reader must see before the numbers: corrections not used, classes left out, failures.
  package var notes: [String] = []
  /// One line about whose ground truth was used, if it is not the imported one.
  package var truth: String?
  /// The queries for the samples of sections, by the section's id or the ``anchor(_:_:)`` of a cell.
  package var queries: [String: SectionQuery] = [:]

  package init(
    run: String, model: String, view: String, classes: [String], scores: ClassificationScores
  ) {
    self.run = run
    self.model = model
    self.view = view
    self.classes = classes
    self.scores = scores
  }

  /// The anchor of a cell of the confusion matrix.
  package static func anchor(_ truth: Int, _ predicted: Int) -> String {
    "cell-\(truth)-\(predicted)"
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
    let page = ReportPage(
      title: "\(model) on \(view)",
      subtitle: "Run \(run)" + (evaluation.map { ", evaluation \($0)" } ?? ""), sections: sections,
      facts: facts)
    return try page.render(workers: workers)
  }

  /// The sections in reading order.
  private var sections: [any ReportSection] {
    [
      AnswerSection(report: self),
      ClassesSection(report: self),
      ConfusionsSection(report: self),
      MatrixSection(report: self),
      CountsSection(report: self),
      MistakesSection(report: self),
      InputsSection(inputs: inputs, query: queries["inputs"]),
      MeansSection(report: self),
      ReliabilitySection(report: self),
      RiskSection(report: self),
      ProvenanceSection(facts: facts, terms: Term.classification),
    ]
  }
}
