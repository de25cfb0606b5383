import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@testable import AssayInference

/// Models with several inputs and with images of any size, with the models of `make_inputs.py`.
@Suite("Several inputs, and images of any size", .openVINO)
struct ModelInputsTests {
  /// Red where `bright` says so, in cells of 8 pixels; else black.
  private func picture(
    _ width: Int, _ height: Int, bright: (x: Int, y: Int)? = nil
  ) -> NamedRaster {
    var raster = Raster<UInt8>(repeating: 0, width: width, height: height, channels: 3)
    for y in 0..<height {
      for x in 0..<width where bright.map({ $0.x == x / 8 && $0.y == y / 8 }) ?? true {
        raster[x, y, 0] = 255
      }
    }
    return NamedRaster("\(width) by \(height)", raster)
  }

  private func model(_ name: String, _ rest: String) throws -> ValidatedModel {
    try ValidatedModel(
      try ModelFile.read(Fixture.path(name + ".onnx")),
      manifest: try ModelManifest(yaml: rest, path: "m.yaml"))
  }

  private let detr = """
    task: detection
    input: {preset: detr, shorter: 40, longer: 60}
    constant-inputs: {pixel_mask: 1}
    head: boxes
    box-order: cxcywh
    box-units: relative
    boxes-output: pred_boxes
    scores-output: logits
    activation: softmax
    box-classes: best
    score: 0.1
    nms: 1
    outputs: [cat, dog, background]
    """

  @Test("Each image has an input of its own size, and the mask covers it")
  func edges() throws {
    let model = try model("inputs_detr", detr)
    let pool = try DetectorPool(
      model, workers: 2, probe: [picture(80, 80), picture(160, 80), picture(30, 90)])
    #expect(pool.batch == 1)
    let manifest = model.manifest
    for (width, height, inner) in [
      (80, 80, ImageSize(width: 40, height: 40)), (160, 80, ImageSize(width: 60, height: 30)),
      (30, 90, ImageSize(width: 20, height: 60)),
    ] {
      let plan = manifest.input.plan(for: ImageSize(width: width, height: height))
      #expect(plan.target == inner)
      let boxes = try pool.answers(worker: 0, of: [picture(width, height)])[0]
      #expect(boxes.count == 2)
      #expect(Set(boxes.map(\.class)) == [0, 1])
      // softmax of (20, 0, 0), which a mask of zeros would not give.
      #expect(boxes.allSatisfy { $0.score > 0.99 })
      let second = try #require(boxes.first { $0.class == 1 })
      // Relative boxes are scaled by the largest input: W/1000 of 60 pixels.
      let width = Double(second.edges.right - second.edges.left) / 60 * 1000
      #expect(abs(width - Double(inner.width)) < 1e-3)
    }
  }

