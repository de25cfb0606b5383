import AssayCore
import AssayStore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayFormats
@testable import AssayWorkflows

/// The predictions of a run beside the annotations, in Label Studio's tasks.
@Suite("Exporting predictions to Label Studio")
struct PredictionExportTests {
  private let folder: TemporaryFolder
  private let catalog: Catalog

  init() throws {
    folder = try TemporaryFolder()
    catalog = try Catalog.open(folder.path("assay.db"), .create)
  }

  private func add(_ fixture: String, as name: String = "set") throws -> [SampleRecord] {
    var request = ImportRequest(PackageFolder.fixture(fixture).path)
    request.name = name
    _ = try DatasetImport(request).run(
      catalogPath: folder.path("assay.db"), progress: NoProgress())
    return try catalog.samples(in: catalog.resolve(name))
  }

  private static func export(
    _ catalog: Catalog, to out: String, run: String = "r", minScore: Double? = nil,
    checks: Bool = true
  ) throws -> (tasks: [JSONValue], summary: DatasetExportSummary) {
    var request = DatasetExportRequest(.labelStudio)
    request.setRun(run, minScore: minScore)
    var summary = try DatasetExport(
      ExportScope("set", in: catalog), catalog: catalog, request
    ).run(into: ExportFolder(out, force: true))
    if checks {
      let databases = try TemporaryDatabases()
      summary.verification = try ExportCheck(of: summary, catalog: catalog).run(
        database: databases.database("result"))
      #expect(summary.verification?.lost == 0)
    }
    let text = try String(contentsOfFile: out + "/tasks.json", encoding: .utf8)
    return (try #require(try JSONValue(parsing: text).elements), summary)
  }

  /// The only prediction of a task.
  private static func prediction(_ task: JSONValue) throws -> JSONValue {
    let all = try #require(task["predictions"]?.elements)
    try #require(all.count == 1)
    return all[0]
  }

  @Test("Detections in percent with their scores; an image that the run has not done has none")
  func detections() throws {
    let samples = try add("parquet/boxes")
    let run = try catalog.createRun(
      RunDraft(
        name: "r", task: .detection, dataset: catalog.dataset(named: "set").id, view: "set",
        classes: ["glove"], samples: samples.map(\.id)))
    let box = Box(x: 2, y: 3, width: 4, height: 1.5)
    try catalog.record(
      [
        SampleDetections(
          sample: samples[0].id,
          detections: [
            Detection(
              class: 0, confidence: 0.75, box: box,
              keypoints: [3, 3.5, 0.5]),
            Detection(class: 0, confidence: 0.25, box: box),
          ]), SampleDetections(sample: samples[1].id, detections: []),
      ], in: run.id)
    let (tasks, summary) = try Self.export(catalog, to: folder.path("o"))
    #expect(summary.predicted?.images == 2 && summary.predicted?.results == 2)
    #expect(summary.predicted?.notPredicted == tasks.count - 2 && tasks.count > 2)
    #expect(summary.predicted?.withoutKeypoints == 1)
    let found = try Self.prediction(tasks[0])
    #expect(found["model_version"] == "r" && found["score"] == .number(0.5))
    let results = try #require(found["result"]?.elements)
    #expect(results.map { $0["score"] } == [.number(0.75), .number(0.25)])
    let size = try #require(samples[0].size)
    #expect(results[0]["type"] == "rectanglelabels" && results[0]["from_name"] == "rectangle")
    #expect(results[0]["original_width"]?.double == Double(size.width))
    let value = try #require(results[0]["value"])
    #expect(value["x"]?.double == 200 / Double(size.width))
    #expect(value["height"]?.double == 150 / Double(size.height))
    #expect(value["rectanglelabels"] == ["glove"])
    #expect(try Self.prediction(tasks[1])["result"] == [])
    #expect(tasks[2]["predictions"] == [] && tasks[2]["annotations"]?.elements?.count == 1)
    let few = try Self.export(catalog, to: folder.path("o"), minScore: 0.5)
    #expect(few.summary.predicted?.results == 1)
    #expect(throws: ExportError.self) {
      _ = try add("parquet/masks", as: "other")
      var request = DatasetExportRequest(.labelStudio)
      request.setRun("r", minScore: nil)
      _ = try DatasetExport(ExportScope("other", in: catalog), catalog: catalog, request).run(
        into: ExportFolder(folder.path("p"), force: false))
    }
  }

