import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@testable import AssayInference

/// The element types and outputs of other exporters, with the models of `make_variants.py`.
@Suite("Element types and outputs of other exporters", .openVINO)
struct ModelVariantTests {
  private let white = Fixture.picture([255, 255, 255, 255])
  private let black = Fixture.picture([0, 0, 0, 0])
  private let mixed = Fixture.picture([255, 0, 51, 102])

  private func classifier(
    _ name: String, _ rest: String = "", scale: String = "1/255", offset: String = "0",
    classes: String = "[bright, dark]", probe: [NamedRaster]? = nil
  ) throws -> ClassifierPool {
    let text = """
      task: classification
      input: {width: 2, height: 2, layout: NCHW, color: gray, scale: \(scale), offset: \(offset), resize: stretch}
      classes: \(classes)
      \(rest)
      """
    let model = try ValidatedModel(
      try ModelFile.read(Fixture.path(name + ".onnx")),
      manifest: try ModelManifest(yaml: text, path: "m.yaml"))
    return try ClassifierPool(model, workers: 1, probe: probe ?? [white, mixed])
  }

  @Test(
    "Inputs and outputs of other element types give the same probabilities",
    arguments: [
      ("types_u8", "1", "0"), ("types_i8", "1", "-128"), ("types_i32", "1", "0"),
      ("types_f16", "1/255", "0"), ("types_f64", "1/255", "0"),
    ])
  func types(_ name: String, _ scale: String, _ offset: String) throws {
    let pool = try classifier(name, scale: scale, offset: offset)
    let rows = try pool.answers(worker: 0, of: [white, black, mixed])
    // The means 255, 0 and (255 + 51 + 102)/4 of 255.
    for (row, expected) in zip(rows, [Float(1), 0, 0.4]) {
      #expect(abs(row[0] - expected) < (name == "types_f16" ? 1e-3 : 1e-6))
      #expect(abs(row[0] + row[1] - 1) < 1e-3)
    }
  }

  @Test("Values that an input of whole numbers cannot hold are refused with the scale to set")
  func integers() {
    expectFault("takes whole numbers from 0 to 255", "“scale: 1” and “offset: 0”") {
      _ = try classifier("types_u8")
    }
    expectFault("takes whole numbers from -128 to 127", "“offset: -128”") {
      _ = try classifier("types_i8", scale: "1")
    }
  }

  @Test("Outputs of whole numbers need their scale, and none is guessed")
  func outputScale() throws {
    expectFault("holds whole numbers", "“output-scale:”") { _ = try classifier("types_i64_out") }
    let hundredths = try classifier("types_i64_out", "output-scale: 0.01\noutput-offset: 0")
    #expect(try hundredths.answers(worker: 0, of: [mixed]) == [[0.4, 0.6]])
    expectFault("“output-offset” is missing") {
      _ = try classifier("types_i64_out", "output-scale: 1/100")
    }
  }

  @Test("Quantized probabilities, whose sum is not 1, are divided by it")
  func quantized() throws {
    let steps = try classifier("quantized_out", "output-scale: 1/256\noutput-offset: 0")
    let floats = try classifier("quantized_float")
    for pool in [steps, floats] {
      // 256 · 0.4 and 256 · 0.6, rounded down: 102 and 153 of 255.
      let row = try pool.answers(worker: 0, of: [mixed])[0]
      let expected: [Float] = [102.0 / 255, 153.0 / 255]
      #expect(row == expected)
    }
    expectFault("activation: none") { _ = try classifier("quantized_float", "activation: softmax") }
    #expect(ProbabilityCheck.rescaled([0.5, 0.25]) == nil)
    // Five classes of a sum of 3/4 + 1/255: more than rounding takes away.
    #expect(ProbabilityCheck.rescaled([0.75, 0, 0, 0, 0]) == nil)
    let many = [Float](repeating: 1.0 / 256, count: 192) + [Float](repeating: 0, count: 64)
    #expect(ProbabilityCheck.rescaled(many)?[0] == 1.0 / 192)
    #expect(ProbabilityCheck.rescaled([0.5, 0.2]) == nil)
    #expect(ProbabilityCheck.rescaled([0.25, 0.25]) == nil)
  }