  @Test("Relative boxes of inputs of any size are mapped to the image")
  func relative() throws {
    let model = try model("inputs_detr", detr)
    let pool = try DetectorPool(model, workers: 1, probe: [picture(160, 80)])
    let first = try #require(
      try pool.answers(worker: 0, of: [picture(160, 80)])[0].first { $0.class == 0 })
    let plan = model.manifest.input.plan(for: ImageSize(width: 160, height: 80))
    let found = try #require(
      first.scaled(
        x: Double(plan.target.width) / 60, y: Double(plan.target.height) / 60
      ).detection(through: plan))
    #expect(abs(found.box.x) < 1e-6 && abs(found.box.width - 80) < 1e-6)
    #expect(abs(found.box.y) < 1e-6 && abs(found.box.height - 40) < 1e-6)
  }

  @Test("Inputs that are not named are refused with an example, and so are others")
  func unnamed() {
    expectFault("the model has 2 inputs", "constant-inputs: {pixel_mask: 1") {
      _ = try model(
        "inputs_detr", detr.replacingOccurrences(of: "constant-inputs: {pixel_mask: 1}", with: ""))
    }
    expectFault("“constant-inputs” names “mask”", "pixel_mask: i64") {
      _ = try model("inputs_detr", detr.replacingOccurrences(of: "{pixel_mask", with: "{mask"))
    }
    expectFault("cannot be filled with 3 values") {
      _ = try model(
        "inputs_sizes", sizes.replacingOccurrences(of: "[height, width]", with: "[1, 2, 3]"))
    }
    expectFault("“scale_factor” must be a number") {
      _ = try model("inputs_sizes", sizes.replacingOccurrences(of: "[1, 1]", with: "[one, 1]"))
    }
    expectFault("cannot be combined with “runner”") {
      _ = try ModelManifest(yaml: sizes + "\nrunner: python3 a.py", path: "m.yaml")
    }
  }

  private let sizes = """
    task: detection
    input: {width: 8, height: 8, layout: NCHW, color: rgb, scale: 1/255, offset: 0, resize: stretch}
    constant-inputs:
      im_shape: [height, width]
      scale_factor: [1, 1]
    head: final
    box-order: xyxy
    box-units: pixels
    class-base: 0
    score: 0.1
    classes: [cat]
    """

  @Test("Sizes for other inputs are those of the model's image, in batches too")
  func constants() throws {
    let model = try model("inputs_sizes", sizes)
    let pictures = (1...5).map { picture(8 * $0, 16) }
    let pool = try DetectorPool(model, workers: 1, batch: 4, probe: pictures)
    #expect(pool.batch == 4)
    for boxes in try pool.answers(worker: 0, of: pictures) {
      let edges = try #require(boxes.first).edges
      #expect([edges.left, edges.top, edges.right, edges.bottom] == [2, 2, 6, 6])
    }
  }

  @Test("A second input can be a scalar, with a batch and without", arguments: [1, 4])
  func scalar(batch: Int) throws {
    for phase in [1, 0] {
      let model = try ValidatedModel(
        try ModelFile.read(Fixture.path("inputs_scalar.onnx")),
        manifest: try ModelManifest(
          yaml: """
            task: classification
            input: {width: 2, height: 2, layout: NCHW, color: gray, scale: 1/255, offset: 0, resize: stretch}
            constant-inputs: {keras_learning_phase: \(phase)}
            activation: none
            classes: [bright, dark]
            """, path: "m.yaml"))
      let pictures = [Fixture.picture([255, 255, 255, 255]), Fixture.picture([0, 0, 0, 0])]
      let pool = try ClassifierPool(model, workers: 1, batch: batch, probe: pictures)
      let found = try pool.answers(worker: 0, of: pictures)
      #expect(found == (phase == 1 ? [[1, 0], [0, 1]] : [[0, 1], [0, 1]]), "\(found)")
    }
  }

  @Test("Scores alone are not read as boxes where the model has boxes of their rows")
  func unreadBoxes() throws {
    let text = """
      task: detection
      input: {width: 8, height: 8, layout: NCHW, color: rgb, scale: 1/255, offset: 0, resize: stretch}
      head: boxes
      output: scores
      box-order: xyxy
      box-units: pixels
      objectness: no
      score: 0.1
      nms: 0.5
      classes: [a, b, c, d]
      """
    expectFault("boxes", "“boxes-output: boxes”", "“scores-output: scores”") {
      _ = try model("outputs_pair", text)
    }
    _ = try model(
      "outputs_pair",
      text.replacingOccurrences(
        of: "output: scores", with: "boxes-output: boxes\nscores-output: scores"
      )
      .replacingOccurrences(of: "objectness: no\n", with: "")
      .replacingOccurrences(of: "[a, b, c, d]", with: "[a, b, c, d, e, f, g, h]"))
  }

  @Test("A manifest with another number of classes than Ultralytics' metadata is refused")
  func classCount() throws {
    var metadata = ModelMetadata()
    metadata.names = ["cat", "dog", "cow", "pig"]
    let manifest = Fixture.tinyManifest()
    try manifest.checkClasses(of: metadata)
    metadata.isUltralytics = true
    expectFault("2 classes", "4 (cat, dog, cow, …)") { try manifest.checkClasses(of: metadata) }
    metadata.names = ["a", "b"]
    try manifest.checkClasses(of: metadata)
  }

  @Test("The number of boxes can depend on the image's size, in columns too")
  func rows() throws {
    let text = """
      task: detection
      input: {width: 64, height: 64, layout: NCHW, color: rgb, scale: 1/255, offset: 0, resize: letterbox, fill: 0, rounding: nearest, multiple: 8}
      head: boxes
      box-order: cxcywh
      box-units: pixels
      objectness: no
      score: 0.5
      nms: 0.5
      classes: [red, green]
      """
    let model = try model("inputs_rows", text)
    let pool = try DetectorPool(
      model, workers: 1, probe: [picture(64, 16, bright: (3, 1)), picture(64, 64, bright: (0, 7))])
    for (width, height, x, y) in [(64, 16, 3, 1), (64, 64, 0, 7), (24, 64, 2, 5), (64, 20, 7, 0)] {
      let image = picture(width, height, bright: (x, y))
      let boxes = try pool.answers(worker: 0, of: [image])[0]
      #expect(boxes.count == 1 && boxes[0].class == 0)
      let plan = model.manifest.input.plan(for: ImageSize(width: width, height: height))
      let found = try #require(boxes.first?.detection(through: plan)).box
      #expect(found.x == Double(8 * x), "\(width) by \(height)")
      // The image of 20 lines is placed 2 pixels below the top of an input of 24.
      let shift = height == 20 ? 2.0 : 0
      #expect(found.y == max(0, Double(8 * y) - shift))
    }
    expectFault("activation: sigmoid", "depends on the image's size") {
      _ = try self.model("inputs_rows", text + "\nactivation: sigmoid")
    }
  }

  @Test("What needs one size refuses others, and their keys stay together")
  func refusals() {
    func expectManifest(_ fault: String, _ text: String) {
      expectFault(fault) { _ = try ModelManifest(yaml: text, path: "m.yaml") }
    }
    expectManifest(
      "remove “width” and “height”",
      detr.replacingOccurrences(of: "detr,", with: "detr, width: 60,"))
    expectManifest(
      "“longer” belongs to “resize: edges”",
      sizes.replacingOccurrences(of: "stretch", with: "stretch, longer: 20"))
    expectManifest(
      "“multiple” belongs to",
      sizes.replacingOccurrences(of: "stretch", with: "stretch, multiple: 2"))
    expectManifest(
      "task: segmentation needs inputs of one size",
      """
      task: segmentation
      input: {preset: detr}
      classes: [a, b]
      """)
  }

  @Test("Models with one input size refuse images of others")
  func fixed() {
    expectFault("[N, 3, N, N]", "[N, 3, 8, 8]") {
      _ = try model(
        "inputs_sizes",
        sizes.replacingOccurrences(
          of:
            "width: 8, height: 8, layout: NCHW, color: rgb, scale: 1/255, offset: 0, resize: stretch",
          with: "preset: detr"))
    }
  }
}
