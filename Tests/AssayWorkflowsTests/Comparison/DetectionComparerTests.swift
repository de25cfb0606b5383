import AssayCore
import AssayMetrics
import AssayStore
import Foundation
import Testing

import AssayWorkflows

@Suite("Comparing two detectors")
struct DetectionComparerTests {
  /// A second run: the first cat only with a low score, the second one found, the dog slightly off,
  /// and a detection on background.
  static let secondResults = """
    [{"image_id":7,"category_id":2,"bbox":[10,10,20,20],"score":0.1},
    {"image_id":7,"category_id":2,"bbox":[60,10,20,20],"score":0.7},
    {"image_id":7,"category_id":9,"bbox":[20,60,20,20],"score":0.6},
    {"image_id":3,"category_id":9,"bbox":[40,40,20,20],"score":0.5}]
    """

  private func world() throws -> DetectCatalog {
    let world = try DetectCatalog.small()
    try world.results(world.write("second.json", Self.secondResults), as: "s")
    return world
  }

  private func compare(
    _ first: String = "r", _ second: String = "s", in world: DetectCatalog,
    _ change: (inout EvaluationSettings) -> Void = { _ in }
  ) throws -> ComparedRuns<DetectionPairing> {
    var settings = EvaluationSettings()
    change(&settings)
    return try Comparer<ObjectDetection>(catalog: world.catalog).compare(first, second, settings)
  }

  @Test("Differences are second − first, of every number, class and cost")
  func differences() throws {
    let world = try world()
    let pairing = try compare(in: world)
    #expect(pairing.classes == ["cat", "dog"])
    let (one, other) = (try world.evaluate("r").evaluation, try world.evaluate("s").evaluation)
    for kind in DetectionScores.kinds(.box) + DetectionErrorKind.allCases.map(\.cost) {
      let difference = try #require(pairing.comparison[kind])
      #expect(difference.first == one.scores[kind].value, "\(kind)")
      #expect(difference.second == other.scores[kind].value, "\(kind)")
      #expect(difference.interval == nil)
    }
    // r: one cat of two at the top: 51 of 101 recalls. s: the same after the 0.7, then the 0.1: all of them.
    let cats = pairing.comparison.perClass(.perCategoryAP)[0]
    #expect(abs((cats.first ?? 0) - 51.0 / 101) < 1e-12)
    #expect(cats.second == 1)
    #expect(pairing.comparison.perClass(.perCategoryAP)[1].value == 0)
  }

