package import AssayCore

/// All that the report of a run over images without a ground truth says, as plain values.
package struct PredictionsReport: Sendable {
  /// A class and how often it was predicted.
  package struct PredictedClass: Sendable, Hashable {
    package var name: String
    /// Images, or of a detector detections.
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

  /// The most images on the page, and the longer side of one in pixels.
  package static let pictureLimit = 24
  package static let pictureLongest = 320
  /// Chooses which images are shown.
  package static let seed: UInt64 = 0
  /// Classes that the chart shows.
  static let classLimit = 40

  /// The run's name.
  package var run: String
  /// The model's name, or where imported predictions came from.
  package var model: String
  /// The view it was run on, as typed.
  package var view: String
  package var task: ModelTask
  /// The images that were predicted.
  package var count: Int
  /// The images in which nothing was found.
  package var empty = 0
  /// The lowest score of the detections that are counted, or the threshold from which on labels are predicted;
  /// `nil` for other tasks, and if each class has its own.
  package var score: Double?
  /// In the run's order.
  package var classes: [PredictedClass] = []
  package var pictures: [Picture] = []
  package var facts: [FactGroup] = []
  package var notes: [String] = []
  /// The numbers of confidences in each of 20 bars of equal width over 0...1, and the number and sum of all.
  private(set) var bins = Array(repeating: 0, count: ScoreHistogram.bins)
  private(set) var confidences = 0
  private(set) var sum = 0.0
  /// Of runs that predict sets of classes: how many images have each number of them.
  private(set) var labelCounts: [Int] = []
  /// Of such runs, per class: how many images have at least each of ``levels``, and the sum of all scores.
  private(set) var reached: [[Int]] = []
  private(set) var scoreSums: [Double] = []
  /// Scores whose number of images the table of such runs gives.
  static let levels: [Float] = [0.1, 0.25, 0.5, 0.75, 0.9]

  package init(run: String, model: String, view: String, task: ModelTask, count: Int) {
    (self.run, self.model, self.view, self.task) = (run, model, view, task)
    self.count = count
  }

  /// Counts a confidence of a prediction, in 0...1; what is not finite is left out.
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
      // The catalog keeps float32: a score of 0.1 is at least 0.1 there, too.
      for (place, level) in Self.levels.enumerated() where Float(scores[category]) >= level {
        reached[category][place] += 1
      }
    }
  }

  /// The report as one page and its charts as PNG; the same value gives the same bytes.
  ///
  /// - Parameter workers: threads to encode pictures with; the result does not depend on it.
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
      ]
    ).render(workers: workers)
  }

  /// The unit of the counts: `image`, `detection`.
  var counted: String {
    switch task {
    case .classification, .segmentation, .multiLabel: "image"
    case .detection: "detection"
    }
  }

  /// The name of the confidence, on the axis.
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
