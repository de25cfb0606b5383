package import AssayMetrics

/// A judged run, or judged files: all numbers, and what they are about.
package struct Evaluation: Sendable {
  /// A part of the samples, judged on its own.
  package struct Slice: Sendable {
    /// What the samples were parted by, and this part's name.
    package var by: String
    package var value: String
    package var scores: ClassificationScores
  }

  /// What was judged.
  package enum Subject: Sendable, Hashable {
    /// A run: its name, its model's name (`nil` for imported predictions), and its view as typed.
    case run(String, model: String?, view: String)
    /// Two files, and how their rows were paired: by sample, or else by order.
    case files(truth: String, scores: String, pairedBySample: Bool)
  }

  package var subject: Subject
  /// The name that it is stored under; `nil` where it is not stored.
  package var name: String?
  package var classes: [String]
  package var scores: ClassificationScores
  package var slices: [Slice] = []
  package var settings: EvaluationSettings
  /// What a reader has to know beside the numbers, one sentence each.
  package var notes: [String] = []

  package init(
    subject: Subject, classes: [String], scores: ClassificationScores,
    settings: EvaluationSettings
  ) {
    self.subject = subject
    self.classes = classes
    self.scores = scores
    self.settings = settings
  }

  /// The class that the baseline answers; `nil` of no samples.
  package var baselineClass: String? { scores.baselineClass.map { classes[$0] } }
}
