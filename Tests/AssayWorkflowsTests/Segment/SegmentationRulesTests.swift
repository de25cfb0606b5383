import AssayCore
import AssayImaging
import AssayMetrics
import AssayStore
import Testing

import AssayWorkflows

/// 2/6 and 6/14 as computed by division.
private let third = 1.0 / 3
private let threeSevenths = 3.0 / 7

@Suite struct SegmentationRulesTests {
  private func evaluate(
    _ name: String, in world: SegmentCatalog, sweep: String? = nil,
    _ change: (inout EvaluationSettings) -> Void = { _ in }
  ) throws -> (evaluation: Evaluation, run: EvaluatedRun<SemanticSegmentation>) {
    var settings = EvaluationSettings()
    settings.masks.sweep = try sweep.map { try ThresholdRange($0) }
    change(&settings)
    return try Evaluator<SemanticSegmentation>(catalog: world.catalog).evaluate(name, settings)
  }

  /// Two images of 3 × 2 with classes a and b, c only in the dataset, and a void class; the model
  /// has background, b, a and z.
  private func several(background: Int? = 0) throws -> SegmentCatalog {
    let world = try SegmentCatalog()
    let size = ImageSize(width: 3, height: 2)
    try world.importPictures(
      [
        [
          .init(category: 0, rows: ["##.", "##."]),
          // Drawn later: gets the pixels that both have.
          .init(category: 1, rows: [".#.", ".#."]),
          .init(category: 3, rows: ["...", "..#"]),
        ],
        [.init(category: 2, rows: ["#..", "..."])],
      ], size: size,
      classes: [
        Category(name: "a"), Category(name: "b"), Category(name: "c"),
        Category(name: "void", isVoid: true),
      ])
    func maps(_ rows: [String]) -> [[UInt8]] {
      "0bazx".prefix(4).map { letter in
        rows.flatMap { $0.map { $0 == letter ? UInt8(200) : 10 } }
      }
    }
    try world.run(
      "r", classes: background == nil ? ["n", "b", "a", "z"] : ["background", "b", "a", "z"],
      threshold: nil, background: background, input: size,
      [maps(["ab0", "bb0"]), maps(["0z0", "0a0"])])
    return world
  }

  @Test("Several classes: later regions lie above, void is left out, strangers are background")
  func severalClasses() throws {
    let world = try several()
    let (evaluation, evaluated) = try evaluate("r", in: world)
    let scores = try #require(evaluation.segmentation).scores
    #expect(scores.labels.names == ["background", "b", "a"])
    // Image 0, ground truth a b . / a b void, prediction a b 0 / b b 0. Image 1: ground truth c is
    // background. Ground truth background: 1 + 6 pixels, one of which is predicted as a.
    #expect(scores.confusion.rows == [[6, 0, 1], [0, 2, 0], [0, 1, 1]])
    #expect(scores.void == 1)
    // b: 2/(2 + 1), a: 1/(1 + 1 + 1).
    #expect(scores[.miou].value == 0.5)
    #expect(scores.perClass(.classIoU).map(\.value) == [nil, 2 * third, third])
    #expect(scores[.meanIoU].value == nil)
    #expect(scores.samples[0].iou == SegmentCatalog.mean(2 * third, 0.5))
    #expect(evaluated.classes.onlyModel == ["z"])
    #expect(evaluated.classes.onlyTruth == ["c"])
    let notes = evaluation.notes.joined(separator: "\n")
    #expect(notes.contains("regions of void"))
    #expect(notes.contains("classes only in the model, counted as background: z"))
    #expect(evaluated.traits.allSatisfy { $0.centerOffset == nil && $0.uncertainty != nil })
    let slices = try evaluate("r", in: world) { $0.slicedBy = "category" }.evaluation.slices
    #expect(slices.map(\.value) == ["b", "a", "–"])
  }

  @Test("A class that is ignored is left out with its pixels")
  func ignored() throws {
    let world = try several()
    let evaluation = try evaluate("r", in: world) { $0.masks.ignored = ["a"] }.evaluation
    let scores = try #require(evaluation.segmentation).scores
    #expect(scores.labels.names == ["background", "b"])
    // Void: the void pixel, and all pixels drawn as a, whether b is above or not.
    #expect(scores.void == 5)
  }

