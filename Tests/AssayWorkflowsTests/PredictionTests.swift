import AssayCore
import AssayInference
import AssayStore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayWorkflows

@Suite("Predicting", .openVINO)
struct PredictionTests {
  @Test("A run keeps every probability, the classes, the settings and the versions")
  func run() throws {
    let squares = try PredictCatalog(count: 5)
    try squares.add()
    let summary = try squares.predict()
    #expect(summary.start == .new && summary.computed == 5 && summary.verified > 0)
    let run = summary.run
    #expect(run.name == "tiny-squares" && run.done == 5 && run.classes == ["bright", "dark"])
    #expect(try JSONValue(parsing: run.settings)["precision"]?.text == "f32")
    #expect(try JSONValue(parsing: run.versions)["openvino"]?.text?.hasPrefix("2026") == true)
    let predictions = try squares.catalog.predictions(of: run.id)
    for (number, prediction) in predictions.enumerated() {
      // The logit is the mean of (n, 2n, 3n, 4n)/255 = 2.5n/255, against 0.
      let expected = 1 / (1 + exp(-2.5 * Double(number) / 255))
      #expect(prediction.sample.key == "\(number)")
      #expect(abs(Double(prediction.scores[0]) - expected) < 1e-6)
    }
  }

  @Test("Neither the batch size nor the number of workers changes a bit")
  func determinism() throws {
    let squares = try PredictCatalog(count: 300)
    try squares.add()
    let first = try squares.predict { ($0.batch, $0.workers, $0.name) = (1, 1, "a") }
    #expect(first.batch == 1 && first.workers == 1)
    let second = try squares.predict { ($0.batch, $0.workers, $0.name) = (64, 2, "b") }
    #expect(second.batch == 64 && second.workers == 2)
    _ = try squares.predict { $0.name = "c" }
    let bits = try squares.bits("a")
    #expect(bits.count == 300)
    #expect(try squares.bits("b") == bits)
    #expect(try squares.bits("c") == bits)
  }

