import AssayCore
import AssayTestSupport
import Foundation
import Testing

import AssayInference

@Suite("Running a classifier", .openVINO)
struct ModelPoolTests {
  private let white = Fixture.picture([255, 255, 255, 255])
  private let black = Fixture.picture([0, 0, 0, 0])
  private let mixed = Fixture.picture([255, 0, 51, 102])

  @Test("A model's answers are those of the arithmetic", arguments: ["tiny.onnx", "tiny.xml"])
  func answers(_ name: String) throws {
    let pool = try ClassifierPool(try Fixture.tiny(name), workers: 1, probe: [white])
    let rows = try pool.answers(worker: 0, of: [white, black, mixed])
    // Logits: the mean of pixel/255, and 0; softmax e^m / (e^m + 1). White m = 1: 0.7310586;
    // black m = 0: 0.5; (255 + 51 + 102)/4/255 = 0.4: 0.5986877.
    for (row, expected) in zip(rows, [0.7310586, 0.5, 0.5986877]) {
      #expect(abs(row[0] - Float(expected)) < 1e-6 && abs(row[0] + row[1] - 1) < 1e-6)
    }
  }

  @Test("An activation of ours gives the same as the model's own, and doubling it is refused")
  func activation() throws {
    let logits = try ClassifierPool(
      try Fixture.tiny("logits.onnx", activation: .softmax), workers: 1, probe: [white, mixed])
    #expect(abs(try logits.answers(worker: 0, of: [white])[0][0] - 0.7310586) < 1e-6)
    let error = #expect(throws: InferenceError.self) {
      try ClassifierPool(
        try Fixture.tiny("tiny.onnx", activation: .softmax), workers: 1, probe: [white, mixed])
    }
    #expect(error.map { "\($0)" }?.contains("activation: none") == true)
  }

  @Test("Logits stop the run")
  func logits() throws {
    let pool = try ClassifierPool(
      try Fixture.tiny("logits.onnx"), workers: 1, probe: [white])
    // White gives (1, 0), which are probabilities; (0.4, 0) are not.
    _ = try pool.answers(worker: 0, of: [white])
    #expect(throws: InferenceError.self) { try pool.answers(worker: 0, of: [mixed]) }
  }

  @Test("A model that mixes the samples of a batch is detected, with both outputs")
  func mixing() throws {
    let classifier = try Fixture.tiny("mixes_batch.onnx")
    let error = #expect(throws: InferenceError.self) {
      try ClassifierPool(classifier, workers: 2, batch: 4, probe: [mixed, white])
    }
    guard case .selfCheckFailed(let failure) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.sample == mixed.name && failure.inRun != failure.alone)
    #expect(throws: Never.self) {
      try ClassifierPool(classifier, workers: 2, batch: 1, probe: [mixed, white])
    }
  }

  @Test("An unsupported batch size is replaced by the model's own, with a note")
  func fixedBatch() throws {
    let pool = try ClassifierPool(
      try Fixture.tiny("fixed_batch.onnx"), workers: 1, batch: 16, probe: [white])
    #expect(pool.batch == 1 && pool.batchNote?.contains("16") == true)
    #expect(try pool.answers(worker: 0, of: [white, mixed, black]).count == 3)
  }

  @Test("A bit that differs later is detected")
  func verify() throws {
    let pool = try ClassifierPool(try Fixture.tiny("tiny.onnx"), workers: 1, probe: [white])
    var rows = try pool.answers(worker: 0, of: [white, mixed])
    try pool.verify([white, mixed], expected: rows)
    rows[1][0] = rows[1][0].nextUp
    let wrong = rows
    #expect(throws: InferenceError.self) { try pool.verify([white, mixed], expected: wrong) }
  }

  @Test("Arithmetic that the processor lacks is refused by name")
  func precision() throws {
    let classifier = try Fixture.tiny("tiny.onnx")
    for precision in Precision.allCases where !classifier.precisions.contains(precision) {
      #expect(throws: InferenceError.self) {
        try classifier.compile(batch: 1, precision: precision)
      }
    }
    let model = try #require(
      try classifier.compile(batch: 2, precision: .f32) as? CompiledModel)
    #expect(try model.property("NUM_STREAMS") == "1")
    #expect(try model.property("INFERENCE_NUM_THREADS") == "1")
    #expect(try model.property("INFERENCE_PRECISION_HINT") == "f32")
  }
}
