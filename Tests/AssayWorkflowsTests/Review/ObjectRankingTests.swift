import AssayCore
import AssayStore
import Testing

@testable import AssayWorkflows

@Suite struct ObjectRankingTests {
  @Test("Samples with many detections near the working score come first")
  func uncertainty() throws {
    let world = try DetectCatalog.small()
    // The score is 0.3, the range 0.15. In a: 0.2 weighs 1 − 0.1/0.15 = ⅓; in b: 0.25 weighs ⅔.
    let ranked = try RankedKeys(["r"], in: world.catalog)
    #expect(ranked.keys == ["b.png", "a.png"])
    #expect(
      ranked.reasons == [
        "1 near the score 0.30: cat 0.25", "1 near the score 0.30: cat 0.20",
      ])
    #expect(ranked.scores.map { (($0 ?? 0) * 1000).rounded() / 1000 } == [0.667, 0.333])
  }

  @Test("The most confident contradiction of the ground truth is first", arguments: [false, true])
  func truth(isStored: Bool) throws {
    let world = try DetectCatalog.small()
    if isStored { try world.save() }
    let ranked = try RankedKeys(["r"], in: world.catalog, order: .disagreement)
    #expect(ranked.keys == ["a.png", "b.png"])
    // The dog of 0.8 is on a cat, which has no detection: 1 − 0.2 · 0.8. The ground-truth dog, which is not
    // found, weighs 0.
    #expect(
      ranked.reasons == [
        "dog 0.80, cat in the ground truth; and 1 more", "run and ground truth agree",
      ])
    #expect(ranked.scores.map { (($0 ?? 0) * 1000).rounded() } == [840, 0])
  }

  @Test("An object weighs what its class is found by, a detection that contradicts it the more")
  func weights() {
    var recall = ClassRecall()
    let rows = [
      MatchRecord(prediction: 0, annotation: 0, class: 0, confidence: 0.9, iou: 1, matched: 1),
      MatchRecord(prediction: 1, annotation: 1, class: 0, confidence: 0.9, iou: 1, matched: 1),
      MatchRecord(prediction: 2, annotation: 2, class: 0, confidence: 0.9, iou: 1, matched: 1),
      MatchRecord(prediction: nil, annotation: 3, class: 0, error: .missed),
      MatchRecord(prediction: nil, annotation: 4, class: 1, error: .missed),
      MatchRecord(
        prediction: 3, annotation: 4, class: 0, confidence: 0.8, iou: 0.25, error: .place),
      MatchRecord(
        prediction: 4, annotation: 0, class: 0, confidence: 0.99, iou: 1, error: .duplicate),
      MatchRecord(
        prediction: 7, annotation: 1, class: 0, confidence: 0.8, iou: 0.45, error: .place),
      MatchRecord(
        prediction: 8, annotation: 2, class: 1, confidence: 0.5, iou: 0.9, error: .class),
      MatchRecord(prediction: 5, annotation: nil, class: 1, confidence: 0.2, error: .background),
      MatchRecord(prediction: 6, annotation: nil, class: 1, confidence: 0.7, error: .background),
    ]
    recall.add(rows, score: 0.3)
    #expect(recall[0] == 0.75)
    #expect(recall[1] == 0)
    #expect(recall[7] == 0)
    var strict = ClassRecall()
    strict.add(rows, score: 0.95)
    #expect(strict[0] == 0)
    let doubts = ObjectDisagreement.all(rows, score: 0.3, recall: recall)
    // 1 − (1 − 0.8) · 0.8 = 0.84; 0.7; 1 − (1 − 0.8 · 0.6) · 0.8 = 0.584; 1 − (1 − 0.5) · 0.8 = 0.6;
    // 0.75 · 0.05 / (0.05 + 0.25) = 0.125; 0.
    #expect(
      doubts.map(\.kind) == [.place, .background, .class, .place, .missed, .missed])
    #expect(doubts.map { ($0.weight * 1_000).rounded() } == [840, 700, 600, 584, 125, 0])
    let names = ["cat", "dog"]
    #expect(
      doubts.map { $0.text(names) { $0 == 4 ? "dog" : nil } } == [
        "cat 0.80, elsewhere in the ground truth", "dog 0.70, nothing in the ground truth",
        "dog 0.50, another class in the ground truth", "cat 0.80, elsewhere in the ground truth",
        "cat of the ground truth not found", "dog of the ground truth not found",
      ])
  }

  @Test("A detection that another run has no counterpart of counts by its confidence")
  func lone() {
    func found(_ category: String, _ confidence: Double, _ x: Double) -> BoxDisagreement.Found {
      BoxDisagreement.Found(
        category: category, confidence: confidence,
        box: Box(x: x, y: 0, width: 10, height: 10))
    }
    // 10 and 12 overlap by 8/12; the dog is not a cat; 40 is alone.
    let lone = BoxDisagreement.lone(
      [found("cat", 0.9, 10), found("cat", 0.5, 40)],
      [found("cat", 0.6, 12), found("dog", 0.7, 40), found("cat", 0.4, 10.5)])
    #expect(
      lone == [
        .init(isFirst: false, category: "dog", confidence: 0.7),
        .init(isFirst: false, category: "cat", confidence: 0.6),
        .init(isFirst: true, category: "cat", confidence: 0.5),
      ])
    #expect(
      BoxDisagreement.iou(
        Box(x: 0, y: 0, width: 0, height: 0), Box(x: 0, y: 0, width: 0, height: 0))
        == 0)
    #expect(
      BoxDisagreement.iou(
        Box(x: 0, y: 0, width: 2, height: 2), Box(x: 1, y: 0, width: 2, height: 2))
        == 1.0 / 3)
  }

  @Test("Two detectors: the surest thing that one has alone comes first")
  func twoRuns() throws {
    let world = try DetectCatalog.small()
    try world.results(
      world.write(
        "other.json",
        """
        [{"image_id":7,"category_id":2,"bbox":[10,10,20,20],"score":0.7},
        {"image_id":3,"category_id":9,"bbox":[40,40,20,20],"score":0.95}]
        """), as: "other")
    let ranked = try RankedKeys(["r", "other"], in: world.catalog)
    #expect(ranked.keys == ["b.png", "a.png"])
    #expect(
      ranked.reasons == ["other: dog 0.95, not in r", "r: dog 0.80, not in other"])
    #expect(ranked.scores == [0.95, 0.8])
  }
}