  @Test("One value for two classes is the probability of the class that is named")
  func binary() throws {
    expectFault("“positive: NAME”") { _ = try classifier("binary_probability") }
    let dark = try classifier("binary_probability", "positive: dark")
    #expect(try dark.answers(worker: 0, of: [mixed, white]) == [[0.6, 0.4], [0, 1]])
    let bright = try classifier("binary_logit", "positive: bright\nactivation: sigmoid")
    let row = try bright.answers(worker: 0, of: [mixed])[0]
    // σ(8 · 0.4 − 4) = 0.3100255.
    #expect(abs(row[0] - 0.3100255) < 1e-6 && row[0] + row[1] == 1)
    expectFault("is not a probability", "activation: sigmoid") {
      _ = try classifier("binary_logit", "positive: bright").answers(worker: 0, of: [black])
    }
    // Logits of images that are alike can all be from 0 to 1: no reason to refuse them.
    let twice = try classifier(
      "binary_probability", "positive: dark\nactivation: sigmoid",
      probe: [white, mixed, black, Fixture.picture([9, 9, 9, 9])])
    #expect(twice.remark?.contains("all from 0 to 1 before “activation: sigmoid”") == true)
    #expect(bright.remark == nil)
    // Other images with the same mean; an image that is there twice says nothing.
    for (picture, isTold) in [(Fixture.picture([0, 51, 102, 255]), true), (mixed, false)] {
      let logit = "positive: bright\nactivation: sigmoid"
      let pool = try classifier("binary_logit", logit, scale: "1", probe: [mixed, picture])
      #expect((pool.remark?.contains("same values for the first 2 images") == true) == isTold)
    }
    expectFault("for a classifier of two classes") {
      _ = try classifier("binary_logit", "positive: cat")
    }
    expectFault("belongs to “task: classification”") {
      _ = try ModelManifest(
        yaml: """
          task: multilabel
          input: {width: 2, height: 2, layout: NCHW, color: gray, scale: 1, offset: 0, resize: stretch}
          classes: [a, b]
          positive: a
          """, path: "m.yaml")
    }
  }

  @Test("A classifier that ends in sigmoids says so, and none is applied twice")
  func sigmoids() throws {
    let classes = "[a, b, c, d, e]"
    let pool = try classifier(
      "sigmoids", "activation: sigmoid-in-model", classes: classes)
    let row = try pool.answers(worker: 0, of: [white])[0]
    #expect(abs(row[0] - 0.5) < 1e-6 && abs(row[4] - 0.98201376) < 1e-6)
    for activation in ["sigmoid", "softmax"] {
      expectFault("is computed by Sigmoid", "sigmoid-in-model") {
        _ = try classifier("sigmoids", "activation: \(activation)", classes: classes)
      }
    }
    expectFault("“activation: sigmoid-in-model”") {
      _ = try classifier("sigmoids", classes: classes).answers(worker: 0, of: [white])
    }
  }

  // MARK: Detectors

  private func detector(
    _ name: String, _ rest: String, layout: String = "NCHW", classes: String = "[a, b, c]"
  ) throws -> DetectorPool {
    let text = """
      task: detection
      input: {width: 64, height: 32, layout: \(layout), color: rgb, scale: 1, offset: 0, resize: stretch}
      classes: \(classes)
      \(rest)
      """
    let model = try ValidatedModel(
      try ModelFile.read(Fixture.path(name + ".onnx")),
      manifest: try ModelManifest(yaml: text, path: "m.yaml"))
    return try DetectorPool(model, workers: 2, batch: 2, probe: [Self.picture(9)])
  }

  private static func picture(_ value: UInt8) -> NamedRaster {
    NamedRaster(
      "\(value)", Raster(repeating: value, width: 64, height: 32, channels: 3))
  }

  /// The boxes of `make_variants.py` whose score is at least 0.01.
  private static let expected: [(class: Int, score: Float, box: [Double])] = [
    (0, 0.9, [2, 2, 20, 12]), (2, 0.8, [30, 4, 60, 28]), (1, 0.4, [5, 15, 25, 30]),
  ]

