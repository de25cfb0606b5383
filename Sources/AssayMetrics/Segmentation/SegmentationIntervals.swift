import AssayCore

/// The intervals of segmentation scores, or of the differences between two runs on the same
/// samples.
///
/// From ``Bootstrap/leastSamples`` samples on, the bootstrap assigns a weight to each sample:
/// pooled scores are computed from the weighted sums of the samples' pixel counts, means over
/// samples from the weighted values of the samples that are defined. Below that, these means use
/// Student's t on these values, and pooled scores have no interval.
struct SegmentationIntervals {
  private(set) var numbers: [MetricKind: Interval] = [:]
  /// The intervals by evaluated class.
  private(set) var classNumbers: [MetricKind: [Interval?]] = [:]

  /// - Parameter sides: one run, or two on the same samples and labels.
  init(
    _ sides: [SegmentationColumns], _ bootstrap: Bootstrap, workers: Int
  ) throws {
    guard let first = sides.first else { return }
    let sampleKinds = SegmentationColumns.sampleKinds(for: first.labels)
    guard first.count >= Bootstrap.leastSamples else {
      for kind in sampleKinds {
        numbers[kind] = Self.student(sides.map { $0.values(kind) }, in: kind.facts.range)
      }
      return
    }
    let kinds = PooledRegions.kinds(for: first.labels)
    let classKinds = PooledRegions.classKinds.filter { $0 != .support }
    let means = sides.map { side in sampleKinds.map { DefinedValues(side.values($0)) } }
    let lanes = DrawWeights.lanes
    let blocks = (bootstrap.draws + lanes - 1) / lanes
    // One row per draw: the scores of `kinds`, of `sampleKinds`, and of `classKinds` class by
    // class.
    let rows = try IndexedWork.map(blocks, workers: workers) { block -> [[Double?]] in
      let weights = DrawWeights(samples: first.count, seed: bootstrap.seed, block: block)
      let drawn = zip(sides, means).map { side, means in
        let sampled = means.map { $0.means(weights) }
        return side.draws(weights).enumerated().map { lane, pooled -> [Double?] in
          kinds.map { pooled.value($0) }
            + sampled.map { $0[lane].isFinite ? $0[lane] : nil }
            + classKinds.flatMap { kind in
              pooled.classes.map { PooledRegions.value(kind, of: $0) }
            }
        }
      }
      return drawn.count == 1 ? drawn[0] : zip(drawn[0], drawn[1]).map(Self.difference)
    }.joined().prefix(bootstrap.draws)
    func interval(_ place: Int) -> Interval? {
      PercentileInterval.of(rows.lazy.map { $0[place] })
    }
    for (place, kind) in (kinds + sampleKinds).enumerated() { numbers[kind] = interval(place) }
    let classes = first.labels.evaluated.count
    for (place, kind) in classKinds.enumerated() {
      let start = kinds.count + sampleKinds.count + place * classes
      classNumbers[kind] = (start..<start + classes).map(interval)
    }
  }

  /// The differences, second − first.
  private static func difference(_ first: [Double?], _ second: [Double?]) -> [Double?] {
    zip(first, second).map { first, second in
      guard let first, let second else { return nil }
      return second - first
    }
  }

  /// For one run, the interval of a mean, clipped to the range of its values; for two, the interval
  /// of the mean difference if both runs are defined in the same samples, because otherwise the
  /// difference of the means is a different number.
  private static func student(_ sides: [[Double?]], in range: ClosedRange<Double>) -> Interval? {
    guard sides.count == 2 else {
      return StudentInterval.of(sides[0].compacted()).map { interval in
        Interval(
          low: max(interval.low, range.lowerBound), high: min(interval.high, range.upperBound),
          method: interval.method)
      }
    }
    guard zip(sides[0], sides[1]).allSatisfy({ ($0 == nil) == ($1 == nil) }) else { return nil }
    return StudentInterval.of(difference(sides[0], sides[1]).compacted())
  }
}

/// Values of samples, some of which are undefined.
private struct DefinedValues: Sendable {
  /// The values with 0 for undefined ones, then 1 if defined and 0 if not.
  private let columns: [Double]

  init(_ values: [Double?]) {
    columns = values.map { $0 ?? 0 } + values.map { $0 == nil ? 0 : 1 }
  }

  /// The mean of the defined values in each of eight draws; NaN if a draw has none.
  func means(_ weights: DrawWeights) -> SIMD8<Double> {
    let sums = weights.sums(of: columns)
    return sums[0] / sums[1]
  }
}
