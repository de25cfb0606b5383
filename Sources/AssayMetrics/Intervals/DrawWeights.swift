import AssayCore

/// The number of times each sample was drawn in each of eight bootstrap draws: *n* samples drawn
/// from *n* with replacement, eight draws in parallel so that one pass over ranked samples is
/// enough.
struct DrawWeights: Sendable {
  /// The number of draws per block.
  static let lanes = 8

  /// Eight counts per sample. A byte is enough: a count of 256 has a probability below 10⁻⁵⁰⁰.
  let counts: [SIMD8<UInt8>]

  init(counts: [SIMD8<UInt8>]) { self.counts = counts }

  /// The weights of draws `8 · block ..< 8 · block + 8`.
  ///
  /// - Complexity: O(*n*).
  init(samples: Int, seed: UInt64, block: Int) {
    var counts = [SIMD8<UInt8>](repeating: .zero, count: samples)
    counts.withUnsafeMutableBytes { bytes in
      for lane in 0..<Self.lanes {
        var random = SplitMix64(seed: seed, draw: block * Self.lanes + lane)
        for _ in 0..<samples {
          bytes[random.nextIndex(below: samples) * Self.lanes + lane] &+= 1
        }
      }
    }
    self.counts = counts
  }

  /// The mean of one value per sample in each draw.
  ///
  /// - Parameter values: as many as there are samples, at least one.
  func means(of values: [Double]) -> SIMD8<Double> {
    var sums = SIMD8<Double>.zero
    for (weights, value) in zip(counts, values) {
      sums += Self.wide(weights) * value
    }
    return sums / Double(values.count)
  }

  /// Eight weights as float64.
  static func wide(_ weights: SIMD8<UInt8>) -> SIMD8<Double> {
    SIMD8<Double>(SIMD8<Int32>(truncatingIfNeeded: weights))
  }
}
