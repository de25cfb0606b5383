import AssayCore
import AssayTestSupport
import Foundation
import Testing

import AssayMetrics

/// The results of tidecv 1.0.1, written by `Tests/Fixtures/metrics/make_error_goldens.py`:
/// unmodified, and with METRICS.md's rules where they differ. The script lists the rules.
@Suite struct TIDEGoldenTests {
  struct File: Decodable {
    var sets: [Golden]
  }

  struct Golden: Decodable {
    var name: String
    /// True if METRICS.md's rules change a number.
    var differs: Bool
    var tidecv: Numbers
    var rules: Numbers
  }

  struct Numbers: Decodable {
    var ap: Double?
    /// The costs by type, in the order of `DetectionErrorKind`.
    var costs: [Double]
    var counts: [Int]
  }

  private func check(_ scores: ErrorScores, _ golden: Golden) {
    #expect(
      Goldens.agree(scores.averagePrecision, golden.rules.ap), "AP of set \(golden.name)")
    for (index, kind) in DetectionErrorKind.allCases.enumerated() {
      let (cost, count) = (scores.cost(kind).value, scores.counts.count(kind))
      #expect(
        Goldens.agree(cost, golden.rules.costs[index]),
        "cost of \(kind) in set \(golden.name): \(cost ?? -1)")
      #expect(count == golden.rules.counts[index], "count of \(kind) in set \(golden.name)")
      if !golden.differs {
        #expect(
          Goldens.agree(cost, golden.tidecv.costs[index]), "tidecv's own, set \(golden.name)")
        #expect(count == golden.tidecv.counts[index], "tidecv's own, set \(golden.name)")
      }
    }
  }

  @Test("Costs and counts of 400 random sets are tidecv's, or tidecv's with METRICS.md's rules")
  func random() throws {
    let golden = try Goldens.load("errors/random", as: File.self)
    #expect(golden.sets.count == 400)
    // Most sets are the same as in tidecv itself.
    #expect(golden.sets.count { !$0.differs } > 200)
    for (seed, set) in golden.sets.enumerated() {
      try check(ErrorScores(RandomDetections(seed: seed).tally()), set)
    }
  }

  @Test(
    "Costs and counts of the COCO API's example are tidecv's with METRICS.md's rules",
    .outsideData("coco/val2014_100", twin: "TIDEGoldenTests.small"),
    arguments: [OverlapKind.box, .mask])
  func example(_ overlap: OverlapKind) throws {
    try check("errors/val2014_100", overlap, .published(overlap))
  }

  @Test(
    "Costs and counts of a small example are tidecv's with METRICS.md's rules",
    arguments: [OverlapKind.box, .mask])
  func small(_ overlap: OverlapKind) throws {
    try check("errors/example", overlap, .small(overlap))
  }

  private func check(_ goldens: String, _ overlap: OverlapKind, _ example: COCOExample) throws {
    let golden = try #require(
      try Goldens.load(goldens, as: File.self).sets.first { $0.name == overlap.rawValue })
    let tally = try ErrorTally.evaluating(
      classCount: example.classCount, images: example.images.count,
      DetectionSettings(overlap: overlap), workers: 2
    ) { example.images[$0] }
    try check(ErrorScores(tally), golden)
  }
}
