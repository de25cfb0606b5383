import AssayCore
import AssayStore
import Testing

@testable import AssayWorkflows

@Suite struct MaskRankingTests {
  private static func save(_ run: String, in world: SegmentCatalog) throws {
    let workflow = Evaluator<SemanticSegmentation>(catalog: world.catalog)
    let (evaluation, evaluated) = try workflow.evaluate(
      RunReference(run, in: world.catalog), EvaluationSettings())
    _ = try workflow.save(evaluation, of: evaluated, as: nil)
  }

  /// Four images of 4 × 2 and a run: certain and centered, uncertain and centered, certain and off
  /// center, empty.
  private static func four() throws -> SegmentCatalog {
    let world = try SegmentCatalog()
    let size = ImageSize(width: 4, height: 2)
    try world.importPictures(
      Array(repeating: [.init(category: 0, rows: ["##..", "##.."])], count: 4), size: size,
      classes: [Category(name: "person")])
    try world.run(
      "r1", classes: ["person"], input: size,
      [
        [SegmentCatalog.map("####", "####")], [SegmentCatalog.map("6666", "6666")],
        [SegmentCatalog.map("####", "#...")], [SegmentCatalog.map("....", "...4")],
      ])
    return world
  }

  @Test("Unsureness and the center's offset come together by the mean of their ranks")
  func uncertainty() throws {
    let world = try Self.four()
    let ranked = try RankedKeys(["r1"], in: world.catalog)
    // Uncertainty: 0, 1 − 2 · (150/255 − ½) = 0.82, 0, and one of eight cells at 100/255: 2 ·
    // (100/255) / 8 = 0.10.
    // Shares: ½/3 twice for the two zeros, 1 for 0.82, 2/3 for 0.10. Off center: 0, 0, some, none.
    // Shares: ¼, ¼, 1. Means: (1/6 + 1/4) / 2 = 0.21; (1 + 1/4) / 2 = 0.625; (1/6 + 1) / 2 = 0.58; 2/3.
    #expect(ranked.keys == ["3.png", "1.png", "2.png", "0.png"])
    #expect(
      ranked.reasons == [
        "uncertainty 0.10", "uncertainty 0.82, off center 0.00", ranked.reasons[2],
        "off center 0.00, uncertainty 0.00",
      ])
    #expect(
      ranked.reasons[2].hasPrefix("off center 0.")
        && ranked.reasons[2].hasSuffix("uncertainty 0.00"))
    let scores = ranked.scores.map { (($0 ?? 0) * 1000).rounded() / 1000 }
    #expect(scores == [0.667, 0.625, 0.583, 0.208])
  }

  @Test("What an evaluation keeps gives the same order as what is measured now")
  func stored() throws {
    let world = try Self.four()
    let measured = try RankedKeys(["r1"], in: world.catalog)
    let doubted = try RankedKeys(["r1"], in: world.catalog, order: .disagreement)
    try Self.save("r1", in: world)
    let stored = try RankedKeys(["r1"], in: world.catalog)
    #expect(stored.keys == measured.keys)
    #expect(stored.reasons == measured.reasons)
    #expect(stored.scores == measured.scores)
    let kept = try RankedKeys(["r1"], in: world.catalog, order: .disagreement)
    #expect(kept.keys == doubted.keys)
    #expect(kept.reasons == doubted.reasons)
    #expect(kept.scores == doubted.scores)
  }

  @Test("A run that keeps masks alone is measured on these")
  func masksAlone() throws {
    let world = try Self.four()
    let size = ImageSize(width: 4, height: 2)
    try world.run(
      "r2", classes: ["person"], input: size, keepsMaps: false,
      [
        [SegmentCatalog.map("####", "####")], [SegmentCatalog.map("6666", "6666")],
        [SegmentCatalog.map("####", "#...")], [SegmentCatalog.map("....", "...4")],
      ])
    #expect(
      try RankedKeys(["r2"], in: world.catalog).reasons
        == RankedKeys(["r1"], in: world.catalog).reasons)
  }

  @Test("The least overlap comes first, where the run is sure", arguments: [false, true])
  func truth(isStored: Bool) throws {
    let world = try SegmentCatalog.small()
    if isStored { try Self.save("r1", in: world) }
    let ranked = try RankedKeys(["r1"], in: world.catalog, order: .disagreement)
    // IoUs 1, 1/3, 0 and undefined.
    #expect(ranked.keys == ["2.png", "1.png", "0.png", "3.png"])
    #expect(
      ranked.reasons == [
        "ground truth empty, 4 pixels predicted, uncertainty 0.00",
        "IoU with the ground truth 0.33, uncertainty 0.00",
        "IoU with the ground truth 1.00, uncertainty 0.00",
        "neither ground truth nor prediction",
      ])
    #expect(ranked.scores[0] == 1)
    #expect(ranked.scores[2] == 0)
  }

  @Test("An unsure run is less of a reason to doubt the truth")
  func unsure() throws {
    let world = try SegmentCatalog()
    let size = ImageSize(width: 4, height: 2)
    try world.importPictures(
      Array(repeating: [.init(category: 0, rows: ["##..", "##.."])], count: 2), size: size,
      classes: [Category(name: "person")])
    // The first has an overlap of 0 and is uncertain, the second of 2/6 and is certain.
    try world.run(
      "r1", classes: ["person"], input: size,
      [[SegmentCatalog.map("4466", "4466")], [SegmentCatalog.map(".##.", ".##.")]])
    let ranked = try RankedKeys(["r1"], in: world.catalog, order: .disagreement)
    #expect(ranked.keys == ["1.png", "0.png"])
    #expect(ranked.reasons[1].hasPrefix("IoU with the ground truth 0.00, uncertainty 0.8"))
  }

  @Test("Runs whose masks overlap least come first")
  func twoRuns() throws {
    let world = try SegmentCatalog.small()
    // r1 and r2: 4/5; {2,3} of both rows and {1,2}, {1,2,3}: 2/7; 4 and nothing; nothing and nothing.
    let ranked = try RankedKeys(["r1", "r2"], in: world.catalog)
    #expect(ranked.keys[0] == "2.png")
    #expect(ranked.reasons[0] == "IoU of the two runs 0.00")
    #expect(ranked.keys[2...] == ["0.png", "3.png"])
    #expect(ranked.reasons[2...] == ["IoU of the two runs 0.80", "no run has a prediction"])
    #expect(ranked.scores[3] == 0)
  }

  @Test("An order by the corrected truth does not take an evaluation of the imported one")
  func corrected() throws {
    let world = try SegmentCatalog.small()
    try Self.save("r1", in: world)
    let planning = ReviewPlanner(catalog: world.catalog)
    for isCorrected in [false, true] {
      let question = ReviewRequest(["r1"], order: .disagreement, isCorrected: isCorrected)
      let plan = try planning.plan(question, [planning.subject("r1")])
      let ranking = try ReviewRanker(
        catalog: world.catalog, progress: NoProgress(), plan: plan)
      #expect(try (ranking.evaluation(of: plan.runs[0]) == nil) == isCorrected)
    }
  }
}
