import AssayCore
import AssayImaging
import AssayInference
import AssayReports
import AssayStore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayWorkflows

@Suite(
  "Runs over images without labels", .openVINO)
struct UnlabeledRunTests {
  private func page(_ outcome: ReportWorkflow.Outcome) throws -> String {
    String(decoding: try #require(outcome.files.first).bytes, as: UTF8.self)
  }

  private func has(_ picture: Raster<UInt8>, _ color: [UInt8]) -> Bool {
    (0..<picture.width * picture.height).contains { pixel in
      (0..<3).allSatisfy { picture.elements[pixel * 3 + $0] == color[$0] }
    }
  }

  private static let orange: [UInt8] = [0xD5, 0x5E, 0x00]
  private static let blue: [UInt8] = [0x00, 0x72, 0xB2]

  @Test("A classifier's predictions are queried, drawn, exported and reported")
  func classification() throws {
    let world = try PredictCatalog(count: 30, labels: [nil])
    // The mean of image n is 2.5 n / 255: half of the images are below the offset.
    let manifest = try world.write(
      "tiny.yaml", PredictCatalog.manifest().replacing("offset: 0", with: "offset: -0.15"))
    _ = try ModelAddition(
      modelPath: PredictCatalog.models.appending(path: "tiny.onnx").path, manifestPath: manifest,
      name: "tiny"
    ).run(catalogPath: world.catalog.path)
    let run = try world.predict { $0.name = "r" }.run
    let predictions = try world.catalog.predictions(of: run.id)
    let bright = predictions.count { $0.predicted == 0 }
    #expect(predictions.count == 30 && bright > 0 && bright < 30)

    let found = try SampleSearch(catalog: world.catalog).search(
      "run(r).label = bright", in: "squares", limit: nil)
    #expect(found.count == bright && found.runs == ["r"])
    #expect(try SampleSheet(catalog: world.catalog, found: found).draw().pictures == bright)
    let drawn = try RunDrawing(RunReference(run: run), in: world.catalog).drawn(found.samples)
    let first = try #require(predictions.first { $0.predicted == 0 })
    #expect(drawn[0].caption == "→ bright \(NumberText.fixed(first.confidence, 2))")

    let exported = try PredictionsExport(catalog: world.catalog).export(
      "r", for: .assay, to: world.path("r.csv"), overwrite: false)
    #expect(exported.rows == 30)

    for expression in ["run(r).correct = false", "not run(r).correct = true"] {
      let error = #expect(throws: StoreError.self) {
        try SampleSearch(catalog: world.catalog).search(expression, in: "squares", limit: nil)
      }
      let text = "\(try #require(error))"
      #expect(text.contains("“squares” has no ground truth for classification, so run “r” "))
      #expect(text.contains("without ground truth it has .label, .confidence and .margin"))
    }
    #expect(!(try world.predict { $0.name = "r" }.hasGroundTruth))

    let outcome = try ReportWorkflow(catalog: world.catalog).report("r")
    #expect(outcome.headline.isEmpty && outcome.count == 30)
    #expect(
      outcome.notes.contains(
        "squares has no ground truth for classification: predictions only, no metrics"))
    #expect(
      outcome.files.dropFirst().map(\.name) == [
        "confidence-histogram.png", "predicted-classes.png",
      ]
    )
    let html = try page(outcome)
    let most = max(bright, 30 - bright)
    let share = NumberText.fixed(100 * Double(most) / 30, 1)
    #expect(html.contains("30 images predicted. Most frequent: "))
    #expect(html.contains("\(most) images (\(share) %)"))
    #expect(html.contains("24 images of 30, chosen at random (seed 0)."))
    #expect(html.ranges(of: "<img ").count == 24)
    #expect(html.contains("<dt>Samples predicted</dt><dd>30</dd>"))
    #expect(!html.contains("accuracy"))
    #expect(
      try ReportWorkflow(catalog: world.catalog).report("r").files[0].bytes
        == outcome.files[0].bytes)
  }

  @Test("A segmenter's masks are drawn, exported and reported")
  func segmentation() throws {
    let shapes = try MaskCatalog(count: 12, categories: [], ids: false)
    try shapes.add()
    let run = try shapes.predict { $0.name = "r" }.run
    let masks = try shapes.masks("r")
    let filled = masks.count { !$0.masks[0].mask.isEmpty }
    #expect(filled > 0 && filled < 12)

    let found = try SampleSearch(catalog: shapes.catalog).search(nil, in: "shapes", limit: nil)
    let sheet = try SampleSheet(catalog: shapes.catalog, found: found, run: "r").draw()
    let picture = try ImageCodec.decode(sheet.png, as: .rgb8)
    #expect(has(picture, Self.orange))
    let drawn = try RunDrawing(RunReference(run: run), in: shapes.catalog).drawn(found.samples)
    let predictions = try shapes.catalog.maskPredictions(of: run.id)
    for (index, drawn) in drawn.enumerated() {
      let mean = predictions[index].masks.first?.meanInside
      #expect(
        drawn.caption
          == (masks[index].masks[0].mask.isEmpty
            ? "→ nothing" : "→ thing \(NumberText.fixed(try #require(mean), 2))"))
    }

    let summary = try COCOResultsExport(catalog: shapes.catalog).export(
      "r", to: shapes.path("r.json"))
    #expect(summary.numbersClasses && summary.results == filled && summary.leftOut.isEmpty)
    let text = try String(contentsOfFile: shapes.path("r.json"), encoding: .utf8)
    let results = try #require(try JSONValue(parsing: text).elements)
    #expect(results.allSatisfy { $0["category_id"]?.double == 1 })

    let html = try page(try ReportWorkflow(catalog: shapes.catalog).report("r"))
    #expect(html.contains("12 images predicted, \(filled) with a mask."))
    #expect(html.contains("Most frequent: thing, \(filled) images"))
    #expect(html.contains("mean probability inside a predicted mask"))
    #expect(html.contains("All images."))
  }

  @Test("A detector's boxes are queried, drawn, exported and reported")
  func detection() throws {
    let shapes = try MaskCatalog(
      count: 12, size: ImageSize(width: 50, height: 70), categories: [], ids: false)
    let manifest = """
      task: detection
      input: {width: 64, height: 64, layout: NCHW, color: rgb, scale: 1, offset: 0, resize: letterbox}
      classes: [a, b, c]
      head: yolox
      score: 0.2
      """
    let path = shapes.path("d.yaml")
    try Data(manifest.utf8).write(to: URL(filePath: path))
    _ = try ModelAddition(
      modelPath: PredictCatalog.models.appending(path: "detect_yolox.onnx").path,
      manifestPath: path, name: "d"
    ).run(catalogPath: shapes.catalog.path)
    let run = try shapes.predict("d") { $0.name = "r" }.run
    let stored = try shapes.catalog.detections(of: run.id).map(\.detections)
    let kept = stored.map { $0.filter { $0.confidence >= 0.3 } }
    let total = kept.joined().count
    #expect(total > 0)

    let search = SampleSearch(catalog: shapes.catalog)
    for (expression, score) in [
      ("run(r).detections > 1", 0.3), ("run(r, score: 0.6).detections > 1", 0.6),
    ] {
      let found = try search.search(expression, in: "shapes", limit: nil)
      let wanted = stored.indices.filter { index in
        stored[index].count { $0.confidence >= score } > 1
      }
      #expect(found.samples.map(\.key) == wanted.map { "\($0).png" }, "\(expression)")
      #expect(found.matching == [MatchBasis(run: "r", iou: nil, score: score)])
    }
    let found = try search.search("run(r).detections > 0", in: "shapes", limit: nil)
    let sheet = try SampleSheet(catalog: shapes.catalog, found: found).draw()
    let picture = try ImageCodec.decode(sheet.png, as: .rgb8)
    #expect(has(picture, Self.orange))
    let error = #expect(throws: StoreError.self) {
      try search.search("run(r).false_positives > 0", in: "shapes", limit: nil)
    }
    let refusal = "\(try #require(error))"
    #expect(refusal.contains("“shapes” has no ground truth for detection"))
    #expect(refusal.contains("without ground truth it has .detections"))
    #expect(!refusal.contains("assay evaluate"))

    let summary = try COCOResultsExport(catalog: shapes.catalog).export(
      "r", to: shapes.path("r.json"))
    #expect(summary.numbersClasses && summary.results == stored.joined().count)
    let text = try String(contentsOfFile: shapes.path("r.json"), encoding: .utf8)
    let ids = try #require(try JSONValue(parsing: text).elements).compactMap {
      $0["category_id"]?.double
    }
    #expect(Set(ids).isSubset(of: [1, 2, 3]) && ids.count == summary.results)

    let html = try page(try ReportWorkflow(catalog: shapes.catalog).report("r"))
    #expect(
      html.contains(
        "\(NumberText.count(total)) detections with a score of at least 0.3 in 12 images")
    )
    #expect(html.contains("score of a detection"))
  }

  @Test("A labeled dataset's classifier is drawn with label, prediction and confidence")
  func labeled() throws {
    let world = try PredictCatalog(count: 12)
    try world.add()
    let run = try world.predict { $0.name = "r" }.run
    let predictions = try world.catalog.predictions(of: run.id)
    let drawn = try RunDrawing(RunReference(run: run), in: world.catalog)
      .drawn(predictions.map(\.sample))
    for (index, (prediction, drawn)) in zip(predictions, drawn).enumerated() {
      let truth = ["bright", "dark"][index % 2]
      let predicted = ["bright", "dark"][prediction.predicted]
      #expect(
        drawn.caption == "\(truth) → \(predicted) \(NumberText.fixed(prediction.confidence, 2))")
      #expect(drawn.frame == (truth == predicted ? .right : .wrong))
    }
    let found = try SampleSearch(catalog: world.catalog).search(
      "run(r).correct = false", in: "squares", limit: nil)
    #expect(found.count > 0)
    let sheet = try SampleSheet(catalog: world.catalog, found: found).draw()
    let plain = try SampleSheet(
      catalog: world.catalog,
      found: SampleSearch(catalog: world.catalog).search(nil, in: "squares", limit: nil)
    ).draw()
    #expect(has(try ImageCodec.decode(sheet.png, as: .rgb8), Self.orange))
    #expect(!has(try ImageCodec.decode(plain.png, as: .rgb8), Self.orange))
  }

  @Test("A labeled dataset's masks are drawn blue, the prediction's orange")
  func labeledMasks() throws {
    let world = try SegmentCatalog()
    let rows = (0..<32).map { y in
      String((0..<64).map { x in (4..<24).contains(x) && (4..<24).contains(y) ? "#" : "." })
    }
    try world.importPictures(
      [[.init(category: 0, rows: rows)]], size: ImageSize(width: 64, height: 32),
      classes: [Category(name: "thing")])
    let raster = Raster<UInt8>(repeating: 200, width: 64, height: 32)
    try Data(ImageCodec.encodePNG(raster)).write(to: world.folder.appending(path: "0.png"))
    let manifest = """
      task: segmentation
      input: {width: 4, height: 4, layout: NCHW, color: gray, scale: 1/255, offset: 0, resize: stretch}
      classes: [thing]
      """
    let path = world.folder.appending(path: "m.yaml").path
    try Data(manifest.utf8).write(to: URL(filePath: path))
    _ = try ModelAddition(
      modelPath: PredictCatalog.models.appending(path: "mask_nchw.onnx").path, manifestPath: path,
      name: "m"
    ).run(catalogPath: world.catalog.path)
    var request = PredictRequest(view: "set", model: "m", programVersion: "0")
    request.name = "r"
    let run = try Prediction(request, catalog: world.catalog).run().run
    let found = try SampleSearch(catalog: world.catalog).search(nil, in: "set", limit: nil)
    let sheet = try SampleSheet(catalog: world.catalog, found: found, run: "r").draw()
    let picture = try ImageCodec.decode(sheet.png, as: .rgb8)
    #expect(has(picture, Self.orange) && has(picture, Self.blue))
    let caption = try RunDrawing(RunReference(run: run), in: world.catalog).drawn(found.samples)[0]
      .caption
    #expect(caption.hasPrefix("thing → thing 0."))
  }

  @Test("Labels of whole images are no ground truth for masks and boxes: predictions only")
  func labelsAlone() throws {
    let world = try PredictCatalog(count: 12)
    let manifests = [
      "mask_nchw": """
      task: segmentation
      input: {width: 4, height: 4, layout: NCHW, color: gray, scale: 1/255, offset: 0, resize: stretch}
      classes: [thing]
      """,
      "detect_yolox": """
      task: detection
      input: {width: 64, height: 64, layout: NCHW, color: rgb, scale: 1, offset: 0, resize: letterbox}
      classes: [a, bright, c]
      head: yolox
      score: 0.2
      """,
    ]
    for (name, manifest) in manifests {
      let path = try world.write("\(name).yaml", manifest)
      _ = try ModelAddition(
        modelPath: PredictCatalog.models.appending(path: "\(name).onnx").path, manifestPath: path,
        name: name
      ).run(catalogPath: world.catalog.path)
      let summary = try world.predict(name) { $0.name = name }
      #expect(summary.run.done == 12 && !summary.hasGroundTruth && summary.shared.isEmpty)
      let outcome = try ReportWorkflow(catalog: world.catalog).report(name)
      #expect(outcome.headline.isEmpty && outcome.count == 12)
      let task = summary.run.task.rawValue
      #expect(
        outcome.notes.contains(
          "squares has no ground truth for \(task): predictions only, no metrics"))
    }
    #expect(throws: EvaluationError.noGroundTruth(.detection, dataset: "squares")) {
      try Evaluator<ObjectDetection>(catalog: world.catalog).counted(
        RunReference("detect_yolox", in: world.catalog), EvaluationSettings())
    }
    #expect(throws: EvaluationError.noGroundTruth(.segmentation, dataset: "squares")) {
      try Evaluator<SemanticSegmentation>(catalog: world.catalog).counted(
        RunReference("mask_nchw", in: world.catalog), EvaluationSettings())
    }
  }

  @Test("A run over another dataset is not drawn")
  func otherDataset() throws {
    let world = try EvaluateCatalog.small()
    try world.importFaces(["happy"], classes: ["happy"], as: "others")
    let found = try SampleSearch(catalog: world.catalog).search(nil, in: "others", limit: nil)
    let run = try #require(try world.catalog.runs().first).name
    #expect(throws: SheetError.otherDataset(run: run, dataset: "faces", view: "others")) {
      try SampleSheet(catalog: world.catalog, found: found, run: run).draw()
    }
  }
}
