import AssayCore
import AssayMetrics
import AssayReports

/// The samples that a segmentation report shows, by their index in the tally.
struct MaskChoice {
  private(set) var worst: [Int] = []
  private(set) var random: [Int] = []
  private(set) var median: [Int] = []
  private(set) var best: [Int] = []
  /// All samples of a small set, lowest IoU first, those without an IoU last; the other lists are
  /// then empty.
  private(set) var all: [Int] = []

  /// The seed of ``random``.
  static let seed: UInt64 = 0

  /// - Parameter scores: the scores of the tally's samples, in its order.
  init(_ tally: SegmentationTally, _ scores: [SampleMaskScores]) {
    let iou = scores.map(\.iou)
    let defined = iou.indices.filter { iou[$0] != nil }
    if iou.count <= PictureLimits.allMasks {
      all = iou.indices.sorted { (iou[$0] ?? 2, $0) < (iou[$1] ?? 2, $1) }
      return
    }
    let rising = defined.sorted { (iou[$0] ?? 0, $0) < (iou[$1] ?? 0, $1) }
    // Among equally bad samples those with the most wrong pixels, among equally good ones those
    // with the most ground-truth pixels.
    worst = Self.first(PictureLimits.worstMasks, of: rising, by: { iou[$0] ?? 0 }) {
      Self.pixels(tally, $0).wrong
    }
    best = Self.first(PictureLimits.otherMasks, of: rising.reversed(), by: { -(iou[$0] ?? 0) }) {
      Self.pixels(tally, $0).truth
    }
    let width = min(PictureLimits.otherMasks, rising.count)
    let start = (rising.count - width) / 2
    median = Array(rising[start..<start + width])
    var generator = SplitMix64(seed: Self.seed)
    var left = Array(iou.indices)
    for _ in 0..<min(PictureLimits.worstMasks, left.count) {
      random.append(left.remove(at: Int.random(in: left.indices, using: &generator)))
    }
    random.sort()
  }

  /// All shown samples, each once, in the run's order.
  var shown: [Int] { Set(worst + random + median + best + all).sorted() }

  /// The first of sorted indices. Ties are broken by a second number, largest first, which is only
  /// computed if needed, then by the run's order.
  private static func first(
    _ count: Int, of sorted: [Int], by value: (Int) -> Double, then number: (Int) -> Int
  ) -> [Int] {
    guard let last = sorted.prefix(count).last.map(value) else { return [] }
    return sorted.prefix { value($0) <= last }.map { ($0, value($0), number($0)) }
      .sorted { ($0.1, -$0.2, $0.0) < ($1.1, -$1.2, $1.0) }.prefix(count).map(\.0)
  }

  /// The number of pixels whose label differs from the ground truth, and of ground-truth pixels of
  /// evaluated classes.
  private static func pixels(_ tally: SegmentationTally, _ index: Int) -> (wrong: Int, truth: Int) {
    let counts = tally[index].confusion
    let labels = tally.labels.count
    var (wrong, truth) = (0, 0)
    for label in 0..<labels {
      let row = counts[label * labels..<(label + 1) * labels]
      let sum = row.reduce(0, +)
      wrong += sum - counts[label * labels + label]
      if tally.labels.evaluated.contains(label) { truth += sum }
    }
    return (wrong, truth)
  }
}
