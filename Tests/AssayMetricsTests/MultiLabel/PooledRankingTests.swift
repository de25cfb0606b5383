import AssayCore
import Testing

@testable import AssayMetrics

@Suite struct PooledRankingTests {
  /// Average precision of all pairs, sorted in one step.
  private func plain(_ tally: MultiLabelTally) -> Double {
    var pairs = (0..<tally.count).flatMap { sample in
      tally.row(sample).enumerated().map { ($1, tally.labels.contains($0, in: sample)) }
    }
    pairs.sort { $0.0 > $1.0 }
    let positives = pairs.count { $0.1 }
    var (sum, hits, place) = (0.0, 0, 0)
    while place < pairs.count {
      var (end, found) = (place, 0)
      while end < pairs.count, pairs[end].0 == pairs[place].0 {
        found += pairs[end].1 ? 1 : 0
        end += 1
      }
      hits += found
      sum += Double(found) * Double(hits) / Double(end)
      place = end
    }
    return sum / Double(positives)
  }

  @Test("Blocks of scores have the average precision of all pairs", arguments: [0.0, 0.015625])
  func blocks(_ step: Double) throws {
    // More pairs than fit into one block.
    let tally = try RandomLabels.make(count: 50_000, classes: 12, seed: 3, step: step, share: 0.1)
    let ranking = try PooledRanking(tally, leavesOut: true, workers: 2)
    #expect(Goldens.agree(ranking.averagePrecision, plain(tally)))
    for index in [0, 77, 49_999] {
      let others = tally.selecting((0..<tally.count).filter { $0 != index })
      let exact = plain(others) - plain(tally)
      let change = ranking.leftOut[index] - plain(tally)
      #expect(abs(change - exact) < 1e-9, "\(change) instead of \(exact)")
    }
  }

  @Test("A class alone has its own average precision with each sample left out, exactly")
  func oneClass() throws {
    for seed in 0..<6 {
      let tally = try RandomLabels.make(count: 30, classes: 1, seed: UInt64(seed), step: 0.125)
      let leftOut = ClassRanking(tally, category: 0).leavingOut().averagePrecision
      let pooled = try PooledRanking(tally, leavesOut: true, workers: 1).leftOut
      for (a, b) in zip(leftOut, pooled) { #expect(Goldens.agree(a, b)) }
    }
  }

  @Test("Without positives there is no average precision")
  func noPositives() throws {
    var tally = try MultiLabelTally(classCount: 2)
    try tally.add(labelSets: [[], []], scores: [Float(0), 0.5, 1, 0.25])
    #expect(try PooledRanking(tally, leavesOut: true, workers: 1).averagePrecision == nil)
    #expect(
      try PooledRanking(
        MultiLabelTally(classCount: 2), leavesOut: false, workers: 1
      ).averagePrecision == nil)
  }
}
