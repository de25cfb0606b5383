import AssayCore

/// The intervals of detection scores, or of their differences between two runs on the same images.
///
/// From ``Bootstrap/leastSamples`` images on, they are bootstrapped over images, with the same
/// draws for both runs; below that there are none, because no score is a mean over images. Average
/// precision uses the best precision at each recall or a higher one; noise in its curve therefore
/// biases it upward, most of all for rare classes. The draws repeat part of this bias, and their
/// percentiles are shifted to correct it. In simulations of 50 to 2,000 images this covers 89 to 96
/// % from a harmonic mean of 40 objects per class on, while unshifted percentiles cover 60 to 90 %;
/// with fewer objects it covers 77 to 90 %, and ``DetectionScores`` omits the interval. Recall is
/// not shifted.
/// Source: B. Efron, R. Tibshirani (1993), An Introduction to the Bootstrap, chapter 10.
struct DetectionIntervals {
  private(set) var numbers: [MetricKind: Interval] = [:]
  /// The intervals by class.
  private(set) var classNumbers: [MetricKind: [Interval?]] = [:]

  /// - Parameters:
  ///   - sides: one run, or two with the same images, classes and settings.
  ///   - scores: the scores of these runs.
  init(
    _ sides: [DetectionTally], scores: [DetectionScores], _ bootstrap: Bootstrap, workers: Int
  ) throws {
    guard let first = sides.first, first.count >= Bootstrap.leastSamples else { return }
    // A file can list far more classes than it has objects of, and a draw needs memory for each.
    let classes = Set(sides.flatMap { $0.columns.parts.map { Int($0.class) } }).sorted()
    let draws = try sides.map { try DetectionDraws($0, classes: classes, workers: workers) }
    let lanes = DrawWeights.lanes
    let blocks = (bootstrap.draws + lanes - 1) / lanes
    // One row per block: the scores of all kinds, then the per-class scores class by class.
    let rows = try IndexedWork.map(blocks, workers: workers) { block -> [SIMD8<Double>] in
      let weights = DrawWeights(samples: first.count, seed: bootstrap.seed, block: block)
      let drawn = draws.map { $0.row(weights) }
      return drawn.count == 1 ? drawn[0] : zip(drawn[0], drawn[1]).map { $1 - $0 }
    }
    let values =
      scores.count == 1
      ? scores[0].row(of: classes)
      : zip(scores[0].row(of: classes), scores[1].row(of: classes)).map {
        guard let first = $0, let second = $1 else { return Double?.none }
        return second - first
      }
    func interval(_ place: Int, isPrecision: Bool) -> Interval? {
      guard let value = values[place] else { return nil }
      let draws = (0..<bootstrap.draws).lazy.map { draw -> Double? in
        let value = rows[draw / lanes][place][draw % lanes]
        return value.isFinite ? value : nil
      }
      let bounds = sides.count == 1 ? 0.0...1 : -1...1
      return isPrecision
        ? PercentileInterval.unbiased(draws, value, in: bounds) : PercentileInterval.of(draws)
    }
    let kinds = DetectionScores.kinds(first.settings.overlap)
    for (place, kind) in kinds.enumerated() {
      numbers[kind] = interval(place, isPrecision: !DetectionScores.recalls.contains(kind))
    }
    for (place, kind) in DetectionScores.classKinds.enumerated() {
      let start = kinds.count + place * classes.count
      var intervals = Array(repeating: Interval?.none, count: first.classCount)
      for (offset, category) in classes.enumerated() {
        intervals[category] = interval(start + offset, isPrecision: true)
      }
      classNumbers[kind] = intervals
    }
  }
}

extension DetectionScores {
  /// All values, with the per-class values of some classes, in the order of
  /// ``DetectionDraws/row(_:)``.
  fileprivate func row(of classes: [Int]) -> [Double?] {
    kinds.map { self[$0].value }
      + Self.classKinds.flatMap { kind in
        let scores = perClass(kind)
        return classes.map { scores[$0].value }
      }
  }
}
