import AssayCore
import AssayImaging
import AssayMetrics
import AssayStore
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

@Suite("What corrections did to masks and detections")
struct MaskEffectTests {
  private static let size = ImageSize(width: 4, height: 2)

  /// Writes the images that a catalog lists, so that they can be corrected.
  private static func writeImages(
    _ names: [String], in folder: URL, width: Int, height: Int
  ) throws {
    for (index, name) in names.enumerated() {
      let picture = Raster<UInt8>(repeating: UInt8(index), width: width, height: height)
      try Data(ImageCodec.encodePNG(picture)).write(to: folder.appending(path: name))
    }
  }

  static func segmented() throws -> SegmentCatalog {
    let world = try SegmentCatalog.small()
    try writeImages((0..<4).map { "\($0).png" }, in: world.folder, width: 4, height: 2)
    return world
  }

  @Test("Mean IoU and mean Dice with both ground truths")
  func masks() throws {
    // The IoUs of r1 are 4/4, 2/6, 0/4 and undefined.
    let world = try Self.segmented()
    let hand = try CorrectingHand(world.catalog)
    // A person where the run predicts one: 0/4 becomes 4/4.
    try hand.change(
      "2.png", in: "set", .region(category: "person", after: Mask(0, 0, 2, 2, in: Self.size)))
    let opened = try hand.opened()
    let workflow = Evaluator<SemanticSegmentation>(catalog: opened.catalog)
    let reference = try RunReference("r1", in: opened.catalog)
    let (evaluation, evaluated) = try workflow.evaluate(reference, EvaluationSettings())
    // (1 + 1/3 + 1) / 3.
    let mean = try #require(evaluation.scores[.meanIoU].value)
    #expect(abs(mean - 7.0 / 9) < 1e-12)
    let effect = try EffectMeasurement(catalog: opened.catalog)
      .effect(on: evaluated, EvaluationSettings())
    #expect(effect.moved.map(\.kind) == [.meanIoU, .meanDice])
    #expect(effect.moved[0].difference.first == SegmentCatalog.mean(1, 2.0 / 6, 0))
    #expect(effect.moved[0].difference.second == mean)
    #expect(
      effect.sentence.hasPrefix(
        "this correction (1 sample of this run) changed mean IoU from 0.444 to 0.778 and mean Dice from"
      ))
    let saved = try workflow.save(
      evaluation, of: evaluated, as: nil, by: KeptTruth(.corrected, opened.corrections))
    #expect(saved.name == "corrected")
    let kept = try workflow.evaluate(
      RunReference("r1@corrected", in: world.catalog), EvaluationSettings())
    #expect(kept.evaluation.scores[.meanIoU].value == evaluation.scores[.meanIoU].value)
  }

  @Test("An interval of the difference is made where intervals are asked for")
  func interval() throws {
    let world = try Self.segmented()
    let hand = try CorrectingHand(world.catalog)
    try hand.change(
      "2.png", in: "set", .region(category: "person", after: Mask(0, 0, 2, 2, in: Self.size)))
    let opened = try hand.opened()
    var settings = EvaluationSettings()
    settings.intervals = true
    let (_, evaluated) = try Evaluator<SemanticSegmentation>(catalog: opened.catalog)
      .evaluate(RunReference("r1", in: opened.catalog), settings)
    let effect = try EffectMeasurement(catalog: opened.catalog).effect(on: evaluated, settings)
    // Differences of the three defined samples: 0, 0, 1; Student's t.
    let interval = try #require(effect.moved[0].difference.interval)
    #expect(interval.method == .student && interval.contains(1.0 / 3))
    #expect(effect.sentence.contains("(+0.333 ["))
  }

  @Test("AP and AP50 by both truths: a missed object that was none is taken away")
  func detections() throws {
    let world = try DetectCatalog.small()
    try Self.writeImages(["a.png", "b.png"], in: world.folder, width: 100, height: 100)
    let hand = try CorrectingHand(world.catalog)
    let service = CorrectionService(catalog: world.catalog, ledger: hand.ledger)
    let sample = try #require(
      try world.catalog.samples(in: world.catalog.resolve("set")).first { $0.key == "a.png" })
    // Annotation 2 is a dog, as predicted by the run.
    let found = try #require(
      try service.imported(of: sample).objects.first { $0.sourceID == .integer(2) })
    #expect(found.category == "cat")
    try hand.change("a.png", in: "set", .category(target: found.target, "dog"))
    let opened = try hand.opened()
    let workflow = Evaluator<ObjectDetection>(catalog: opened.catalog)
    var settings = EvaluationSettings()
    settings.intervals = false
    let (evaluation, evaluated) = try workflow.evaluate(
      RunReference("r", in: opened.catalog), settings)
    let effect = try EffectMeasurement(catalog: opened.catalog).effect(on: evaluated, settings)
    #expect(effect.moved.map(\.kind) == [.ap, .ap50])
    let before = try world.evaluate().evaluation.scores
    #expect(effect.moved[0].difference.first == before[.ap].value)
    #expect(effect.moved[0].difference.second == evaluation.scores[.ap].value)
    let value = try #require(effect.moved[1].difference.value)
    #expect(value > 0)
    let saved = try workflow.save(
      evaluation, of: evaluated, as: nil, by: KeptTruth(.corrected, opened.corrections))
    #expect(saved.name == "corrected")
  }
}
