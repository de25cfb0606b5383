import AssayCore

/// The outputs of a classifier that gives the number of the class instead of a score per class.
package struct ClassNumbers: Hashable, Sendable {
  /// The output with the numbers of classes.
  package var labels: String
  /// The output with a score for each of them; `nil` if there is only the best class.
  package var scores: String?
  /// The number of the first class.
  package var base: Int

  package init(labels: String, scores: String? = nil, base: Int) {
    self.labels = labels
    self.scores = scores
    self.base = base
  }

  /// The names in the order in which the outputs are read.
  var names: [String] { [labels] + (scores.map { [$0] } ?? []) }
}

extension ModelManifest {
  /// The keys that a classifier has for the numbers of classes, which detectors have, too.
  static let classNumberKeys = ["labels-output", "scores-output", "class-base"]

  /// Reads the outputs of a classifier that gives the number of the class; `nil` for other models.
  static func parseClassNumbers(
    _ top: ManifestSection, _ task: ModelTask
  ) throws(LocatedManifestFault) -> ClassNumbers? {
    guard task.output == .label, classNumberKeys.contains(where: top.has) else { return nil }
    guard let labels = try top.text("labels-output") else {
      let key = classNumberKeys.first(where: top.has) ?? ""
      throw top.complaint(key, .missing(key: "labels-output", example: "labels-output: NAME"))
    }
    let unfit = ["output", "positive", "output-scale", "output-offset"]
    if let key = unfit.first(where: top.has) {
      throw top.complaint(key, .keyOfClassNumbers(key))
    }
    return ClassNumbers(
      labels: labels, scores: try top.text("scores-output"),
      base: try top.count("class-base", in: 0...1))
  }

  /// Checks a classifier's activation for values that are not allowed beside the numbers of classes.
  func classNumbersFault() -> (key: String, fault: ManifestFault)? {
    classNumbers != nil && activation != .none
      ? ("activation", .keyOfClassNumbers("activation")) : nil
  }
}
