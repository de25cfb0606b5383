import AssayCore

/// Average precision over the objects of all classes at once: the detections of all classes are ranked together
/// by their scores after they were matched class by class.
///
/// It has an interval where AP, the mean over classes, has none because some classes are rare. A detector
/// whose scores are not comparable between classes has a lower one.
/// Source: A. Dave et al. (2021), Evaluating Large-Vocabulary Object Detectors: The Devil is in the Details,
/// arXiv:2102.01066 (AP pool).
package enum PooledPrecision {
  /// The minimum number of objects for an interval: that at which the intervals of AP cover in simulations
  /// (``DetectionIntervals``).
  static let leastObjects = 40

  /// The mean over the settings' thresholds of the pooled average precision of two detectors on the same
  /// images, and their paired difference.
  ///
  /// - Parameter settings: the draws over images, the same for both, and threads; the rest is ignored.
  /// - Throws: ``MetricError`` if classes, settings, images or objects differ.
  package static func compare(
    _ first: DetectionTally, _ second: DetectionTally, _ settings: ScoringSettings
  ) throws -> Difference {
    try DetectionComparison.check(first, second)
    let sides = [first, second].map(Side.init)
    let once = DrawWeights(counts: Array(repeating: SIMD8(repeating: 1), count: first.count))
    let values = sides.map { side -> Double? in
      let value = side.value(once)[0]
      return value.isFinite ? value : nil
    }
    guard let one = values[0], let two = values[1] else {
      return Difference(first: values[0], second: values[1])
    }
    var difference = Difference(first: one, second: two)
    guard let bootstrap = settings.intervals, first.count >= Bootstrap.leastSamples,
      sides[0].objects >= leastObjects
    else { return difference }
    let lanes = DrawWeights.lanes
    let rows = try IndexedWork.map(
      (bootstrap.draws + lanes - 1) / lanes, workers: settings.workers
    ) { block in
      let weights = DrawWeights(samples: first.count, seed: bootstrap.seed, block: block)
      return sides[1].value(weights) - sides[0].value(weights)
    }
    let draws = (0..<bootstrap.draws).lazy.map { draw -> Double? in
      let value = rows[draw / lanes][draw % lanes]
      return value.isFinite ? value : nil
    }
    difference.interval = PercentileInterval.unbiased(draws, two - one, in: -1...1)
    return difference
  }

  /// The ranked detections of one detector.
  private struct Side: Sendable {
    private let ranked: WeightedClass
    private let working: Int
    private let own: Int
    /// The number of objects that must be found.
    let objects: Int

    init(_ tally: DetectionTally) {
      let rows = ClassParts(tally).all
      ranked = WeightedClass(tally, rows[...], limits: [])
      working = tally.matcher.working
      own = tally.settings.iouThresholds.count
      let areas = tally.columns.areaCount
      objects = rows.reduce(0) { $0 + Int(tally.columns.countable[Int($1.part) * areas]) }
    }

    /// The pooled average precision in eight draws; NaN in a draw without objects.
    func value(_ weights: DrawWeights) -> SIMD8<Double> {
      ranked.values(weights, working: working, own: own).precision[..<own].reduce(.zero, +)
        / Double(own)
    }
  }
}
