import AssayCore
import Foundation
import Testing

@testable import AssayInference

@Suite("Reading maps")
struct MapReaderTests {
  private func reader(
    _ classes: Int, _ order: ModelInput.Layout, _ activation: Activation, kept: [Int]
  ) -> MapReader {
    MapReader(
      MapLayout(classes: classes, size: ImageSize(width: 2, height: 1), order: order),
      activation: activation, kept: kept)
  }

  @Test("Probabilities become 8 bits: 0.2 is 51, a half 128")
  func none() throws {
    let maps = try reader(1, .nchw, .none, kept: [0]).answer(of: [0.2, 0.5], sample: "s")
    #expect(maps.cells.map(\.elements) == [[51, 128]])
  }

  @Test("Sigmoid and softmax, classes before the cells or behind each")
  func activations() throws {
    // 255 · σ(ln 4) = 204; 255 · σ(0) = 127.5, rounded up.
    let log4 = Float(log(4.0))
    let sigmoid = try reader(1, .nhwc, .sigmoid, kept: [0]).answer(of: [log4, 0], sample: "s")
    #expect(sigmoid.cells.map(\.elements) == [[204, 128]])
    // Cell 0: (ln 1, ln 4) → 1/5, 4/5; cell 1: equal.
    let expected: [[UInt8]] = [[51, 128], [204, 128]]
    let before = try reader(2, .nchw, .softmax, kept: [0, 1]).answer(
      of: [0, 7, log4, 7], sample: "s")
    #expect(before.cells.map(\.elements) == expected)
    let behind = try reader(2, .nhwc, .softmax, kept: [0, 1]).answer(
      of: [0, log4, 7, 7], sample: "s")
    #expect(behind.cells.map(\.elements) == expected)
    let second = try reader(2, .nhwc, .softmax, kept: [1]).answer(of: [0, log4, 7, 7], sample: "s")
    #expect(second.cells.map(\.elements) == [expected[1]])
    let large = try reader(2, .nchw, .softmax, kept: [0, 1]).answer(
      of: [1e30, -1e30, 0, 0], sample: "s")
    #expect(large.cells.map(\.elements) == [[255, 0], [0, 255]])
  }

  @Test("Logits without an activation are reported with their range")
  func logits() {
    let error = #expect(throws: InferenceError.self) {
      try reader(1, .nchw, .none, kept: [0]).answer(of: [-7.5, 9], sample: "s")
    }
    let text = error.map { "\($0)" } ?? ""
    #expect(
      text.contains("sample s range from -7.5 to 9.0") && text.contains("sigmoid for one class"))
  }

  @Test("NaN and infinity are errors", arguments: [Float.nan, .infinity, -.infinity])
  func finite(_ value: Float) {
    for activation in Activation.allCases {
      #expect(throws: InferenceError.self) {
        try reader(1, .nchw, activation, kept: [0]).answer(of: [0, value], sample: "s")
      }
    }
  }

  @Test("Probabilities are known by their range, and for softmax by their sums")
  func areProbabilities() {
    #expect(reader(1, .nchw, .sigmoid, kept: [0]).areProbabilities([0, 1]))
    #expect(!reader(1, .nchw, .sigmoid, kept: [0]).areProbabilities([0, 1.5]))
    let two = reader(2, .nchw, .softmax, kept: [0, 1])
    #expect(two.areProbabilities([0.25, 1, 0.75, 0]) && !two.areProbabilities([0.25, 1, 0.5, 0]))
  }
}
