import AssayCore

/// The scores of one run for any bootstrap draw.
package struct DetectionDraws: Sendable {
  private let plan: ScorePlan
  private let kinds: [MetricKind]
  private let classes: [WeightedClass]
  /// The number of thresholds used for matching, and the number of the settings' own.
  private let thresholds: Int
  private let own: Int
  private let working: Int

  /// - Parameter chosen: the classes to compute scores for, in ascending order; `nil` for all. The
  ///   other classes must have neither objects nor detections.
  package init(_ tally: DetectionTally, classes chosen: [Int]? = nil, workers: Int = 1) throws {
    let chosen = chosen ?? Array(0..<tally.classCount)
    let plan = ScorePlan(tally.settings)
    let parts = ClassParts(tally)
    self.plan = plan
    kinds = DetectionScores.kinds(tally.settings.overlap)
    classes = try IndexedWork.map(chosen.count, workers: workers) {
      WeightedClass(tally, parts[chosen[$0]], limits: plan.limits)
    }
    thresholds = tally.matcher.thresholds.count
    own = tally.settings.iouThresholds.count
    working = tally.matcher.working
  }

  /// The scores of ``DetectionScores/kinds(_:)``, then those of ``DetectionScores/classKinds`` by
  /// class; NaN if undefined.
  package func row(counts: [SIMD8<UInt8>]) -> [SIMD8<Double>] { row(DrawWeights(counts: counts)) }

  func row(_ weights: DrawWeights) -> [SIMD8<Double>] {
    let values = classes.map { $0.values(weights, working: working, own: own) }
    let means = kinds.map { kind in
      Self.mean(values.map { kind == .vocAP ? $0.vocAP : part(plan.parts[kind], $0) })
    }
    return means
      + [MetricKind.ap, .ap50].flatMap { kind in values.map { part(plan.parts[kind], $0) } }
  }

  private func part(_ part: ScorePlan.Part?, _ values: WeightedClass.Values) -> SIMD8<Double> {
    func mean(_ curves: [SIMD8<Double>], _ area: Int, _ range: Range<Int>) -> SIMD8<Double> {
      let row = curves[area * thresholds + range.lowerBound..<area * thresholds + range.upperBound]
      return row.reduce(.zero, +) / Double(row.count)
    }
    return switch part {
    case nil: SIMD8(repeating: .nan)
    case .precision(let area, let range): mean(values.precision, area, range)
    case .recall(let area): mean(values.recall, area, 0..<own)
    case .recallAt(let threshold): mean(values.recall, 0, threshold..<threshold + 1)
    case .limitedRecall(let limit): values.limitedRecall[limit]
    }
  }

  /// The mean over the classes that are defined in a draw.
  private static func mean(_ classes: [SIMD8<Double>]) -> SIMD8<Double> {
    var (sum, count) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
    for value in classes {
      let isDefined = value .== value
      sum += value.replacing(with: 0, where: .!isDefined)
      count += SIMD8<Double>(repeating: 0).replacing(with: 1, where: isDefined)
    }
    return sum / count
  }
}
