import AssayCore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayInference

/// The expected scores of `make_labels.py`.
struct LabelScores: Decodable {
  var classes: [String]
  /// A score per class for image number 0, 1, ….
  var scores: [[Float]]

  static func read() throws -> LabelScores { try GoldenJSON.decode("models/labels.json") }
}

@Suite("Manifests of multi-label models")
struct MultiLabelManifestTests {
  private func manifest(_ rest: String) throws -> ModelManifest {
    try ModelManifest(
      yaml: """
        task: multilabel
        input: {width: 2, height: 2, layout: NCHW, color: gray, scale: 1, offset: 0, resize: stretch}
        classes: [sky, tree]
        \(rest)
        """, path: "m.yaml")
  }

  @Test("A manifest says whether the scores are logits; without an activation they are not")
  func read() throws {
    let manifest = try manifest("activation: sigmoid")
    #expect(manifest.task == .multiLabel && manifest.task.output == .labels)
    #expect(manifest.activation == .sigmoid && manifest.classes == ["sky", "tree"])
    #expect(try self.manifest("").activation == .none)
    #expect(try self.manifest("activation: none").activation == .none)
  }

  @Test(
    "What does not fit independent classes is refused, with the line",
    arguments: [
      ("activation: softmax", "set “activation: sigmoid” for logits"),
      ("threshold: 0.5", "task: segmentation"),
      ("output-layout: NCHW", "task: segmentation"), ("nms: 0.5", "task: detection"),
    ])
  func refused(rest: String, says: String) {
    let error = #expect(throws: InferenceError.self) { try manifest(rest) }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains(says) && text.hasPrefix("m.yaml:4: "), "\(text)")
  }

  @Test("A draft asks whether an image can have several classes, and chooses no sigmoid")
  func draft() throws {
    let signature = ModelSignature(
      inputs: [TensorSignature(name: "x", element: "f32", shape: [nil, 1, 2, 2])],
      outputs: [TensorSignature(name: "y", element: "f32", shape: [nil, 5])])
    let text = ModelManifest.draft(for: signature, name: "net")
    #expect(text.contains("\ntask: classification  # TODO: ") && text.contains("multilabel"))
    #expect(text.contains("\nactivation: none  # TODO: ") && text.contains("(multilabel: sigmoid)"))
  }
}

@Suite("Scores of several labels")
struct IndependentScoresTests {
  private func scores(_ outputs: [Float], _ activation: Activation) throws -> [Float] {
    try ProbabilityCheck.independentScores(
      of: outputs, activation: activation, classes: ["sky", "tree", "car"], sample: "s")
  }

  @Test("Scores are used as given, whatever their sum")
  func given() throws {
    for row: [Float] in [[0.9, 0.8, 0.7], [0, 0, 0], [1, 1, 1], [0.2, 0.3, 0.5]] {
      #expect(try scores(row, .none) == row)
    }
  }

  @Test("A score outside 0...1 is refused with the sample, the class and the value")
  func outside() {
    for (row, name, value): ([Float], String, Float) in [
      ([0.5, 2.5, -1], "tree", 2.5), ([0.5, 0.5, -0.25], "car", -0.25),
      ([1.001, 0, 0], "sky", 1.001),
    ] {
      let expected = InferenceError.scoreOutOfRange(sample: "s", className: name, value: value)
      #expect(throws: expected) { try scores(row, .none) }
      #expect("\(expected)".contains("activation: sigmoid") && "\(expected)".contains("“\(name)”"))
    }
  }

  @Test("A value that rounding put outside becomes 0 or 1")
  func rounding() throws {
    #expect(try scores([Float(1).nextUp, -1e-7, 0.5], .none) == [1, 0, 0.5])
  }

  @Test("Sigmoid of any logit is a score; NaN is an error")
  func sigmoid() throws {
    #expect(try scores([0, -1000, 1000], .sigmoid) == [0.5, 0, 1])
    for value in [Float.nan, .infinity, -.infinity] {
      #expect(throws: InferenceError.self) { try scores([0, 0, value], .sigmoid) }
      #expect(throws: InferenceError.self) { try scores([0, 0, value], .none) }
    }
  }
}

@Suite("Running a multi-label model", .openVINO)
struct MultiLabelPoolTests {
  private func model(
    _ name: String, _ activation: Activation, task: ModelTask = .multiLabel,
    classes: [String]? = nil
  ) throws -> ValidatedModel {
    var manifest = Fixture.tinyManifest(activation: activation)
    manifest.task = task
    manifest.outputs = try classes ?? LabelScores.read().classes
    return try ValidatedModel(try ModelFile.read(Fixture.path(name)), manifest: manifest)
  }

  private let images = (0..<64).map { number in
    Fixture.picture((1...4).map { UInt8(number * $0 & 255) })
  }

  @Test(
    "Logits with our sigmoid and a model's own sigmoid give numpy's scores",
    arguments: [("labels_logits.onnx", Activation.sigmoid), ("labels_sigmoid.onnx", .none)])
  func golden(name: String, activation: Activation) throws {
    let expected = try LabelScores.read().scores
    let pool = try ClassifierPool(try model(name, activation), workers: 1, probe: images)
    let rows = try pool.answers(worker: 0, of: images)
    #expect(rows.count == expected.count)
    for (row, expected) in zip(rows, expected) {
      #expect(zip(row, expected).allSatisfy { abs($0 - $1) < 1e-6 }, "\(row) \(expected)")
    }
  }

  @Test("Logits without an activation stop the run with the class and the value")
  func logits() throws {
    let pool = try ClassifierPool(
      try model("labels_logits.onnx", .none), workers: 1, probe: images)
    // The logits of the black image are the biases 0.5, -1, -2, -0.25 and -4.
    #expect(
      throws: InferenceError.scoreOutOfRange(
        sample: images[0].name, className: "tree", value: -1)
    ) { try pool.readProbe() }
    let constant = try ClassifierPool(
      try model("labels_none.onnx", .none), workers: 1, probe: images)
    #expect(
      throws: InferenceError.scoreOutOfRange(sample: images[0].name, className: "car", value: 1.5)
    ) { try constant.readProbe() }
  }

  @Test("A sigmoid over scores that went through one is refused")
  func twice() throws {
    let error = #expect(throws: InferenceError.self) {
      try ClassifierPool(
        try model("labels_sigmoid.onnx", .sigmoid), workers: 1, probe: images)
    }
    #expect(error.map { "\($0)" }?.contains("activation: none") == true)
  }

  @Test("Multi-label scores are not single-label scores, and each score needs a class")
  func otherTask() throws {
    let pool = try ClassifierPool(
      try model("labels_sigmoid.onnx", .none, task: .classification), workers: 1, probe: images)
    let error = #expect(throws: InferenceError.self) { try pool.readProbe() }
    #expect(error.map { "\($0)" }?.contains("task: multilabel") == true)
    #expect(throws: InferenceError.self) {
      try model("labels_sigmoid.onnx", .none, classes: ["sky", "tree"])
    }
    #expect(throws: InferenceError.self) {
      try ModelPool<MapReader>(
        try model("labels_sigmoid.onnx", .none), workers: 1, probe: images)
    }
  }
}
