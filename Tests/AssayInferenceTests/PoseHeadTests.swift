import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@testable import AssayInference

/// Keypoints of one object per image, with the model of `make_one_pose.py`.
@Suite("Keypoints of one object", .openVINO)
struct PoseHeadTests {
  private struct Golden: Decodable {
    var argmax: [[Double]]
    var quarter: [[Double]]
    var scores: [Double]
  }

  private func manifest(
    _ rest: String, activation: String = "none", classes: String = "[person]"
  ) throws(InferenceError) -> ModelManifest {
    try ModelManifest(
      yaml: """
        task: detection
        input: {width: 64, height: 32, layout: NCHW, color: rgb, scale: 1, offset: 0, resize: stretch}
        activation: \(activation)
        classes: \(classes)
        head: keypoints
        \(rest)
        """, path: "m.yaml")
  }

  private func found(
    _ rest: String, activation: String = "none", classes: String = "[person]"
  ) throws -> [DetectedBox] {
    let model = try ValidatedModel(
      try ModelFile.read(Fixture.path("one_pose.onnx")),
      manifest: try manifest(rest, activation: activation, classes: classes))
    let pool = try DetectorPool(model, workers: 1, batch: 2, probe: [Self.picture])
    let answers = try pool.answers(worker: 0, of: [Self.picture, Self.picture])
    #expect(answers[0] == answers[1])
    return answers[0]
  }

  private static let picture = NamedRaster(
    "p", Raster<UInt8>(repeating: 9, width: 64, height: 32, channels: 3))
  private static let maps = "heat-maps-output: maps\nkeypoints: 24x3\n"
  private static let points = "keypoints-output: points\nbox-units: pixels\nkeypoints: 4x5\n"

  @Test(
    "Heat maps give MMPose's keypoints, in both layouts and both ways to decode",
    arguments: ["maps", "maps_last"], ["argmax", "quarter"])
  func decoded(_ output: String, _ decode: String) throws {
    let golden = try GoldenJSON.decode("models/one_pose.json", as: Golden.self)
    let wanted = decode == "argmax" ? golden.argmax : golden.quarter
    let boxes = try found("heat-maps-output: \(output)\nkeypoints: 24x3\ndecode: \(decode)")
    try #require(boxes.count == 1)
    let points = boxes[0].keypoints
    #expect(points.count == 72 && wanted.count == 24)
    for point in 0..<24 {
      #expect(
        [points[3 * point], points[3 * point + 1]] == wanted[point]
          && abs(points[3 * point + 2] - golden.scores[point]) < 1e-6, "\(point)")
    }
    let mean = golden.scores.reduce(0, +) / 24
    #expect(abs(Double(boxes[0].score) - mean) < 1e-6)
    let (xs, ys) = (wanted.map { $0[0] }, wanted.map { $0[1] })
    #expect(
      boxes[0].edges
        == BoxEdges(
          left: try #require(xs.min()), top: try #require(ys.min()), right: try #require(xs.max()),
          bottom: try #require(ys.max())))
  }

  @Test("A part of the keypoints is kept in the order of the manifest")
  func order() throws {
    let all = try found(Self.maps + "decode: quarter")[0].keypoints
    let some = try found(Self.maps + "decode: quarter\nkeypoint-order: [6, 2, 19]")[0].keypoints
    #expect(some == Array(all[18..<21] + all[6..<9] + all[57..<60]))
  }

  @Test("Values give keypoints with a sigmoid of the visibility, and the score of its own output")
  func values() throws {
    let boxes = try found(Self.points + "scores-output: flag", activation: "sigmoid")
    try #require(boxes.count == 1)
    #expect(boxes[0].score == 0.75)
    #expect(boxes[0].edges == BoxEdges(left: -4, top: 4, right: 50, bottom: 28))
    let scores = [2.5, -1.5, 0.5, -4].map { 1 / (1 + exp(-$0)) }
    let places: [(Double, Double)] = [(10, 4), (50, 28), (30, 20), (-4, 12)]
    for (point, score) in scores.enumerated() {
      let own = boxes[0].keypoints[3 * point..<3 * point + 3]
      #expect(Array(own.prefix(2)) == [places[point].0, places[point].1])
      #expect(abs((own.last ?? 0) - score) < 1e-6)
    }
    let mean = try found(Self.points, activation: "sigmoid")
    #expect(abs(Double(mean[0].score) - scores.reduce(0, +) / 4) < 1e-6)
  }

  @Test("Fractions of the input become pixels, with the score 1")
  func relative() throws {
    let boxes = try found("keypoints-output: flat\nbox-units: relative\nkeypoints: 4x2")
    #expect(boxes[0].keypoints == [10, 4, 1, 50, 28, 1, 30, 20, 1, -4, 12, 1])
    #expect(boxes[0].score == 1)
  }

  @Test("The vertical coordinate can come first, and other units are told")
  func axesAndUnits() throws {
    let boxes = try found(
      "keypoints-output: flat\nbox-units: relative\nkeypoints: 4x2\nkeypoint-axes: yx")
    #expect(boxes[0].keypoints == [8, 5, 1, 56, 25, 1, 40, 15, 1, 24, -2, 1])
    expectFault("set “box-units: relative”") {
      _ = try found("keypoints-output: flat\nbox-units: pixels\nkeypoints: 4x2")
    }
    expectFault("set “box-units: pixels”") {
      _ = try found(
        Self.points.replacing("pixels", with: "relative"), activation: "sigmoid")
    }
    expectFault("keypoint-axes") {
      _ = try found(Self.maps + "decode: quarter\nkeypoint-axes: yx")
    }
  }

