import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@testable import AssayInference

/// Keypoints and instance masks of detectors, with the models of `make_instances.py`.
@Suite("Keypoints and instance masks of detectors", .openVINO)
struct InstanceModelTests {
  private static let letterbox =
    "{width: 64, height: 32, layout: NCHW, color: rgb, scale: 1, offset: 0, resize: letterbox, fill: 114, rounding: nearest}"

  private func found(_ name: String, _ rest: String, classes: String) throws -> [DetectedBox] {
    let text = "task: detection\ninput: \(Self.letterbox)\nclasses: \(classes)\n\(rest)"
    let model = try ValidatedModel(
      try ModelFile.read(Fixture.path(name + ".onnx")),
      manifest: try ModelManifest(yaml: text, path: "m.yaml"))
    let image = NamedRaster("a", Raster<UInt8>(repeating: 9, width: 64, height: 32, channels: 3))
    let pool = try DetectorPool(model, workers: 1, batch: 2, probe: [image])
    let answers = try pool.answers(worker: 0, of: [image, image])
    #expect(answers[0] == answers[1])
    return answers[0]
  }

  private static let boxes =
    "head: boxes\nbox-order: cxcywh\nbox-units: pixels\nobjectness: no\nnms: 1\n"
  private static let final = "head: final\nbox-order: xyxy\nbox-units: pixels\nclass-base: 0\n"

  private func plan(_ width: Int, _ height: Int) -> ResizePlan {
    ResizePlan(
      .letterbox(fill: 114, anchor: .center, rounding: .nearest),
      from: ImageSize(width: width, height: height), to: ImageSize(width: 64, height: 32))
  }

  @Test("Keypoints are read behind the scores, and behind chosen boxes")
  func keypoints() throws {
    let pose = try found("pose", Self.boxes + "keypoints: 3x3", classes: "[person]")
    #expect(pose.map(\.keypoints.count) == [9, 9, 9])
    let first = [5, 4, Double(Float(0.9)), 12.5, 20, 0.5, 29, 25, Double(Float(0.1))]
    #expect(pose[0].keypoints == first)
    let final = try found("pose_final", Self.final + "keypoints: 3x2", classes: "[person]")
    #expect(final[0].keypoints == [5, 4, 1, 12.5, 20, 1, 29, 25, 1])
    // Without the key the same values are scores of nine more classes.
    #expect(throws: InferenceError.self) { try found("pose", Self.boxes, classes: "[person]") }
    // 128 × 64 is twice as large; −3 and 40 are outside and moved to the edges.
    let large = pose[1].detection(through: plan(128, 64))
    #expect(large?.keypoints == [42, 18, 1, 120, 56, 0, 0, 64, 0.25])
    // 128 × 32 becomes 64 × 16, 8 pixels from the top.
    let wide = pose[0].detection(through: plan(128, 32))
    #expect(wide.map { Array($0.keypoints.prefix(6)) } == [10, 0, Double(Float(0.9)), 25, 24, 0.5])
    let none = try found("pose", Self.boxes + "masks: 9", classes: "[person]")
    #expect(none.allSatisfy { $0.keypoints.isEmpty && $0.mask == nil })
  }

  @Test("Relative units apply to keypoints too, and points far outside are an error")
  func units() throws {
    let rule = DetectorRule(
      head: .boxes(.xyxy, .pixels), keypoints: KeypointForm(points: 1, values: 2),
      hasObjectness: false)
    let manifest = try ModelManifest(
      yaml:
        "task: detection\ninput: \(Self.letterbox)\nclasses: [a]\nhead: boxes\nbox-order: xyxy\n"
        + "box-units: pixels\nobjectness: no\nkeypoints: 1x2", path: "m.yaml")
    #expect(manifest.detector?.keypoints == rule.keypoints)
    let output = TensorSignature(name: "y", element: "f32", shape: [1, 2, 7])
    let layout = try BoxTensorLayout(of: [output], manifest)
    let reader = DetectionReader(layout, try #require(manifest.detector), manifest)
    let rows: [Float] = [1, 1, 9, 9, 0.5, 2e9, 4, 1, 1, 9, 9, 0.4, 3, 4]
    var relative = try #require(manifest.detector)
    relative.head = .boxes(.xyxy, .relative)
    let parts = DetectionReader(layout, relative, manifest)
    let found = try parts.answer(
      of: [0.1, 0.1, 0.5, 0.5, 0.5, 0.25, 0.75, 0, 0, 0.1, 0.1, 0, 0, 0], sample: "s")
    #expect(found.map(\.keypoints) == [[16, 24, 1]])
    #expect(throws: InferenceError.noKeypoint(sample: "s", values: [2e9, 4])) {
      try reader.answer(of: rows, sample: "s")
    }
  }

  private struct Golden: Decodable {
    struct Image: Decodable {
      var width: Int
      var height: Int
      var masks: [One]
    }
    struct One: Decodable {
      var counts: String
      var area: Double
    }
    var images: [Image]
  }

  @Test("Masks are those of numpy and ONNX Runtime, pixel by pixel, in every layout")
  func masks() throws {
    let golden = try GoldenJSON.decode("models/instances.json", as: Golden.self)
    #expect(golden.images.count == 7)
    let lines = "masks: 4\nmasks-output: p\noutput: y"
    for (name, rest) in [("seg", Self.boxes), ("seg_final", Self.final)] {
      let found = try found(name, rest + lines, classes: "[a, b]")
      #expect(found.count == 3)
      for image in golden.images {
        let plan = plan(image.width, image.height)
        let detections = found.compactMap { $0.detection(through: plan) }
        #expect(
          detections.map { $0.counts.map { String(decoding: $0, as: UTF8.self) } }
            == image.masks.map(\.counts), "\(name) \(image.width)×\(image.height)")
        #expect(detections.map(\.area) == image.masks.map(\.area))
      }
    }
    // The coefficients alone are passed over.
    let plain = try found("seg", Self.boxes + "masks: 4\noutput: y", classes: "[a, b]")
    #expect(plain.count == 3 && plain.allSatisfy { $0.mask == nil })
  }

  @Test("Manifests of masks that do not fit are refused")
  func faults() throws {
    let keys = "masks-output: p\noutput: y"
    #expect(throws: (any Error).self) { try found("seg", Self.boxes + keys, classes: "[a, b]") }
    // Five coefficients and one class, but the prototypes are four maps.
    let error = #expect(throws: InferenceError.self) {
      try found("seg", Self.boxes + "masks: 5\n" + keys, classes: "[a]")
    }
    #expect(error?.description.contains("“masks: 5”") ?? false)
    #expect(throws: InferenceError.self) {
      try found("seg", Self.boxes + "masks: 4\nmasks-output: q\noutput: y", classes: "[a, b]")
    }
    #expect(throws: InferenceError.self) {
      try found("seg", Self.boxes + "masks: 4\nmasks-output: y\noutput: y", classes: "[a, b]")
    }
  }
}
