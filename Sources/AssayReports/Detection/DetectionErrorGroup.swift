package import AssayCore
package import AssayMetrics

/// One type of error: its count, its cost, and some of its mistakes.
package struct DetectionErrorGroup: Sendable {
  package var kind: DetectionErrorKind
  /// The number of errors, at any score.
  package var count: Int
  /// The average precision gained if only this type of error were fixed.
  package var cost: Score
  /// The mistakes with the highest cost first.
  package var mistakes: [DetectionMistake]

  package init(
    kind: DetectionErrorKind, count: Int, cost: Score, mistakes: [DetectionMistake] = []
  ) {
    self.kind = kind
    self.count = count
    self.cost = cost
    self.mistakes = mistakes
  }
}

/// One wrong detection, or one missed object, to be shown.
package struct DetectionMistake: Sendable {
  /// The sample's key.
  package var key: String
  /// The class of the object concerned; `nil` if there is none.
  package var truth: String?
  /// The class of the detection; `nil` if nothing was detected.
  package var prediction: String?
  package var score: Double?
  /// The IoU of the two.
  package var iou: Double?
  package var picture: ObjectCutout

  package init(
    key: String, truth: String?, prediction: String?, score: Double?, iou: Double?,
    picture: ObjectCutout
  ) {
    self.key = key
    self.truth = truth
    self.prediction = prediction
    self.score = score
    self.iou = iou
    self.picture = picture
  }
}

extension DetectionErrorKind {
  /// The name in charts and headings.
  package var title: String { cost.facts.title }

  /// Returns its definition in one sentence; foreground is the working IoU.
  func definition(foreground: Double) -> String {
    let enough = "IoU of at least " + NumberText.short(foreground)
    let little = "IoU from 0.1 to \(NumberText.short(foreground))"
    return switch self {
    case .class: "A detection that overlaps an object (\(enough)) but has the wrong class."
    case .place:
      "A detection with the correct class but too little overlap with its object (\(little))."
    case .both:
      "A detection with the wrong class and too little overlap with an object (\(little))."
    case .duplicate:
      "A further detection of an object that a detection with a higher score already matches."
    case .background: "A detection on the background (IoU below 0.1 with every object)."
    case .missed:
      "An object that no detection matches and that none of the other errors explains."
    }
  }
}
