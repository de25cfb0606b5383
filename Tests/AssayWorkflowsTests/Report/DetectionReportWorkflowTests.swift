import AssayCore
import AssayImaging
import AssayMetrics
import AssayReports
import AssayStore
import Foundation
import Testing

@testable import AssayWorkflows

@Suite struct DetectionReportWorkflowTests {
  /// The small catalog with its images as files.
  private func world(pictures: Bool = true) throws -> DetectCatalog {
    let world = try DetectCatalog.small()
    for name in pictures ? ["a.png", "b.png"] : [] {
      let raster = Raster<UInt8>(repeating: 120, width: 100, height: 100, channels: 3)
      try Data(ImageCodec.encodePNG(raster)).write(to: world.folder.appending(path: name))
    }
    return world
  }

  private func page(_ outcome: ReportWorkflow.Outcome) throws -> String {
    let file = try #require(outcome.files.first)
    #expect(file.name == "report.html")
    return String(decoding: file.bytes, as: UTF8.self)
  }

  @Test("A run of detections has its numbers, its errors with pictures, its curves and a table")
  func report() throws {
    let world = try world()
    let outcome = try ReportWorkflow(catalog: world.catalog).report("r")
    let html = try page(outcome)
    // Cat: one of two found before any wrong detection: 51 of 101 recalls; dog: 0. Half of 51/101
    // is 0.252.
    #expect(outcome.headline.map(\.kind) == [.ap, .ap50])
    #expect(outcome.headline.map { NumberText.fixed($0.score.value) } == ["0.252", "0.252"])
    #expect(html.contains("<span class=\"value\">0.252</span>"))
    #expect(html.contains("over 2 images, 3 objects of 2 classes"))
    // From 0.3 on: the correct cat, and a dog that is a cat.
    #expect(
      html.contains("1 of 3 objects are found (recall 0.333) and 1 of 2 detections are correct"))
    #expect(outcome.count == 2)
    #expect(outcome.evaluationName == nil)
    #expect(html.contains("aria-label=\"sample a.png: cat, detected as dog with 0.80\""))
    #expect(html.contains("aria-label=\"sample a.png: cat, detected as cat with 0.20\""))
    #expect(html.contains("aria-label=\"sample b.png: nothing, detected as cat with 0.25\""))
    #expect(html.contains("aria-label=\"sample a.png: dog, not found\""))
    // The duplicate is shown next to the detection that counted.
    #expect(html.contains(">cat 0.90</text>"))
    #expect(html.ranges(of: "<image href=\"data:image/").count == 4)
    #expect(html.contains("<dt>IoU of</dt><dd>boxes</dd>"))
    #expect(html.contains("<dd>10 from 0.5 to 0.95</dd>"))
    #expect(
      outcome.files.dropFirst().map(\.name) == [
        "answer.png", "confusion.png", "errors.png", "per-class.png",
        "precision-recall-classes.png", "precision-recall.png", "reliability.png", "sizes.png",
      ])
  }

  @Test("A stored evaluation stands for its run, with the same page but for its name")
  func stored() throws {
    let world = try world()
    let workflow = ReportWorkflow(catalog: world.catalog)
    let fresh = try workflow.report("r")
    try world.save()
    let kept = try workflow.report("r")
    #expect(kept.evaluationName == "default")
    #expect(kept.headline.map(\.score.value) == fresh.headline.map(\.score.value))
    // Charts do not show which evaluation they belong to.
    #expect(zip(kept.files, fresh.files).dropFirst().allSatisfy { $0.bytes == $1.bytes })
    let pictures = #/<svg class="photo.*?</svg>/#
    let (first, second) = (try page(kept), try page(fresh))
    #expect(first.matches(of: pictures).map { $0.0 } == second.matches(of: pictures).map { $0.0 })
    #expect(first.contains("the matches stored with the evaluation"))
  }

  @Test("The same run gives the same bytes")
  func deterministic() throws {
    let world = try world()
    let workflow = ReportWorkflow(catalog: world.catalog)
    let (first, second) = (try workflow.report("r"), try workflow.report("r"))
    #expect(first.files.map(\.name) == second.files.map(\.name))
    #expect(zip(first.files, second.files).allSatisfy { $0.bytes == $1.bytes })
  }

  @Test("Without pictures objects are drawn on blank paper, and it is said")
  func blank() throws {
    let world = try world(pictures: false)
    let outcome = try ReportWorkflow(catalog: world.catalog).report("r")
    let html = try page(outcome)
    #expect(html.ranges(of: "<image href=\"data:image/").count == 4)
    #expect(
      html.contains("2 images could not be read, so objects are drawn on a blank background"))
  }

  @Test("Mistakes of different images come first, then others of the same")
  func choice() throws {
    var tally = ErrorTally(classCount: 1)
    func image(_ scores: [Double]) throws -> ImageErrors {
      try ImageErrors(
        truth: [],
        found: scores.enumerated().map { place, score in
          FoundObject(
            class: 0, score: score, box: Box(x: 20 * Double(place), y: 0, width: 9, height: 9),
            area: 81)
        }, DetectionSettings())
    }
    try tally.add(try image([0.9, 0.8, 0.7]))
    try tally.add(try image([0.5]))
    let chosen = MistakePictures.chosen(.background, in: tally)
    #expect(chosen.map(\.score) == [0.9, 0.5, 0.8, 0.7])
    #expect(chosen.map(\.image) == [0, 1, 0, 0])
    #expect(MistakePictures.chosen(.missed, in: tally).isEmpty)
  }

  @Test("--ignore-missing is no matter of detectors")
  func option() throws {
    let world = try world()
    #expect(throws: EvaluationError.self) {
      try ReportWorkflow(catalog: world.catalog).report("r", ignoresMissing: true)
    }
  }
}
