import AssayCore
import AssayFormats
import AssayInference
import AssayStore
import Foundation
import Testing

@testable import AssayWorkflows

/// What is real, and not part of the repository.
private enum RealDetector {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let data = root.deletingLastPathComponent().appending(path: "shared/data")
  static let model = data.appending(path: "models/yolox_nano.onnx").path
}

/// The real detector on real pictures, from the files to the score.
@Suite(
  "YOLOX-nano on COCO",
  .enabled(
    if: PredictCatalog.hasOpenVINO
      && FileManager.default.fileExists(atPath: RealDetector.model),
    "needs OpenVINO and ../shared/data"))
struct RealDetectionRunTests {
  @Test("79 pictures give the average precision of the plain decoder")
  func averagePrecision() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "assay-yolox-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "assay.db").path
    let mini = RealDetector.data.appending(path: "coco/mini")
    var request = ImportRequest(mini.appending(path: "instances_val2017.json").path + ":coco")
    request.images = mini.appending(path: "val2017").path
    request.name = "mini"
    _ = try DatasetImport(request).run(catalogPath: path, progress: NoProgress())
    let manifest = RealDetector.root.appending(path: "Datasets/models/yolox.yaml").path
    _ = try ModelAddition(modelPath: RealDetector.model, manifestPath: manifest).run(
      catalogPath: path)
    let catalog = try Catalog.open(path, .readWrite)
    let summary = try Prediction(
      PredictRequest(view: "mini", model: "yolox", programVersion: "0"), catalog: catalog
    ).run()
    // `plain_detector.py ap`: 5623 results, AP 0.3233, AP50 0.5094, AP75 0.3385.
    #expect(summary.run.done == 79 && summary.shared.count == 80)
    #expect(abs(summary.found.objects - 5623) <= 5)
    var settings = EvaluationSettings()
    settings.intervals = false
    let (evaluation, _) = try Evaluator<ObjectDetection>(catalog: catalog).evaluate(
      RunReference(run: summary.run), settings)
    for (kind, expected) in [
      (MetricKind.ap, 0.3233), (.ap50, 0.5094), (.ap75, 0.3385),
    ] {
      let value = try #require(evaluation.scores[kind].value)
      #expect(abs(value - expected) < 0.0006, "\(kind): \(value)")
    }
  }
}
