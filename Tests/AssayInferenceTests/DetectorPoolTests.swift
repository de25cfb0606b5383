import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

import AssayInference

@Suite("Running a detector", .openVINO)
struct DetectorPoolTests {
  private func model(
    _ name: String, _ rest: String, width: Int = 64, height: Int = 32
  ) throws -> ValidatedModel {
    let text = """
      task: detection
      input: {width: \(width), height: \(height), layout: NCHW, color: rgb, scale: 1, offset: 0, resize: stretch}
      classes: [a, b, c]
      \(rest)
      """
    return try ValidatedModel(
      try ModelFile.read(Fixture.path("detect_\(name).onnx")),
      manifest: try ModelManifest(yaml: text, path: "m.yaml"))
  }

  private var pictures: [NamedRaster] {
    (0..<3).map { DetectorGoldensTests.picture($0, ImageSize(width: 70, height: 40)) }
  }

  private func expectFault(_ text: String, _ body: () throws -> Void) {
    let error = #expect(throws: InferenceError.self) { try body() }
    #expect(error.map { "\($0)" }?.contains(text) == true, "\(String(describing: error))")
  }

  @Test("Neither the batch size nor the worker changes a bit", arguments: ["yolox", "pair"])
  func determinism(_ name: String) throws {
    let rest =
      name == "yolox"
      ? "head: yolox"
      : "head: boxes\nbox-order: xyxy\nbox-units: relative\nboxes-output: boxes\nscores-output: scores\nactivation: sigmoid"
    let model = try model(name, rest)
    let pools = try [1, 2, 3].map {
      try DetectorPool(model, workers: 2, batch: $0, probe: pictures)
    }
    let expected = try pools[0].answersAlone(of: pictures)
    #expect(expected.allSatisfy { !$0.isEmpty } && Set(expected).count == 3)
    for pool in pools {
      for worker in 0..<2 {
        #expect(try pool.answers(worker: worker, of: pictures) == expected)
        let outputs = try pool.outputs(worker: worker, of: pictures)
        try pool.verify(pictures, expected: outputs, worker: worker)
        var wrong = outputs
        wrong[2][7] = wrong[2][7].nextUp
        let changed = wrong
        #expect(throws: InferenceError.self) {
          try pool.verify(pictures, expected: changed, worker: worker)
        }
      }
    }
  }

  @Test("The grids follow the input's size")
  func sizes() throws {
    // 8·4 + 4·2 + 2·1, and 4·8 + 2·4 + 1·2, and (12 + 3 + 1)·(…): 96 × 64 has 96 + 24 + 6.
    #expect(try model("yolox", "head: yolox").boxes?.rows == 42)
    #expect(try model("yolox", "head: yolox", width: 96, height: 64).boxes?.rows == 126)
    expectFault("reads [N, 40, 8]: the cells of 64×32 pixels at the strides 8, 16") {
      _ = try model("yolox", "head: yolox\nstrides: [8, 16]")
    }
    expectFault("“head: yolox” of 3 classes reads [N, 42, 8]") {
      _ = try model("turned", "head: yolox")
    }
  }

  @Test("A model with built-in NMS is rejected")
  func chosen() {
    expectFault("or export the model without built-in NMS") {
      _ = try model("chosen", "head: yolox")
    }
  }

  @Test("Two outputs must be named")
  func names() {
    let head = "head: boxes\nbox-order: xyxy\nbox-units: relative\nactivation: sigmoid\n"
    expectFault("“boxes-output” and “scores-output”") { _ = try model("pair", head) }
    expectFault("reads the output “b”, but the model has boxes") {
      _ = try model("pair", head + "boxes-output: b\nscores-output: scores")
    }
    expectFault("reads [N, boxes, 4] and [N, boxes, 3]") {
      _ = try model("pair", head + "boxes-output: scores\nscores-output: boxes")
    }
  }

  @Test("Logits need a sigmoid, and probabilities must not have one")
  func activation() throws {
    let logits = try model("logits", "head: yolox")
    expectFault("so they are logits") {
      try DetectorPool(logits, workers: 1, probe: pictures).readProbe()
    }
    let twice = try model("yolox", "head: yolox\nactivation: sigmoid")
    expectFault("Set “activation: none”") {
      _ = try DetectorPool(twice, workers: 1, probe: pictures)
    }
  }

  @Test(
    "Boxes whose order or units differ from the manifest's are reported",
    arguments: [
      ("turned", "cxcywh", "relative", "set “box-units: pixels”"),
      ("turned", "xyxy", "pixels", "set “box-order:” to another"),
      ("pair", "xyxy", "pixels", "set “box-units: relative”"),
    ])
  func doubts(_ name: String, _ order: String, _ units: String, _ text: String) throws {
    let outputs = "boxes-output: boxes\nscores-output: scores\nactivation: sigmoid"
    let model = try model(
      name,
      "head: boxes\nbox-order: \(order)\nbox-units: \(units)\n"
        + (name == "pair" ? outputs : "objectness: no"))
    expectFault(text) { _ = try DetectorPool(model, workers: 1, probe: pictures) }
  }

  @Test("Sizes that overflow are reported, with the settings for decoded boxes")
  func huge() throws {
    let pool = try DetectorPool(try model("huge", "head: yolox"), workers: 1, probe: pictures)
    expectFault("not finite after exp(value) · stride") { try pool.readProbe() }
  }

  @Test("A reader of another task is refused")
  func otherTask() throws {
    #expect(throws: InferenceError.self) {
      try ClassifierPool(try model("yolox", "head: yolox"), workers: 1, probe: pictures)
    }
    #expect(throws: InferenceError.self) {
      try DetectorPool(try Fixture.tiny("tiny.onnx"), workers: 1, probe: [])
    }
  }
}

