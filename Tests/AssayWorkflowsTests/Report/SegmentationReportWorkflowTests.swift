import AssayCore
import AssayImaging
import AssayReports
import AssayStore
import Foundation
import Testing

@testable import AssayWorkflows

@Suite struct SegmentationReportWorkflowTests {
  /// The small catalog with its images as files.
  private func world() throws -> SegmentCatalog {
    let world = try SegmentCatalog.small()
    for index in 0..<4 {
      let raster = Raster<UInt8>(repeating: UInt8(60 * index), width: 4, height: 2, channels: 3)
      try Data(ImageCodec.encodePNG(raster)).write(to: world.folder.appending(path: "\(index).png"))
    }
    return world
  }

  private func page(_ outcome: ReportWorkflow.Outcome) throws -> String {
    let file = try #require(outcome.files.first)
    #expect(file.name == "report.html")
    return String(decoding: file.bytes, as: UTF8.self)
  }

  @Test("A run of masks has its numbers, its pictures with outlines, its curve and a table")
  func report() throws {
    let world = try world()
    let outcome = try ReportWorkflow(catalog: world.catalog).report("r1")
    let html = try page(outcome)
    // IoU 1, 1/3, 0 and undefined: the mean of three is 0.444; Dice 1, 1/2, 0: 0.500.
    #expect(html.contains("<span class=\"value\">0.444</span>"))
    #expect(html.contains("<span class=\"value\">0.500</span>"))
    #expect(html.contains("over 3 of 4 samples"))
    #expect(outcome.headline.map(\.kind) == [.meanIoU, .meanDice])
    #expect(outcome.headline.map { NumberText.fixed($0.score.value) } == ["0.444", "0.500"])
    #expect(outcome.count == 4)
    #expect(html.contains("<g class=\"overlay\""))
    #expect(html.ranges(of: "<image href=\"data:image/png;base64,").count == 4)
    #expect(html.contains("<section id=\"sweep\""))
    #expect(html.contains("<th scope=\"row\">2.png</th><td>0.000</td>"))
    #expect(html.contains("the mask with a probability of at least 0.5"))
    #expect(html.contains("<dd>width 4, height 2, resize stretch</dd>"))
    #expect(html.contains("<dd>95 %: Student’s t over the samples, or none</dd>"))
    #expect(
      outcome.files.dropFirst().map(\.name) == ["answer.png", "iou-histogram.png", "sweep.png"])
    #expect(outcome.evaluationName == nil)
  }

  @Test("The same run gives the same bytes")
  func deterministic() throws {
    let world = try world()
    let workflow = ReportWorkflow(catalog: world.catalog)
    let (first, second) = (try workflow.report("r1"), try workflow.report("r1"))
    #expect(first.files.map(\.name) == second.files.map(\.name))
    #expect(zip(first.files, second.files).allSatisfy { $0.bytes == $1.bytes })
  }

  @Test(
    "A run is read from its evaluation `default`; a named one keeps its threshold and its cleaning")
  func stored() throws {
    let world = try world()
    let runs = Evaluator<SemanticSegmentation>(catalog: world.catalog)
    let reference = try RunReference("r1", in: world.catalog)
    let (evaluation, evaluated) = try runs.evaluate(reference, EvaluationSettings())
    _ = try runs.save(evaluation, of: evaluated, as: nil)
    let workflow = ReportWorkflow(catalog: world.catalog)
    let usual = try workflow.report("r1")
    #expect(usual.evaluationName == "default")
    #expect(try page(usual).contains("Run r1, evaluation default"))
    // Although the set is small, the curve is measured.
    #expect(try page(usual).contains("<section id=\"sweep\""))

    var settings = EvaluationSettings()
    settings.masks.threshold = 0.05
    settings.masks.cleanup.minimumArea = 3
    let (strict, other) = try runs.evaluate(reference, settings)
    _ = try runs.save(strict, of: other, as: "loose")
    let html = try page(workflow.report("r1@loose"))
    #expect(html.contains("a probability of at least 0.05"))
    #expect(html.contains("at least 3 pixels"))
  }

  @Test("A stored evaluation's report says how many samples the run has no masks for")
  func leftOut() throws {
    let world = try world()
    let run = try world.run(
      "r9", classes: ["person"], input: ImageSize(width: 4, height: 2),
      [[SegmentCatalog.map("##..", "##..")], [SegmentCatalog.map("##..", "....")], nil, nil])
    let samples = try world.catalog.samples(in: world.catalog.resolve("set"))
    try world.catalog.recordFailure(of: samples[2].id, in: run.id, message: "cut in half")
    let workflow = ReportWorkflow(catalog: world.catalog)
    let told = [
      "left out: 1 sample not predicted yet (repeat the predict or predictions import command)",
      "left out: 1 sample could not be predicted",
    ]
    #expect(told.allSatisfy(try workflow.report("r9").notes.contains))
    let runs = Evaluator<SemanticSegmentation>(catalog: world.catalog)
    let (evaluation, evaluated) = try runs.evaluate(
      RunReference("r9", in: world.catalog), EvaluationSettings())
    _ = try runs.save(evaluation, of: evaluated, as: nil)
    let stored = try workflow.report("r9")
    #expect(stored.evaluationName == "default")
    #expect(told.allSatisfy(stored.notes.contains), "\(stored.notes)")
    #expect(try page(stored).contains("<dd>1 sample could not be predicted</dd>"))
  }

  @Test("The curve of a stored sweep is drawn as it was stored")
  func storedSweep() throws {
    let world = try world()
    let runs = Evaluator<SemanticSegmentation>(catalog: world.catalog)
    let reference = try RunReference("r2", in: world.catalog)
    var settings = EvaluationSettings()
    settings.masks.sweep = try ThresholdRange("threshold=0.2..0.8:0.2")
    let (evaluation, evaluated) = try runs.evaluate(reference, settings)
    _ = try runs.save(evaluation, of: evaluated, as: nil)
    let source = try SegmentationSource(catalog: world.catalog, progress: NoProgress())
    let curve = try #require(try source.evaluate(reference).sweep)
    let sweep = try #require(evaluation.segmentation?.sweep)
    #expect(curve.places.map(\.value) == sweep.points.map(\.threshold))
    #expect(curve.places.map(\.iou.value) == sweep.points.map(\.meanIoU.value))
    #expect(curve.places.map(\.dice.value) == sweep.points.map(\.meanDice.value))
    #expect(curve.current == 0.5)
    #expect(curve.best?.value == sweep.best?.threshold)
  }

  @Test("After another import the run is judged by the regions of now")
  func reimported() throws {
    let world = try world()
    let runs = Evaluator<SemanticSegmentation>(catalog: world.catalog)
    let (evaluation, evaluated) = try runs.evaluate(
      RunReference("r1", in: world.catalog), EvaluationSettings())
    _ = try runs.save(evaluation, of: evaluated, as: nil)
    try world.importPictures(
      [[.init(category: 0, rows: ["####", "####"])], [], [], []],
      size: ImageSize(width: 4, height: 2),
      classes: [Category(name: "person"), Category(name: "car")],
      replace: true)
    let outcome = try ReportWorkflow(catalog: world.catalog).report("r1")
    #expect(outcome.evaluationName == nil)
    // 4 of 8 pixels, then two predictions on background: 0.5, 0, 0.
    #expect(outcome.headline.first?.score.value == 0.5 / 3)
  }

  @Test("Pictures that cannot be read are counted; the numbers are there")
  func missing() throws {
    let world = try SegmentCatalog.small()
    let outcome = try ReportWorkflow(catalog: world.catalog).report("r1")
    #expect(
      outcome.notes.contains {
        $0.hasPrefix("4 images could not be read; the first: sample 0.png")
      })
    #expect(try page(outcome).contains("<span class=\"value\">0.444</span>"))
  }

  @Test("Several classes are shown as label maps, with a matrix")
  func severalClasses() throws {
    let world = try world()
    let size = ImageSize(width: 4, height: 2)
    func map(_ rows: String...) -> [UInt8] { rows.flatMap { $0.map { $0 == "#" ? 255 : 0 } } }
    let none = [map("####", "####"), map("....", "...."), map("....", "....")]
    try world.run(
      "many", classes: ["background", "person", "car"], threshold: nil, background: 0, input: size,
      [
        [map("..##", "..##"), map("##..", "##.."), map("....", "....")], none,
        [map("....", "...."), map("....", "...."), map("####", "####")], none,
      ])
    let outcome = try ReportWorkflow(catalog: world.catalog).report("many")
    let html = try page(outcome)
    // Person: 4 of 4 + 4 pixels; car 8 of 8: mIoU (0.5 + 1) / 2.
    #expect(html.contains("<span class=\"value\">0.750</span>"))
    #expect(html.contains("<section id=\"matrix\""))
    #expect(html.contains("person → background: 4 pixels, 0.500 of all person"))
    #expect(html.contains("its most probable class"))
    #expect(outcome.headline.map(\.kind) == [.miou, .mdice, .sampleMIoU])
    #expect(outcome.files.map(\.name).contains("confusion.png"))
  }

  @Test("Leaving out missing classes is no matter of masks")
  func ignoresMissing() throws {
    let world = try world()
    #expect(throws: EvaluationError.self) {
      try ReportWorkflow(catalog: world.catalog).report("r1", ignoresMissing: true)
    }
  }
}
