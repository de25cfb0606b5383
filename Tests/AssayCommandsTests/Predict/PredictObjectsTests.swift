import AssayCore
import AssayTestSupport
import Foundation
import Testing

import AssayCommands

@Suite("assay predict, objects", .openVINO)
struct PredictObjectsTests {
  private static let manifest = PackageFolder.url("Datasets/models/yolox.yaml").path

  @Test(
    "A detector is added or drafted, run, and summed up in images and detections",
    .outsideData(
      "models/yolox_nano.onnx", "coco/mini", twin: "PredictObjectsTests.small"))
  func run() throws {
    let program = try Program()
    let model = OutsideFiles.path("models/yolox_nano.onnx")
    let drafted = try program.run("model", "add", model, "--name", "draft")
    #expect(drafted.status == 0 && drafted.stdout.contains("fill in the lines marked TODO"))
    let draft = try program.folder.read("draft.yaml")
    #expect(draft.contains("task: detection  # TODO") && draft.contains("head: yolox  # TODO"))
    #expect(draft.contains("- class 79\n") && !draft.contains("- class 80"))
    let imported = try program.run(
      "import", OutsideFiles.path("coco/mini") + ":coco", "--name", "mini")
    #expect(imported.status == 0, "\(imported.stderr)")
    let added = try program.run("model", "add", model, "--manifest", Self.manifest)
    #expect(added.status == 0 && added.stdout.contains("80 classes: person, bicycle"))
    let outcome = try program.run(
      "predict", "mini", "--model", "yolox", "--name", "r", "--limit", "4")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.hasPrefix("4 samples in "))
    #expect(outcome.stdout.contains(" per image, max "))
    #expect(
      outcome.stdout.contains("kept: score ≥ 0.01, IoU ≤ 0.65 with a better one of the same class"))
    let again = try program.run("predict", "mini", "--model", "yolox", "--limit", "4", "--json")
      .json()
    #expect(again["status"]?.text == "already_done" && again["task"]?.text == "detection")
    #expect(again["settings"]?["score"]?.double == 0.01)
    let maps = try program.run("predict", "mini", "--model", "yolox", "--no-maps")
    #expect(maps.status == 2 && maps.stderr.contains("predicts no regions"))
  }

  @Test("A small detector is added, run, and summed up in images and detections")
  func small() throws {
    let program = try Program()
    let model = ModelCommandTests.models + "/detect_yolox.onnx"
    let shapes = PackageFolder.fixture("detect/shapes").path
    let imported = try program.run("import", shapes + ":coco", "--name", "shapes")
    #expect(imported.status == 0, "\(imported.stderr)")
    let added = try program.run(
      "model", "add", model, "--manifest", shapes + ".yaml", "--name", "yolox")
    #expect(added.status == 0 && added.stdout.contains("3 classes: a, b, c"), "\(added.stderr)")
    let outcome = try program.run(
      "predict", "shapes", "--model", "yolox", "--name", "r", "--limit", "2")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.hasPrefix("2 samples in "))
    #expect(outcome.stdout.contains(" per image, max "))
    #expect(
      outcome.stdout.contains("kept: score ≥ 0.3, IoU ≤ 0.4 with a better one of the same class"))
    let again = try program.run("predict", "shapes", "--model", "yolox", "--limit", "2", "--json")
      .json()
    #expect(again["status"]?.text == "already_done" && again["task"]?.text == "detection")
    #expect(again["settings"]?["score"]?.double == 0.3)
    let maps = try program.run("predict", "shapes", "--model", "yolox", "--no-maps")
    #expect(maps.status == 2 && maps.stderr.contains("predicts no regions"))
  }
}
