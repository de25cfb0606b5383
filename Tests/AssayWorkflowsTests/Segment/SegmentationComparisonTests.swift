import AssayCore
import AssayMetrics
import AssayStore
import Testing

import AssayWorkflows

/// 2/6 and 6/14 as computed by division.
private let third = 1.0 / 3
private let threeSevenths = 3.0 / 7

@Suite struct SegmentationComparisonTests {
  private func compare(
    _ first: String, _ second: String, in world: SegmentCatalog,
    _ settings: EvaluationSettings = EvaluationSettings()
  ) throws -> ComparedRuns<SegmentationPairing> {
    try Comparer<SemanticSegmentation>(catalog: world.catalog).compare(first, second, settings)
  }

  @Test("Differences are second − first; the largest drop and gain come first")
  func differences() throws {
    let world = try SegmentCatalog.small()
    let pairing = try compare("r1", "r2", in: world)
    // r1: 1, 2/6, 0, –. r2: 4/5, 4/5, – (both empty), –.
    #expect(pairing.firstScores.map(\.iou) == [1, third, 0, nil])
    #expect(pairing.secondScores.map(\.iou) == [0.8, 0.8, nil, nil])
    #expect(pairing.lost == [0])
    #expect(pairing.won == [1])
    let difference = try #require(pairing.comparison[.meanIoU])
    #expect(difference.first == SegmentCatalog.mean(1, third, 0))
    #expect(difference.second == 0.8)
    let json = pairing.json
    #expect(json["regressions"]?.elements?.first?["key"]?.text == "0.png")
    #expect(json["differences"]?["mean_iou"]?["difference"]?.double == difference.value)
    #expect(json["task"]?.text == "segmentation")
  }

  @Test("Runs with different classes are compared by the shared ones")
  func classes() throws {
    let world = try SegmentCatalog.small()
    let size = ImageSize(width: 4, height: 2)
    let none = SegmentCatalog.map("....", "....")
    let all = SegmentCatalog.map("####", "####")
    // Background, car and person; image 2 is completely car.
    try world.run(
      "r3", classes: ["background", "car", "person"], threshold: nil, background: 0, input: size,
      [[all, none, none], [all, none, none], [none, all, none], [all, none, none]])
    let pairing = try compare("r1", "r3", in: world)
    #expect(pairing.classes == ["person"])
    #expect(pairing.secondScores.map(\.iou) == [0, 0, nil, nil])
    #expect(pairing.notes.contains("classes only in r3, counted as background: car"))
    try world.run(
      "cars", classes: ["car"], input: size, [[none], [none], [all], [none]])
    #expect(
      throws: EvaluationError.noSharedClass("r1", ["person"], "cars", ["car"])
    ) { try compare("r1", "cars", in: world) }
  }

  @Test("A gate holds masks against bounds, classes by name, and a base")
  func gate() throws {
    let world = try SegmentCatalog.small()
    let gate = GateCheck(catalog: world.catalog)
    let settings = EvaluationSettings()
    let outcome = try gate.check(
      "r1", "mean_iou >= 0.4 and class_iou(person) >= base - 0.01 and defined = 3 and n = 4",
      base: "r2", settings)
    // r1 pooled 6/14; r2: 8 of 10 pixels.
    #expect(outcome.terms.map(\.isMet) == [true, false, true, true])
    #expect(outcome.terms[1].value == threeSevenths)
    #expect(outcome.terms[1].bound == 0.8 - 0.01)
    #expect(throws: ExpressionError.self) {
      try gate.check("r1", "accuracy >= 0.5", base: nil, settings)
    }
    let several = try gate.check("r1", "miou >= 0.1", base: nil, settings)
    #expect(several.terms[0].reason?.contains("mean_iou") == true)
    var wrong = settings
    wrong.accept = 0.5
    #expect(throws: EvaluationError.self) {
      try gate.check("r1", "iou >= 0.5", base: nil, wrong)
    }
    let size = ImageSize(width: 4, height: 2)
    let map = [SegmentCatalog.map("##..", "##..")]
    try world.run("first", classes: ["person"], input: size, [map, nil, nil, nil])
    try world.run("second", classes: ["person"], input: size, [nil, map, nil, nil])
    #expect(throws: EvaluationError.nothingShared("first", "second")) {
      try gate.check("first", "mean_iou >= base", base: "second", settings)
    }
    // A higher threshold as a setting of the gate: r2's 6 is 150, below 0.7 · 255.
    var strict = settings
    strict.masks.threshold = 0.7
    #expect(try gate.check("r2", "iou = 0.8888888888888888", base: nil, strict).isPassed)
  }

  @Test("The evaluation's JSON has the keys that others rely on")
  func json() throws {
    let world = try SegmentCatalog.small()
    var settings = EvaluationSettings()
    settings.masks.sweep = try ThresholdRange("0.1..0.9:0.4")
    let evaluation = try Evaluator<SemanticSegmentation>(catalog: world.catalog)
      .evaluate("r1", settings).evaluation
    let json = evaluation.json()
    #expect(json["mean_iou"]?.double == SegmentCatalog.mean(1, third, 0))
    #expect(json["iou"]?.double == threeSevenths)
    #expect(json["n"]?.double == 4)
    #expect(json["defined"]?.double == 3)
    #expect(json["miou"] == .null)
    #expect(json["classes"] == ["person"])
    #expect(json["labels"] == ["background", "person"])
    #expect(json["class_iou"]?.elements?.count == 1)
    #expect(json["confusion"] == [[18, 6], [2, 6]])
    #expect(json["sweep"]?.elements?.count == 3)
    #expect(json["best"]?["note"]?.text == "chosen on these samples")
    #expect(json["threshold"]?.double == 0.5)
    for kind in MetricKind.kinds(of: .segmentation) { #expect(json[kind.rawValue] != nil) }
    let lines = try #require(evaluation.samplesCSV).split(separator: "\n").map(String.init)
    #expect(lines.count == 5)
    #expect(lines[1].hasPrefix("0.png,1.0,1.0,1.0,1.0,1.0,"))
    #expect(lines[4].hasPrefix("3.png,,,,,1.0,,,"))
  }
}
