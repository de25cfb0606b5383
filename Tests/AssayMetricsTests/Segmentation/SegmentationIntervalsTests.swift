import AssayCore
import Foundation
import Testing

@testable import AssayMetrics

@Suite("Intervals of segmentation scores")
struct SegmentationIntervalsTests {
  @Test("A draw is the score of the samples drawn, as often as drawn")
  func drawsAreScores() throws {
    for (labels, background) in SegmentationPropertiesTests.shapes {
      let tally = try RandomSegmentation.tally(
        60, labels: labels, background: background, seed: 11)
      let columns = SegmentationColumns(tally, empty: .undefined)
      let weights = DrawWeights(samples: 60, seed: 5, block: 2)
      for (lane, drawn) in columns.draws(weights).enumerated() {
        let indices = (0..<60).flatMap { index in
          Array(repeating: index, count: Int(weights.counts[index][lane]))
        }
        let again = SegmentationColumns(tally.selecting(indices), empty: .undefined)
        #expect(drawn == again.pooled)
      }
    }
  }

  @Test("Any number of workers gives the same intervals, another seed others")
  func workers() throws {
    let tally = try RandomSegmentation.tally(80, labels: 3, seed: 12)
    func scores(_ workers: Int, seed: UInt64) throws -> SegmentationScores {
      try SegmentationScores(
        tally,
        ScoringSettings(intervals: Bootstrap(draws: 101, seed: seed), workers: workers))
    }
    let one = try scores(1, seed: 1)
    #expect(try scores(3, seed: 1) == one)
    #expect(try scores(1, seed: 2) != one)
    for kind in SegmentationScores.kinds(for: tally.labels) {
      let interval = try #require(one[kind].interval, "\(kind)")
      #expect(interval.method == .bootstrap)
      #expect(interval.contains(try #require(one[kind].value)), "\(kind)")
    }
    for kind in SegmentationScores.classKinds where kind != .support {
      #expect(one.perClass(kind).allSatisfy { $0.interval != nil })
    }
    #expect(one.perClass(.support).allSatisfy { $0.interval == nil })
  }

  @Test("Below 50 samples means get Student's t within 0...1 and pooled scores nothing")
  func few() throws {
    let labels = SegmentationLabels(foreground: "a")
    var tally = SegmentationTally(labels: labels)
    // IoU 1, 1, 0.5: mean 0.8333, standard deviation 0.2887, t(2) = 4.3027, so 0.8333 ± 0.7171 is
    // clipped at 1.
    for confusion in [[4, 0, 0, 4], [4, 0, 0, 4], [4, 2, 0, 2]] {
      try tally.add(SegmentedSample(confusion: confusion))
    }
    let scores = try SegmentationScores(tally)
    let interval = try #require(scores[.meanIoU].interval)
    #expect(interval.method == .student)
    #expect(abs(interval.low - 0.116225) < 1e-6 && interval.high == 1)
    #expect(scores[.iou].interval == nil && scores[.pixelAccuracy].interval == nil)
    #expect(scores.perClass(.classIoU)[1].interval == nil)
  }

  @Test("A perfect set has no interval: its draws tell nothing of the next sample")
  func perfect() throws {
    var tally = SegmentationTally(labels: SegmentationLabels(foreground: "a"))
    for _ in 0..<60 { try tally.add(SegmentedSample(confusion: [5, 0, 0, 5])) }
    let scores = try SegmentationScores(tally)
    #expect(scores[.meanIoU].value == 1 && scores[.meanIoU].interval == nil)
  }
}
