import Foundation
import Testing

@testable import AssayInference

@Suite("Probabilities")
struct ProbabilityCheckTests {
  private func check(_ outputs: [Float], _ activation: Activation) throws -> [Float] {
    try ProbabilityCheck.probabilities(of: outputs, activation: activation, sample: "s")
  }

  @Test("Softmax of (ln 1, ln 3) is a quarter and three quarters")
  func softmax() throws {
    let result = try check([0, Float(log(3.0))], .softmax)
    #expect(abs(result[0] - 0.25) < 1e-7 && abs(result[1] - 0.75) < 1e-7)
  }

  @Test("Softmax does not overflow, and sums to 1")
  func large() throws {
    #expect(try check([1e30, -1e30, 0], .softmax) == [1, 0, 0])
  }

  @Test("Sigmoid of 0 is a half; its classes need not sum to 1")
  func sigmoid() throws {
    #expect(try check([0, 0, 0], .sigmoid) == [0.5, 0.5, 0.5])
    #expect(try check([-200, 200], .sigmoid) == [0, 1])
  }

  @Test("Logits without an activation are reported, with their values")
  func logits() {
    let error = #expect(throws: InferenceError.self) { try check([2.5, -1, 0.25], .none) }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains("these look like logits") && text.contains("activation: softmax"))
    #expect(text.contains("sample s gives [2.5, -1.0, 0.25]"))
  }

  @Test("Percentages are told from logits, and named with the scale that they need")
  func percentages() {
    for activation in [Activation.none, .softmax] {
      let outputs: [Float] = [70, 29.96, 0.04]
      #expect(ProbabilityCheck.areProbabilities(outputs))
      let text =
        activation == .none
        ? "\(#expect(throws: InferenceError.self) { try check(outputs, .none) }.map { "\($0)" } ?? "")"
        : InferenceError.alreadyProbabilities(
          sample: "s", outputs: outputs, activation: .softmax
        ).description
      #expect(text.contains("percentages") && text.contains("output-scale: 1/100"))
    }
    #expect(!ProbabilityCheck.areProbabilities([120, -10, -10]))
    #expect(!ProbabilityCheck.areProbabilities([60, 30, 5]))
  }

  @Test("Sigmoids of several images are told from logits, unless the images are alike")
  func sigmoids() {
    let some: [Float] = [0.017, 0.386, 0.443]
    let other: [Float] = [0.8, 0.1, 0.3]
    #expect(!ProbabilityCheck.areProbabilities(some))
    #expect(ProbabilityCheck.areSigmoids([some, other, some]))
    #expect(!ProbabilityCheck.areSigmoids([some, other]))
    #expect(!ProbabilityCheck.areSigmoids([some, some, some, some]))
    #expect(!ProbabilityCheck.areSigmoids([some, other, [0.1, 1.2, 0.4]]))
    #expect(!ProbabilityCheck.areSigmoids((0..<8).map { [Float($0) / 8] }))
  }

  @Test("Fractions that do not sum to 1 are reported")
  func sum() {
    #expect(throws: InferenceError.self) { try check([0.5, 0.498], .none) }
    #expect(throws: Never.self) { try check([0.5, 0.4995], .none) }
  }

  @Test("NaN and infinity are errors", arguments: [Float.nan, .infinity, -.infinity])
  func finite(_ value: Float) {
    for activation in Activation.allCases {
      #expect(throws: InferenceError.self) { try check([0, value], activation) }
    }
  }
}
