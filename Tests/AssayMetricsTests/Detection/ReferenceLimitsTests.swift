import AssayCore
import Testing

import AssayMetrics

@Suite("Limits of detections as pycocotools takes them, and tied scores")
struct ReferenceLimitsTests {
  /// One image with an object that the second of three results finds.
  private func scores(
    _ limits: [Int], asReference: Bool, scores: [Double] = [0.9, 0.8, 0.7]
  ) throws -> DetectionScores {
    let box = Box(x: 0, y: 0, width: 10, height: 10)
    let far = Box(x: 50, y: 50, width: 10, height: 10)
    let tally = try DetectionTally.matching(
      classCount: 1, images: 1,
      truth: TruthColumns(
        images: [0], classes: [0], boxes: [box], areas: [100], isCrowd: [false]),
      found: FoundColumns(
        images: [0, 0, 0], classes: [0, 0, 0], scores: scores, boxes: [far, box, far]),
      DetectionSettings(maxDetections: limits))
    return try DetectionScores(tally, asReference: asReference)
  }

  @Test("Without 100 among the limits AP alone is undefined")
  func withoutHundred() throws {
    let own = try scores([1, 10, 50], asReference: false)
    let reference = try scores([1, 10, 50], asReference: true)
    #expect(own[.ap].value != nil && reference[.ap].value == nil)
    #expect(own[.ap50].value == reference[.ap50].value)
    #expect(reference[.ar100].value == 1 && reference[.ar1].value == 0)
    #expect(reference.perClass(.perCategoryAP)[0].value == own[.ap].value)
  }

  @Test("The third limit counts for all but AP, which is at 100")
  func third() throws {
    let reference = try scores([1, 1, 2, 100], asReference: true)
    #expect(reference[.ap].value == (try scores([1, 10, 100], asReference: false))[.ap].value)
    #expect(reference[.ar100].value == 1 && reference[.ar10].value == 0)
    let usual = try scores([1, 10, 100], asReference: true)
    #expect(
      DetectionScores.stats(.box).allSatisfy { kind in
        usual[kind].value == reference[kind].value || kind == .ar10
      })
  }

  @Test("Results that share their score with another one of their class are counted")
  func ties() throws {
    #expect(try scores([100], asReference: false).tiedResults == 0)
    #expect(try scores([100], asReference: false, scores: [0.5, 0.7, 0.5]).tiedResults == 2)
    #expect(try scores([100], asReference: false, scores: [0.5, 0.5, 0.5]).tiedResults == 3)
    #expect(try scores([100], asReference: false, scores: [0, -0.0, 1]).tiedResults == 2)
  }
}