  @Test("A depth is no score, and the object's score can be a logit")
  func depth() throws {
    let keys = "keypoints-output: p\nscores-output: s\nbox-units: pixels\nkeypoints: 2x3\n"
    let outputs = [
      TensorSignature(name: "p", element: "f32", shape: [1, 1, 1, 6]),
      TensorSignature(name: "s", element: "f32", shape: [1, 1, 1, 1]),
    ]
    func row(_ rest: String, _ score: Float) throws -> [Float] {
      let rule = try #require(try manifest(keys + rest).detector?.head.pose)
      return try PoseLayout(
        of: outputs, rule, input: ImageSize(width: 64, height: 32), activation: .none,
        isBatched: true
      ).row(of: [10, 20, -3, 40, 5, 7, score], sample: "s")
    }
    let made = try row("keypoint-depth: yes\nscore-activation: sigmoid", -1)
    #expect(made.count == 12 && abs(made[4] - 1 / (1 + Float(exp(1.0)))) < 1e-7)
    #expect(Array(made[..<4]) == [10, 5, 40, 20] && Array(made[5...]) == [0, 10, 20, 1, 40, 5, 1])
    #expect(try row("keypoint-depth: yes", 0.25)[4] == 0.25)
    expectFault("set “score-activation: sigmoid”") { _ = try row("keypoint-depth: yes", -1) }
    expectFault("“keypoint-depth: yes” if the third") { _ = try row("", 0.25) }
  }

  @Test("Scores that are no probabilities are refused, and probabilities before a sigmoid")
  func scores() {
    expectFault("set “activation: sigmoid”") { _ = try found(Self.points) }
    expectFault("probabilities") {
      _ = try found(
        Self.maps + "decode: argmax\nkeypoint-order: [0, 2, 4]", activation: "sigmoid")
    }
  }

  @Test(
    "Shapes that do not fit are refused",
    arguments: [
      ("heat-maps-output: maps\nkeypoints: 17x3\ndecode: argmax", "[N, 17, height, width]"),
      ("heat-maps-output: points\nkeypoints: 24x3\ndecode: argmax", "[N, 24, height, width]"),
      ("keypoints-output: points\nkeypoints: 4x3\nbox-units: pixels", "[N, 4, 3] or [N, 12]"),
      (
        "keypoints-output: points\nkeypoints: 4x5\nbox-units: pixels\nscores-output: flat",
        "one score per image"
      ),
    ])
  func shapes(_ rest: String, _ text: String) {
    expectFault(text) { _ = try found(rest, activation: "sigmoid") }
  }

  @Test("There is one class")
  func classes() {
    expectFault("must name one class, not 2") {
      _ = try found(Self.maps + "decode: argmax", classes: "[a, b]")
    }
  }

  @Test(
    "Manifests that contradict themselves are refused",
    arguments: [
      ("keypoints: 17x3", "heat-maps-output"),
      ("heat-maps-output: a\nkeypoints: 17x3", "“decode” is missing"),
      ("heat-maps-output: a\ndecode: quarter", "“keypoints” is missing"),
      ("heat-maps-output: a\ndecode: quarter\nkeypoints: 17x2", "17x3"),
      ("heat-maps-output: a\ndecode: yolov5\nkeypoints: 17x3", "argmax, quarter"),
      ("heat-maps-output: a\ndecode: quarter\nkeypoints: 17x3\nbox-units: pixels", "“box-units”"),
      ("keypoints-output: a\nkeypoints: 17x3", "“box-units” is missing"),
      ("keypoints-output: a\nkeypoints: 17x3\nbox-units: pixels\ndecode: argmax", "“decode”"),
      ("keypoints-output: a\nkeypoints: 17x6\nbox-units: pixels", "17x6"),
      (
        "heat-maps-output: a\ndecode: quarter\nkeypoints: 17x3\nkeypoint-order: [17]",
        "from 0 to 16"
      ),
      (
        "heat-maps-output: a\ndecode: quarter\nkeypoints: 17x3\nkeypoint-order: [1, 1]",
        "different indices"
      ),
      ("heat-maps-output: a\ndecode: quarter\nkeypoints: 17x3\nnms: 0.5", "“nms”"),
      (
        "heat-maps-output: a\ndecode: quarter\nkeypoints: 17x3\nkeypoint-depth: yes",
        "“keypoint-depth: yes” is for"
      ),
      (
        "keypoints-output: a\nkeypoints: 17x4\nbox-units: pixels\nkeypoint-depth: yes",
        "“keypoint-depth: yes” is for"
      ),
      (
        "keypoints-output: a\nkeypoints: 17x2\nbox-units: pixels\nscore-activation: sigmoid",
        "“scores-output” is missing"
      ),
      (
        "keypoints-output: a\nkeypoints: 2x2\nbox-units: pixels\nkeypoint-names: [a]",
        "a list of 2 different names"
      ),
      ("heat-maps-output: a\ndecode: quarter\nkeypoints: 17x3\nstrides: [8]", "“strides”"),
    ])
  func faults(_ rest: String, _ text: String) {
    expectFault(text) { _ = try manifest(rest) }
  }

  @Test("A softmax is refused, and the keys at another head")
  func otherKeys() {
    expectFault("“head: keypoints”") {
      _ = try manifest(Self.maps + "decode: quarter", activation: "softmax")
    }
    expectFault("“heat-maps-output”") {
      _ = try ModelManifest(
        yaml: """
          task: detection
          input: {width: 64, height: 32, layout: NCHW, color: rgb, scale: 1, offset: 0, resize: stretch}
          classes: [person]
          head: boxes
          box-order: xyxy
          box-units: pixels
          objectness: no
          heat-maps-output: maps
          """, path: "m.yaml")
    }
  }
}
