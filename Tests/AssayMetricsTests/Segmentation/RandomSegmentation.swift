import AssayCore

@testable import AssayMetrics

/// Seeded tallies for property tests: samples of different sizes, with classes that do not occur in
/// all of them.
enum RandomSegmentation {
  static func labels(_ count: Int, background: Bool = false) throws -> SegmentationLabels {
    try SegmentationLabels(names: (0..<count).map { "c\($0)" }, hasBackground: background)
  }

  static func sample(_ labels: Int, _ random: inout SplitMix64) -> SegmentedSample {
    var sample = SegmentedSample(
      confusion: Array(repeating: 0, count: labels * labels),
      boundary: Array(repeating: 0, count: 2 * labels), void: random.nextIndex(below: 30))
    for truth in 0..<labels where random.nextIndex(below: 4) > 0 {
      for predicted in 0..<labels where random.nextIndex(below: 3) > 0 {
        sample.confusion[truth * labels + predicted] =
          random.nextIndex(below: truth == predicted ? 900 : 90)
      }
      let union = 1 + random.nextIndex(below: 200)
      sample.boundary[2 * truth] = random.nextIndex(below: union + 1)
      sample.boundary[2 * truth + 1] = union
    }
    return sample
  }

  /// Measures of a sample of one class: 0 if its masks are equal, none if one is empty.
  static func measures(
    _ sample: SegmentedSample, _ labels: SegmentationLabels
  ) -> [MaskMeasure: Double] {
    let (own, k) = (labels.evaluated.lowerBound, labels.count)
    let truth = (0..<k).reduce(0) { $0 + sample.confusion[own * k + $1] }
    let predicted = (0..<k).reduce(0) { $0 + sample.confusion[$1 * k + own] }
    let hits = sample.confusion[own * k + own]
    guard truth > 0, predicted > 0 else { return [:] }
    return [.hausdorff95: Double(truth + predicted - 2 * hits) / 7]
  }

  static func tally(
    _ count: Int, labels: Int, background: Bool = false, seed: UInt64
  ) throws -> SegmentationTally {
    var random = SplitMix64(seed: seed)
    var tally = SegmentationTally(labels: try Self.labels(labels, background: background))
    for _ in 0..<count {
      var sample = sample(labels, &random)
      if tally.labels.isBinary { sample.measures = measures(sample, tally.labels) }
      try tally.add(sample)
    }
    return tally
  }
}
