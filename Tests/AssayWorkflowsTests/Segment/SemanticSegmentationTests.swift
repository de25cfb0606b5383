import AssayCore
import AssayMetrics
import AssayStore
import Testing

import AssayWorkflows

/// 2/6 and 6/14 as computed by division.
private let third = 1.0 / 3
private let threeSevenths = 3.0 / 7

@Suite struct SemanticSegmentationTests {
  private func evaluate(
    _ name: String, in world: SegmentCatalog, sweep: String? = nil,
    _ change: (inout EvaluationSettings) -> Void = { _ in }
  ) throws -> (evaluation: Evaluation, run: EvaluatedRun<SemanticSegmentation>) {
    var settings = EvaluationSettings()
    settings.masks.sweep = try sweep.map { try ThresholdRange($0) }
    change(&settings)
    return try Evaluator<SemanticSegmentation>(catalog: world.catalog).evaluate(name, settings)
  }

  @Test("Truth is the union of a class's regions, crowds too; other classes are background")
  func numbers() throws {
    let world = try SegmentCatalog.small()
    let evaluation = try evaluate("r1", in: world).evaluation
    let scores = try #require(evaluation.segmentation).scores
    // Intersections 4, 2, 0, 0; unions 4, 6, 4, 0.
    #expect(scores.samples.map(\.iou) == [1, third, 0, nil])
    #expect(scores.samples.map(\.dice) == [1, 0.5, 0, nil])
    #expect(scores[.meanIoU].value == SegmentCatalog.mean(1, third, 0))
    #expect(scores[.meanIoU].defined == 3)
    #expect(scores[.meanIoU].total == 4)
    #expect(scores[.iou].value == threeSevenths)
    #expect(scores[.dice].value == 0.6)
    // Rows: background 16 + 2 − … by hand: of 32 pixels 8 are person.
    #expect(scores.confusion.rows == [[18, 6], [2, 6]])
    #expect(scores.labels.names == ["background", "person"])
  }

  @Test("The empty rule decides on samples where neither side has the class")
  func empty() throws {
    let world = try SegmentCatalog.small()
    let one = try evaluate("r1", in: world) { $0.masks.empty = .one }.evaluation.scores
    #expect(one[.meanIoU].value == 7.0 / 12)
    let zero = try evaluate("r1", in: world) { $0.masks.empty = .zero }.evaluation.scores
    #expect(zero[.meanIoU].value == SegmentCatalog.mean(1, third, 0, 0))
  }

