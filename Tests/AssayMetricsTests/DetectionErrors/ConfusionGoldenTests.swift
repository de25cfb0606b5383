import AssayCore
import AssayTestSupport
import Foundation
import Testing

import AssayMetrics

/// Confusion matrices from pycocotools' matches, made by
/// `Tests/Fixtures/metrics/make_confusion_goldens.py`.
@Suite struct ConfusionGoldenTests {
  struct File: Decodable {
    var sets: [Golden]
  }

  struct Golden: Decodable {
    var name: String
    var rows: [[Int]]?
    /// Row, column and count of the cells that are not 0.
    var cells: [[Int]]?
  }

  @Test("The confusion matrices of 400 random sets are those of COCO's matches")
  func random() throws {
    let sets = try Goldens.load("errors/confusion", as: File.self).sets.filter { $0.rows != nil }
    #expect(sets.count == 400)
    for (seed, set) in sets.enumerated() {
      let scores = try ErrorScores(RandomDetections(seed: seed).tally())
      #expect(scores.confusion?.rows == set.rows, "set \(set.name)")
    }
  }

  @Test(
    "The confusion matrix of the COCO API's example is that of COCO's matches",
    .outsideData("coco/val2014_100", twin: "ConfusionGoldenTests.small"),
    arguments: [OverlapKind.box, .mask])
  func example(_ overlap: OverlapKind) throws {
    try check(overlap.rawValue, overlap, .published(overlap))
  }

  @Test(
    "The confusion matrix of a small example is that of COCO's matches",
    arguments: [OverlapKind.box, .mask])
  func small(_ overlap: OverlapKind) throws {
    try check("example " + overlap.rawValue, overlap, .small(overlap))
  }

  private func check(_ name: String, _ overlap: OverlapKind, _ example: COCOExample) throws {
    let golden = try #require(
      try Goldens.load("errors/confusion", as: File.self).sets.first { $0.name == name }?.cells)
    let tally = try ErrorTally.evaluating(
      classCount: example.classCount, images: example.images.count,
      DetectionSettings(overlap: overlap), workers: 2
    ) { example.images[$0] }
    let rows = try #require(try ErrorScores(tally).confusion?.rows)
    let cells = rows.enumerated().flatMap { row, counts in
      counts.enumerated().compactMap { $1 == 0 ? nil : [row, $0, $1] }
    }
    #expect(cells == golden)
  }
}
