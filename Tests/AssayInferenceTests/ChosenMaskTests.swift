import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@testable import AssayInference

/// Masks and keypoints of boxes that the model chose, with the models of `make_heads.py`.
@Suite("Masks and keypoints of chosen boxes", .openVINO)
struct ChosenMaskTests {
  private static let torch = """
    head: final
    box-order: xyxy
    box-units: pixels
    class-base: 1
    boxes-output: boxes
    scores-output: scores
    labels-output: labels
    masks-output: masks

    """
  private static let dets = """
    head: final
    box-order: xyxy
    box-units: pixels
    class-base: 0
    boxes-output: dets
    labels-output: labels
    masks-output: masks
    masks-frame: box

    """

  private func pool(_ name: String, _ rest: String, batch: Int = 2) throws -> DetectorPool {
    let text = """
      task: detection
      input: {width: 64, height: 32, layout: NCHW, color: rgb, scale: 1, offset: 0, resize: letterbox, fill: 114, rounding: nearest}
      classes: [a, b, c]
      \(rest)
      """
    let model = try ValidatedModel(
      try ModelFile.read(Fixture.path(name + ".onnx")),
      manifest: try ModelManifest(yaml: text, path: "m.yaml"))
    return try DetectorPool(model, workers: 2, batch: batch, probe: [Self.picture(9)])
  }

  private static func picture(_ value: UInt8) -> NamedRaster {
    NamedRaster("\(value)", Raster(repeating: value, width: 64, height: 32, channels: 3))
  }

  private struct Golden: Decodable {
    struct Image: Decodable {
      var width: Int
      var height: Int
      var box: [One]
      var input: [One]
    }
    struct One: Decodable, Equatable {
      var counts: String
      var area: Double
    }
    var images: [Image]
  }

