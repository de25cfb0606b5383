import AssayCore
import AssayInference
import AssayMetrics
import AssayStore

/// A decision that a pipeline records: on its objects, or on the labels that its last classifier gives them.
struct PipelineDecision: Sendable {
  /// The decision about the labels of one classifier.
  struct Labels: Sendable {
    /// The index of its step.
    let step: Int
    /// The attribute with the label.
    let attribute: String
    /// The thresholds in the order of the classifier's classes.
    let rule: AcceptanceRule
    /// True for prediction sets.
    let isSets: Bool
    let classes: [String]
  }

  let path: String
  let file: DecisionFile
  private let text: String
  /// `nil` for a decision on objects.
  let labels: Labels?
  /// The thresholds in the order of the run's classes, for a decision on objects.
  let rule: AcceptanceRule

  /// Reads a decision that was made of a run of the same pipeline, or of the labels of one.
  ///
  /// - Throws: `InferenceError` for a file that cannot be read; ``DecisionError``; ``PipelineError/otherDecision(file:pipeline:task:)``
  ///   for a decision on something that the pipeline does not give.
  init(_ path: String, for plan: PipelinePlan) throws {
    (file, text) = try DecisionFile.read(path)
    self.path = path
    let settings = try plan.settings()
    if file.task == plan.detector.task {
      try file.check(for: plan.detector, settings: settings, file: path)
      try file.check(classes: plan.classes, run: plan.pipeline.name, file: path)
      (labels, rule) = (nil, file.acceptance(of: plan.classes))
      return
    }
    guard let labeler = plan.labeler, labeler.isLabel, file.task == labeler.model.task else {
      throw PipelineError.otherDecision(
        file: path, pipeline: plan.pipeline.name, task: file.task.rawValue)
    }
    try file.check(
      for: labeler.model, settings: try PipelineResults.labelSettings(of: "", settings), file: path)
    let classes = try labeler.model.readManifest().classes
    try file.check(classes: classes, run: "the model \(labeler.model.name)", file: path)
    rule = file.acceptance(of: classes)
    labels = Labels(
      step: labeler.step, attribute: labeler.attribute, rule: rule,
      isSets: file.method == .conformal, classes: classes)
  }

  /// A run's settings with the decision.
  func recorded(in settings: String) throws -> String {
    try RunRecord.settings(
      settings, deciding: file, text: text, of: labels == nil ? .predictions : .labels)
  }
}

extension PipelineDecision.Labels {
  /// The start of the names of the attributes that the decision writes: `label_`.
  var prefix: String { attribute + "_" }

  /// The attributes that an object gets: `label_accepted`, and with prediction sets `label_set`.
  ///
  /// - Parameters:
  ///   - scores: the score of each class.
  ///   - best: the class with the highest score.
  func attributes(_ scores: [Float], best: Int) -> [JSONValue.Member] {
    guard isSets else {
      return [
        .init(prefix + "accepted", .bool(rule.accepts(best, score: Double(scores[best]))))
      ]
    }
    let members = scores.indices.filter { rule.accepts($0, score: Double(min(1, scores[$0]))) }
    return [
      .init(prefix + "accepted", .bool(members.count == 1)),
      .init(prefix + "set", .array(members.map { .string(classes[$0]) })),
    ]
  }

  /// Returns whether the decision accepts the label of an object; `nil` for an object without a label.
  func accepts(_ attributes: JSONValue?) -> Bool? {
    switch attributes?[prefix + "accepted"] {
    case .bool(let accepted): accepted
    default: nil
    }
  }
}
