import AssayCore

@testable import AssayMetrics

/// Seeded runs for property tests.
enum RandomTally {
  /// Rows whose largest score is the truth's more often than not.
  static func rows(count: Int, classes: Int, seed: UInt64) -> (truths: [Int], scores: [Float]) {
    var random = SplitMix64(seed: seed)
    let truths = (0..<count).map { _ in random.nextIndex(below: classes) }
    let scores = truths.flatMap { truth in
      (0..<classes).map { Float(random.nextUnit() + ($0 == truth ? 0.4 : 0.01)) }
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