  private func expectMasks(
    _ found: [DetectedBox], _ wanted: (Golden.Image) -> [Golden.One],
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let golden = try GoldenJSON.decode("models/heads.json", as: Golden.self)
    #expect(golden.images.count == 6)
    for image in golden.images {
      let plan = ResizePlan(
        .letterbox(fill: 114, anchor: .center, rounding: .nearest),
        from: ImageSize(width: image.width, height: image.height),
        to: ImageSize(width: 64, height: 32))
      let masks = found.compactMap { $0.detection(through: plan) }.map {
        Golden.One(
          counts: String(decoding: $0.counts ?? [], as: UTF8.self), area: $0.area ?? -1)
      }
      #expect(
        masks == Array(wanted(image).prefix(masks.count)), "\(image.width)×\(image.height)",
        sourceLocation: location)
      #expect(!masks.isEmpty, sourceLocation: location)
    }
  }

  @Test("Masks of boxes are those that detectron2 pastes, pixel by pixel")
  func boxes() throws {
    let rest = Self.torch + "masks-frame: box\nkeypoints-output: keypoints\nkeypoints: 3x3\n"
    let pool = try pool("masks_box", rest)
    #expect(pool.batch == 1)
    let found = try pool.answers(worker: 0, of: [Self.picture(9), Self.picture(0)])
    #expect(found.map(\.count) == [2, 0])
    try expectMasks(found[0]) { $0.box }
    #expect(
      found[0].map(\.keypoints) == [
        [5, 4, 1, 12.5, 10, 1, 19, 11, 1], [31, 9, 1, 60, 28, 1, -3, 40, 1],
      ])
    let high = try self.pool("masks_box", rest + "threshold: 0.9")
      .answers(worker: 1, of: [Self.picture(9)])[0]
    let plan = ResizePlan(
      .stretch, from: ImageSize(width: 64, height: 32), to: ImageSize(width: 64, height: 32))
    for (one, other) in zip(high, found[0]) {
      let areas = (one.detection(through: plan)?.area, other.detection(through: plan)?.area)
      #expect(try #require(areas.0) < #require(areas.1))
    }
  }

  @Test("Masks in batches, with the score behind the box")
  func batches() throws {
    let pool = try pool("masks_dets", Self.dets)
    #expect(pool.batch == 2)
    let found = try pool.answers(worker: 1, of: [Self.picture(9), Self.picture(0)])
    #expect(found.map(\.count) == [3, 3] && found[0] == found[1])
    try expectMasks(found[0]) { $0.box }
  }

  @Test("Masks over the input, of a model whose boxes have no batch dimension")
  func input() throws {
    let pool = try pool("masks_input", Self.torch + "masks-frame: input")
    #expect(pool.batch == 1)
    let found = try pool.answers(worker: 0, of: [Self.picture(9), Self.picture(0)])
    #expect(found.map(\.count) == [2, 0])
    try expectMasks(found[0]) { $0.input }
  }

  private func layout(
    _ masks: [Int?], frame: MaskFrame, rows: Int? = nil
  ) throws -> (BoxTensorLayout, ModelManifest) {
    let manifest = try ModelManifest(
      yaml: """
        task: detection
        input: {width: 4, height: 2, layout: NCHW, color: rgb, scale: 1, offset: 0, resize: stretch}
        classes: [a]
        \(Self.torch)masks-frame: \(frame.rawValue)
        """, path: "m.yaml")
    let outputs = [("boxes", [rows, 4]), ("scores", [rows]), ("labels", [rows]), ("masks", masks)]
      .map { TensorSignature(name: $0.0, element: "f32", shape: $0.1) }
    return (try BoxTensorLayout(of: outputs, manifest, isBatched: false), manifest)
  }

  @Test("Open sizes of masks are the input's; other numbers of masks than of boxes are an error")
  func open() throws {
    let (layout, manifest) = try layout([nil, 1, nil, nil], frame: .input)
    #expect(layout.cells == BoxTensorLayout.Cells(start: 4_096 * 6, width: 4, height: 2))
    #expect(layout.areOpen == [true, true, true, true] && layout.unpadded == 3)
    let reader = DetectionReader(layout, try #require(manifest.detector), manifest)
    func outputs(_ masks: [Float]) -> [Float] {
      var values = [Float](repeating: 0, count: 4_096 * 6)
      values.replaceSubrange(0..<8, with: [0, 0, 3, 2, 1, 0, 4, 2])
      values.replaceSubrange(4_096 * 4..<4_096 * 4 + 2, with: [0.5, 0.25])
      values.replaceSubrange(4_096 * 5..<4_096 * 5 + 2, with: [1, 1])
      return values + masks
    }
    let two: [Float] = [0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5]
    let found = try reader.answer(of: outputs(two), sample: "s")
    let plan = ResizePlan(
      .stretch, from: ImageSize(width: 4, height: 2), to: ImageSize(width: 4, height: 2))
    #expect(found.map { $0.detection(through: plan)?.area } == [2, 1])
    for wrong in [Array(two.dropLast()), Array(two.prefix(8)), two + two, []] {
      expectFault("2 × 4 for each of its 2 boxes") {
        _ = try reader.answer(of: outputs(wrong), sample: "s")
      }
    }
    expectFault("range from 0.0 to 2.0, so they are not probabilities") {
      _ = try reader.answer(of: outputs(two.map { 2 * $0 }), sample: "s")
    }
  }

  @Test("Shapes of masks that do not fit are refused")
  func shapes() throws {
    #expect(try layout([5, 7, 7], frame: .box, rows: 5).0.count == 5 * (6 + 49))
    for (masks, frame, rows) in [
      ([nil, 1, nil, nil], .box, nil), ([nil, 3, 7, 7], .box, nil), ([4, 1, 7, 7], .box, 5),
      ([nil, 7, 7], .box, 5), ([5, 1, 1 << 15, 1 << 15], .box, 5), ([nil, 49], .box, nil),
    ] as [([Int?], MaskFrame, Int?)] {
      expectFault("reads a grid of probabilities for each box") {
        _ = try layout(masks, frame: frame, rows: rows)
      }
    }
    expectFault("and keypoints [N, boxes, 4, 3]") {
      _ = try pool(
        "masks_box", Self.torch + "masks-frame: box\nkeypoints-output: keypoints\nkeypoints: 4x3")
    }
  }

  @Test(
    "Keys of masks and keypoints need each other",
    arguments: [
      ("", "“masks-frame” is missing, for example masks-frame: box or input"),
      ("masks-frame: image", "it must be box, input"),
      ("masks-frame: box\nkeypoints: 3x3", "“keypoints-output” is missing"),
      ("masks-frame: box\nkeypoints-output: k", "“keypoints” is missing"),
      ("masks-frame: box\nmasks: 32", "“masks” is for boxes and scores in one output"),
      ("masks-frame: box\nthreshold: 2", "over 0 and at most 1"),
    ])
  func keys(_ rest: String, _ text: String) {
    expectFault(text) { _ = try pool("masks_box", Self.torch + rest) }
    expectFault("“masks-output” is missing") {
      let without = Self.torch.replacing("masks-output: masks\n", with: "")
      _ = try pool("masks_box", without + "threshold: 0.5")
    }
  }

  @Test("Drafts name the outputs of masks and keypoints")
  func drafts() throws {
    func settled(_ name: String) throws -> DetectorRule {
      let file = try ModelFile.read(Fixture.path(name + ".onnx"))
      let text = ModelManifest.draft(for: try ModelSignature.read(file), name: name)
      let named = text.replacing("# TODO", with: "#").replacing("- class ", with: "- thing ")
      return try #require(try ModelManifest(yaml: named, path: "d.yaml").detector)
    }
    let box = try settled("masks_box")
    #expect(box.outputs?.masks == "masks" && box.maskFrame == .box && box.maskThreshold == 0.5)
    #expect(
      box.outputs?.keypoints == "keypoints" && box.keypoints == KeypointForm(points: 3, values: 3))
    let input = try settled("masks_input")
    #expect(input.outputs?.masks == "masks" && input.maskFrame == .input)
    #expect(input.outputs?.keypoints == nil)
    #expect(try settled("masks_dets").outputs?.masks == "masks")
  }
}
