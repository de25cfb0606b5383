import AssayCore
import AssayReports
import AssayStore
import Foundation
import Testing

@testable import AssayWorkflows

@Suite struct ReportWorkflowTests {
  private func page(_ outcome: ReportWorkflow.Outcome) throws -> String {
    let file = try #require(outcome.files.first)
    #expect(file.name == "report.html")
    return String(decoding: file.bytes, as: UTF8.self)
  }

  @Test("A run's report has its numbers, its pictures and its means, and the charts beside it")
  func report() throws {
    let world = try EvaluateCatalog.small()
    let outcome = try ReportWorkflow(catalog: world.catalog).report("r1")
    let html = try page(outcome)
    // Three of four are correct; the third, happy, is predicted as sad.
    #expect(html.contains("3 of 4 samples are classified correctly"))
    #expect(html.contains("Most frequently, happy is predicted as sad (1 of 2)"))
    #expect(html.contains("title=\"sample 2\""))
    #expect(html.contains("<table class=\"means\">"))
    #expect(
      outcome.files.dropFirst().map(\.name) == [
        "answer.png", "confusion.png", "counts.png", "per-class.png", "reliability.png",
        "risk-coverage.png",
      ])
    #expect(outcome.evaluationName == nil)
  }

  @Test("The same run gives the same bytes")
  func deterministic() throws {
    let world = try EvaluateCatalog.small()
    let workflow = ReportWorkflow(catalog: world.catalog)
    let files = try workflow.report("r1").files
    let again = try workflow.report("r1").files
    #expect(files.map(\.name) == again.map(\.name))
    #expect(zip(files, again).allSatisfy { $0.bytes == $1.bytes })
  }

  @Test("RUN@EVALUATION keeps the truth and the filter of that evaluation")
  func storedEvaluation() throws {
    let world = try EvaluateCatalog.small()
    var settings = EvaluationSettings()
    settings.filter = "split = test"
    let runs = Evaluator<ImageClassification>(catalog: world.catalog)
    let (evaluation, evaluated) = try runs.evaluate("r1", settings)
    _ = try runs.save(evaluation, of: evaluated, as: "late")
    // The labels are swapped; the evaluation still has the old ones.
    try world.importFaces(
      ["sad", "happy", "sad", "happy"], classes: ["happy", "sad"], replace: true)
    let outcome = try ReportWorkflow(catalog: world.catalog).report("r1@late")
    let html = try page(outcome)
    #expect(outcome.evaluationName == "late")
    #expect(html.contains("1 of 2 samples are classified correctly"))
    #expect(html.contains("Run r1, evaluation late"))
    #expect(html.contains("split = test"))
  }

  @Test("Imported predictions have no inputs to show, a model's run has them from its manifest")
  func inputs() throws {
    let world = try EvaluateCatalog.small()
    let workflow = ReportWorkflow(catalog: world.catalog)
    #expect(try !page(workflow.report("r1")).contains("<section id=\"inputs\">"))

    let manifest = """
      task: classification
      input: {width: 4, height: 4, layout: NCHW, color: gray, scale: 2/255, offset: -1, resize: stretch}
      activation: none
      classes: [happy, sad]
      """
    let model = try world.catalog.addModel(
      ModelDraft(
        name: "m", hash: "abc123", task: .classification, path: "/models/m.onnx",
        manifest: manifest))
    let samples = try world.catalog.samples(in: world.catalog.resolve("faces"))
    let run = try world.catalog.createRun(
      RunDraft(
        name: "r3", model: model.id, dataset: world.catalog.dataset(named: "faces").id,
        view: "faces", settings: #"{"precision":"f32"}"#, versions: #"{"openvino_cpu":"1.2"}"#,
        classes: ["happy", "sad"], samples: samples.map(\.id)))
    try world.catalog.record(
      samples.map { SampleScores(sample: $0.id, scores: [0.6, 0.4]) }, in: run.id)
    let html = try page(workflow.report("r3"))
    #expect(html.contains("<section id=\"inputs\">"))
    #expect(html.contains("[1, 1, 4, 4] float32 NCHW, gray, pixel × 2/255 − 1, stretched to 4×4"))
    // Pixels 0 and 255 are −1 and 1.
    #expect(html.contains("drawn from −1.00 (black) to 1.00 (white)"))
    for fact in ["abc123", "m.onnx", "<dt>precision</dt><dd>f32</dd>", "<dt>openvino cpu</dt>"] {
      #expect(html.contains(fact), "\(fact)")
    }
  }

  @Test("A model's colors are drawn red before blue, whatever its own order")
  func colors() throws {
    let manifest = """
      task: classification
      input: {width: 1, height: 1, layout: NCHW, color: bgr, scale: 1, offset: 0, resize: stretch}
      activation: none
      classes: [happy, sad]
      """
    let world = try EvaluateCatalog.small()
    var run = try world.catalog.run(named: "r1")
    run.model = try world.catalog.addModel(
      ModelDraft(
        name: "m", hash: "h", task: .classification, path: "/m.onnx", manifest: manifest))
    let pixel = try #require(
      Raster<UInt8>(width: 1, height: 1, channels: 3, elements: [10, 20, 30]))
    let inputs = try #require(ReportInputs(run: run))
    let seen = try #require(inputs.seen([("a", pixel)]))
    #expect(seen.samples.first?.tensor.elements == [10, 20, 30])
    #expect(seen.recipe.contains("BGR"))
  }

  @Test("Pictures that cannot be read are counted and left out; the report is made")
  func missingPictures() throws {
    let world = try EvaluateCatalog()
    let draft = ImportDraft(
      name: "files", format: .imageFolder, root: world.folder.path, isSingleFile: false)
    _ = try world.catalog.importDataset(draft) { writer in
      var batch = ImportedBatch()
      batch.newCategories = [Category(name: "a"), Category(name: "b")]
      batch.samples = (0..<4).map {
        ImportedSample(key: "\($0).png", location: "\($0).png", category: $0 % 2)
      }
      try writer.write(batch)
      var outcome = ImportOutcome()
      (outcome.read, outcome.accepted, outcome.ordinals) = (4, 4, [0, 1])
      return (outcome, nil)
    }
    try world.run(
      "r", over: "files", classes: ["a", "b"], Array(repeating: [0.7, 0.3], count: 4))
    let outcome = try ReportWorkflow(catalog: world.catalog).report("r")
    #expect(outcome.notes.contains { $0.hasPrefix("4 images could not be read; the first:") })
    #expect(try page(outcome).contains("None: "))
  }

  @Test("A class without scores stops the report, or is left out and counted")
  func missingClasses() throws {
    let world = try EvaluateCatalog()
    try world.importFaces(["happy", "sad", "angry"], classes: ["happy", "sad", "angry"])
    try world.run("r", classes: ["happy", "sad"], Array(repeating: [0.7, 0.3], count: 3))
    let workflow = ReportWorkflow(catalog: world.catalog)
    #expect(throws: EvaluationError.self) { try workflow.report("r") }
    let outcome = try workflow.report("r", ignoresMissing: true)
    #expect(try page(outcome).contains("1 of 2 samples are classified correctly"))
    #expect(
      outcome.notes.contains { $0.contains("1 sample of classes that the run has no scores") })
  }

  @Test("A recipe is written as people write it")
  func arithmetic() {
    #expect(ReportInputs.arithmetic(scale: [1], offset: [0]) == "pixel")
    #expect(ReportInputs.arithmetic(scale: [1.0 / 255], offset: [0]) == "pixel × 1/255")
    #expect(ReportInputs.arithmetic(scale: [1], offset: [-127.5]) == "pixel − 127.5")
    #expect(
      ReportInputs.arithmetic(scale: [0.5, 2, 2], offset: [-1, 0, 1])
        == "pixel × (0.5, 2, 2) + (−1, 0, 1)")
  }

  @Test("The report’s mean images have the gray scales of stats: the total stands among them")
  func scales() throws {
    let world = try EvaluateCatalog.small()
    let html = try page(try ReportWorkflow(catalog: world.catalog).report("r1"))
    let pixels = try #require(
      try StatisticsWorkflow(catalog: world.catalog).run("faces", withPixels: true).pixels)
    #expect(html.contains("<th scope=\"col\">all<span class=\"quiet\">n = 4</span>"))
    for scale in [pixels.meanScale, pixels.deviationScale] {
      let (low, high) = (NumberText.fixed(scale.low, 1), NumberText.fixed(scale.high, 1))
      #expect(html.contains("<span>\(high)</span><i></i><span>\(low)</span>"))
    }
  }
}
