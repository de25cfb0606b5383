package import AssayCore

/// The content of the report of a run over images without a ground truth, as plain values.
package struct PredictionsReport: Sendable {
  /// A class and the number of times it was predicted.
  package struct PredictedClass: Sendable, Hashable {
    package var name: String
    /// The number of images, or of detections for a detector.
    package var count: Int

    package init(name: String, count: Int) {
      self.name = name
      self.count = count
    }
  }

  /// An image with its prediction drawn over it.
  package struct Picture: Sendable {
    /// The sample's key.
    package var key: String
    /// One channel (gray) or three.
    package var raster: Raster<UInt8>
    /// `→ happy 0.93`.
    package var caption: String

    package init(key: String, raster: Raster<UInt8>, caption: String) {
      (self.key, self.raster, self.caption) = (key, raster, caption)
    }
  }

  /// The maximum number of images on the page, and the longer side of an image in pixels.
  package static let pictureLimit = 24
  package static let pictureLongest = 320
  /// The seed for the choice of the images shown.
  package static let seed: UInt64 = 0
  /// The maximum number of classes in the chart.
  static let classLimit = 40

  /// The run's name.
  package var run: String
  /// The model's name, or the source of imported predictions.
  package var model: String
  /// The view it was run on, as typed.
  package var view: String
  package var task: ModelTask
  /// The number of images with predictions.
  package var count: Int
  /// The number of images in which nothing was detected.
  package var empty = 0
  /// The minimum score of the detections that are counted, or the threshold at which labels are
  /// predicted; `nil` for other tasks, and if each class has its own threshold.
  package var score: Double?
  /// The classes in the run's order.
  package var classes: [PredictedClass] = []
  package var pictures: [Picture] = []
  /// The query for the samples of ``pictures``; `nil` for none.
  package var query: SectionQuery?
  package var facts: [FactGroup] = []
  package var notes: [String] = []
  /// The number of confidences in each of 20 bins of equal width over 0...1, and the number
  /// and sum of all.
  private(set) var bins = Array(repeating: 0, count: ScoreHistogram.bins)
  private(set) var confidences = 0
  private(set) var sum = 0.0
  /// For runs that predict sets of classes: the number of images by number of predicted classes.
  private(set) var labelCounts: [Int] = []
  /// For such runs, per class: the number of images with at least each of ``levels``, and the
  /// sum of all scores.
  private(set) var reached: [[Int]] = []
  private(set) var scoreSums: [Double] = []
  /// The scores whose image counts are in the table of such runs.
  static let levels: [Float] = [0.1, 0.25, 0.5, 0.75, 0.9]

  package init(run: String, model: String, view: String, task: ModelTask, count: Int) {
    (self.run, self.model, self.view, self.task) = (run, model, view, task)
    self.count = count
  }

  /// Counts a confidence of a prediction, in 0...1; non-finite values are ignored.
  package mutating func add(confidence: Double) {
    guard confidence.isFinite else { return }
    bins[ScoreHistogram.bin(of: confidence)] += 1
    confidences += 1
    sum += confidence
  }

  /// Counts an image of a run that predicts sets of classes: in ``classes``, which must be set before, in
  /// ``empty``, and in the charts. Classes without a score or a name are left out.
  ///
  /// - Parameters:
  ///   - labels: the ordinals of the predicted classes, each once.
  ///   - scores: one per class by ordinal, each in 0...1.
  package mutating func add(labels: [Int], scores: [Double]) {
    let known = classes.indices.prefix(scores.count)
    if reached.count < classes.count {
      let more = classes.count - reached.count
      reached += Array(repeating: Array(repeating: 0, count: Self.levels.count), count: more)
      scoreSums += Array(repeating: 0, count: more)
    }
    var size = 0
    for label in labels where known.contains(label) {
      classes[label].count += 1
      size += 1
      add(confidence: scores[label])
    }
    if size == 0 { empty += 1 }
    while labelCounts.count <= size { labelCounts.append(0) }
    labelCounts[size] += 1
    for category in known where scores[category].isFinite {
      scoreSums[category] += scores[category]
      // The catalog stores float32: a score of 0.1 must also be at least 0.1 there.
      for (place, level) in Self.levels.enumerated() where Float(scores[category]) >= level {
        reached[category][place] += 1
      }
    }
  }

  /// Renders the report as one page and its charts as PNG; the same value gives the same bytes.
  ///
  /// - Parameter workers: the number of threads that encode images; the result does
  ///   not depend on it.
  /// - Throws: ``ReportError``.
  package func render(workers: Int = 2) throws(ReportError) -> RenderedReport {
    try ReportPage(
      title: "\(model) on \(view)", subtitle: "Run \(run), predictions only",
      sections: [
        PredictionsSection(report: self), PredictedClassesSection(report: self),
        LabelCountsSection(report: self), ConfidenceSection(report: self),
        ClassScoresSection(report: self), PredictedImagesSection(report: self),
        ProvenanceSection(
          facts: facts, terms: [task.output == .labels ? Term.threshold : Term.confidence],
          title: "Provenance"),
      ], facts: facts
    ).render(workers: workers)
  }

  /// The unit of the counts: `image`, `detection`.
  var counted: String {
    switch task {
    case .classification, .segmentation, .multiLabel: "image"
    case .detection: "detection"
    }
  }

  /// The name of the confidence, shown on the axis.
  var axis: String {
    switch task {
    case .classification: "confidence of the predicted class"
    case .segmentation: "mean probability inside a predicted mask"
    case .detection: "score of a detection"
    case .multiLabel: "score of a predicted label"
    }
  }

  static func count(_ number: Int, _ noun: String) -> String {
    "\(NumberText.count(number)) \(noun)\(number == 1 ? "" : "s")"
  }
}
