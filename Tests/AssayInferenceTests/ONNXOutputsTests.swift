import AssayCore
import AssayTestSupport
import Testing

@testable import AssayInference

/// The operators at the end of the models of `make_labels.py` and `make_models.py`.
@Suite("Operators of a model's outputs")
struct ONNXOutputsTests {
  private func operators(_ name: String) throws -> [String: String] {
    ONNXOutputs(try ModelFile.read(Fixture.path(name + ".onnx")).bytes).operators
  }

  @Test("A sigmoid and a softmax are found behind operators that change only the shape")
  func found() throws {
    #expect(try operators("labels_sigmoid").values.contains("Sigmoid"))
    let logits = try operators("logits").values
    #expect(!logits.isEmpty && !logits.contains("Sigmoid") && !logits.contains("Softmax"))
  }

  @Test("Damaged bytes give no operator")
  func damaged() throws {
    let bytes = try ModelFile.read(Fixture.path("labels_sigmoid.onnx")).bytes
    for count in stride(from: 0, to: bytes.count, by: 7) {
      _ = ONNXOutputs(Array(bytes[..<count]))
    }
    #expect(ONNXOutputs([]).operators.isEmpty)
  }

  @Test("A function that the model applies itself is not applied again", .openVINO)
  func repeated() throws {
    let file = try ModelFile.read(Fixture.path("labels_sigmoid.onnx"))
    let input = """
      input: {width: 2, height: 2, layout: NCHW, color: gray, scale: 1/255, offset: 0, resize: stretch}
      """
    let names = try Self.classes(of: file)
    try #require(names.count > 1)
    for activation in ["sigmoid", "softmax"] {
      let manifest = try ModelManifest(
        yaml: """
          task: classification
          \(input)
          activation: \(activation)
          outputs: [\(names.joined(separator: ", "))]
          """, path: "m.yaml")
      let error = #expect(throws: InferenceError.self) {
        try ValidatedModel(file, manifest: manifest)
      }
      let text = error.map { "\($0)" } ?? ""
      #expect(text.contains("computed by Sigmoid") && text.contains("sigmoid-in-model"), "\(text)")
    }
  }

  private static func classes(of file: ModelFile) throws -> [String] {
    let graph = try ModelGraph(file, runtime: try OpenVINO.load())
    let count = graph.signature.outputs[0].shape?.last.flatMap(\.self) ?? 0
    return (0..<count).map { "class\($0)" }
  }
}
