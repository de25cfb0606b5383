import AssayCore
import AssayTestSupport
import Testing

@testable import AssayInference

@Suite("The layout of maps in an output")
struct MapLayoutTests {
  private func layout(
    _ shape: [Int?]?, classes: Int, as order: ModelInput.Layout? = nil
  ) throws(InferenceError) -> MapLayout {
    let names = (0..<classes).map { "class \($0)" }
    let manifest = Fixture.maskManifest(outputLayout: order, classes: names)
    return try MapLayout(of: TensorSignature(name: "y", element: "f32", shape: shape), manifest)
  }

  @Test("The shape and the number of classes tell the order")
  func orders() throws {
    let size = ImageSize(width: 7, height: 5)
    for shape in [[2, 1, 5, 7], [2, 5, 7]] {
      #expect(try layout(shape, classes: 1) == MapLayout(classes: 1, size: size, order: .nchw))
    }
    #expect(
      try layout([1, 5, 7, 1], classes: 1) == MapLayout(classes: 1, size: size, order: .nhwc))
    #expect(
      try layout([1, 3, 5, 7], classes: 3) == MapLayout(classes: 3, size: size, order: .nchw))
    #expect(
      try layout([1, 5, 7, 3], classes: 3) == MapLayout(classes: 3, size: size, order: .nhwc))
    #expect(try layout([1, 1, 1, 1], classes: 1).count == 1)
  }

  @Test("An ambiguous shape is an error until the manifest resolves it")
  func unclear() throws {
    for (shape, classes) in [([1, 4, 9, 4], 4), ([1, 1, 9, 1], 1)] {
      let error = #expect(throws: InferenceError.self) { try layout(shape, classes: classes) }
      let text = error.map { "\($0)" } ?? ""
      #expect(text.contains("output-layout: NCHW") && text.contains("[1, \(classes), 9"))
    }
    #expect(
      try layout([1, 4, 9, 4], classes: 4, as: .nhwc)
        == MapLayout(classes: 4, size: ImageSize(width: 9, height: 4), order: .nhwc))
    #expect(try layout([1, 4, 9, 4], classes: 4, as: .nchw).size == ImageSize(width: 4, height: 9))
  }

  @Test(
    "Other shapes are refused by name",
    arguments: [
      ([1, 2], 1), ([1, 3, 5, 7], 1), ([1, 5, 7], 2), ([1, 2, 3, 4, 5], 1), ([1, 0, 1, 5], 1),
      ([1, 1, 100_000, 100_000], 1),
    ] as [([Int?], Int)])
  func refused(_ shape: [Int?], _ classes: Int) {
    let error = #expect(throws: InferenceError.self) { try layout(shape, classes: classes) }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains(TensorSignature.text(shape)) && text.contains("[N, \(classes), H, W]"))
    let isWrong = #expect(throws: InferenceError.self) {
      try layout([1, 3, 5, 7], classes: 3, as: .nhwc)
    }
    #expect(isWrong != nil)
  }

  @Test("A size that stays open is an error with any manifest")
  func open() {
    for shape: [Int?]? in [[1, 1, nil, 7], nil] {
      let signature = TensorSignature(name: "y", element: "f32", shape: shape)
      #expect(throws: InferenceError.mapShapeOpen(model: signature)) {
        try layout(shape, classes: 1)
      }
    }
  }

  @Test("A manifest is checked against the model's shapes before it runs")
  func validate() throws {
    let input = TensorSignature(name: "x", element: "f32", shape: [nil, 1, 4, 4])
    func check(_ output: [Int?]?, _ classes: [String]) throws {
      try Fixture.maskManifest(classes: classes).validate(
        against: ModelSignature(
          inputs: [input],
          outputs: [TensorSignature(name: "y", element: "f32", shape: output)]))
    }
    for shape: [Int?]? in [[nil, nil, nil, nil], [nil, 2, nil, nil], nil] {
      try check(shape, ["a", "b"])
    }
    #expect(throws: InferenceError.self) { try check([nil, 7], ["a"]) }
    #expect(throws: InferenceError.self) { try check([nil, 3, nil, 5], ["a"]) }
  }

  @Test("Masks of queries are refused, also where there are as many queries as classes", .openVINO)
  func queries() throws {
    let manifest = ModelManifest(
      task: .segmentation,
      input: ModelInput(size: ImageSize(width: 16, height: 16), layout: .nchw, color: .rgb),
      activation: .sigmoid, output: "masks_queries_logits", outputs: ["a", "b", "c", "d", "e"])
    let error = #expect(throws: InferenceError.self) {
      try ValidatedModel(
        try ModelFile.read(Fixture.path("query_masks.onnx")), manifest: manifest)
    }
    #expect(error.map { "\($0)" }?.contains("queries are no classes") == true)
  }
}
