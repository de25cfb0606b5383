import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@testable import AssayInference

/// Raw grids with anchors, with the models of `make_heads.py`.
@Suite("Raw grids with anchors", .openVINO)
struct AnchorHeadTests {
  private static let anchors = """
    anchors:
      - [10,13, 16,30, 33,23]
      - [30,61, 62,45, 59,19]
      - [36,40, 15,8, 24,50]

    """
  private static let head = """
    head: anchors
    grid-outputs: [a, b, c]
    strides: [8, 16, 32]
    \(anchors)
    """
  private static let kept = "score: 0.2\nnms: 1\nmax: 1000\n"

  private func manifest(
    _ rest: String, activation: String = "sigmoid", classes: String = "[p, q]"
  ) throws(InferenceError) -> ModelManifest {
    try ModelManifest(
      yaml: """
        task: detection
        input: {width: 64, height: 64, layout: NCHW, color: rgb, scale: 1, offset: 0, resize: stretch}
        activation: \(activation)
        classes: \(classes)
        \(rest)
        """, path: "m.yaml")
  }

  private func pool(
    _ name: String, _ rest: String, activation: String = "sigmoid", classes: String = "[p, q]"
  ) throws -> DetectorPool {
    let model = try ValidatedModel(
      try ModelFile.read(Fixture.path(name + ".onnx")),
      manifest: try manifest(rest, activation: activation, classes: classes))
    return try DetectorPool(model, workers: 1, batch: 2, probe: [Self.picture])
  }

  private static let picture = NamedRaster(
    "p", Raster<UInt8>(repeating: 9, width: 64, height: 64, channels: 3))

  private struct Golden: Decodable {
    var yolov5: [[Double]]
    var yolov3: [[Double]]
  }

