import AssayCore

/// A transposed tally: one list per value with one entry per sample, as weighted sums need it.
struct SegmentationColumns: Sendable {
  let labels: SegmentationLabels
  /// The number of samples *n*.
  let count: Int
  /// True if boundary bands were counted in every sample.
  let hasBoundaries: Bool
  /// The measures that a sample lacks, so that they have no mean over the samples.
  let lacking: Set<MaskMeasure>
  /// *n* values per column: five for each evaluated class, then the pixels labeled correctly and
  /// all evaluated pixels.
  private let pixels: [Double]
  /// The pooled pixels of the whole set.
  let pooled: PooledRegions
  let samples: [SampleMaskScores]

  init(_ tally: SegmentationTally, empty: EmptyRule) {
    labels = tally.labels
    count = tally.count
    hasBoundaries = tally.hasBoundaries
    let lacking = Set(MaskMeasure.allCases.filter(tally.lacks))
    self.lacking = lacking
    let evaluated = tally.labels.evaluated
    var pixels = Array(repeating: 0.0, count: (5 * evaluated.count + 2) * tally.count)
    let presence = tally.confusion.totals
    let known = evaluated.filter {
      tally.labels.isBinary || presence.truth[$0] + presence.predicted[$0] > 0
    }
    var samples: [SampleMaskScores] = []
    samples.reserveCapacity(count)
    for index in 0..<count {
      let regions = tally.regions(index)
      for (place, label) in evaluated.enumerated() {
        let region = regions.labels[label]
        let values = [
          region.hits, region.truth, region.predicted, region.bandHits, region.bandUnion,
        ]
        for (part, value) in values.enumerated() {
          pixels[(5 * place + part) * count + index] = value
        }
      }
      pixels[5 * evaluated.count * count + index] = regions.right
      pixels[(5 * evaluated.count + 1) * count + index] = regions.evaluated
      var scores = SampleMaskScores(
        known.map { regions.labels[$0] }, right: regions.right, evaluated: regions.evaluated,
        empty: empty)
      if !hasBoundaries { scores.boundaryIoU = nil }
      scores.measures = tally.measures(index).filter { !lacking.contains($0.key) }
      samples.append(scores)
    }
    self.pixels = pixels
    self.samples = samples
    let columns = 5 * evaluated.count + 2
    pooled = Self.pooled(
      (0..<columns).map { pixels[$0 * tally.count..<($0 + 1) * tally.count].reduce(0, +) })
  }

  /// The metrics with one value per run that are means over samples.
  static func sampleKinds(for labels: SegmentationLabels) -> [MetricKind] {
    SegmentationScores.kinds(for: labels).filter { SampleMaskScores.part(of: $0) != nil }
  }

  /// The values whose mean is the score of one of ``sampleKinds(for:)``.
  func values(_ kind: MetricKind) -> [Double?] {
    SampleMaskScores.part(of: kind).map { part in samples.map(part) } ?? []
  }

  /// The pooled pixels of eight bootstrap draws.
  func draws(_ weights: DrawWeights) -> [PooledRegions] {
    let sums = weights.sums(of: pixels)
    return (0..<DrawWeights.lanes).map { lane in Self.pooled(sums.map { $0[lane] }) }
  }

  /// The pooled pixels whose columns sum to `sums`.
  private static func pooled(_ sums: [Double]) -> PooledRegions {
    let classes = (sums.count - 2) / 5
    return PooledRegions(
      classes: (0..<classes).map { place in
        RegionCounts(
          hits: sums[5 * place], truth: sums[5 * place + 1], predicted: sums[5 * place + 2],
          bandHits: sums[5 * place + 3], bandUnion: sums[5 * place + 4])
      }, right: sums[5 * classes], evaluated: sums[5 * classes + 1])
  }
}
