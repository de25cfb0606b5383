import AssayCore
import Foundation
import Testing

@testable import AssayCommands

@Suite(
  "assay predict, objects",
  .enabled(
    if: RealInput.has("coco/mini/instances_val2017.json")
      && RealInput.has("models/yolox_nano.onnx"), "needs ../shared/data"))
struct PredictObjectsTests {
  private static let manifest = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Datasets/models/yolox.yaml").path

  @Test("A detector is added or drafted, run, and summed up in images and detections")
  func run() throws {
    let program = try Program()
    let model = RealInput.root + "/models/yolox_nano.onnx"
    let drafted = try program.run("model", "add", model, "--name", "draft")
    #expect(drafted.status == 0 && drafted.stdout.contains("settle the lines"))
    let draft = try program.folder.read("draft.yaml")
    #expect(draft.contains("task: detection  # ?") && draft.contains("head: yolox  # ?"))
    #expect(draft.contains("- class 79\n") && !draft.contains("- class 80"))
    let imported = try program.run("import", RealInput.root + "/coco/mini:coco", "--name", "mini")
    #expect(imported.status == 0, "\(imported.stderr)")
    let added = try program.run("model", "add", model, "--manifest", Self.manifest)
    #expect(added.status == 0 && added.stdout.contains("80 classes: person, bicycle"))
    let outcome = try program.run(
      "predict", "mini", "--model", "yolox", "--name", "r", "--limit", "4")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.hasPrefix("4 samples in "))
    #expect(outcome.stdout.contains(" an image, at most "))
    #expect(
      outcome.stdout.contains("kept: score ≥ 0.01, IoU ≤ 0.65 with a better one of its class"))
    let again = try program.run("predict", "mini", "--model", "yolox", "--limit", "4", "--json")
      .json()
    #expect(again["status"]?.text == "already_done" && again["task"]?.text == "detection")
    #expect(again["settings"]?["score"]?.double == 0.01)
    let maps = try program.run("predict", "mini", "--model", "yolox", "--no-maps")
    #expect(maps.status == 2 && maps.stderr.contains("finds no regions"))
  }
}
