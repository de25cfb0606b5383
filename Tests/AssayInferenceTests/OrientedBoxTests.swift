import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@testable import AssayInference

/// Rotated boxes, with the models of `make_heads.py`.
@Suite("Rotated boxes of detectors", .openVINO)
struct OrientedBoxTests {
  private static let boxes = "head: boxes\nbox-order: cxcywh\nbox-units: pixels\nobjectness: no\n"
  private static let final = "head: final\nbox-order: cxcywh\nbox-units: pixels\nclass-base: 0\n"

  private func manifest(
    _ rest: String, classes: String = "[a, b]"
  ) throws(InferenceError) -> ModelManifest {
    try ModelManifest(
      yaml: """
        task: detection
        input: {width: 64, height: 32, layout: NCHW, color: rgb, scale: 1, offset: 0, resize: letterbox, fill: 114, rounding: nearest}
        classes: \(classes)
        \(rest)
        """, path: "m.yaml")
  }

  private func found(
    _ name: String, _ rest: String, classes: String = "[a, b]"
  ) throws -> [DetectedBox] {
    let model = try ValidatedModel(
      try ModelFile.read(Fixture.path(name + ".onnx")),
      manifest: try manifest(rest, classes: classes))
    let image = NamedRaster("a", Raster<UInt8>(repeating: 9, width: 64, height: 32, channels: 3))
    let pool = try DetectorPool(model, workers: 1, batch: 2, probe: [image])
    return try pool.answers(worker: 0, of: [image])[0]
  }

  private struct Golden: Decodable {
    struct File: Decodable { var oriented: Golden }
    struct Image: Decodable {
      var width: Int
      var height: Int
      var masks: [One]
    }
    struct One: Decodable, Equatable {
      var counts: String
      var area: Double
    }
    var corners: [[Double]]
    var overlaps: [[Double]]
    var images: [Image]
  }

  private func golden() throws -> Golden {
    try GoldenJSON.decode("models/heads.json", as: Golden.File.self).oriented
  }

  private func outline(_ box: DetectedBox) throws -> OrientedOutline {
    guard case .outline(let outline) = box.mask else {
      throw InferenceError.noBox(sample: "", values: [], head: .boxes(.cxcywh, .pixels))
    }
    return outline
  }