  @Test("The same again is already done, under its name or none; other settings are another run")
  func again() throws {
    let squares = try PredictCatalog()
    try squares.add()
    let first = try squares.predict()
    #expect(try squares.predict().start == .alreadyDone)
    let named = try squares.predict { $0.name = first.run.name }
    #expect(named.start == .alreadyDone && named.run == first.run && named.computed == 0)
    #expect(throws: PredictError.self) {
      try squares.predict { ($0.name, $0.limit) = (first.run.name, 2) }
    }
    let part = try squares.predict { $0.limit = 2 }
    #expect(part.start == .new && part.run.total == 2)
  }

  @Test("An interrupted run goes on where it stopped, and ends with the same bits")
  func resume() throws {
    let squares = try PredictCatalog(count: 40)
    try squares.add()
    let whole = try squares.predict { $0.name = "whole" }.run
    let stored = try squares.catalog.predictions(of: whole.id)
    let cut = try squares.catalog.createRun(
      RunDraft(
        name: "cut", model: whole.model?.id, dataset: whole.dataset.id, view: "squares",
        settings: whole.settings, classes: whole.classes, samples: stored.map(\.sample.id)))
    try squares.catalog.record(
      stored.prefix(17).map { SampleScores(sample: $0.sample.id, scores: $0.scores) }, in: cut.id)
    let summary = try squares.predict { $0.name = "cut" }
    #expect(summary.start == .resumed && summary.computed == 23 && summary.run.done == 40)
    #expect(try squares.bits("cut") == squares.bits("whole"))
  }

  @Test("What is left of an interrupted run may be nothing but samples without a picture")
  func resumeBroken() throws {
    let squares = try PredictCatalog(count: 4, broken: [3])
    try squares.add()
    let whole = try squares.predict { $0.name = "whole" }.run
    let done = try squares.catalog.predictions(of: whole.id)
    let broken = try squares.catalog.failures(of: whole.id).map(\.sample)
    let cut = try squares.catalog.createRun(
      RunDraft(
        name: "cut", model: whole.model?.id, dataset: whole.dataset.id, view: "squares",
        settings: whole.settings, classes: whole.classes,
        samples: done.map(\.sample.id) + broken))
    try squares.catalog.record(
      done.map { SampleScores(sample: $0.sample.id, scores: $0.scores) }, in: cut.id)
    let summary = try squares.predict { $0.name = "cut" }
    #expect(summary.start == .resumed && summary.run.done == 3 && summary.run.failed == 1)
  }

  @Test("The same request tries failed samples again, and only them")
  func retry() throws {
    let squares = try PredictCatalog(count: 4, broken: [3])
    try squares.add()
    let first = try squares.predict()
    #expect(first.run.done == 3 && first.run.failed == 1)
    let again = try squares.predict()
    #expect(again.start == .resumed && again.run.id == first.run.id && again.computed == 1)
    #expect(again.run.done == 3 && again.run.failed == 1)
    #expect(again.failures.count == 1)
  }

  @Test("A run whose stored bits are not what is computed now is not gone on with")
  func storedDiffers() throws {
    let squares = try PredictCatalog(count: 10)
    try squares.add()
    let whole = try squares.predict { $0.name = "whole" }.run
    let samples = try squares.catalog.predictions(of: whole.id).map(\.sample.id)
    let cut = try squares.catalog.createRun(
      RunDraft(
        name: "cut", model: whole.model?.id, dataset: whole.dataset.id, view: "squares",
        settings: whole.settings, classes: whole.classes, samples: samples))
    try squares.catalog.record(
      [SampleScores(sample: samples[0], scores: [0.25, 0.75])], in: cut.id)
    let error = #expect(throws: PredictError.self) { try squares.predict { $0.name = "cut" } }
    #expect(error.map { "\($0)" }?.contains("[0.25, 0.75]") == true)
  }

  @Test("A sample without a picture is counted and listed; the others are done")
  func failures() throws {
    let squares = try PredictCatalog(count: 6, broken: [0, 3])
    try squares.add()
    let summary = try squares.predict()
    #expect(summary.run.done == 4 && summary.run.failed == 2)
    #expect(summary.failures.map(\.position) == [0, 3])
    let hollow = try PredictCatalog(count: 2, broken: [0, 1])
    try hollow.add()
    let error = #expect(throws: PredictError.self) { try hollow.predict() }
    guard case .nothingReadable("squares", 2, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try hollow.catalog.runs().isEmpty)
  }

  @Test("Classes join by name: nothing in common is refused, a missing one asked about")
  func classes() throws {
    let squares = try PredictCatalog(count: 6, labels: ["bright", "dark", "gray"])
    try squares.add("tiny", classes: "[x, y]")
    #expect(
      throws: PredictError.nothingInCommon(
        model: "tiny", classes: ["x", "y"], dataset: "squares",
        categories: ["bright", "dark", "gray"])
    ) { try squares.predict() }
    try squares.add("logits", activation: "softmax")
    let missing = [MissingCategory(name: "gray", samples: 2)]
    #expect(
      throws: PredictError.missingClasses(
        missing, model: "logits", classes: ["bright", "dark"], view: "squares")
    ) { try squares.predict("logits") }
    #expect(try squares.catalog.runs().isEmpty)
    let summary = try squares.predict("logits") { $0.ignoreMissing = true }
    #expect(summary.missing == missing && summary.run.done == 6)
  }

  @Test("Logits and a model that mixes its batch leave no run behind")
  func refused() throws {
    let squares = try PredictCatalog(count: 40)
    try squares.add("logits")
    try squares.add("mixes_batch")
    #expect(throws: InferenceError.self) { try squares.predict("logits") }
    #expect(throws: InferenceError.self) { try squares.predict("mixes_batch") }
    #expect(try squares.catalog.runs().isEmpty)
  }

  @Test("Outputs that stop being probabilities take the run with them")
  func late() throws {
    // Without softmax, white gives (1, 0), which could be probabilities; the sixth image does not.
    let squares = try PredictCatalog(count: 8, whiteFirst: 5)
    try squares.add("logits")
    let error = #expect(throws: PredictError.self) { try squares.predict("logits") }
    guard case .removed("logits-squares", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try squares.catalog.runs().isEmpty)
  }

  @Test("A model file that changed or went is told, and its run is not made")
  func changed() throws {
    let squares = try PredictCatalog()
    let copy = squares.path("copy.onnx")
    let models = PredictCatalog.models
    try FileManager.default.copyItem(
      atPath: models.appending(path: "tiny.onnx").path, toPath: copy)
    let manifest = try squares.write("copy.yaml", PredictCatalog.manifest())
    _ = try ModelAddition(modelPath: copy, manifestPath: manifest).run(
      catalogPath: squares.catalog.path)
    let other = try Data(contentsOf: models.appending(path: "logits.onnx"))
    try other.write(to: URL(fileURLWithPath: copy))
    let changed = #expect(throws: PredictError.self) { try squares.predict("copy") }
    #expect(changed.map { "\($0)" }?.contains("is not the file that was added") == true)
    try FileManager.default.removeItem(atPath: copy)
    let gone = #expect(throws: PredictError.self) { try squares.predict("copy") }
    #expect(gone.map { "\($0)" }?.contains("is missing") == true)
  }
}
