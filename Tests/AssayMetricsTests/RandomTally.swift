import AssayCore

@testable import AssayMetrics

/// Seeded runs for property tests.
enum RandomTally {
  /// Rows whose largest score is usually that of the true class.
  static func rows(count: Int, classes: Int, seed: UInt64) -> (truths: [Int], scores: [Float]) {
    var random = SplitMix64(seed: seed)
    let truths = (0..<count).map { _ in random.nextIndex(below: classes) }
    let scores = truths.flatMap { truth in
      let row = (0..<classes).map { random.nextUnit() + ($0 == truth ? 0.4 : 0.01) }
      let sum = row.reduce(0, +)
      return row.map { Float($0 / sum) }
    }
    return (truths, scores)
  }

  static func make(count: Int, classes: Int, seed: UInt64) throws -> ClassificationTally {
    let (truths, scores) = rows(count: count, classes: classes, seed: seed)
    var tally = try ClassificationTally(classCount: classes)
    try tally.add(truths: truths, scores: scores)
    return tally
  }
}