  @Test(
    "Boxes and scores are those of numpy, in every layout and both ways to decode",
    arguments: ["anchors_nchw", "anchors_five", "anchors_nhwc"],
    ["yolov5", "yolov3\ncenter-scale: [1.2, 1.1, 1.05]"])
  func decoded(_ name: String, _ decode: String) throws {
    let golden = try GoldenJSON.decode("models/heads.json", as: Golden.self)
    let wanted = decode == "yolov5" ? golden.yolov5 : golden.yolov3
    #expect(wanted.count == 89)
    let pool = try pool(name, Self.head + "decode: \(decode)\n" + Self.kept)
    let found = try pool.answers(worker: 0, of: [Self.picture, Self.picture])
    #expect(found[0] == found[1] && found[0].count == wanted.count)
    for (box, row) in zip(found[0], wanted) {
      let values = [box.edges.left, box.edges.top, box.edges.right, box.edges.bottom]
      #expect(
        zip(values, row).allSatisfy { abs($0 - $1) < 1e-6 * max(1, abs($1)) }
          && abs(Double(box.score) - row[4]) < 1e-6 && Double(box.class) == row[5],
        "\(values) \(row)")
    }
  }

  @Test("Sigmoids in the model are not applied again, and raw values are not taken for theirs")
  func sigmoidInModel() throws {
    let rest = Self.head + "decode: yolov5\n" + Self.kept
    let raw = try manifest(rest)
    let outputs = [8, 4, 2].map {
      TensorSignature(name: "y", element: "f32", shape: [1, 3, $0, $0, 7])
    }
    let layout = try BoxTensorLayout(of: outputs, raw)
    #expect(layout.count == 3 * 84 * 7 && layout.rows == 252)
    let inModel = try manifest(rest, activation: "none")
    var values = [Float](repeating: 0, count: layout.count)
    values.replaceSubrange(0..<7, with: [0.4, -0.3, 0.2, 0.1, 2, 3, -4])
    let logits = DetectionReader(layout, try #require(raw.detector), raw)
    let shares = DetectionReader(layout, try #require(inModel.detector), inModel)
    let sigmoids = values.map { Float(1 / (1 + exp(-Double($0)))) }
    let (one, two) = (
      try logits.answer(of: values, sample: "s"), try shares.answer(of: sigmoids, sample: "s")
    )
    #expect(one.count == two.count && one[0].class == 0)
    #expect(abs(one[0].edges.left - two[0].edges.left) < 1e-4)
    #expect(abs(one[0].edges.bottom - two[0].edges.bottom) < 1e-4)
    // Scores from 0 to 1, but a center outside of its cell.
    var mixed = [Float](repeating: 0, count: layout.count)
    mixed.replaceSubrange(0..<7, with: [1.5, 0.5, 0.2, 0.1, 0.9, 0.9, 0])
    expectFault("which are not from 0 to 1; set “activation: sigmoid”") {
      _ = try shares.answer(of: mixed, sample: "s")
    }
    #expect(logits.areProbabilities(sigmoids) && !logits.areProbabilities(values))
  }

  @Test("Grids of other sizes, another order of outputs, and other numbers of classes are refused")
  func shapes() throws {
    let rest = Self.head + "decode: yolov5\n"
    expectFault("reads grids of 8 × 8 cells with 3 anchors of 7 values") {
      _ = try pool("anchors_nchw", rest.replacing("[a, b, c]", with: "[c, b, a]"))
    }
    expectFault("(4 numbers, an objectness, 3 classes)") {
      _ = try pool("anchors_nhwc", rest, classes: "[p, q, r]")
    }
    let square = try manifest(
      """
      head: anchors
      grid-outputs: [a]
      strides: [8]
      anchors: [[1, 1]]
      decode: yolov3
      """, classes: "[p, q, r]")
    let unclear = TensorSignature(name: "a", element: "f32", shape: [1, 8, 8, 8])
    expectFault("by rows and by columns") { _ = try BoxTensorLayout(of: [unclear], square) }
    // Five numbers and three classes are as many as the cells of one grid; the other grid decides.
    let two = try manifest(
      """
      head: anchors
      grid-outputs: [a, b]
      strides: [8, 16]
      anchors: [[1, 1], [2, 2]]
      decode: yolov3
      """, classes: "[p, q, r]")
    for shape in [[1, 8, 4, 4], [1, 1, 4, 4, 8], [1, 4, 4, 8]] {
      let square = shape.count == 5 ? [1, 1, 8, 8, 8] : [1, 8, 8, 8]
      let layout = try BoxTensorLayout(
        of: [
          TensorSignature(name: "a", element: "f32", shape: square),
          TensorSignature(name: "b", element: "f32", shape: shape),
        ], two)
      #expect(layout.grids[0].order == layout.grids[1].order, "\(shape)")
    }
    let open = TensorSignature(name: "a", element: "f32", shape: [1, 8, nil, 8])
    expectFault("even for a fixed input size") { _ = try BoxTensorLayout(of: [open], square) }
  }

  private static let wrongKeys: [(String, String)] = [
    ("\(head)", "“decode” is missing, for example decode: yolov3 or yolov5"),
    ("\(head)decode: yolov4", "did you mean “yolov3”?"),
    ("\(head)decode: yolov5\ncenter-scale: 1.1", "“center-scale” belongs to “decode: yolov3”"),
    ("\(head)decode: yolov3\ncenter-scale: 3", "from 1 to 2"),
    ("\(head)decode: yolov5\noutput: a", "“output” is for boxes and scores in one output"),
    ("\(head)decode: yolov5\nbox-order: xyxy", "“box-order” belongs to “head: boxes”"),
    ("head: anchors\nstrides: [8]\n\(anchors)", "a list of widths and heights for each of the 1"),
    ("head: anchors\n\(anchors)", "“strides” is missing, for example strides: [8, 16, 32]"),
    ("head: anchors\nstrides: [8]\nanchors: [10, 13]", "“anchors” must be a list of lists"),
    ("head: anchors\nstrides: [8]\nanchors: [[10, 13, 5]]", "a width and a height over 0"),
    ("head: anchors\nstrides: [8]\nanchors: [[10, 0]]", "a width and a height over 0"),
    ("head: anchors\nstrides: [8]\nanchors: [[]]", "a width and a height over 0"),
    (
      "head: anchors\nstrides: [8]\nanchors: [[1, 2]]\ndecode: yolov5",
      "“grid-outputs” is missing"
    ),
    (
      "head: anchors\nstrides: [8]\nanchors: [[1, 2]]\ndecode: yolov5\ngrid-outputs: [a, b]",
      "1 different outputs"
    ),
    ("head: yolox\nanchors: [[1, 2]]", "“anchors” belongs to “head: anchors”"),
  ]

  @Test("Each missing or wrong key has its own text", arguments: wrongKeys)
  func keys(_ rest: String, _ text: String) {
    expectFault(text) { _ = try manifest(rest) }
  }

  @Test("A softmax over independent classes is refused")
  func softmax() {
    expectFault("cannot be combined with “head: anchors”") {
      _ = try manifest(Self.head + "decode: yolov5", activation: "softmax")
    }
  }

  @Test("Drafts order the outputs by their strides, and leave anchors and decoding open")
  func drafts() throws {
    for name in ["anchors_nchw", "anchors_five", "anchors_nhwc"] {
      let file = try ModelFile.read(Fixture.path(name + ".onnx"))
      let text = ModelManifest.draft(for: try ModelSignature.read(file), name: name)
      #expect(text.contains("anchors:  # TODO") && text.contains("decode: yolov5  # TODO"))
      #expect(text.contains("- class 1\n") && !text.contains("- class 2"))
      let named = text.replacing("# TODO", with: "#").replacing("- class ", with: "- thing ")
      let rule = try #require(try ModelManifest(yaml: named, path: "d.yaml").detector)
      #expect(rule.grids == ["a", "b", "c"])
      // A manifest that reads one output of boxes is told so.
      expectFault("raw grids with anchors: “head: anchors”") {
        _ = try pool(name, "head: boxes\nbox-order: cxcywh\nbox-units: pixels\nobjectness: yes")
      }
      guard case .anchors(let anchors) = rule.head else { continue }
      #expect(anchors.strides == [8, 16, 32] && anchors.anchors[2][1].height == 198)
    }
    // Maps at one size, and two outputs of a segmenter, are no grids.
    for shapes in [[[1, 21, 64, 64], [1, 21, 64, 64]], [[1, 21, 8, 8]]] as [[[Int?]]] {
      let outputs = shapes.map { TensorSignature(name: "y", element: "f32", shape: $0) }
      #expect(AnchorGuess(outputs, input: (64, 64)) == nil)
      #expect(!AnchorGuess.looksLikeGrids(outputs))
    }
  }
}
