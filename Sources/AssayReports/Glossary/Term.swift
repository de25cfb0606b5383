import AssayCore

/// A word or number that a report uses, with its definition.
struct Term: Sendable, Hashable {
  /// The anchor: a metric's key, or a word.
  let key: String
  /// The name in tables.
  let title: String
  /// One or two plain sentences.
  let definition: String

  /// The values of a link to the definition, which is also its tooltip.
  var values: [String: Any] { ["key": key, "name": title, "definition": definition] }
}

extension Term {
  /// Creates the term of a metric in a task; without a task, in the task that
  /// the metric belongs to.
  init(_ kind: MetricKind, in task: ModelTask? = nil) {
    let facts = kind.facts
    let use = task.flatMap { facts.use(in: $0) } ?? facts.uses.first
    var definition = use?.definition ?? facts.title
    if facts.direction == .lowerIsBetter { definition += " Lower is better." }
    self.init(key: kind.rawValue, title: facts.title, definition: definition)
  }

  /// All terms of a classification report.
  static let classification: [Term] =
    [interval, baseline, confidence, margin, coverage]
    + [MetricFacts.Place.headline, .list, .classTable].flatMap {
      MetricKind.shown($0, in: .classification)
    }.map { Term($0) }

  static let interval = Term(
    key: "interval", title: "[low, high]",
    definition:
      "The 95 % confidence interval (CI): the range expected for other samples from the same "
      + "distribution. Wilson's interval for plain rates, the jackknife for AUROC, average precision and means over "
      + "classes; otherwise the bootstrap over samples (Student's t or none below 50 samples), "
      + "shifted for COCO's AP. Scores of classes with too few samples have none. It does not "
      + "cover distribution shift, and it is too narrow if several images show the same subject.")
  /// The term for an interval in a multi-label report.
  static let labelInterval = Term(
    key: "interval", title: "[low, high]",
    definition:
      "The 95 % confidence interval: the range expected for other samples from the same "
      + "distribution. “What was evaluated” names the method of each metric. Scores of classes "
      + "with too few samples have none. It does not cover distribution shift, and it is too "
      + "narrow if several images show the same subject.")
  static let baseline = Term(
    key: "baseline", title: "baseline",
    definition:
      "The accuracy of always predicting the most frequent class (majority class).")
  static let confidence = Term(
    key: "confidence", title: "confidence",
    definition:
      "The probability of the predicted class: the largest of the model’s probabilities.")
  static let margin = Term(
    key: "margin", title: "margin",
    definition: "The largest probability minus the second largest.")
  static let coverage = Term(
    key: "risk_coverage", title: "coverage and risk",
    definition:
      "Coverage is the share of samples that are answered if only the most confident predictions are "
      + "accepted; risk is the share of these predictions that are wrong.")
}

extension Term {
  /// All terms of a detection report.
  static let detection: [Term] =
    [interval, iou]
    + MetricKind.kinds(of: .detection).filter { $0 != .support }.map { Term($0, in: .detection) }

  static let iou = Term(
    key: "iou", title: "IoU",
    definition:
      "The overlap of a detection and an object: the area of their intersection divided by that of their union."
  )

  /// Returns precision as a column heading, with the score at which it is computed.
  static func objectPrecision(_ report: DetectionReport) -> Term {
    Term(.precision, in: .detection).at(report.matching.workingScore)
  }

  static func objectRecall(_ report: DetectionReport) -> Term {
    Term(.recall, in: .detection).at(report.matching.workingScore)
  }

  private func at(_ score: Double) -> Term {
    Term(key: key, title: "\(title) at \(NumberText.short(score))", definition: definition)
  }
}

extension Term {
  /// All terms of a segmentation report.
  static let segmentation: [Term] =
    [interval, allForeground, missed, uncertainty, centerOffset]
    + [
      sampleIoU("IoU"), sampleDice("Dice"), samplePrecision, sampleRecall, sampleBoundary,
    ]
    + MaskMeasure.allCases.map(Term.sample)
    + MetricKind.kinds(of: .segmentation).filter { $0 != .support }.map {
      Term($0, in: .segmentation)
    }

  static let allForeground = Term(
    key: "all-foreground", title: "baseline",
    definition:
      "The score of a trivial prediction that labels every pixel as the class, or as the most frequent of "
      + "several classes.")
  static let missed = Term(
    key: "missed", title: "missed and added",
    definition:
      "Missed pixels are in the ground truth but not in the prediction (false negatives); added pixels are in "
      + "the prediction but not in the ground truth (false positives).")
  static let uncertainty = Term(
    key: "uncertainty", title: "uncertainty",
    definition:
      "How close the probabilities of an image are to 0.5, averaged over its pixels: 1 if all are 0.5, 0 if "
      + "all are 0 or 1. It needs no ground truth.")
  static let centerOffset = Term(
    key: "center-offset", title: "center offset",
    definition:
      "The distance from the predicted mask’s center of mass to its box’s center, as a share of the box’s "
      + "diagonal. It is large if parts of the mask lie far apart. It needs no ground truth.")
  static let samplePrecision = Term(
    key: "sample-precision", title: "precision",
    definition: "The share of the sample’s predicted pixels that are correct.")
  static let sampleRecall = Term(
    key: "sample-recall", title: "recall",
    definition: "The share of the sample’s ground-truth pixels that are predicted.")
  static let sampleBoundary = Term(
    key: "sample-boundary", title: "boundary IoU",
    definition:
      "The IoU of the bands along the inner edges of ground truth and prediction, 2 % of the image’s "
      + "diagonal wide.")

  static func sample(_ measure: MaskMeasure) -> Term {
    Term(
      key: "sample-\(measure.rawValue)", title: measure.title, definition: measure.definition)
  }

  static func sampleIoU(_ name: String) -> Term {
    Term(
      key: "sample-iou", title: name,
      definition:
        "For one sample: tp / (tp + fp + fn), the pixels in both masks divided by the pixels in either. With "
        + "several classes, the mean over the classes in the sample.")
  }

  static func sampleDice(_ name: String) -> Term {
    Term(
      key: "sample-dice", title: name,
      definition:
        "For one sample: 2·tp / (2·tp + fp + fn) = 2·IoU / (1 + IoU), which is not IoU. With several "
        + "classes, the mean over the classes in the sample.")
  }
}