  @Test(
    "Classes with their probability; those of a multi-label run from 0.5", arguments: [false, true])
  func labels(isMultiLabel: Bool) throws {
    let samples = try add(isMultiLabel ? "parquet-labels/sets" : "parquet/classes")
    let names = isMultiLabel ? ["a", "b", "c"] : ["cat", "dog", "owl"]
    let rows = samples.map { "\($0.key),0.5,0.25,0.25\n" }.joined()
    let file = folder.path("p.csv")
    try Data(("sample,\(names.joined(separator: ","))\n" + rows).utf8).write(
      to: URL(fileURLWithPath: file))
    _ = try PredictionsImport(catalog: catalog, programVersion: "1").run(
      file, name: "r", view: "set", task: nil, ignoreMissing: false, normalize: false)
    let found = try Self.export(catalog, to: folder.path("o")).tasks
    for task in found {
      let prediction = try Self.prediction(task)
      #expect(prediction["score"] == .number(0.5))
      #expect(prediction["result"]?.elements?.map { $0["type"] } == ["choices"])
      #expect(prediction["result"]?.elements?[0]["value"]?["choices"] == [.string(names[0])])
    }
    let all = try Self.export(catalog, to: folder.path("o"), minScore: 0.2).summary
    #expect(all.predicted?.results == samples.count * (isMultiLabel ? 3 : 1))
  }

  @Test("A minimum score is refused for a run of labels without scores")
  func labelsOnly() throws {
    let samples = try add("parquet/classes")
    let file = folder.path("p.csv")
    try Data(("sample,label\n" + samples.map { "\($0.key),cat\n" }.joined()).utf8).write(
      to: URL(fileURLWithPath: file))
    var request = PredictionsImport.Request(file, name: "r", view: "set")
    request.options.label = "label"
    _ = try PredictionsImport(catalog: catalog, programVersion: "1").run(request)
    #expect(throws: ExportError.noScores(run: "r")) {
      try Self.export(catalog, to: folder.path("o"), minScore: 0.2)
    }
    let found = try Self.export(catalog, to: folder.path("o")).tasks
    #expect(try Self.prediction(found[0])["score"] == nil)
  }

  @Test("Masks as brush runs; unlabeled images stay open tasks", .openVINO)
  func masks() throws {
    let shapes = try MaskCatalog(count: 12, categories: [], ids: false)
    try shapes.add()
    let run = try shapes.predict { $0.name = "r" }.run
    let stored = try shapes.catalog.maskPredictions(of: run.id)
    let masks = try shapes.masks("r")
    let filled = masks.count { !$0.masks[0].mask.isEmpty }
    let name = try #require(shapes.catalog.datasets().first?.name)
    var request = DatasetExportRequest(.labelStudio)
    request.setRun("r", minScore: nil)
    let out = folder.path("o")
    let summary = try DatasetExport(
      ExportScope(name, in: shapes.catalog), catalog: shapes.catalog, request
    ).run(into: ExportFolder(out, force: false))
    #expect(summary.predicted?.images == 12 && summary.predicted?.results == filled)
    // Tasks without an annotation are read back as images without one.
    let databases = try TemporaryDatabases()
    let found = try ExportCheck(of: summary, catalog: shapes.catalog).run(
      database: databases.database("result"))
    #expect(found.lost == 0 && found.read.images == 12)
    let text = try String(contentsOfFile: out + "/tasks.json", encoding: .utf8)
    let tasks = try #require(try JSONValue(parsing: text).elements)
    for (index, task) in tasks.enumerated() {
      #expect(task["annotations"] == [])
      let results = try #require(try Self.prediction(task)["result"]?.elements)
      guard !masks[index].masks[0].mask.isEmpty else {
        #expect(results.isEmpty)
        continue
      }
      #expect(results[0]["score"]?.double == stored[index].masks[0].meanInside)
      let bytes = try #require(results[0]["value"]?["rle"]?.elements).compactMap {
        $0.double.map { UInt8($0) }
      }
      #expect(try LabelStudioRLE.mask(bytes, size: shapes.size) == masks[index].masks[0].mask)
    }
  }
}
