/// Reads one score per class and image, in the order of the manifest's classes: a classifier's probabilities, or the independent
/// scores of a multi-label model.
package struct ProbabilityReader: OutputReader {
  package let activation: Activation
  /// The outputs of a multi-label model; `nil` for a classifier, whose classes exclude each other.
  private let independent: [String]?
  /// The ordinal of the class whose probability is a binary classifier's only value.
  private let positive: Int?
  private let grouping: ClassGrouping

  package init(_ model: ValidatedModel) throws(InferenceError) {
    switch model.manifest.task.output {
    case .label: independent = nil
    case .labels: independent = model.manifest.outputs
    case .masks, .objects: throw .otherTask(model.manifest.task, model: model.file.path)
    }
    let manifest = model.manifest
    activation = manifest.activation
    grouping = manifest.grouping
    positive = manifest.positive.flatMap { manifest.outputs.firstIndex(of: $0) }
  }

  package func answer(of outputs: [Float], sample: String) throws(InferenceError) -> [Float] {
    if let positive {
      precondition(outputs.count == 1)
      return try ProbabilityCheck.binary(
        outputs[0], of: positive, activation: activation, sample: sample)
    }
    guard let independent else {
      return grouping.values(
        of: try ProbabilityCheck.probabilities(
          of: outputs, activation: activation, sample: sample),
        excluding: activation.excludesOthers)
    }
    return grouping.values(
      of: try ProbabilityCheck.independentScores(
        of: outputs, activation: activation, classes: independent, sample: sample),
      excluding: false)
  }

  package func remark(on outputs: [[Float]]) -> String? {
    // Saturated probabilities of one class are equal, too.
    if outputs.count > 1, let first = outputs.first, outputs.allSatisfy({ $0 == first }),
      first.contains(where: { $0 != 0 && $0 != 1 })
    {
      return
        "the model gives the same values for the first \(outputs.count) images, although they differ: its input may"
        + " be prepared otherwise (assay model audit MODEL VIEW), or its file may be wrong (assay model check MODEL VIEW)"
    }
    guard positive == nil, independent == nil, activation.remaining != .none,
      ProbabilityCheck.areSigmoids(outputs)
    else { return nil }
    return "the model's first \(outputs.count) rows of values are all from 0 to 1 before"
      + " “activation: \(activation.rawValue)”; if it applies a sigmoid itself, the manifest needs “activation:"
      + " sigmoid-in-model”"
  }

  package func areProbabilities(_ outputs: [Float]) -> Bool {
    positive == nil && independent == nil
      ? ProbabilityCheck.areProbabilities(outputs) : ProbabilityCheck.areIndependentScores(outputs)
  }
}

/// A classifier or a multi-label model, compiled once per worker.
package typealias ClassifierPool = ModelPool<ProbabilityReader>
