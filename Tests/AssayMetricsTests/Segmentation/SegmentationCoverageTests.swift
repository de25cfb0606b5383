import AssayCore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayMetrics

/// The coverage of the intervals: many sets of samples are drawn from a population whose scores are
/// known, and 93 to 97 % of their intervals must contain them.
///
/// `ASSAY_LONG_TESTS=1` draws 4,000 sets with the full 1,000 bootstrap draws and requires this
/// coverage. The short version draws 100 sets, whose standard error is 2 %, and requires 90 to 99
/// %.
@Suite struct SegmentationCoverageTests {
  private static let isLong = LongTests.areOn

  /// Samples like the book's masks of people: 448 × 448 pixels, 20 to 70 % of them a person, most
  /// found well, a tail of poor ones, one in twenty nearly missed, and one in thirty empty on
  /// either side.
  private static let population: [SegmentedSample] = {
    var random = SplitMix64(seed: 90)
    return (0..<20_000).map { _ in
      if random.nextIndex(below: 30) == 0 { return SegmentedSample(confusion: [100, 0, 0, 0]) }
      let area = 448 * 448 * (0.2 + 0.5 * random.nextUnit())
      let tail = random.nextUnit()
      let found = random.nextIndex(below: 20) == 0 ? 0.2 * tail : 1 - 0.6 * tail * tail * tail
      let extra = 0.3 * random.nextUnit() * random.nextUnit()
      let hits = Int(area * found)
      return SegmentedSample(
        confusion: [100, Int(area * extra), max(0, Int(area) - hits), hits])
    }
  }()

  private static func tally(_ samples: [SegmentedSample]) throws -> SegmentationTally {
    var tally = SegmentationTally(labels: SegmentationLabels(foreground: "person"))
    for sample in samples { try tally.add(sample) }
    return tally
  }

  @Test(
    "Mean and pooled IoU and Dice cover 93 to 97 % from 200 samples on",
    arguments: isLong ? [200, 1_000] : [200])
  func coverage(_ samples: Int) throws {
    let sets = Self.isLong ? 4_000 : 100
    let draws = Self.isLong ? 1_000 : 160
    let kinds: [MetricKind] = [.meanIoU, .meanDice, .iou, .dice]
    let truth = try SegmentationScores(
      Self.tally(Self.population), ScoringSettings(intervals: nil))
    let covered = try IndexedWork.map(sets, workers: 2) { set -> [Bool] in
      var random = SplitMix64(seed: 91, draw: set)
      let drawn = (0..<samples).map { _ in
        Self.population[random.nextIndex(below: Self.population.count)]
      }
      guard
        let scores = try? SegmentationScores(
          Self.tally(drawn),
          ScoringSettings(intervals: Bootstrap(draws: draws, seed: UInt64(set)), workers: 1))
      else { return [] }
      return kinds.map { kind in
        guard let interval = scores[kind].interval, let value = truth[kind].value else {
          return false
        }
        return interval.contains(value)
      }
    }
    for (place, kind) in kinds.enumerated() {
      let share = Double(covered.count { $0.count == kinds.count && $0[place] }) / Double(sets)
      #expect(
        (Self.isLong ? 0.93...0.97 : 0.90...0.99).contains(share),
        "\(kind.rawValue) at \(samples): \(share)")
      if Self.isLong { print("coverage of \(kind.rawValue) at \(samples):", share) }
    }
  }
}
