import AssayCore
import AssayMetrics
import AssayStore
import Foundation
import Testing

import AssayWorkflows

@Suite("Two category ids of one name")
struct SameNameTests {
  private static let truth = """
    {"images":[{"id":1,"width":100,"height":100,"file_name":"1.jpg"}],
    "categories":[{"id":1,"name":"cup"},{"id":2,"name":"cup"},{"id":3,"name":"dog"}],
    "annotations":[
    {"id":1,"image_id":1,"category_id":1,"bbox":[10,10,20,20],"area":400,"iscrowd":0},
    {"id":2,"image_id":1,"category_id":2,"bbox":[60,60,20,20],"area":400,"iscrowd":0}]}
    """
  private static let results = """
    [{"image_id":1,"category_id":1,"bbox":[10,10,20,20],"score":0.9},
    {"image_id":1,"category_id":2,"bbox":[60,60,20,20],"score":0.8}]
    """

  private func files(_ truth: String, _ results: String) throws -> FileDetectionResult {
    try FileDetection(truth: truth, dt: results).evaluate(EvaluationSettings())
  }

  @Test("A perfect detector has AP 1 in the catalog, as from the files and after an export")
  func perfect() throws {
    let world = try DetectCatalog()
    let truth = try world.write("gt.json", Self.truth)
    let results = try world.write("dt.json", Self.results)
    try world.truth(truth)
    let summary = try world.results(results)
    #expect(summary.findings.isEmpty && summary.health.usable == 2)
    let (evaluation, _) = try world.evaluate()
    #expect(evaluation.classes == ["cup", "cup (id 2)"] || evaluation.classes.count == 3)
    // A precision is divided by 1 + 2^-52, as in the reference.
    #expect(abs(try #require(evaluation.scores[.ap].value) - 1) < 1e-12)
    let fromFiles = try files(truth, results)
    #expect(
      DetectionScores.stats(.box).map { evaluation.scores[$0].value } == fromFiles.numbers)
    #expect(fromFiles.classes == evaluation.classes)
    // The export has each id again.
    let out = world.path("out.json")
    _ = try COCOResultsExport(catalog: world.catalog).export("r", to: out)
    #expect(try files(truth, out).numbers == fromFiles.numbers)
  }

  @Test(
    "A class that has the name of a parent without objects is evaluated, and so are the parent's results"
  )
  func parent() throws {
    let world = try DetectCatalog()
    let truth = try world.write(
      "gt.json",
      Self.truth.replacing(#"{"id":1,"name":"cup"}"#, with: #"{"id":0,"name":"cup"}"#)
        .replacing(#""category_id":1"#, with: #""category_id":2"#))
    let results = try world.write(
      "dt.json", Self.results.replacing(#""category_id":1"#, with: #""category_id":0"#))
    try world.truth(truth)
    try world.results(results)
    let (evaluation, _) = try world.evaluate()
    let fromFiles = try files(truth, results)
    #expect(
      DetectionScores.stats(.box).map { evaluation.scores[$0].value } == fromFiles.numbers)
    #expect(evaluation.classes.contains("cup") && evaluation.classes.contains("cup (id 0)"))
  }
}