  @Test(
    "Corners are Ultralytics', overlaps OpenCV's, masks those of pycocotools",
    arguments: [("oriented", "\(boxes)"), ("oriented_final", "\(final)")])
  func corners(_ name: String, _ rest: String) throws {
    let golden = try golden()
    let found = try found(name, rest + "angle: radians\nnms: 1")
    #expect(found.count == 5 && found.map(\.class) == [0, 0, 0, 1, 1])
    let outlines = try found.map(outline)
    for (index, (outline, corners)) in zip(outlines, golden.corners).enumerated() {
      // Ultralytics begins with another corner and may go round the other way.
      let own = stride(from: 0, to: 8, by: 2).map {
        [outline.points[$0], outline.points[$0 + 1]]
      }
      for place in stride(from: 0, to: 8, by: 2) {
        #expect(
          own.contains {
            abs($0[0] - corners[place]) < 1e-4 && abs($0[1] - corners[place + 1]) < 1e-4
          }, "\(index)")
      }
      for (other, overlap) in zip(outlines, golden.overlaps[index]) {
        #expect(abs(outline.overlap(with: other) - overlap) < 1e-4, "\(index)")
      }
      #expect(found[index].edges == outline.edges)
    }
    for image in golden.images {
      let plan = ResizePlan(
        .letterbox(fill: 114, anchor: .center, rounding: .nearest),
        from: ImageSize(width: image.width, height: image.height),
        to: ImageSize(width: 64, height: 32))
      let masks = found.compactMap { $0.detection(through: plan) }.map {
        Golden.One(
          counts: String(decoding: $0.counts ?? [], as: UTF8.self), area: $0.area ?? -1)
      }
      #expect(masks == image.masks, "\(image.width)×\(image.height)")
    }
  }

  @Test("Non-maximum suppression compares the rotated boxes, not those around them")
  func suppression() throws {
    // The first two overlap by about 0.6, the first and the third, which cross, by about 0.15.
    let overlaps = try golden().overlaps
    #expect(overlaps[0][1] > 0.5 && overlaps[0][2] < 0.3 && overlaps[1][2] < 0.3)
    #expect(overlaps[3][4] > 0.8)
    let found = try found("oriented", Self.boxes + "angle: radians\nnms: 0.5")
    #expect(found.map(\.score) == [0.9, 0.7, 0.6])
    // The boxes around the first and the third are nearly the same.
    #expect(found[0].edges.overlap(with: found[1].edges) > 0.5)
  }

  @Test("Degrees, and parts of the input")
  func units() throws {
    let first = OrientedOutline((0.5, 0.25, 0.25, 0.5), scale: (64, 32), radians: .pi / 2)
    #expect(first.edges.left == 24 && abs(first.edges.right - 40) < 1e-9)
    #expect(abs(first.edges.top) < 1e-9 && abs(first.edges.bottom - 16) < 1e-9)
    let rule = try manifest(
      Self.boxes.replacing("pixels", with: "relative") + "angle: degrees\nnms: 1")
    let output = TensorSignature(name: "y", element: "f32", shape: [1, 2, 7])
    let layout = try BoxTensorLayout(of: [output], rule)
    let reader = DetectionReader(layout, try #require(rule.detector), rule)
    let rows: [Float] = [0.5, 0.25, 0.25, 0.5, 0.9, 0, 90, 0.5, 0.5, 0.2, 0.2, 0, 0.8, 0]
    let answer = try reader.answer(of: rows, sample: "s")
    #expect(abs(answer[0].edges.right - 40) < 1e-4 && abs(answer[1].edges.top - 12.8) < 1e-4)
    var wrong = rows
    wrong[6] = 361
    expectFault("the angle 361.0, which is more than a whole turn in degrees") {
      _ = try reader.answer(of: wrong, sample: "s")
    }
    let flat = OrientedOutline((1, 1, 0, 0), scale: (1, 1), radians: 0)
    #expect(flat.overlap(with: flat) == 0)
  }

  @Test("The angle is never read as a class without being told apart")
  func untold() throws {
    // Four numbers and two scores, and one value that the manifest does not explain.
    expectFault("set “angle: radians”") { _ = try found("oriented", Self.boxes) }
    // As a third class: the angle −0.785 is no score.
    expectFault("the scores of sample a range from -0.785") {
      _ = try found("oriented", Self.boxes, classes: "[a, b, c]")
    }
    for (rest, text) in [
      (Self.boxes + "angle: yes", "it must be radians, degrees"),
      (
        Self.boxes.replacing("cxcywh", with: "xyxy") + "angle: radians",
        "needs “box-order: cxcywh” (now xyxy)"
      ),
      (Self.boxes + "angle: radians\nmasks: 4", "“masks” cannot be combined with “angle”"),
      ("head: yolox\nangle: radians", "“angle” belongs to “head: boxes”"),
      (
        Self.final + "angle: radians\nboxes-output: b\nlabels-output: l",
        "“angle” is for boxes and scores in one output"
      ),
    ] {
      expectFault(text) { _ = try manifest(rest) }
    }
  }

  @Test("Drafts of rotated boxes that Ultralytics states have the angle")
  func drafts() throws {
    let signature = ModelSignature(
      inputs: [TensorSignature(name: "x", element: "f32", shape: [1, 3, 640, 640])],
      outputs: [TensorSignature(name: "y", element: "f32", shape: [1, 7, 8400])])
    var metadata = ModelMetadata()
    metadata.task = "obb"
    metadata.names = ["ship", "plane"]
    metadata.isUltralytics = true
    let text = ModelManifest.draft(for: signature, name: "m", metadata: metadata)
    #expect(text.contains("angle: radians  #") && text.contains("box-order: cxcywh"))
    let rule = try ModelManifest(
      yaml: text.replacing("# TODO", with: "#"), path: "d.yaml"
    ).detector
    #expect(rule?.angle == .radians && rule?.hasObjectness == false)
  }
}
