import AssayCore

/// The scores and counts computed from the ranking of one class with weighted images, for eight
/// sets of weights at a time: the bootstrap's draws, or the unweighted images eight times.
struct ErrorSums: Sendable {
  /// The average precision without changes, then with each error type fixed, in the order of
  /// ``DetectionErrorKind``; NaN if there is no object left to find.
  let averagePrecisions: [SIMD8<Double>]
  /// The maximum F1 over all thresholds; NaN if there is no object.
  let bestF1: SIMD8<Double>
  /// The correct detections, and all that count, with at least the working score.
  let right: SIMD8<Double>
  let counted: SIMD8<Double>
  /// The objects that must be found.
  let truths: SIMD8<Double>

  private typealias Counts = SIMD8<Int32>

  /// - Parameters:
  ///   - weights: eight per image.
  ///   - hasCosts: whether average precisions are computed, which take most of the time; else they
  ///     are NaN.
  /// - Complexity: O(*detections*).
  init(
    _ ranking: ErrorRanking, _ weights: [SIMD8<UInt8>], workingScore: Double, hasCosts: Bool = true
  ) {
    typealias Flag = ErrorRanking.StepFlag
    typealias Kind = ErrorRanking.Kind
    let truths = Self.sum(ranking.truths, weights)
    var curves = hasCosts ? FixedCurves(ranking) : nil
    var counts = Array(repeating: Counts.zero, count: Kind.count)
    var wrong = Counts.zero
    var best = SIMD8<Double>.zero
    let working = ranking.place(below: workingScore)
    var atWorking = (right: Counts.zero, wrong: Counts.zero)
    weights.withUnsafeBufferPointer { weights in
      counts.withUnsafeMutableBufferPointer { counts in
        for (index, step) in ranking.steps.enumerated() {
          if index == working { atWorking = (counts[Int(Kind.right)], wrong) }
          let kind = step & Flag.kinds
          let weight = Counts(truncatingIfNeeded: weights[Int(step >> Flag.imageShift)])
          counts[Int(kind)] &+= weight
          if kind != Kind.right, kind != Kind.visitor { wrong &+= weight }
          if kind == Kind.right || kind == Kind.visitor || kind == Kind.placeFixable {
            curves?.add(kind, counts, wrong: wrong)
          }
          if step & Flag.endsTie != 0 {
            let right = counts[Int(Kind.right)]
            let whole = SIMD8<Double>(right &+ wrong &+ truths)
            let f1 = SIMD8<Double>(right &+ right) / whole
            // No draws so far give 0/0, which does not compare as larger.
            best.replace(with: f1, where: f1 .> best)
          }
        }
        if working == ranking.steps.count { atWorking = (counts[Int(Kind.right)], wrong) }
      }
    }
    averagePrecisions =
      curves?.averages(
        truths: truths, withoutMissed: truths &- Self.sum(ranking.missed, weights))
      ?? Array(repeating: SIMD8(repeating: .nan), count: FixedCurves.count)
    self.truths = SIMD8<Double>(truths)
    bestF1 = best.replacing(with: .nan, where: self.truths .== 0)
    right = SIMD8<Double>(atWorking.right)
    counted = SIMD8<Double>(atWorking.right &+ atWorking.wrong)
  }

  private static func sum(_ images: [UInt32], _ weights: [SIMD8<UInt8>]) -> Counts {
    images.reduce(into: Counts.zero) { $0 &+= Counts(truncatingIfNeeded: weights[Int($1)]) }
  }
}