  private func expectBoxes(
    _ found: [DetectedBox], _ expected: [(class: Int, score: Float, box: [Double])] = expected,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(found.map(\.class) == expected.map(\.class), sourceLocation: location)
    for (box, wanted) in zip(found, expected) {
      let edges = [box.edges.left, box.edges.top, box.edges.right, box.edges.bottom]
      #expect(abs(box.score - wanted.score) < 1e-6, sourceLocation: location)
      #expect(
        zip(edges, wanted.box).allSatisfy { abs($0 - $1) < 1e-4 }, "\(edges)",
        sourceLocation: location)
    }
  }

  @Test(
    "Boxes that the model chose itself are read from the outputs of each exporter",
    arguments: [
      (
        "chosen_tf", "NHWC",
        "box-order: yxyx\nbox-units: relative\nclass-base: 1\nboxes-output: detection_boxes\n"
          + "scores-output: detection_scores\nlabels-output: detection_classes\n"
          + "count-output: num_detections"
      ),
      (
        "chosen_dets", "NCHW",
        "box-order: xyxy\nbox-units: pixels\nclass-base: 0\nboxes-output: dets\nlabels-output: labels"
      ),
      (
        "chosen_ssd", "NCHW",
        "box-order: xyxy\nbox-units: relative\nclass-base: 1\nrow: image-class-score-box"
      ),
      (
        "rows_paddle", "NCHW",
        "box-order: xyxy\nbox-units: pixels\nclass-base: 0\nrow: class-score-box\noutput: y"
      ),
      (
        "rows_yolov7", "NCHW",
        "box-order: xyxy\nbox-units: pixels\nclass-base: 0\nrow: image-box-class-score"
      ),
    ])
  func chosen(_ name: String, _ layout: String, _ rest: String) throws {
    let pool = try detector(name, "head: final\n" + rest, layout: layout)
    for worker in 0..<2 {
      for found in try pool.answers(worker: worker, of: [Self.picture(9), Self.picture(200)]) {
        expectBoxes(found)
      }
    }
  }

  @Test("As many boxes as the model finds, from an input without a batch dimension")
  func open() throws {
    let rest = """
      head: final
      box-order: xyxy
      box-units: pixels
      class-base: 1
      boxes-output: boxes
      scores-output: scores
      labels-output: labels
      """
    let pool = try detector("chosen_torch", rest)
    #expect(pool.batch == 1)
    let found = try pool.answers(
      worker: 0, of: [Self.picture(9), Self.picture(0), Self.picture(1)])
    expectBoxes(found[0], Array(Self.expected.prefix(2)))
    #expect(found[1].isEmpty)
    expectBoxes(found[2], Array(Self.expected.prefix(2)))
    // Class 3 of the model is none of two names.
    expectFault("is not the number of a class") {
      _ = try detector("chosen_torch", rest, classes: "[a, b]").answers(
        worker: 0, of: [Self.picture(9)])
    }
  }

  @Test("An If that guards against empty tensors adds no box where nothing is found")
  func emptyBranch() throws {
    let rest = """
      head: final
      box-order: xyxy
      box-units: pixels
      class-base: 1
      boxes-output: boxes
      scores-output: scores
      labels-output: labels
      """
    let pool = try detector("chosen_guarded", rest)
    let found = try pool.answers(
      worker: 0, of: [Self.picture(9), Self.picture(0), Self.picture(1), Self.picture(0)])
    expectBoxes(found[0], Array(Self.expected.prefix(2)))
    #expect(found[1].isEmpty && found[3].isEmpty)
    expectBoxes(found[2], Array(Self.expected.prefix(2)))
    // The hash is that of the file.
    let file = try ModelFile.read(Fixture.path("chosen_guarded.onnx"))
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: Fixture.path("chosen_guarded.onnx"))))
    var hash = ContentHash()
    bytes.withUnsafeBytes { hash.update($0) }
    #expect(file.hash == hash.hexadecimal() && file.bytes != bytes)
    // With another condition the two branches can differ; in a branch and in a loop the node is not replaced.
    for name in ["chosen_doubted", "chosen_nested", "chosen_looped"] {
      expectFault("If with a branch whose result has no values", "node “nms”", "one value 0") {
        _ = try detector(name, rest)
      }
    }
  }

  @Test("Damaged files with such an If are errors, never crashes")
  func damagedBranch() throws {
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: Fixture.path("chosen_guarded.onnx"))))
    var random = SplitMix64(seed: 31)
    func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
    var rewritten = 0
    for _ in 0..<2_000 {
      var damaged = bytes
      for _ in 0...below(3) {
        damaged[below(damaged.count)] = UInt8(below(256))
      }
      if below(4) == 0 { damaged.removeLast(below(damaged.count)) }
      if let result = try? ONNXEmptyBranches.removed(from: damaged) {
        rewritten += 1
        #expect(result.count < 2 * bytes.count)
      }
    }
    #expect(rewritten > 100)
  }

  @Test("Values behind the scores are stated, not taken for classes")
  func extraValues() throws {
    let rest = "head: boxes\nbox-order: xyxy\nbox-units: pixels\nobjectness: no\n"
    for extra in ["masks: 6", "keypoints: 3x2", "keypoints: 2x3"] {
      expectBoxes(
        try detector("extra_values", rest + extra).answers(worker: 1, of: [Self.picture(1)])[0])
    }
    expectFault("reads [N, boxes, 7]") { _ = try detector("extra_values", rest) }
    expectFault("such as 17x3") { _ = try detector("extra_values", rest + "keypoints: 17") }
  }

  @Test("A number of boxes that is none is an error", arguments: [Float(-1), 1.5, 5, 1e30])
  func wrongCount(_ count: Float) throws {
    let rest = """
      head: final
      box-order: yxyx
      box-units: relative
      class-base: 1
      boxes-output: detection_boxes
      scores-output: detection_scores
      labels-output: detection_classes
      count-output: num_detections
      """
    let pool = try detector("chosen_tf", rest, layout: "NHWC")
    var outputs = try pool.outputs(worker: 0, of: [Self.picture(9)])[0]
    #expect(outputs.last == 3)
    outputs[outputs.count - 1] = count
    let wrong = outputs
    expectFault("“count-output” names", "from 0 to 4") {
      _ = try pool.reader.answer(of: wrong, sample: "s")
    }
  }

  @Test("The number of boxes in an output that is not read is not ignored")
  func unreadCount() {
    expectFault("num_detections", "Set “count-output: num_detections”") {
      _ = try detector(
        "chosen_tf",
        """
        head: final
        box-order: yxyx
        box-units: relative
        class-base: 1
        boxes-output: detection_boxes
        scores-output: detection_scores
        labels-output: detection_classes
        """, layout: "NHWC")
    }
  }

  @Test("Numbers of classes in an output that is not read are not ignored")
  func unread() {
    expectFault("“labels-output: labels”", "all boxes would be of the same class") {
      _ = try detector(
        "chosen_dets",
        "head: boxes\nbox-order: xyxy\nbox-units: pixels\nobjectness: no\noutput: dets",
        classes: "[a]")
    }
  }

  @Test(
    "Drafts name the outputs of chosen boxes, and of label maps and binary classifiers the keys")
  func drafts() throws {
    func draft(_ name: String) throws -> String {
      let file = try ModelFile.read(Fixture.path(name + ".onnx"))
      return ModelManifest.draft(for: try ModelSignature.read(file), name: name)
    }
    let torch = try draft("chosen_torch")
    for line in [
      "head: final  #", "boxes-output: \"boxes\"", "scores-output: \"scores\"",
      "labels-output: \"labels\"", "class-base: 1  #", "box-order: xyxy  #",
    ] {
      #expect(torch.contains(line), "\(line)")
    }
    let tensorFlow = try draft("chosen_tf")
    for line in [
      "box-order: yxyx  #", "box-units: relative  #", "count-output: \"num_detections\"",
      "  scale: 1  # an input of u8", "labels-output: \"detection_classes\"",
    ] {
      #expect(tensorFlow.contains(line), "\(line)")
    }
    #expect(try draft("chosen_dets").contains("class-base: 0  #"))
    #expect(!(try draft("chosen_dets").contains("scores-output")))
    #expect(try draft("mask_labels").contains("label-map: yes  # TODO"))
    #expect(try draft("binary_logit").contains("positive: class 1  # TODO"))
    #expect(try draft("types_i8").contains("  offset: -128"))
    #expect(try draft("quantized_out").contains("output-scale: 1/256  # TODO"))
  }

  @Test("Outputs that belong together are named together")
  func names() {
    let text = "head: final\nbox-order: xyxy\nbox-units: pixels\nclass-base: 0\n"
    expectFault("“labels-output: NAME”", "remove “class-base” if the model has one class") {
      _ = try detector("chosen_dets", text + "boxes-output: dets")
    }
    expectFault("“boxes-output” is missing") {
      _ = try detector("chosen_dets", text + "labels-output: labels")
    }
    expectFault("reads boxes [N, boxes, 4], scores") {
      _ = try detector(
        "chosen_dets", text + "boxes-output: dets\nscores-output: labels\nlabels-output: labels")
    }
  }

  // MARK: Label maps

  private func picture(_ start: UInt8) throws -> NamedRaster {
    NamedRaster(
      "\(start)",
      try #require(
        Raster(
          width: 4, height: 4, elements: (0..<16).map { cell -> UInt8 in start + 4 * UInt8(cell) }))
    )
  }

  @Test(
    "A map of class numbers is read from every element type and shape",
    arguments: ["labels", "labels_nchw", "labels_nhwc", "labels_float"])
  func labelMaps(_ name: String) throws {
    var manifest = Fixture.maskManifest(classes: ["thing", "background", "third"])
    manifest.isLabelMap = true
    let pool = try SegmenterPool(
      try Fixture.mask("mask_\(name).onnx", manifest), workers: 2, batch: 2,
      probe: [try picture(100)])
    let picture = try picture(100)
    let maps = try pool.answers(worker: 1, of: [picture])[0]
    #expect(maps.cells.isEmpty && maps.probabilities.isEmpty)
    // x, 1 − x and a half: at 128 of 255 x is the largest.
    let expected = picture.raster.elements.map { pixel -> Int32 in pixel >= 128 ? 0 : 1 }
    #expect(maps.labels?.elements == expected)
  }

  @Test("Numbers that are no class are refused, and whole numbers are not taken for maps")
  func wrongLabels() throws {
    var manifest = Fixture.maskManifest(classes: ["thing", "background", "third"])
    expectFault("“label-map: yes”") { _ = try Fixture.mask("mask_labels.onnx", manifest) }
    manifest.isLabelMap = true
    let pool = try SegmenterPool(
      try Fixture.mask("mask_labels_far.onnx", manifest), workers: 1, probe: [try picture(0)])
    let picture = try picture(0)
    expectFault("has the value 3.0", "classes 0 to 2") {
      _ = try pool.answers(worker: 0, of: [picture])
    }
    expectFault("reads [N, H, W], [N, 1, H, W]") {
      _ = try Fixture.mask("mask_classes.onnx", manifest)
    }
    for (key, text) in [
      ("activation: softmax", "“activation” cannot be combined with “label-map: yes”"),
      ("threshold: 0.5", "“threshold” cannot be combined"),
    ] {
      expectFault(text) {
        _ = try ModelManifest(
          yaml: """
            task: segmentation
            input: {width: 4, height: 4, layout: NCHW, color: gray, scale: 1, offset: 0, resize: stretch}
            label-map: yes
            classes: [a, b]
            \(key)
            """, path: "m.yaml")
      }
    }
  }

  // MARK: Operators

  @Test(
    "Reductions that OpenVINO computes over all axes are refused before it reads them",
    arguments: ["l1", "logsum", "logsumexp", "mean"])
  func reductions(_ name: String) throws {
    for version in [11, 13, 17, 18] {
      let bytes = try FileBytes.all(
        of: Fixture.path("reduce_\(name)_\(version).onnx"), limit: 1 << 20)
      guard (13...17).contains(version), name != "mean" else {
        try ONNXGuard.check(bytes)
        continue
      }
      let error = #expect(throws: ONNXFault.self) { try ONNXGuard.check(bytes) }
      let text = error.map { "\($0)" } ?? ""
      #expect(text.contains("operator set \(version) (node “inner”)") && text.contains("set 18"))
    }
  }
}
