import AssayCore
import AssayImaging
import AssayTestSupport
import Testing

import AssayInference

@Suite("Manifests of detectors")
struct DetectorManifestTests {
  private static let input =
    "input: {width: 64, height: 32, layout: NCHW, color: bgr, scale: 1, offset: 0, resize: letterbox, fill: 114}"
  private static let head = "task: detection\n\(input)\n"

  private func manifest(_ rest: String) throws(InferenceError) -> ModelManifest {
    try ModelManifest(yaml: Self.head + rest, path: "m.yaml")
  }

  @Test("The YOLOX head needs only the classes")
  func yolox() throws {
    let plain = try #require(try manifest("head: yolox\nclasses: [cat]").detector)
    #expect(plain == DetectorRule(head: .yolox(strides: [8, 16, 32])))
    #expect(plain.leastScore == 0.01 && plain.overlap == 0.65 && plain.limit == nil)
    let own = try manifest(
      "head: YOLOX\nstrides: [16]\nscore: 1/4\nnms: 1\nmax: 300\nbox-classes: best\nclasses: [cat]")
    #expect(
      own.detector
        == DetectorRule(
          head: .yolox(strides: [16]), leastScore: 0.25, overlap: 1, limit: 300,
          bestClassOnly: true))
  }

  @Test("Boxes have an order and units, and may lie in an output of their own")
  func boxes() throws {
    let text = "head: boxes\nbox-order: cxcywh\nbox-units: relative\nclasses: [background, cat]\n"
    let one = try manifest(text + "output: y\nobjectness: no")
    #expect(one.detector?.head == .boxes(.cxcywh, .relative) && one.output == "y")
    #expect(one.detector?.hasObjectness == false)
    #expect(try manifest(text + "objectness: yes").detector?.hasObjectness == true)
    #expect(try manifest(text).detector?.hasObjectness == nil)
    let turned = text.replacing("cxcywh", with: "yxyx")
    #expect(try manifest(turned).detector?.head == .boxes(.yxyx, .relative))
    #expect(one.background == 0)
    let two = try manifest(text + "boxes-output: b\nscores-output: s\nactivation: softmax")
    #expect(two.detector?.outputs == DetectorRule.Outputs(boxes: "b", scores: "s"))
  }

  @Test("Boxes that the model chose itself need the number of the first class, and keep all boxes")
  func final() throws {
    let text = "head: final\nbox-order: xyxy\nbox-units: pixels\nclasses: [cat, dog]\n"
    let rule = try #require(try manifest(text + "class-base: 1").detector)
    #expect(rule.head == .final(.xyxy, .pixels, classBase: 1) && rule.overlap == 1)
    #expect(try manifest(text + "class-base: 0\nnms: 0.5").detector?.overlap == 0.5)
    for (rest, message) in [
      ("", "“class-base” is missing"), ("class-base: 2", "from 0 to 1"),
      ("class-base: 0\nobjectness: no", "“objectness” belongs to “head: boxes”"),
      ("class-base: 0\nbox-classes: best", "“box-classes” belongs to “head: boxes”"),
      ("class-base: 0\nactivation: sigmoid", "cannot be combined with “head: final”"),
    ] {
      let error = #expect(throws: InferenceError.self) { try manifest(text + rest) }
      #expect(error.map { "\($0)" }?.contains(message) == true, "\(String(describing: error))")
    }
    let other = "head: boxes\nbox-order: xyxy\nbox-units: pixels\nclass-base: 0\nclasses: [cat]"
    let error = #expect(throws: InferenceError.self) { try manifest(other) }
    #expect(error.map { "\($0)" }?.contains("“class-base” belongs to “head: final”") == true)
  }

  @Test("A few rows of six values are proposed as boxes that the model chose itself")
  func finalDraft() throws {
    let text = draft([1, 3, 640, 640], [[1, 300, 6]])
    #expect(text.contains("the model does not state their number"))
    #expect(draft([1, 3, 640, 640], [[1, 6, 300]]).contains("head: final"))
    let manifest = try settled(text)
    #expect(manifest.detector?.head == .final(.xyxy, .pixels, classBase: 0))
    #expect(manifest.detector?.overlap == 1 && manifest.activation == .none)
  }

  @Test(
    "Each wrong value has its own text",
    arguments: [
      ("classes: [cat]", "“head” is missing, for example head: yolox or anchors or boxes"),
      ("head: yolo\nclasses: [cat]", "did you mean “yolox”"),
      ("head: yolox\nstrides: [8, 24]\nclasses: [cat]", "does not divide the input size 64×32"),
      ("head: yolox\nstrides: [64]\nclasses: [cat]", "the stride 64 does not divide"),
      ("head: yolox\nstrides: [8, 8]\nclasses: [cat]", "none twice"),
      ("head: yolox\nstrides: [0]\nclasses: [cat]", "whole numbers from 1"),
      ("head: yolox\nstrides: 8\nclasses: [cat]", "a list"),
      ("head: yolox\nbox-order: xyxy\nclasses: [cat]", "“box-order” belongs to “head: boxes”"),
      ("head: boxes\nstrides: [8]\nclasses: [cat]", "“strides” belongs to “head: yolox”"),
      ("head: boxes\nbox-units: pixels\nclasses: [cat]", "“box-order” is missing"),
      ("head: boxes\nbox-order: xyxy\nclasses: [cat]", "“box-units” is missing"),
      (
        "head: boxes\nbox-order: xxyy\nbox-units: pixels\nclasses: [cat]", "did you mean “xyxy”"
      ),
      (
        "head: boxes\nbox-order: xyxy\nbox-units: pixels\nboxes-output: b\nclasses: [cat]",
        "“scores-output” is missing"
      ),
      (
        "head: boxes\nbox-order: xyxy\nbox-units: pixels\nboxes-output: b\nscores-output: s\noutput: y\nclasses: [a]",
        "“output” is for boxes and scores in one output"
      ),
      ("head: yolox\nobjectness: yes\nclasses: [cat]", "“objectness” belongs to “head: boxes”"),
      (
        "head: boxes\nbox-order: xyxy\nbox-units: pixels\nobjectness: maybe\nclasses: [a]",
        "it must be yes, no"
      ),
      (
        "head: boxes\nbox-order: xyxy\nbox-units: pixels\nboxes-output: b\nscores-output: s\nobjectness: no\nclasses: [a]",
        "“objectness” is for boxes and scores in one output"
      ),
      ("head: yolox\nscore: 0\nclasses: [cat]", "over 0 and at most 1"),
      ("head: yolox\nnms: 65\nclasses: [cat]", "over 0 and at most 1"),
      ("head: yolox\nmax: 0\nclasses: [cat]", "from 1 to 10000"),
      ("head: yolox\nbox-classes: both\nclasses: [cat]", "it must be all, best"),
      ("head: yolox\nactivation: softmax\nclasses: [a, b]", "combined with “head: yolox”"),
      (
        "head: boxes\nbox-order: xyxy\nbox-units: pixels\nactivation: softmax\nclasses: [a]",
        "is 1 everywhere"
      ),
      ("head: yolox\nclasses: [background]", "names only the background"),
      ("head: yolox\nthreshold: 0.5\nclasses: [cat]", "belongs to “task: segmentation”"),
      ("head: yolox\niou: 0.5\nclasses: [cat]", "unknown key “iou”"),
    ])
  func wrong(_ rest: String, _ text: String) {
    let error = #expect(throws: InferenceError.self) { try manifest(rest) }
    #expect(error.map { "\($0)" }?.contains(text) == true, "\(String(describing: error))")
  }

  @Test("Other tasks have no boxes, and a detector needs the whole image")
  func otherTasks() {
    let classifier = Self.head.replacing("detection", with: "classification")
    let cropped = Self.head.replacing("letterbox, fill: 114", with: "center-crop")
    for (text, message) in [
      (classifier + "classes: [a]\nnms: 0.5", "belongs to “task: detection”"),
      (cropped + "classes: [a]\nhead: yolox", "removes the part of the image outside the crop"),
    ] {
      let error = #expect(throws: InferenceError.self) {
        try ModelManifest(yaml: text, path: "m.yaml")
      }
      #expect(error.map { "\($0)" }?.contains(message) == true, "\(String(describing: error))")
    }
  }

  private func draft(_ input: [Int?], _ outputs: [[Int?]]) -> String {
    ModelManifest.draft(
      for: ModelSignature(
        inputs: [TensorSignature(name: "x", element: "f32", shape: input)],
        outputs: outputs.enumerated().map {
          TensorSignature(name: "y\($0.offset)", element: "f32", shape: $0.element)
        }), name: "m")
  }

  private func settled(_ draft: String) throws -> ModelManifest {
    #expect(throws: InferenceError.self) { try ModelManifest(yaml: draft, path: "d.yaml") }
    let named = draft.replacing("# TODO", with: "#").replacing("- class ", with: "- thing ")
    return try ModelManifest(yaml: named, path: "d.yaml")
  }

  @Test("A draft of all of COCO's ids says which of them name no class")
  func numbersOfCOCO() {
    #expect(draft([1, 3, 800, 800], [[1, 300, 91], [1, 300, 4]]).contains("COCO's ids 0 to 90"))
    #expect(draft([1, 3, 800, 800], [[1, 300, 90], [1, 300, 4]]).contains("COCO's id k + 1"))
    #expect(!draft([1, 3, 800, 800], [[1, 300, 80], [1, 300, 4]]).contains("COCO"))
  }

  @Test("A draft whose classes were not named is refused, the same names stated as outputs are not")
  func placeholders() throws {
    let text = draft([1, 3, 640, 640], [[1, 6, 8400]]).replacing("# TODO", with: "#")
    func fault(_ text: String) -> String? {
      do {
        _ = try ModelManifest(yaml: text, path: "d.yaml")
        return nil
      } catch { return "\(error)" }
    }
    let refused = try #require(fault(text))
    #expect(refused.contains("still has the draft's placeholders (class 0, class 1; 2 of 2)"))
    #expect(refused.contains("list them under “outputs”"))
    // One forgotten placeholder is enough.
    let partly = text.replacing("- class 0", with: "- cat")
    #expect(fault(partly)?.contains("(class 1; 1 of 2)") == true)
    #expect(fault(partly.replacing("- class 1", with: "- dog")) == nil)
    #expect(fault(text.replacing("classes:  #", with: "outputs:  #")) == nil)
    // The values of masks without names have such names, after the background.
    #expect(fault(text.replacing("- class 0", with: "- background")) == nil)
  }

  @Test("One row per cell looks like YOLOX: its settings are proposed")
  func yoloxDraft() throws {
    // 52² + 26² + 13² = 3,549 cells; 85 = 4 + 1 + 80.
    let text = draft([1, 3, 416, 416], [[1, 3549, 85]])
    #expect(text.contains("task: detection  # TODO") && text.contains("- class 79\n"))
    let manifest = try settled(text)
    #expect(manifest.detector == DetectorRule(head: .yolox(strides: [8, 16, 32])))
    #expect(manifest.outputs.count == 80 && manifest.input.color == .bgr)
    #expect(manifest.input.resize == .letterbox(fill: 114, anchor: .topLeft))
    #expect(manifest.input.scale == [1])
  }

  @Test(
    "Other shapes of boxes get their head",
    arguments: [
      // Newer YOLOs: one column per cell, no objectness. Older ones: three rows per cell. 80² + 40²
      // + 20².
      ([1, 84, 8400], 80, false), ([1, 25200, 85], 80, true), ([1, 6, 8400], 2, false),
    ])
  func singleDraft(_ output: [Int], _ classes: Int, _ hasObjectness: Bool) throws {
    let text = draft([1, 3, 640, 640], [output])
    #expect(text.contains("objectness: \(hasObjectness ? "yes" : "no")  # TODO"))
    let manifest = try settled(text)
    #expect(manifest.detector?.hasObjectness == hasObjectness)
    // Ultralytics trains with gray borders around the image.
    let isUltralytics = output[2] == 8400
    #expect(
      manifest.input.resize
        == (isUltralytics ? .letterbox(fill: 114, anchor: .center, rounding: .nearest) : .stretch))
    #expect(manifest.detector?.head == .boxes(.cxcywh, .pixels))
    #expect(manifest.outputs.count == classes && manifest.detector?.outputs == nil)
  }

  @Test("Scores in an output of their own are not taken for a grid, though they have its rows")
  func scoresAreNoGrid() throws {
    for outputs: [[Int?]] in [
      [[1, 8400, 4], [1, 8400, 80]], [[1, 8400, 80], [1, 8400, 4]],
      [[1, 4, 8400], [1, 80, 8400]],
    ] {
      let manifest = try settled(draft([1, 3, 640, 640], outputs))
      #expect(manifest.detector?.outputs != nil && manifest.outputs.count == 80)
    }
  }

  @Test("Two tables of as many rows are boxes and scores, in whatever order they come")
  func pairDraft() throws {
    for outputs: [[Int?]] in [
      [[1, 300, 91], [1, 300, 4]], [[nil, 300, 1, 4], [nil, 91, 300]].reversed(),
    ] {
      let manifest = try settled(draft([1, 3, 800, 800], outputs))
      #expect(manifest.detector?.outputs == DetectorRule.Outputs(boxes: "y1", scores: "y0"))
      #expect(manifest.outputs.count == 91)
    }
    let open = try settled(draft([nil, 3, nil, nil], [[nil, 1, nil, 4], [nil, 3, nil]]))
    #expect(open.detector?.outputs == DetectorRule.Outputs(boxes: "y0", scores: "y1"))
    #expect(open.outputs.count == 3)
    #expect(
      draft([1, 3, 640, 640], [[1, 1, 300, 7]]).contains("row: image-class-score-box  # TODO"))
    #expect(draft([1, 3, 640, 640], [[1, nil, 6]]).contains("head: final  # TODO"))
    // Rows without a batch dimension, and the keypoints of MoveNet.
    #expect(
      draft([1, 3, 640, 640], [[nil, 7]]).contains("row: image-box-class-score  # TODO"))
    #expect(draft([1, 3, 640, 640], [[nil, 6]]).contains("row: class-score-box  # TODO"))
    #expect(draft([nil, 3, 224, 224], [[nil, 6]]).contains("task: classification  # TODO"))
    #expect(
      draft([1, 192, 192, 3], [[1, 1, 17, 3]]).contains("keypoint-axes: yx  # TODO"))
    #expect(draft([1, 3, 640, 640], [[1, 300, 8]]).contains("task: classification  # TODO"))
    #expect(draft([1, 3, 640, 640], [[nil, nil, 85]]).contains("task: classification  # TODO"))
    #expect(draft([1, 3, 640, 640], [[1, 160, 160, 4]]).contains("task: segmentation"))
  }

  @Test("The manifest of YOLOX is sound")
  func shipped() throws {
    let path = PackageFolder.url("Datasets/models/yolox.yaml").path
    let manifest = try ModelManifest.read(path).manifest
    #expect(manifest.detector == DetectorRule(head: .yolox(strides: [8, 16, 32])))
    #expect(manifest.classes.count == 80 && manifest.classes[10] == "fire hydrant")
    #expect(manifest.classes.first == "person" && manifest.classes.last == "toothbrush")
  }
}
