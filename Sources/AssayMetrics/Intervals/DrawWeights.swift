import AssayCore

/// How often each sample was drawn in each of eight bootstrap draws: *n* samples drawn from *n* with
/// replacement, eight draws side by side so that one pass over ranked samples serves all of them.
struct DrawWeights: Sendable {
  /// Draws in a block.
  static let lanes = 8

  /// Eight counts a sample. A byte holds them: a count of 256 has a probability below 10⁻⁵⁰⁰.
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

  /// The mean of one value a sample in each draw.
  ///
  /// - Parameter values: as many as there are samples, at least one.
  func means(of values: [Double]) -> SIMD8<Double> {
    var sums = SIMD8<Double>.zero
    for (weights, value) in zip(counts, values) {
      sums += Self.wide(weights) * value
    }
    return sums / Double(values.count)
  }

  /// AUROC and average precision of a ranking in each draw; NaN where a draw leaves it undefined.
  ///
  /// - Complexity: O(*n*).
  func ranking(_ ranking: ClassRanking) -> (auroc: SIMD8<Double>, averagePrecision: SIMD8<Double>) {
    typealias Flag = ClassRanking.StepFlag
    // Whole numbers of at most n are exact in float64; so is twice a number of pairs.
    var (found, above) = (SIMD8<Int32>.zero, SIMD8<Int32>.zero)
    var (positives, negatives) = (SIMD8<Int32>.zero, SIMD8<Int32>.zero)
    var (lost, precisions) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
    counts.withUnsafeBufferPointer { counts in
      for step in ranking.steps {
        let weights = SIMD8<Int32>(truncatingIfNeeded: counts[Int(step >> Flag.indexShift)])
        if step & Flag.positive != 0 { positives &+= weights } else { negatives &+= weights }
        guard step & Flag.endsTie != 0 else { continue }
        if step & Flag.endsTieWithPositive != 0 {
          let drawn = SIMD8<Double>(positives)
          let before = SIMD8<Double>(above)
          let after = SIMD8<Double>(above &+ negatives)
          let hits = SIMD8<Double>(found &+ positives)
          lost += drawn * (before + after)
          // At least 1 below the line: nothing drawn so far then gives 0, not 0/0.
          precisions += drawn * hits / pointwiseMax(hits + after, SIMD8(repeating: 1))
        }
        found &+= positives
        above &+= negatives
        positives = .zero
        negatives = .zero
      }
    }
    let (found64, above64) = (SIMD8<Double>(found), SIMD8<Double>(above))
    return (1 - lost / (2 * found64 * above64), precisions / found64)
  }

  /// Eight weights as float64.
  static func wide(_ weights: SIMD8<UInt8>) -> SIMD8<Double> {
    SIMD8<Double>(SIMD8<Int32>(truncatingIfNeeded: weights))
  }
}
