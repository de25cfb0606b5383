package import AssayMetrics

/// The numbers of objects that two detectors found on the same samples.
package struct PairedTotals: Hashable, Sendable {
  /// Objects that only the first detector found, and those that only the second found.
  package var lost = 0
  package var won = 0
  package var foundByBoth = 0
  package var foundByNeither = 0
  /// Samples in which more objects were lost than won, and samples in which more were won than
  /// lost.
  package var samplesLost = 0
  package var samplesWon = 0

  package init() {}

  package var objects: Int { lost + won + foundByBoth + foundByNeither }
  /// Objects that the first and the second detector found.
  package var foundByFirst: Int { foundByBoth + lost }
  package var foundBySecond: Int { foundByBoth + won }

  /// The test of the null hypothesis that as many samples improved as regressed.
  ///
  /// It counts samples, not objects, because several objects of an image often change together.
  package var test: McNemar { McNemar(onlyFirst: samplesLost, onlySecond: samplesWon) }

  mutating func count(first: Bool, second: Bool) {
    switch (first, second) {
    case (true, true): foundByBoth += 1
    case (true, false): lost += 1
    case (false, true): won += 1
    case (false, false): foundByNeither += 1
    }
  }

  /// Adds the counts of one sample.
  mutating func add(sample: PairedTotals) {
    lost += sample.lost
    won += sample.won
    foundByBoth += sample.foundByBoth
    foundByNeither += sample.foundByNeither
    if sample.lost > sample.won { samplesLost += 1 }
    if sample.won > sample.lost { samplesWon += 1 }
  }
}
