import AssayCore
import AssayImaging
import AssayTestSupport
import Testing

@testable import AssayInference

/// Offsets from the centers of anchors, with the numbers of `make_blazeface.py`.
@Suite("Offsets from the centers of anchors")
struct CenterHeadTests {
  private struct Golden: Decodable {
    struct Box: Decodable {
      var score: Double
      var members: Int
      var values: [Double]
    }
    var boxes: [Float]
    var scores: [Float]
    var weighted: [Box]
    var greedy: [Box]
  }

  private static let outputs = "boxes-output: boxes\nscores-output: scores\n"
  private static let grids = "strides: [8, 16]\nanchors-per-cell: [2, 3]\n"
  private static let kept = "score: 0.3\nnms: 0.3\nmax: 500\nnms-kind: weighted\n"
  private static let points = "box-units: pixels\nkeypoints: 2x2\n"
  private static let head = outputs + grids + points + kept

  private func manifest(
    _ rest: String, activation: String = "sigmoid", classes: String = "[face]",
    input: String = "resize: stretch, width: 64, height: 32"
  ) throws(InferenceError) -> ModelManifest {
    try ModelManifest(
      yaml: """
        task: detection
        input: {\(input), layout: NHWC, color: rgb, scale: 1, offset: 0}
        activation: \(activation)
        classes: \(classes)
        head: blazeface
        \(rest)
        """, path: "m.yaml")
  }

  private func reader(
    _ manifest: ModelManifest, boxes: [Int?] = [1, 88, 8], scores: [Int?] = [1, 88, 1]
  ) throws -> DetectionReader {
    let outputs = [
      TensorSignature(name: "boxes", element: "f32", shape: boxes),
      TensorSignature(name: "scores", element: "f32", shape: scores),
    ]
    return DetectionReader(
      try BoxTensorLayout(of: outputs, manifest), try #require(manifest.detector), manifest)
  }

  private func expectEqual(_ found: [DetectedBox], _ wanted: [Golden.Box]) {
    #expect(found.count == wanted.count)
    for (box, golden) in zip(found, wanted) {
      let points = box.keypoints.indices.filter { $0 % 3 < 2 }.map { box.keypoints[$0] }
      let values = [box.edges.left, box.edges.top, box.edges.right, box.edges.bottom] + points
      #expect(values.count == 8 && box.class == 0 && box.scores.isEmpty)
      #expect(
        zip(values, golden.values).allSatisfy { abs($0 - $1) < 1e-4 }
          && abs(Double(box.score) - golden.score) < 1e-6, "\(values) \(golden)")
      #expect(box.keypoints.indices.allSatisfy { $0 % 3 < 2 || box.keypoints[$0] == 1 })
    }
  }

  @Test("Boxes, keypoints and scores are those of numpy", arguments: ["weighted", "greedy"])
  func decoded(_ kind: String) throws {
    let golden = try GoldenJSON.decode("faces/blazeface.json", as: Golden.self)
    let manifest = try manifest(
      Self.outputs + Self.grids + Self.points
        + "score: 0.3\nnms: 0.3\nmax: 500\nnms-kind: \(kind)\n")
    let found = try reader(manifest).answer(of: golden.boxes + golden.scores, sample: "s")
    expectEqual(found, kind == "weighted" ? golden.weighted : golden.greedy)
    #expect(golden.weighted.contains { $0.members > 2 })
    #expect(found.map(\.score) == found.map(\.score).sorted(by: >))
  }

  @Test("Values in fractions of the input are the same")
  func relative() throws {
    let golden = try GoldenJSON.decode("faces/blazeface.json", as: Golden.self)
    let manifest = try manifest(
      Self.outputs + Self.grids + Self.kept + "box-units: relative\nkeypoints: 2x2\n")
    let values = golden.boxes.enumerated().map { $1 / ($0 % 2 == 0 ? 64 : 32) }
    expectEqual(
      try reader(manifest).answer(of: values + golden.scores, sample: "s"), golden.weighted)
  }