  @Test("Likeliest classes have no threshold; clean-up needs a background")
  func likeliest() throws {
    let world = try several()
    #expect(throws: EvaluationError.noThreshold(run: "r")) {
      try evaluate("r", in: world) { $0.masks.threshold = 0.5 }
    }
    #expect(throws: SweepError.noThreshold(run: "r")) {
      try evaluate("r", in: world, sweep: "0..1")
    }
    let cleaned = try evaluate("r", in: world) { $0.masks.cleanup.minimumArea = 2 }.evaluation
    // The single pixels of a and z go to the background; b keeps its three.
    #expect(cleaned.segmentation?.scores.confusion.rows == [[7, 0, 0], [0, 2, 0], [1, 1, 0]])
    let without = try several(background: nil)
    #expect(
      throws: EvaluationError.noBackground(run: "r", options: "--min-area 2")
    ) { try evaluate("r", in: without) { $0.masks.cleanup.minimumArea = 2 } }
    #expect(throws: Never.self) { try evaluate("r", in: without) }
  }

  @Test("Pixels outside a center crop are not evaluated, and their share is reported")
  func crop() throws {
    let world = try SegmentCatalog()
    let size = ImageSize(width: 4, height: 2)
    try world.importPictures(
      [[.init(category: 0, rows: ["##..", "##.."])]], size: size,
      classes: [Category(name: "person")])
    try world.run(
      "r", classes: ["person"], input: ImageSize(width: 2, height: 2), resize: .centerCrop,
      [[SegmentCatalog.map("##", "..")]])
    let evaluation = try evaluate("r", in: world).evaluation
    // Columns 1 and 2 are visible: ground truth # . / # ., prediction # # / . .
    #expect(evaluation.segmentation?.scores.confusion.rows == [[1, 1], [1, 1]])
    #expect(evaluation.segmentation?.scores.void == 4)
    #expect(evaluation.segmentation?.scores.voidShare == 0.5)
    #expect(evaluation.notes.first?.hasPrefix("50.0 % of the pixels are not evaluated") == true)
  }

  @Test("A run without maps is evaluated only at its own threshold")
  func noMaps() throws {
    let world = try SegmentCatalog()
    let size = ImageSize(width: 3, height: 2)
    try world.importPictures(
      [[.init(category: 0, rows: ["##.", "..."])]], size: size,
      classes: [Category(name: "person")])
    try world.run(
      "r", classes: ["person"], input: size, keepsMaps: false, [[SegmentCatalog.map("###", "...")]])
    #expect(try evaluate("r", in: world).evaluation.scores[.iou].value == 2 * third)
    #expect(throws: Never.self) { try evaluate("r", in: world) { $0.masks.threshold = 0.5 } }
    #expect(throws: EvaluationError.noMaps(run: "r", own: 0.5)) {
      try evaluate("r", in: world) { $0.masks.threshold = 0.4 }
    }
    #expect(throws: SweepError.noMaps(run: "r")) { try evaluate("r", in: world, sweep: "0..1") }
  }

  @Test("Pending samples are left out and reported; no finished sample is an error")
  func pending() throws {
    let world = try SegmentCatalog()
    let size = ImageSize(width: 2, height: 1)
    try world.importPictures(
      [[.init(category: 0, rows: ["#."])], []], size: size, classes: [Category(name: "person")])
    try world.run("r", classes: ["person"], input: size, [[SegmentCatalog.map("#.")], nil])
    let evaluation = try evaluate("r", in: world).evaluation
    #expect(evaluation.scores.count == 1)
    #expect(evaluation.notes.first?.contains("1 sample not predicted yet") == true)
    #expect(throws: EvaluationError.self) {
      try evaluate("r", in: world) { $0.filter = "key = \"1.png\"" }
    }
    #expect(throws: EvaluationError.self) {
      try world.run("s", classes: ["cat"], input: size, [[SegmentCatalog.map("#.")], nil])
      _ = try evaluate("s", in: world)
    }
  }
}
