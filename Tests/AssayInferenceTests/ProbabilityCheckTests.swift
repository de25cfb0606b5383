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
