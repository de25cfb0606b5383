import RealModule

/// McNemar's test of whether two runs on the same samples have the same accuracy.
///
/// Only samples that one run has right and the other wrong (discordant ones) carry information.
/// Below 25 discordant samples the test is the exact binomial one, otherwise χ² with continuity
/// correction.
/// Source: Q. McNemar (1947), doi:10.1007/BF02295996; A. Edwards (1948), doi:10.1007/BF02289261.
package struct McNemar: Sendable, Equatable {
  /// The number of discordant samples from which χ² is used.
  package static let exactBelow = 25

  /// The number of samples that only the first run, and only the second run, has right.
  package let onlyFirst: Int
  package let onlySecond: Int

  package init(onlyFirst: Int, onlySecond: Int) {
    self.onlyFirst = onlyFirst
    self.onlySecond = onlySecond
  }

  /// The number of discordant samples.
  package var discordant: Int { onlyFirst + onlySecond }

  /// True if the p-value is the exact binomial one.
  package var isExact: Bool { discordant < Self.exactBelow }

  /// χ² with continuity correction, at least 0; `nil` if the exact test is used.
  package var statistic: Double? {
    guard !isExact else { return nil }
    let excess = max(0, Double(abs(onlyFirst - onlySecond)) - 1)
    return excess * excess / Double(discordant)
  }

  /// The probability, in 0...1, of at least this difference if both are equally accurate.
  package var pValue: Double {
    if let statistic { return Double.erfc((statistic / 2).squareRoot()) }
    // With at most 24 discordant samples every sum of binomial coefficients is exact.
    var (term, tail) = (1.0, 0.0)
    for heads in 0...min(onlyFirst, onlySecond) {
      tail += term
      term = term * Double(discordant - heads) / Double(heads + 1)
    }
    return min(1, 2 * tail / Double.exp2(Double(discordant)))
  }
}
