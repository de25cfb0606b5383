import Foundation

extension Activation {
  /// The probabilities for a model's outputs for one sample, in float32.
  ///
  /// Softmax subtracts the maximum first to avoid overflow; softmax and sigmoid are computed in
  /// float64 and rounded once.
  package func apply(to outputs: [Float]) -> [Float] {
    switch self {
    case .none, .sigmoidInModel: return outputs
    case .softmax:
      let largest = Double(outputs.max() ?? 0)
      let powers = outputs.map { exp(Double($0) - largest) }
      let sum = powers.reduce(0, +)
      return powers.map { Float($0 / sum) }
    case .sigmoid:
      return outputs.map { Float(1 / (1 + exp(-Double($0)))) }
    }
  }
}

/// Checks that the outputs of a classifier or a multi-label model fit its manifest.
enum ProbabilityCheck {
  /// The tolerance by which a sum of probabilities can differ from 1, and a probability be outside
  /// 0...1.
  static let sumTolerance: Double = 1e-3
  static let rangeTolerance: Float = 1e-5

  /// The probabilities for one sample's outputs.
  ///
  /// - Throws: ``InferenceError/notFinite(sample:outputs:)`` for NaN and infinities;
  ///   ``InferenceError/notProbabilities(sample:outputs:activation:)`` if a value is outside 0...1
  ///   or, except for `sigmoid`, the sum is not 1.
  static func probabilities(
    of outputs: [Float], activation: Activation, sample: @autoclosure () -> String
  ) throws(InferenceError) -> [Float] {
    guard outputs.allSatisfy(\.isFinite) else {
      throw .notFinite(sample: sample(), outputs: outputs)
    }
    let result = activation.apply(to: outputs)
    let inRange = result.allSatisfy { $0 >= -rangeTolerance && $0 <= 1 + rangeTolerance }
    if inRange {
      if activation == .sigmoid || activation == .sigmoidInModel || sumsToOne(result) {
        return result
      }
      if activation == .none, let whole = rescaled(result) { return whole }
    }
    throw .notProbabilities(sample: sample(), outputs: outputs, activation: activation)
  }

  /// Quantized probabilities of exclusive classes divided by their sum, which rounding moved away
  /// from 1; `nil` if they are not quantized, or too far from 1 for rounding.
  ///
  /// Models of 8-bit integers, such as TensorFlow Lite's, give a softmax in steps of 1/256 (or
  /// 1/255): each class can be off by half a step, a probability of 1 by a whole one, and many small
  /// ones become 0.
  static func rescaled(_ values: [Float]) -> [Float]? {
    let sum = values.reduce(0) { $0 + Double($1) }
    let isQuantized = [256.0, 255.0].contains { steps in
      values.allSatisfy {
        let step = Double($0) * steps
        return abs(step - step.rounded()) <= 1e-4
      }
    }
    guard isQuantized, abs(sum - 1) <= min(0.25, Double(values.count + 1) / 512 + sumTolerance)
    else {
      return nil
    }
    return values.map { Float(Double($0) / sum) }
  }

  /// The probabilities of two classes from that of one of them.
  ///
  /// - Parameters:
  ///   - value: the model's only output for a sample.
  ///   - place: the ordinal of the class whose probability it is, 0 or 1.
  /// - Throws: ``InferenceError/notFinite(sample:outputs:)``;
  ///   ``InferenceError/notProbabilities(sample:outputs:activation:)``.
  static func binary(
    _ value: Float, of place: Int, activation: Activation, sample: @autoclosure () -> String
  ) throws(InferenceError) -> [Float] {
    guard value.isFinite else { throw .notFinite(sample: sample(), outputs: [value]) }
    let probability = activation.apply(to: [value])[0]
    guard probability >= -rangeTolerance, probability <= 1 + rangeTolerance else {
      throw .binaryOutOfRange(sample: sample(), value: value, activation: activation)
    }
    let share = min(max(probability, 0), 1)
    return place == 0 ? [share, 1 - share] : [1 - share, share]
  }

  /// The scores for one sample's outputs if an image can have several classes: each from 0 to 1,
  /// with any sum.
  ///
  /// A value outside by no more than ``rangeTolerance``, which is rounding, becomes 0 or 1.
  ///
  /// - Parameter classes: the classes' names, in output order.
  /// - Throws: ``InferenceError/notFinite(sample:outputs:)`` for NaN and infinities;
  ///   ``InferenceError/scoreOutOfRange(sample:className:value:)`` for the first value outside 0...1.
  static func independentScores(
    of outputs: [Float], activation: Activation, classes: [String],
    sample: @autoclosure () -> String
  ) throws(InferenceError) -> [Float] {
    guard outputs.allSatisfy(\.isFinite) else {
      throw .notFinite(sample: sample(), outputs: outputs)
    }
    let scores = activation.apply(to: outputs)
    let range = -rangeTolerance...1 + rangeTolerance
    if let place = scores.firstIndex(where: { !range.contains($0) }) {
      throw .scoreOutOfRange(sample: sample(), className: classes[place], value: scores[place])
    }
    return scores.map { min(max($0, 0), 1) }
  }

  /// Returns whether outputs are already probabilities of exclusive classes, before any activation:
  /// all from 0 to 1, with the sum 1, or so many that they are not logits.
  static func areProbabilities(_ outputs: [Float]) -> Bool {
    outputs.count > 1
      && (arePercentages(outputs)
        || areIndependentScores(outputs)
          && (sumsToOne(outputs) || rescaled(outputs) != nil || outputs.count >= manyScores))
  }

  /// Returns whether a classifier's outputs are percentages of exclusive classes: none negative, with the sum 100.
  static func arePercentages(_ outputs: [Float]) -> Bool {
    outputs.count > 1 && outputs.allSatisfy { $0 >= 0 }
      && abs(outputs.reduce(0) { $0 + Double($1) } - 100) <= 100 * sumTolerance
  }

  /// Returns whether the outputs of a classifier for several samples are scores from 0 to 1 that are too many for
  /// logits, and too different to be those of one image.
  static func areSigmoids(_ outputs: [[Float]]) -> Bool {
    guard let first = outputs.first, first.count > 1, outputs.allSatisfy(areIndependentScores),
      outputs.count * first.count >= manyValues
    else { return false }
    return outputs.contains { row in
      zip(row, first).contains { abs($0 - $1) > distinctScores }
    }
  }

  /// The number of values of several samples that are not all from 0 to 1 if they are logits.
  private static let manyValues = 8
  /// The difference from which on a score is of another image.
  private static let distinctScores: Float = 0.01

  /// The number of classes whose logits are not all from 0 to 1.
  private static let manyScores = 5

  /// Returns whether outputs are already scores from 0 to 1, before any activation.
  static func areIndependentScores(_ outputs: [Float]) -> Bool {
    outputs.allSatisfy { $0 >= 0 && $0 <= 1 }
  }

  private static func sumsToOne(_ values: [Float]) -> Bool {
    abs(values.reduce(0) { $0 + Double($1) } - 1) <= sumTolerance
  }
}
