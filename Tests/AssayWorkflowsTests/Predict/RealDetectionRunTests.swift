import AssayCore
import AssayFormats
import AssayInference
import AssayStore
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

/// The real detector on real images, from the files to the score.
@Suite("YOLOX-nano on COCO", .openVINO)
struct RealDetectionRunTests {
  @Test(
    "79 pictures give the average precision of the plain decoder",
    .outsideData(
      "models/yolox_nano.onnx", "coco/mini", twin: "RealDetectionRunTests.small"))
  func averagePrecision() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("assay.db")
    let mini = OutsideFiles.url("coco/mini")
    var request = ImportRequest(mini.appending(path: "instances_val2017.json").path + ":coco")
    request.images = mini.appending(path: "val2017").path
    request.name = "mini"
    _ = try DatasetImport(request).run(catalogPath: path, progress: NoProgress())
    let manifest = PackageFolder.url("Datasets/models/yolox.yaml").path
    _ = try ModelAddition(
      modelPath: OutsideFiles.path("models/yolox_nano.onnx"), manifestPath: manifest
    ).run(
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

  @Test("Two pictures give pycocotools' average precision of the plain decoder's boxes")
  func small() throws {
    struct Golden: Decodable {
      var detections: Int
      var AP, AP50, AP75: Double
    }
    let golden = try GoldenJSON.decode("detect/shapes.json", as: Golden.self)
    let folder = try TemporaryFolder()
    let path = folder.path("assay.db")
    var request = ImportRequest(DetectCatalog.fixtures + "/shapes:coco")
    request.name = "shapes"
    _ = try DatasetImport(request).run(catalogPath: path, progress: NoProgress())
    _ = try ModelAddition(
      modelPath: PredictCatalog.models.appending(path: "detect_yolox.onnx").path,
      manifestPath: DetectCatalog.fixtures + "/shapes.yaml", name: "yolox"
    ).run(catalogPath: path)
    let catalog = try Catalog.open(path, .readWrite)
    let summary = try Prediction(
      PredictRequest(view: "shapes", model: "yolox", programVersion: "0"), catalog: catalog
    ).run()
    #expect(summary.run.done == 2 && summary.found.objects == golden.detections)
    var settings = EvaluationSettings()
    settings.intervals = false
    let (evaluation, _) = try Evaluator<ObjectDetection>(catalog: catalog).evaluate(
      RunReference(run: summary.run), settings)
    for (kind, expected) in [
      (MetricKind.ap, golden.AP), (.ap50, golden.AP50), (.ap75, golden.AP75),
    ] {
      let value = try #require(evaluation.scores[kind].value)
      #expect(abs(value - expected) < 1e-12, "\(kind): \(value)")
    }
  }
}