  @Test("Each value of a sweep is to the bit what an evaluation at it gives, with clean-up too")
  func sweep() throws {
    let world = try SegmentCatalog()
    let size = ImageSize(width: 13, height: 9)
    let input = ImageSize(width: 5, height: 4)
    var random = SplitMix64(seed: 5)
    func drawing() -> [String] {
      (0..<size.height).map { _ in
        String((0..<size.width).map { _ in random.next() % 3 == 0 ? "#" : "." })
      }
    }
    try world.importPictures(
      (0..<40).map { _ in [SegmentCatalog.Region(category: 0, rows: drawing())] }, size: size,
      classes: [Category(name: "person")])
    try world.run(
      "r", classes: ["person"], input: input,
      (0..<40).map { _ in [(0..<20).map { _ in UInt8(truncatingIfNeeded: random.next()) }] })
    for cleaned in [false, true] {
      func change(_ settings: inout EvaluationSettings) {
        settings.intervals = false
        if cleaned {
          settings.masks.cleanup.opening = 1
          settings.masks.cleanup.fillsHoles = true
        }
      }
      let sweep = try #require(
        try evaluate("r", in: world, sweep: "0..1:0.1", change).evaluation.segmentation?.sweep)
      #expect(sweep.points.count == 11)
      for point in sweep.points {
        let alone = try evaluate("r", in: world) {
          change(&$0)
          $0.masks.threshold = point.threshold
        }.evaluation.scores
        #expect(point.meanIoU == alone[.meanIoU])
        #expect(point.meanDice == alone[.meanDice])
        #expect(point.iou == alone[.iou])
        #expect(point.dice == alone[.dice])
      }
      #expect(Set(sweep.points.map(\.iou.value)).count > 3)
      #expect(sweep.best?.meanIoU.value == sweep.points.compactMap(\.meanIoU.value).max())
    }
  }

  @Test("A stored evaluation gives the same numbers again without its maps")
  func stored() throws {
    let world = try SegmentCatalog.small()
    let workflow = Evaluator<SemanticSegmentation>(catalog: world.catalog)
    let (evaluation, evaluated) = try evaluate("r1", in: world, sweep: "0.2..0.8:0.2")
    let saved = try workflow.save(evaluation, of: evaluated, as: nil)
    #expect(saved.name == "default")
    let again = try evaluate("r1@default", in: world)
    #expect(again.evaluation.scores == evaluation.scores)
    #expect(again.evaluation.segmentation?.traits == evaluation.segmentation?.traits)
    #expect(again.run.settings == evaluated.settings)
    // Scores of the sweep are stored as slices.
    let record = try #require(again.run.evaluation)
    let kept = try world.catalog.scores(of: record.id)
    let at = try #require(kept.first { $0.slice == "threshold=0.4" && $0.metric == .meanIoU })
    #expect(at.value == evaluation.segmentation?.sweep?.points[1].meanIoU.value)
    #expect(throws: EvaluationError.self) {
      try evaluate("r1@default", in: world) { $0.masks.threshold = 0.2 }
    }
    #expect(throws: SweepError.kept("r1@default")) {
      try evaluate("r1@default", in: world, sweep: "0..1")
    }
    // The empty rule only affects the reduction, and can be changed.
    let one = try evaluate("r1@default", in: world) { $0.masks.empty = .one }.evaluation
    #expect(one.scores[.meanIoU].value == 7.0 / 12)
  }

  @Test("An evaluation without boundaries is stored and read back without them")
  func withoutBoundary() throws {
    let world = try SegmentCatalog.small()
    let (evaluation, evaluated) = try evaluate("r1", in: world) { $0.masks.hasBoundary = false }
    #expect(evaluation.scores[.boundaryIoU].value == nil)
    let workflow = Evaluator<SemanticSegmentation>(catalog: world.catalog)
    #expect(try workflow.save(evaluation, of: evaluated, as: nil).name == "default")
    let again = try evaluate("r1@default", in: world).evaluation
    #expect(again.scores == evaluation.scores)
  }

  @Test("Another threshold or filter makes a name of its own")
  func names() throws {
    let world = try SegmentCatalog.small()
    let workflow = Evaluator<SemanticSegmentation>(catalog: world.catalog)
    func name(_ change: (inout EvaluationSettings) -> Void) throws -> String? {
      let (evaluation, evaluated) = try evaluate("r1", in: world, change)
      return try workflow.save(evaluation, of: evaluated, as: nil).name
    }
    #expect(try name { $0.masks.threshold = 0.05 } == "threshold-0.05")
    #expect(try name { $0.masks.threshold = 0.5 } == "default")
    #expect(
      try name {
        $0.masks.cleanup.opening = 1
        $0.masks.empty = .zero
      } == "open-1_empty-zero")
    let filtered = try name { $0.filter = "split = train" }
    #expect(filtered?.hasPrefix("where-") == true)
  }

  @Test("Center offset and uncertainty are kept with each sample")
  func traits() throws {
    let world = try SegmentCatalog.small()
    let evaluated = try evaluate("r1", in: world).run
    // A rectangle's center of mass is its box's center; an empty mask has none.
    #expect(evaluated.traits.map(\.centerOffset) == [0, 0, 0, nil])
    // Values 0 and 255 are as far from ½ as possible; 25/255 gives an uncertainty of 50/255.
    #expect(evaluated.traits[0].uncertainty == 0)
    #expect(evaluated.traits[3].uncertainty == 1 - 2 * (205.0 / 510))
  }

  @Test("Slices by split and by class evaluate only their own samples")
  func slices() throws {
    let world = try SegmentCatalog.small()
    let splits = try evaluate("r1", in: world) { $0.slicedBy = "split" }.evaluation.slices
    #expect(splits.map(\.value) == ["train", "val"])
    #expect(splits[0].scores[.meanIoU].value == SegmentCatalog.mean(1, third))
    let classes = try evaluate("r1", in: world) { $0.slicedBy = "category" }.evaluation.slices
    #expect(classes.map(\.value) == ["person", "–"])
    #expect(classes.map(\.scores.count) == [2, 2])
    #expect(throws: EvaluationError.self) {
      try evaluate("r1", in: world) { $0.slicedBy = "color" }
    }
  }

  @Test("The regions of samples are those that were judged")
  func regions() throws {
    let world = try SegmentCatalog.small()
    let (_, evaluated) = try evaluate("r1", in: world)
    let regions = try evaluated.regions(at: [1, 3], in: world.catalog)
    #expect(regions[0].truth(of: 0) == (try SegmentCatalog.mask(["##..", "##.."])))
    #expect(regions[0].predicted == [try SegmentCatalog.mask([".##.", ".##."])])
    #expect(regions[0].void == nil)
    #expect(regions[1].predicted[0].isEmpty)
  }
}
