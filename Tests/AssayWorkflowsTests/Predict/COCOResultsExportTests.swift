import AssayCore
import AssayStore
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

@Suite("Masks as COCO results", .openVINO)
struct COCOResultsExportTests {
  private func export(_ shapes: MaskCatalog, _ run: String) throws -> (
    summary: COCOResultsExport.Summary, results: [JSONValue]
  ) {
    let path = shapes.path("\(run).json")
    let summary = try COCOResultsExport(catalog: shapes.catalog).export(run, to: path)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return (summary, try #require(try JSONValue(parsing: text).elements))
  }

  @Test("Each mask is a result with the source's ids; empty ones are left out")
  func results() throws {
    let shapes = try MaskCatalog(count: 20)
    try shapes.add()
    let run = try shapes.predict { $0.name = "r" }.run
    let (summary, results) = try export(shapes, "r")
    let predictions = try shapes.catalog.maskPredictions(of: run.id)
    let masks = try shapes.masks("r")
    let filled = (0..<20).filter { !masks[$0].masks[0].mask.isEmpty }
    #expect(filled.count == summary.results && summary.empty == 20 - filled.count)
    #expect(summary.empty > 0 && summary.withoutID == 0 && summary.classes == ["thing"])
    for (result, number) in zip(results, filled) {
      #expect(result["image_id"]?.double == Double(900 + number))
      #expect(result["category_id"]?.double == 7)
      #expect(result["score"]?.double == predictions[number].masks[0].meanInside)
      let segmentation = try #require(result["segmentation"])
      #expect(segmentation["size"]?.elements?.map(\.double) == [16, 24])
      let counts = Array(try #require(segmentation["counts"]?.text).utf8)
      #expect(try Mask(size: shapes.size, compressed: counts) == masks[number].masks[0].mask)
    }
  }

  @Test("Without ids in the source images go by their keys, classes by their place from 1")
  func withoutIDs() throws {
    let shapes = try MaskCatalog(
      count: 8, categories: [Category(name: "cat"), Category(name: "thing")], ids: false)
    try shapes.add("mask_classes", classes: "[thing, background, unknown]")
    try shapes.predict("mask_classes") { ($0.name, $0.keepsMaps) = ("r", false) }
    let (summary, results) = try export(shapes, "r")
    #expect(summary.withoutID == 8 && summary.leftOut == ["unknown"] && !results.isEmpty)
    #expect(results.allSatisfy { $0["category_id"]?.double == 2 })
    #expect(results.last?["image_id"]?.text?.hasSuffix(".png") == true)
  }

  @Test("A run of another task, and a file that is there, are refused")
  func refused() throws {
    let shapes = try MaskCatalog()
    try shapes.add()
    try shapes.predict { $0.name = "r" }
    let path = shapes.path("r.json")
    _ = try export(shapes, "r")
    #expect(throws: PredictionsError.fileExists(path)) {
      try COCOResultsExport(catalog: shapes.catalog).export("r", to: path)
    }
    #expect(throws: PredictionsError.noScores(run: "r", task: .segmentation)) {
      try PredictionsExport(catalog: shapes.catalog).export("r", to: path, overwrite: true)
    }
    let squares = try PredictCatalog()
    try squares.add()
    let run = try squares.predict().run.name
    #expect(throws: PredictionsError.noMasks(run: run, task: .classification)) {
      try COCOResultsExport(catalog: squares.catalog).export(run, to: path)
    }
  }
}
