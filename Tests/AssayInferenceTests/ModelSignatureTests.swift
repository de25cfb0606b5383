import AssayCore
import AssayTestSupport
import Foundation
import Testing

import AssayInference

@Suite("A manifest and its model")
struct ModelSignatureTests {
  private func signature(
    input: [Int?]? = [nil, 1, 2, 2], output: [Int?]? = [nil, 2], element: String = "f32"
  ) -> ModelSignature {
    ModelSignature(
      inputs: [TensorSignature(name: "x", element: element, shape: input)],
      outputs: [TensorSignature(name: "y", element: "f32", shape: output)])
  }

  @Test("A model that takes what the manifest gives is fine, open lengths too")
  func fits() throws {
    let manifest = Fixture.tinyManifest()
    for shape: [Int?]? in [[nil, 1, 2, 2], [1, 1, 2, 2], [nil, nil, nil, nil], nil] {
      #expect(try manifest.validate(against: signature(input: shape)) == [0])
    }
    for shape: [Int?]? in [[nil, 2], [1, 2, 1, 1], [nil, nil], nil] {
      #expect(try manifest.validate(against: signature(output: shape)) == [0])
    }
  }

  @Test("Both shapes are named where the input does not fit")
  func input() {
    let error = #expect(throws: InferenceError.self) {
      try Fixture.tinyManifest().validate(against: signature(input: [1, 48, 48, 1]))
    }
    #expect(error.map { "\($0)" }?.contains("[N, 1, 2, 2] (NCHW)") == true)
    #expect(error.map { "\($0)" }?.contains("x takes [1, 48, 48, 1]") == true)
  }

  @Test("Both counts are named where the classes do not fit")
  func output() {
    let error = #expect(throws: InferenceError.self) {
      try Fixture.tinyManifest().validate(against: signature(output: [nil, 7]))
    }
    #expect(error.map { "\($0)" }?.contains("names 2 classes") == true)
    #expect(error.map { "\($0)" }?.contains("y gives [N, 7]") == true)
  }

  @Test("Another element type, a second input and an unclear output are refused")
  func others() {
    let manifest = Fixture.tinyManifest()
    #expect(throws: InferenceError.self) {
      try manifest.validate(against: signature(element: "u8"))
    }
    let one = signature()
    #expect(throws: InferenceError.inputCount(model: [])) {
      try manifest.validate(against: ModelSignature(inputs: [], outputs: one.outputs))
    }
    let inputs = InferenceError.inputCount(model: one.inputs + one.inputs)
    #expect(
      "\(inputs)".contains("assay gives it one image. Name the others under “constant-inputs”"))
    let two = ModelSignature(inputs: one.inputs, outputs: one.outputs + one.outputs)
    #expect(throws: InferenceError.outputUnclear(wanted: nil, model: two.outputs)) {
      try manifest.validate(against: two)
    }
    var named = manifest
    named.output = "z"
    #expect(throws: InferenceError.outputUnclear(wanted: "z", model: one.outputs)) {
      try named.validate(against: one)
    }
  }

  @Test("A draft has what the model defines, and is rejected while lines are marked TODO")
  func draft() throws {
    let text = ModelManifest.draft(for: signature(output: [1, 3]), name: "a \"b\"")
    #expect(text.contains("width: 2\n") && text.contains("layout: NCHW\n"))
    #expect(text.contains("- class 2\n") && !text.contains("- class 3"))
    #expect(throws: InferenceError.self) { try ModelManifest(yaml: text, path: "d.yaml") }
    let unnamed = text.replacing("# TODO", with: "#")
    #expect(throws: InferenceError.self) { try ModelManifest(yaml: unnamed, path: "d.yaml") }
    let named = unnamed.replacing("- class ", with: "- digit ")
    let settled = try ModelManifest(yaml: named, path: "d.yaml")
    #expect(settled.name == "a \"b\"" && settled.outputs == ["digit 0", "digit 1", "digit 2"])
  }

  @Test("OpenVINO returns inputs and outputs", .openVINO)
  func read() throws {
    for name in ["tiny.onnx", "tiny.xml"] {
      let found = try ModelSignature.read(try ModelFile.read(Fixture.path(name)))
      #expect(found == signature())
    }
  }

  @Test(
    "A file that only looks like a model is refused by name",
    .openVINO)
  func refused() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "x-\(UUID()).onnx").path
    // ir_version 8 and an empty graph.
    try Data([0x08, 8, 0x3A, 0]).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: InferenceError.self) {
      try ValidatedModel(try ModelFile.read(path), manifest: Fixture.tinyManifest())
    }
    #expect(error.map { "\($0)" }?.contains(path) == true || error == .inputCount(model: []))
  }
}