/// The real detector on real images.
@Suite("YOLOX-nano", .openVINO, .serialized)
struct RealDetectorTests {
  private struct Golden: Decodable {
    var file: String
    var count: Int
    /// Class, score, x, y, width, height, of all detections with a score of at least 0.3.
    var found: [[Double]]
  }

  @Test(
    "Its boxes are those of the plain decoder",
    .outsideData(
      "models/yolox_nano.onnx", "coco/mini/val2017", twin: "DetectorGoldensTests.models"))
  func goldens() throws {
    let goldens = try GoldenJSON.decode("models/yolox_mini.json", as: [Golden].self)
    #expect(goldens.count == 8 && goldens.reduce(0) { $0 + $1.found.count } > 20)
    let yaml = PackageFolder.url("Datasets/models/yolox.yaml").path
    let manifest = try ModelManifest.read(yaml).manifest
    let model = try ValidatedModel(
      try ModelFile.read(OutsideFiles.path("models/yolox_nano.onnx")), manifest: manifest)
    let folder = OutsideFiles.url("coco/mini/val2017")
    let pictures = try goldens.map { golden in
      let bytes = [UInt8](try Data(contentsOf: folder.appending(path: golden.file)))
      return NamedRaster(golden.file, try ImageCodec.decode(bytes, as: .rgb8))
    }
    let pool = try DetectorPool(model, workers: 2, probe: Array(pictures.prefix(2)))
    for (index, golden) in goldens.enumerated() {
      let raster = pictures[index].raster
      let plan = ResizePlan(
        manifest.input.resize, from: ImageSize(width: raster.width, height: raster.height),
        to: manifest.input.size)
      let found = try pool.answers(worker: index % 2, of: [pictures[index]])[0]
        .compactMap { $0.detection(through: plan) }
      #expect(found.count == golden.count, "\(golden.file)")
      let best = found.filter { $0.confidence >= 0.3 }
      #expect(best.count == golden.found.count, "\(golden.file)")
      for (own, golden) in zip(best, golden.found) {
        #expect(Double(own.class) == golden[0] && abs(own.confidence - golden[1]) < 1e-4)
        let box = [own.box.x, own.box.y, own.box.width, own.box.height]
        #expect(zip(box, golden[2...]).allSatisfy { abs($0 - $1) < 0.05 }, "\(box), \(golden)")
      }
    }
  }
}
