import AssayCore
import AssayStore
import Testing

@testable import AssayWorkflows

/// The keys and reasons of an order, as in a review.
struct RankedKeys {
  var keys: [String]
  var reasons: [String]
  var scores: [Double?]
  var remarks: [String]
  var leftOut: [String]

  init(
    _ subjects: [String], in catalog: Catalog, order: ReviewOrder? = nil,
    where expression: String? = nil
  ) throws {
    let planning = ReviewPlanner(catalog: catalog)
    let plan = try planning.plan(
      ReviewRequest(subjects, order: order, expression: expression),
      subjects.map { try planning.subject($0) })
    let ranking = try ReviewRanker(catalog: catalog, progress: NoProgress(), plan: plan).ranking()
    let sorted = RankedSample.sorted(ranking.samples)
    keys = try catalog.samples(ids: sorted.map(\.sample)).map(\.key)
    reasons = sorted.map(\.reason)
    scores = sorted.map(\.score)
    (remarks, leftOut) = (ranking.remarks, ranking.leftOut)
  }
}

@Suite struct LabelRankingTests {
  @Test("The smallest margin comes first, equal ones by the sample's id")
  func margins() throws {
    let world = try EvaluateCatalog()
    try world.importFaces(["a", "b", "c", "a", nil], classes: ["a", "b", "c"])
    try world.run(
      "r1", classes: ["a", "b", "c"],
      [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.125, 0.375, 0.5], [1, 0, 0], nil])
    let ranked = try RankedKeys(["r1"], in: world.catalog)
    // Margins 0.25, 0.25, 0.125, 1.
    #expect(ranked.keys == ["2", "0", "1", "3"])
    #expect(ranked.scores == [0.875, 0.75, 0.75, 0])
    #expect(
      ranked.reasons == [
        "c (0.50) or b (0.38)", "a (0.50) or b (0.25)", "b (0.50) or a (0.25)",
        "a (1.00) or b (0.00)",
      ])
    #expect(ranked.leftOut == ["1 sample not predicted by r1"])
    #expect(try RankedKeys(["faces/test", "r1"], in: world.catalog).keys == ["3"])
    #expect(try RankedKeys(["r1"], in: world.catalog, where: "label = a").keys == ["0", "3"])
  }

  @Test("The labels with the smallest probability come first, and possible errors are counted")
  func labels() throws {
    let world = try EvaluateCatalog()
    // Sample 3 is labeled a and confidently predicted as b. Thresholds: a (0.9 + 0.6 + 0.8 + 0.1) /
    // 4 = 0.6, b 0.7.
    try world.importFaces(["a", "a", "a", "a", "b", nil], classes: ["a", "b"])
    try world.run(
      "r1", classes: ["b", "a"],
      [[0.1, 0.9], [0.4, 0.6], [0.2, 0.8], [0.9, 0.1], [0.7, 0.3], [0.5, 0.5]])
    let ranked = try RankedKeys(["r1"], in: world.catalog, order: .disagreement)
    #expect(ranked.keys == ["3", "1", "4", "2", "0"])
    #expect(ranked.reasons[0] == "label a (p = 0.10), predicted b (0.90)")
    #expect(ranked.reasons[1] == "label a (p = 0.60)")
    #expect(ranked.remarks == ["1 possible label error according to r1"])
    #expect(ranked.leftOut == ["1 sample without a label, or without scores of r1 for it"])
    let score = try #require(ranked.scores[0])
    #expect(abs(score - 0.9) < 1e-6)
  }

  @Test("A label that the run agrees with is never a possible error, whatever the thresholds")
  func agreed() throws {
    let world = try EvaluateCatalog()
    // Thresholds: happy (0.9 + 0.9 + 0.9 + 0.45) / 4 = 0.7875, neutral (0.3 + 0.3) / 2 = 0.3:
    // sample 3 reaches only that of neutral, although happy is predicted.
    try world.importFaces(
      ["happy", "happy", "happy", "happy", "neutral", "neutral"], classes: ["happy", "neutral"])
    try world.run(
      "r1", classes: ["happy", "neutral", "sad"],
      [
        [0.9, 0.05, 0.05], [0.9, 0.05, 0.05], [0.9, 0.05, 0.05], [0.45, 0.44, 0.11],
        [0.1, 0.3, 0.6], [0.1, 0.3, 0.6],
      ])
    let ranked = try RankedKeys(["r1"], in: world.catalog, order: .disagreement)
    #expect(ranked.remarks[0].hasPrefix("no possible label error according to r1"))
    #expect(ranked.keys.prefix(3) == ["4", "5", "3"])
    #expect(ranked.reasons[2] == "label happy (p = 0.45)")
  }

  @Test("A label that the run has no class for is left out, not called an error")
  func missingClass() throws {
    let world = try EvaluateCatalog()
    try world.importFaces(["a", "b", "c"], classes: ["a", "b", "c"])
    try world.run("r1", classes: ["a", "b"], [[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]])
    let ranked = try RankedKeys(["r1"], in: world.catalog, order: .disagreement)
    #expect(Set(ranked.keys) == ["0", "1"])
    #expect(ranked.leftOut.count == 1)
  }

  @Test("Runs that answer differently come first, of those the surest")
  func votes() throws {
    let world = try EvaluateCatalog.small()
    // r1: happy .9, sad .8, sad .6, sad .7; r2 (classes in reverse order): happy .9, happy .7,
    // happy .8, sad .6.
    let ranked = try RankedKeys(["r1", "r2"], in: world.catalog)
    #expect(ranked.keys == ["1", "2", "0", "3"])
    #expect(ranked.scores == [1, 1, 0, 0])
    #expect(
      ranked.reasons == [
        "r1: sad (0.80), r2: happy (0.70)", "r1: sad (0.60), r2: happy (0.80)",
        "all say happy (0.90)", "all say sad (0.65)",
      ])
    #expect(ranked.remarks == ["2 of 4 samples are predicted differently"])
  }

  @Test("Of many runs the reason counts voices")
  func manyVoices() throws {
    let world = try EvaluateCatalog.small()
    for name in ["r3", "r4", "r5"] {
      try world.run(
        name, classes: ["happy", "sad"],
        [[0.9, 0.1], [0.9, 0.1], name == "r3" ? nil : [0.1, 0.9], [0.1, 0.9]])
    }
    let ranked = try RankedKeys(["r1", "r2", "r3", "r4", "r5"], in: world.catalog)
    #expect(ranked.keys == ["1", "0", "3"])
    #expect(ranked.reasons[0] == "4 of 5 say happy, 1 says sad")
    #expect(ranked.leftOut == ["1 sample not predicted by all runs"])
  }

  @Test("A draw depends on the seed and the keys alone")
  func random() throws {
    let world = try EvaluateCatalog()
    try world.importFaces(Array(repeating: "a", count: 40), classes: ["a"])
    let ranked = try RankedKeys(["faces"], in: world.catalog)
    #expect(ranked.keys != (0..<40).map { "\($0)" })
    #expect(Set(ranked.keys).count == 40)
    #expect(try RankedKeys(["faces"], in: world.catalog).keys == ranked.keys)
    let part = try RankedKeys(["faces/test"], in: world.catalog)
    #expect(part.keys == ranked.keys.filter { part.keys.contains($0) })
    #expect(ranked.scores.allSatisfy { $0 == nil })
  }

  @Test(
    "Numbers in reasons have two decimals",
    arguments: [
      (0.0, "0.00"), (0.005, "0.01"), (0.994, "0.99"), (0.999, "1.00"), (-0.074, "-0.07"),
      (12.5, "12.50"), (-0.001, "0.00"),
    ])
  func hundredths(number: Double, text: String) {
    #expect(Hundredths.text(number) == text)
  }
}
