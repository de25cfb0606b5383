import AssayCore
import AssayMetrics
import AssayTestSupport
import Foundation
import Testing

/// Bitwise equality with pycocotools.
@Suite struct DetectionGoldenTests {
  private static let plain = ScoringSettings(intervals: nil)

  @Test(
    "COCO's own example gives pycocotools' bits",
    .outsideData("coco/val2014_100", twin: "DetectionGoldenTests.randomSets"),
    arguments: [OverlapKind.box, .mask])
  func example(kind: OverlapKind) throws {
    let golden = try DetectionGolden.load()[kind].example
    let set = try COCOExample.published(kind)
    let tally = try DetectionTally.matching(
      classCount: set.classCount, images: set.images.count, DetectionSettings(overlap: kind),
      workers: 2
    ) { set.images[$0] }
    let scores = try DetectionScores(tally, Self.plain)
    #expect(scores.twelve.map(DetectionGolden.hex) == golden.stats)
    #expect(scores.classAPs.map(DetectionGolden.hex) == golden.per_category_ap)
    let voc = golden.voc_ap.filter { $0 >= 0 }
    #expect(Goldens.agree(scores[.vocAP].value, voc.reduce(0, +) / Double(voc.count)))
  }

  @Test(
    "The 12 numbers and every class's AP of random odd sets are pycocotools' to the bit",
    arguments: [OverlapKind.box, .mask])
  func randomSets(kind: OverlapKind) throws {
    let golden = try DetectionGolden.load()[kind]
    #expect(golden.digests.count >= 1_000)
    var wrong: [Int] = []
    for (seed, digest) in golden.digests.enumerated() {
      let set = try RandomCOCO(seed: UInt64(seed), kind)
      let scores = try DetectionScores(set.tally(), Self.plain)
      if DetectionGolden.digest(scores.twelve + scores.classAPs) != digest { wrong.append(seed) }
    }
    #expect(wrong == [])
  }

  @Test(
    "VOC's average precision is that of the devkit's formula over pycocotools' matches",
    arguments: [OverlapKind.box, .mask])
  func voc(kind: OverlapKind) throws {
    let golden = try DetectionGolden.load()[kind]
    #expect(golden.voc_ap.count >= 50)
    for (seed, expected) in golden.voc_ap.enumerated() {
      let set = try RandomCOCO(seed: UInt64(seed), kind)
      let value = try DetectionScores(set.tally(), Self.plain)[.vocAP]
      let defined = expected.filter { $0 >= 0 }
      #expect(
        Goldens.agree(
          value.value, defined.isEmpty ? nil : defined.reduce(0, +) / Double(defined.count)),
        "seed \(seed)")
      #expect(value.defined == defined.count)
      #expect(value.total == set.classCount)
    }
  }

  @Test(
    "Precision, recall and scores at every threshold, class, area and limit are the reference's",
    arguments: [OverlapKind.box, .mask])
  func arrays(kind: OverlapKind) throws {
    let goldens = try DetectionGolden.load()[kind].arrays
    #expect(goldens.count >= 6)
    for (seed, golden) in goldens.enumerated() {
      let set = try RandomCOCO(seed: UInt64(seed), kind)
      let scores = try DetectionScores(set.tally(), Self.plain)
      let settings = scores.tally.settings
      // [T][K][A][M], the reference's axes, but without recalls.
      let curves = settings.iouThresholds.indices.map { threshold in
        (0..<set.classCount).map { category in
          settings.areaRanges.indices.map { area in
            settings.maxDetections.map { most in
              scores.precisionRecall(
                class: category, threshold: threshold, area: area, most: most)
            }
          }
        }
      }
      func flat(_ values: (PrecisionRecallCurve, Int) -> Double, recalls: Int) -> [Double?] {
        curves.flatMap { threshold in
          (0..<recalls).flatMap { recall in
            threshold.joined().joined().map { $0.map { values($0, recall) } }
          }
        }
      }
      #expect(DetectionGolden.digest(flat({ $0.precision[$1] }, recalls: 101)) == golden.precision)
      #expect(DetectionGolden.digest(flat({ $0.scores[$1] }, recalls: 101)) == golden.scores)
      #expect(
        DetectionGolden.digest(flat({ curve, _ in curve.recall }, recalls: 1)) == golden.recall)
    }
  }
}
