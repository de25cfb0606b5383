import AssayCore
import AssayInference
import AssayMetrics
package import AssayStore

/// A decision that is applied to the answers for frames.
package struct LiveDecision: Sendable {
  /// The promise of the decision in words.
  package let promise: String
  /// The path of its file.
  package let file: String
  private let rule: AcceptanceRule
  private let isSets: Bool
  private let task: ModelTask
  private let classes: [String]
  /// The decision on the labels of a pipeline's objects; `nil` for one on the predictions themselves.
  private let labels: PipelineDecision.Labels?

  /// Reads a decision that was made for a model.
  ///
  /// - Throws: `InferenceError` for a file that cannot be read; ``DecisionError`` for one of another model, task, classes
  ///   or settings.
  init(_ path: String, model: ModelRecord) throws {
    let decision = try DecisionFile.read(path).decision
    let request = PredictRequest(view: "live", model: model.name, programVersion: "")
    try decision.check(
      for: model, settings: PredictWork(request, model).settings, file: path)
    let manifest = try model.readManifest()
    try decision.check(classes: manifest.classes, run: "the model \(model.name)", file: path)
    promise = decision.promise
    file = path
    rule = decision.acceptance(of: manifest.classes)
    (isSets, task, classes) = (decision.method == .conformal, decision.task, manifest.classes)
    labels = nil
  }

  /// A decision on the objects of a pipeline, or on their labels.
  init(_ decision: PipelineDecision, classes: [String]) {
    (promise, file, rule) = (decision.file.promise, decision.path, decision.rule)
    (isSets, task) = (decision.file.method == .conformal, .detection)
    (self.classes, labels) = (classes, decision.labels)
  }

  /// The accepted predictions of a frame: of a classifier its class if it is accepted, or the classes of the prediction
  /// set; of a multi-label model its accepted labels; of a detector the places of its accepted objects; of a pipeline with a
  /// decision on labels the places of all objects but those whose label is not accepted.
  package func accepted(_ answer: LiveAnswer) -> [Int] {
    switch task.output {
    case .label:
      guard !isSets else { return acceptedLabels(answer) }
      guard let best = answer.best, let score = best.score else { return [] }
      return rule.accepts(best.class, score: score) ? [best.class] : []
    case .labels: return acceptedLabels(answer)
    case .objects:
      return answer.objects.indices.filter {
        if let labels {
          return labels.accepts(answer.objects[$0].attributeValues) ?? true
        }
        return rule.accepts(answer.objects[$0].class, score: answer.objects[$0].confidence)
      }
    case .masks: return []
    }
  }

  private func acceptedLabels(_ answer: LiveAnswer) -> [Int] {
    let scores = answer.scores ?? []
    return scores.indices.filter { rule.accepts($0, score: scores[$0]) }
  }

  /// The score from which an object that is not accepted makes a frame one to look at: that of the page's slider when
  /// it opens.
  static let leastScore = 0.3

  /// The reason why a frame is one to look at: the model abstains, gives several classes, or has an object that is not
  /// accepted; `nil` for none.
  ///
  /// - Parameter accepted: what ``accepted(_:)`` gives for the answer.
  package func doubt(_ answer: LiveAnswer, accepted: [Int]) -> String? {
    switch task.output {
    case .label:
      if isSets {
        guard accepted.count != 1 else { return nil }
        return accepted.isEmpty
          ? "no class in the prediction set"
          : "prediction set: " + accepted.prefix(5).map { classes[$0] }.joined(separator: ", ")
      }
      guard accepted.isEmpty, let best = answer.best else { return nil }
      return "not accepted: \(words(best.class, best.score))"
    case .labels:
      guard accepted.isEmpty, let best = answer.best else { return nil }
      return "no label accepted: \(words(best.class, best.score))"
    case .objects:
      let places = Set(accepted)
      // Detectors give many objects of low scores, which nobody would take for found.
      let place = answer.objects.indices.first {
        !places.contains($0) && answer.objects[$0].confidence >= Self.leastScore
      }
      guard let place else { return nil }
      let object = answer.objects[place]
      if let labels { return labels.doubt(object.attributeValues) }
      return "not accepted: \(words(object.class, object.confidence))"
    case .masks: return nil
    }
  }

  /// `happy 0.45 < 0.91`.
  private func words(_ place: Int, _ score: Double?) -> String {
    rule.words(place, score, of: classes)
  }
}

extension PipelineDecision.Labels {
  /// The reason why the label of an object is not accepted.
  fileprivate func doubt(_ attributes: JSONValue?) -> String {
    if isSets {
      let names = attributes?[prefix + "set"]?.elements?.compactMap(\.text) ?? []
      return names.isEmpty
        ? "no class in the prediction set"
        : "prediction set: " + names.prefix(5).joined(separator: ", ")
    }
    let name = attributes?[attribute]?.text ?? ""
    let score = attributes?[LabelAttribute.name("score", of: attribute)]?.double
    let place = classes.firstIndex(of: name)
    return "not accepted: " + (place.map { rule.words($0, score, of: classes) } ?? name)
  }
}

extension AcceptanceRule {
  /// A prediction that is not accepted, with its threshold: `happy 0.45 < 0.91`.
  fileprivate func words(_ place: Int, _ score: Double?, of classes: [String]) -> String {
    guard let score else { return classes[place] }
    let threshold = thresholds[place].map { " < \($0)" } ?? ", never accepted"
    return "\(classes[place]) \((score * 1000).rounded() / 1000)\(threshold)"
  }
}