  @Test("Regressions and improvements are objects that only one run found, with the other's result")
  func objects() throws {
    let pairing = try compare(in: world())
    // The samples are in the order of the ids in the source: 3, then 7.
    #expect(pairing.lost.map(\.sample) == [1])
    let lost = try #require(pairing.lost.first)
    #expect(lost.annotation == 0 && lost.sourceID == .integer(1) && lost.category == 0)
    #expect(lost.box == Box(x: 10, y: 10, width: 20, height: 20) && lost.area == 400)
    #expect(
      lost.first
        == ObjectAnswer(.found, prediction: 0, category: 0, confidence: 0.9, iou: 1))
    // The lowest score of s in this image.
    #expect(
      lost.second
        == ObjectAnswer(.unsure, prediction: 2, category: 0, confidence: 0.1, iou: 1))
    let won = try #require(pairing.won.first)
    #expect(pairing.won.count == 1 && won.annotation == 1)
    // r detected it as a dog.
    #expect(won.first.outcome == .otherClass && won.first.category == 1)
    #expect(won.second.confidence == 0.7)
    // The dog is not found by either; 10 of 20 columns overlap: IoU 1/3.
    let totals = pairing.objects.all
    #expect(totals.objects == 3 && totals.foundByNeither == 1 && totals.foundByBoth == 0)
    #expect(pairing.objects.classes[1].objects == 1)
    #expect(pairing.objects.sizes.map(\.totals.objects) == [3, 0, 0])
    // The errors' own matches agree.
    let errors = try ErrorComparison(
      pairing.first.errors, pairing.second.errors, ScoringSettings(intervals: nil))
    #expect(errors.lost.count == 1 && errors.won.count == 1)
  }

  @Test("The working IoU and score decide what is found")
  func working() throws {
    let world = try world()
    let pairing = try compare(in: world) {
      $0.objects.workingIoU = 0.3
      $0.objects.workingScore = 0.05
    }
    // At the lower IoU s also finds the dog, and at the lower score the first cat.
    #expect(pairing.lost.isEmpty)
    #expect(pairing.won.map(\.annotation) == [1, 2])
    #expect(pairing.matching.workingIoU == 0.3)
  }

  @Test("Stored matches give what fresh ones give, and the other run is judged as they were")
  func stored() throws {
    let world = try world()
    let change: (inout EvaluationSettings) -> Void = { $0.objects.workingScore = 0.05 }
    try world.save("r", as: "low", change)
    try world.save("s", as: "low", change)
    let fresh = try compare(in: world, change)
    let stored = try compare("r@low", "s@low", in: world)
    #expect(stored.objects == fresh.objects)
    #expect(stored.comparison == fresh.comparison)
    let mixed = try compare("r@low", "s", in: world)
    #expect(mixed.objects == fresh.objects)
    #expect(mixed.notes.contains("s is evaluated with the settings of r@low"))
    #expect(
      throws: EvaluationError.evaluatedDifferently("r@low", "s@usual", ["--score 0.05 and 0.3"])
    ) {
      try world.save("s", as: "usual")
      return try compare("r@low", "s@usual", in: world)
    }
  }

  @Test("The JSON has every difference by its key, and each object with what both say")
  func json() throws {
    let world = try world()
    let json = try compare(in: world).json
    #expect(json["task"]?.text == "detection")
    #expect(json["n"]?.double == 2)
    #expect(json["classes"] == ["cat", "dog"])
    for kind in DetectionScores.stats(.box) {
      #expect(json["differences"]?[kind.rawValue]?["difference"] != nil)
    }
    let cat = json["differences"]?["per_category_ap"]?["cat"]
    #expect(cat?["b"]?.double == 1)
    #expect(abs((cat?["difference"]?.double ?? 0) - (1 - 51.0 / 101)) < 1e-12)
    #expect(json["differences"]?["best_f1"]?["dog"]?["a"]?.double == 0)
    #expect(json["differences"]?["missed_error_cost"]?["a"] != nil)
    #expect(json["error_counts"]?["classification"]?["a"]?.double == 1)
    #expect(json["error_counts"]?["classification"]?["difference"]?.double == -1)
    #expect(json["objects"]?["regressions"]?.double == 1)
    #expect(json["objects_by_class"]?.elements?.count == 2)
    #expect(json["objects_by_size"]?.elements?.first?["size"]?.text == "small")
    let lost = json["regressions"]?.elements?.first
    #expect(lost?["key"]?.text == "a.png" && lost?["source_id"]?.double == 1)
    #expect(lost?["b"]?["outcome"]?.text == "low_score")
    #expect(lost?["box"] == [10.0, 10.0, 20.0, 20.0])
    #expect(json["working"] == ["iou": 0.5, "score": 0.3])
  }

  /// A run with some classes on all samples that finds nothing.
  private func run(
    _ name: String, classes: [String], in world: DetectCatalog, done: Int? = nil
  ) throws {
    let dataset = try world.catalog.dataset(named: "set")
    let samples = try world.catalog.samples(in: world.catalog.resolve("set"))
    let run = try world.catalog.createRun(
      RunDraft(
        name: name, task: .detection, dataset: dataset.id, view: "set", classes: classes,
        samples: samples.map(\.id)))
    try world.catalog.record(
      samples.prefix(done ?? samples.count).map {
        SampleDetections(sample: $0.id, detections: [])
      }, in: run.id)
  }

  @Test("Detectors of different classes are compared by those that both have")
  func classes() throws {
    let world = try world()
    try run("cats", classes: ["unicorn", "cat"], in: world)
    let pairing = try compare("r", "cats", in: world)
    #expect(pairing.classes == ["cat"])
    #expect(pairing.notes.contains("classes only in r, left out: dog"))
    #expect(pairing.lost.map(\.annotation) == [0])
    #expect(pairing.objects.all.objects == 2)
    // Without the dogs, the second cat is no longer detected as one.
    #expect(pairing.comparison[.classificationErrorCost]?.first == 0)
    #expect(pairing.first.run.classes == ["dog", "cat"])
    // A stored evaluation with more classes is evaluated again.
    try world.save("r", as: "kept")
    #expect(try compare("r@kept", "cats", in: world).objects == pairing.objects)
    try run("dogs", classes: ["dog"], in: world)
    #expect(throws: EvaluationError.noSharedClass("cats", ["cat"], "dogs", ["dog"])) {
      try compare("cats", "dogs", in: world)
    }
  }

  @Test("Only samples that both have are compared; without any, or of two datasets, nothing")
  func samples() throws {
    let world = try world()
    try run("half", classes: ["cat", "dog"], in: world, done: 1)
    let pairing = try compare("r", "half", in: world)
    #expect(pairing.samples.count == 1)
    #expect(pairing.notes.contains("left out: 1 sample that only r has"))
    #expect(pairing.notes.contains { $0.hasPrefix("left out of half: 1 sample") })
    try world.truth(world.write("others.json", DetectCatalog.smallTruth), as: "others")
    try world.results(
      world.write("elsewhere.json", DetectCatalog.smallResults), as: "e", in: "others")
    #expect(
      throws: EvaluationError.otherDataset("r", dataset: "set", "e", otherDataset: "others")
    ) { try compare("r", "e", in: world) }
  }

  @Test("One run with regions and one with boxes are compared by boxes")
  func overlaps() throws {
    let world = try world()
    let regions = """
      [{"image_id":7,"category_id":2,"score":0.9,
      "segmentation":{"size":[100,100],"counts":[1010,20,8970]}}]
      """
    try world.results(world.write("regions.json", regions), as: "m")
    let pairing = try compare("r", "m", in: world)
    #expect(pairing.matching.overlap == .box)
    #expect(pairing.notes.contains("r has only boxes, so both are evaluated on boxes"))
    let asked = try compare("r", "m", in: world) { $0.objects.overlap = .mask }
    #expect(asked.matching.overlap == .mask)
  }
}
