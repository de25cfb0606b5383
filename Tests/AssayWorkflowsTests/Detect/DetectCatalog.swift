import AssayCore
import AssayStore
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

/// A catalog in its own folder with objects and detections from COCO files.
final class DetectCatalog {
  private let temporary: TemporaryFolder
  let folder: URL
  let catalog: Catalog

  static let fixtures = PackageFolder.fixture("detect").path

  init() throws {
    temporary = try TemporaryFolder()
    folder = temporary.url
    catalog = try Catalog.open(folder.appending(path: "assay.db").path, .create)
  }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  func write(_ name: String, _ text: String) throws -> String {
    try text.write(toFile: path(name), atomically: true, encoding: .utf8)
    return path(name)
  }

  /// Imports a COCO instances file.
  func truth(_ path: String, as name: String = "set", replace: Bool = false) throws {
    var request = ImportRequest(path)
    request.name = name
    request.format = .coco
    request.replace = replace
    _ = try DatasetImport(request).run(catalogPath: catalog.path, progress: NoProgress())
  }

  /// Imports a file of results.
  @discardableResult
  func results(
    _ path: String, as name: String = "r", in view: String = "set"
  ) throws -> DetectionsImportSummary {
    try DetectionsImport(catalog: catalog, programVersion: "0")
      .run(path, name: name, view: view)
  }

  func evaluate(
    _ run: String = "r", _ change: (inout EvaluationSettings) -> Void = { _ in }
  ) throws -> (evaluation: Evaluation, run: EvaluatedRun<ObjectDetection>) {
    var settings = EvaluationSettings()
    settings.intervals = false
    change(&settings)
    return try Evaluator<ObjectDetection>(catalog: catalog).evaluate(
      RunReference(run, in: catalog), settings)
  }

  /// Evaluates a run and stores the evaluation.
  @discardableResult
  func save(
    _ run: String = "r", as name: String? = nil,
    _ change: (inout EvaluationSettings) -> Void = { _ in }
  ) throws -> Evaluation {
    let (evaluation, evaluated) = try evaluate(run, change)
    return try Evaluator<ObjectDetection>(catalog: catalog).save(
      evaluation, of: evaluated, as: name)
  }

  /// One image of 100 × 100 pixels with two cats and a dog, in `set`; and a run `r` on it.
  ///
  /// The first cat is found, then found again; the second is detected as a dog; the dog is missed,
  /// and one box is on background. The scores of that box and of the duplicate are below the
  /// default 0.3.
  static func small() throws -> DetectCatalog {
    let world = try DetectCatalog()
    try world.truth(world.write("truth.json", smallTruth))
    try world.results(world.write("results.json", smallResults))
    return world
  }

  static let smallTruth = """
    {"images":[{"id":7,"width":100,"height":100,"file_name":"a.png"},
    {"id":3,"width":100,"height":100,"file_name":"b.png"}],
    "categories":[{"id":9,"name":"dog"},{"id":2,"name":"cat"}],
    "annotations":[
    {"id":1,"image_id":7,"category_id":2,"bbox":[10,10,20,20],"area":400,"iscrowd":0},
    {"id":2,"image_id":7,"category_id":2,"bbox":[60,10,20,20],"area":400,"iscrowd":0},
    {"id":3,"image_id":7,"category_id":9,"bbox":[10,60,20,20],"area":400,"iscrowd":0}]}
    """

  static let smallResults = """
    [{"image_id":7,"category_id":2,"bbox":[10,10,20,20],"score":0.9},
    {"image_id":7,"category_id":9,"bbox":[60,10,20,20],"score":0.8},
    {"image_id":7,"category_id":2,"bbox":[10,11,20,20],"score":0.2},
    {"image_id":3,"category_id":2,"bbox":[40,40,20,20],"score":0.25}]
    """
}
