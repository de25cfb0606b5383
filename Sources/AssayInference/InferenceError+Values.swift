/// The texts of errors about values that are no probabilities.
extension InferenceError {
  static func mapsOutOfRange(
    _ sample: String, _ low: Float, _ high: Float, _ activation: Activation
  ) -> String {
    let start = "the maps of sample \(sample) range from \(low) to \(high), so they are "
    // Logits are negative somewhere.
    return low >= 0 && high <= 255
      ? start
        + "no probabilities from 0 to 1, and probably no logits. If they are percentages, set"
        + " “output-scale: 1/100” and “output-offset: 0” in the manifest; if they are from 0 to 255,"
        + " “output-scale: 1/255”"
      : start
        + "logits, not probabilities. Set “activation:” in the manifest (now \(activation.rawValue)):"
        + " sigmoid for one class, softmax for several"
  }

  static func notProbabilities(
    _ sample: String, _ outputs: [Float], _ activation: Activation
  ) -> String {
    let values =
      "sample \(sample) gives \(Self.values(outputs)), with the sum "
      + "\(outputs.reduce(0, +))"
    if ProbabilityCheck.arePercentages(outputs) {
      return "these look like percentages: \(values). Set “output-scale: 1/100” and"
        + " “output-offset: 0” in the manifest"
    }
    let isInRange = outputs.allSatisfy { $0 >= 0 && $0 <= 1 }
    return isInRange
      ? "the outputs are from 0 to 1, but not probabilities of one class per image: \(values). If the model ends"
        + " in a sigmoid per class, set “activation: sigmoid-in-model” in the manifest; if an image can have several"
        + " of the classes, “task: multilabel”; for logits, “activation: softmax”"
      : "these look like logits: \(values). Set “activation: softmax” in the manifest"
        + (activation == .none ? "" : " (now \(activation.rawValue))")
  }
}