  @Test("The best boxes are kept if there are too many, and without keypoints there are none")
  func limit() throws {
    let golden = try GoldenJSON.decode("faces/blazeface.json", as: Golden.self)
    let three = try manifest(
      Self.head.replacing("max: 500", with: "max: 3")
        + "keypoint-names: [left eye, right eye]\n")
    #expect(three.detector?.keypointNames == ["left eye", "right eye"])
    expectEqual(
      try reader(three).answer(of: golden.boxes + golden.scores, sample: "s"),
      Array(golden.weighted.prefix(3)))
    let plain = try manifest(
      Self.outputs + Self.grids + Self.kept + "box-units: pixels\n")
    let values = golden.boxes.enumerated().filter { $0.offset % 8 < 4 }.map(\.element)
    let found = try reader(plain, boxes: [1, 88, 4]).answer(
      of: values + golden.scores, sample: "s")
    #expect(found.count == golden.weighted.count && found.allSatisfy { $0.keypoints.isEmpty })
    #expect(abs((found.first?.edges.left ?? 0) - (golden.weighted.first?.values[0] ?? 9)) < 1e-4)
  }

  @Test("Values that are no box or no score are refused")
  func values() throws {
    let golden = try GoldenJSON.decode("faces/blazeface.json", as: Golden.self)
    let reader = try reader(try manifest(Self.head))
    var far = golden.boxes
    far[3 * 8] = 1e30  // row 3 has the highest score
    expectFault("check “box-units”") { _ = try reader.answer(of: far + golden.scores, sample: "s") }
    far = golden.boxes
    far[3 * 8 + 5] = 1e30
    expectFault("“keypoints:”") { _ = try reader.answer(of: far + golden.scores, sample: "s") }
    far[0] = .nan
    #expect(throws: InferenceError.self) {
      try reader.answer(of: far + golden.scores, sample: "s")
    }
    let probabilities = try self.reader(try manifest(Self.head, activation: "none"))
    expectFault("Set “activation:”") {
      _ = try probabilities.answer(of: golden.boxes + golden.scores, sample: "s")
    }
    let scores = golden.scores.map { $0 > 0 ? Float(1) : 0 }
    #expect(
      try probabilities.answer(of: golden.boxes + scores, sample: "s").allSatisfy { $0.score == 1 })
  }

  @Test(
    "Shapes that do not fit are refused with those that do",
    arguments: [
      ([1, 88, 16], [1, 88, 1]), ([1, 896, 8], [1, 896, 1]), ([1, 88, 8], [1, 88, 2]),
      ([1, 8, 88], [1, 88, 1]), ([1, 88, 8], [1, 87]),
    ] as [([Int?], [Int?])])
  func shapes(_ boxes: [Int?], _ scores: [Int?]) throws {
    let manifest = try manifest(Self.head)
    expectFault("boxes [N, 88, 8] and scores [N, 88, 1]") {
      _ = try reader(manifest, boxes: boxes, scores: scores)
    }
  }

  @Test("There is one class")
  func classes() throws {
    let manifest = try manifest(Self.head, classes: "[face, hand]")
    expectFault("must name one class, not 2") { _ = try reader(manifest) }
  }

  @Test(
    "Manifests that leave something open or contradict themselves are refused",
    arguments: [
      (outputs + points + kept + "strides: [8, 16]\n", "“anchors-per-cell” is missing"),
      (outputs + points + kept + "anchors-per-cell: [2, 3]\n", "“strides” is missing"),
      (outputs + grids + kept, "“box-units” is missing"),
      (grids + points + kept, "“boxes-output” is missing"),
      (grids + points + kept + "boxes-output: a\n", "“scores-output” is missing"),
      (outputs + grids + points + "nms: 0.3\n", "“nms-kind” is missing"),
      (outputs + grids + points + "nms-kind: weighted\n", "“nms” is missing"),
      (head.replacing("weighted", with: "soft"), "it must be greedy, weighted"),
      (head.replacing("[2, 3]", with: "[2]"), "one for each stride"),
      (head.replacing("[2, 3]", with: "[2, 0]"), "from 1 to 64"),
      (head.replacing("[8, 16]", with: "[8, 24]"), "the stride 24 does not divide"),
      (head.replacing("2x2", with: "2x3"), "“keypoints”"),
      (head + "keypoint-names: [a]\n", "a list of 2 different names"),
      (head + "keypoint-names: [a, a]\n", "a list of 2 different names"),
      (head + "box-order: xyxy\n", "“box-order” belongs to “head: boxes”"),
      (head + "box-classes: best\n", "“box-classes” belongs to “head: boxes”"),
      (head + "decode: yolov5\n", "“decode”"), (head + "masks: 4\n", "“masks”"),
      (head + "angle: radians\n", "“angle”"), (head + "objectness: no\n", "“objectness”"),
      (head + "output: a\n", "“output”"), (head + "threshold: 0.5\n", "“threshold”"),
    ])
  func faults(_ rest: String, _ text: String) {
    expectFault(text) { _ = try manifest(rest) }
  }

  @Test("Its keys are refused at another head, a softmax and an input of any size at this one")
  func otherKeys() {
    for (key, owner) in [
      ("anchors-per-cell: [2]", "blazeface"), ("nms-kind: weighted", "blazeface"),
      ("keypoint-depth: yes", "keypoints"), ("score-activation: sigmoid", "keypoints"),
    ] {
      expectFault("belongs to “head: \(owner)”") {
        _ = try ModelManifest(
          yaml: """
            task: detection
            input: {width: 64, height: 32, layout: NCHW, color: rgb, scale: 1, offset: 0, resize: stretch}
            classes: [face]
            head: boxes
            box-order: xyxy
            box-units: pixels
            objectness: no
            \(key)
            """, path: "m.yaml")
      }
    }
    expectFault("“activation: softmax”") {
      _ = try manifest(Self.head, activation: "softmax")
    }
    expectFault("head: blazeface") {
      _ = try manifest(
        Self.head, input: "resize: letterbox, width: 64, height: 32, multiple: 16")
    }
  }

  @Test(
    "Drafts of MediaPipe's detectors and landmarks fit them once the lines are checked",
    arguments: [
      (192, [[1, 2304, 16], [1, 2304, 1]], "strides: [4]"),
      (128, [[1, 896, 16], [1, 896, 1]], "anchors-per-cell: [2, 6]"),
      (224, [[1, 2254, 12], [1, 2254, 1]], "keypoints: 4x2"),
      (192, [[1, 2016, 18], [1, 2016, 1]], "keypoints: 7x2"),
      (192, [[1, 1, 1, 1404], [1, 1, 1, 1]], "keypoint-depth: yes"),
      (224, [[1, 63], [1, 1], [1, 1], [1, 63]], "keypoints: 21x3"),
    ] as [(Int, [[Int?]], String)])
  func drafts(_ side: Int, _ outputs: [[Int?]], _ line: String) throws {
    let signature = ModelSignature(
      inputs: [TensorSignature(name: "x", element: "f32", shape: [1, side, side, 3])],
      outputs: outputs.enumerated().map {
        TensorSignature(name: "y\($0.offset)", element: "f32", shape: $0.element)
      })
    let draft = ModelManifest.draft(for: signature, name: "m")
    #expect(draft.contains(line), "\(draft)")
    #expect(throws: InferenceError.self) { try ModelManifest(yaml: draft, path: "m.yaml") }
    let text = draft.split(separator: "\n").map { line in
      line.firstRange(of: ModelManifest.todo).map { String(line[..<$0.lowerBound]) }
        ?? String(line)
    }.joined(separator: "\n").replacing("class 0", with: "face")
    let manifest = try ModelManifest(yaml: text, path: "m.yaml")
    let places = try manifest.validate(against: signature)
    #expect(places == [0, 1])
    let layout = try BoxTensorLayout(of: places.map { signature.outputs[$0] }, manifest)
    #expect(layout.rows == outputs[0].dropLast().last ?? 1)
  }

  @Test("Other shapes are drafted as before")
  func otherDrafts() {
    for outputs in [
      [[1, 2304, 4], [1, 2304, 1]], [[1, 2305, 16], [1, 2305, 1]], [[1, 1404]],
    ]
      as [[[Int?]]]
    {
      let signature = ModelSignature(
        inputs: [TensorSignature(name: "x", element: "f32", shape: [1, 192, 192, 3])],
        outputs: outputs.enumerated().map {
          TensorSignature(name: "y\($0.offset)", element: "f32", shape: $0.element)
        })
      let draft = ModelManifest.draft(for: signature, name: "m")
      #expect(!draft.contains("blazeface") && !draft.contains("keypoint"), "\(draft)")
    }
  }
}
