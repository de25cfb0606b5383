import AssayCore

/// A word or number that a report uses, with what it means.
struct Term: Sendable, Hashable {
  /// The anchor: a metric's key, or a word.
  let key: String
  /// As it is written in tables.
  let title: String
  /// One or two plain sentences.
  let definition: String

  /// The values of a link to the definition that shows it to a pointer, too.
  var values: [String: Any] { ["key": key, "name": title, "definition": definition] }
}

extension Term {
  /// The term of a metric in a task; without one, in the task that it belongs to.
  init(_ kind: MetricKind, in task: ModelTask? = nil) {
    let facts = kind.facts
    let use = task.flatMap { facts.use(in: $0) } ?? facts.uses.first
    var definition = use?.definition ?? facts.title
    if facts.direction == .lowerIsBetter { definition += " Lower is better." }
    self.init(key: kind.rawValue, title: facts.title, definition: definition)
  }

  /// Everything that the report of a classification needs.
  static let classification: [Term] =
    [interval, baseline, confidence, margin, coverage]
    + [MetricFacts.Place.headline, .list, .classTable].flatMap {
      MetricKind.shown($0, in: .classification)
    }.map { Term($0) }

  static let interval = Term(
    key: "interval", title: "[low, high]",
    definition:
      "The 95 % interval: how far the number could have come out differently with other samples of the "
      + "same kind. Wilson's interval for plain rates, the jackknife for AUROC, average precision and means over "
      + "classes, else the bootstrap over samples (below 50 samples Student's t, or none), shifted for COCO's "
      + "AP. Scores of classes with too few samples have none. It says nothing about pictures of another "
      + "kind, and too little where several pictures show the same subject.")
  static let baseline = Term(
    key: "baseline", title: "baseline",
    definition:
      "What one gets without looking: the accuracy of always answering the commonest class.")
  static let confidence = Term(
    key: "confidence", title: "confidence",
    definition:
      "The probability that the model gives its own answer, the largest of its probabilities.")
  static let margin = Term(
    key: "margin", title: "margin",
    definition: "The largest probability less the second largest: the lead over the runner-up.")
  static let coverage = Term(
    key: "coverage", title: "coverage and risk",
    definition:
      "Coverage is the share of samples that are answered when only the surest answers are given; risk "
      + "is the share of those answers that is wrong.")
}
