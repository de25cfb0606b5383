/// Reads a classifier's outputs: one probability a class, in the model's class order.
package struct ProbabilityReader: OutputReader {
  package let activation: Activation

  package init(_ model: FittedModel) throws(InferenceError) {
    guard model.manifest.task.output == .label else {
      throw .otherTask(model.manifest.task, model: model.file.path)
    }
    activation = model.manifest.activation
  }

  package func answer(of outputs: [Float], sample: String) throws(InferenceError) -> [Float] {
    try ProbabilityCheck.probabilities(of: outputs, activation: activation, sample: sample)
  }

  package func areProbabilities(_ outputs: [Float]) -> Bool {
    ProbabilityCheck.areProbabilities(outputs)
  }
}

/// One classifier compiled once a worker.
package typealias ClassifierPool = ModelPool<ProbabilityReader>
