/// The ranked detections of one class, prepared for computations in which each image counts as
/// often as it was drawn: nothing is matched or sorted again.
struct WeightedClass: Sendable {
  private typealias Lanes = SIMD8<Int32>

  private let areas: Int
  private let thresholds: Int
  /// The entries up to the last that matches an object; precision is not needed after it.
  private let entries: [RankedClass.Entry]
  /// By area range and threshold, for each detection that matches an object and is right or wrong
  /// there: its number among those that match one, times 2, plus 1 if it is right.
  private let curves: [[UInt32]]
  /// For each image that has objects: its index, and the number that must be found in each area
  /// range.
  private let truthImages: [UInt32]
  private let truthCounts: [UInt32]
  /// By limit, for each detection within it that is right at any threshold in the first area range:
  /// the image, and the number of the settings' thresholds at which it is right.
  private let limited: [[(image: UInt32, count: UInt32)]]

  init(_ tally: DetectionTally, _ rows: ArraySlice<ClassParts.Row>, limits: [Int]) {
    let columns = tally.columns
    let (areas, thresholds) = (columns.areaCount, tally.matcher.thresholds.count)
    let ranked = RankedClass(tally, rows, most: tally.matcher.most)
    let last = ranked.entries.lastIndex { $0.payload & MatchColumns.isHit != 0 }
    entries = Array(ranked.entries.prefix(last.map { $0 + 1 } ?? 0))
    var curves = Array(repeating: [UInt32](), count: areas * thresholds)
    var number: UInt32 = 0
    for entry in entries where entry.payload & MatchColumns.isHit != 0 {
      let hit = Int(entry.payload & ~MatchColumns.isHit) * 2 * areas
      for area in 0..<areas {
        let (matched, ignored) = (columns.hits[hit + area], columns.hits[hit + areas + area])
        for threshold in 0..<thresholds where ignored >> UInt64(threshold) & 1 == 0 {
          let right = UInt32(truncatingIfNeeded: matched >> UInt64(threshold) & 1)
          curves[area * thresholds + threshold].append(number << 1 | right)
        }
      }
      number += 1
    }
    self.areas = areas
    self.thresholds = thresholds
    self.curves = curves
    var (truthImages, truthCounts) = ([UInt32](), [UInt32]())
    for row in rows {
      let counts = columns.countable[Int(row.part) * areas..<(Int(row.part) + 1) * areas]
      guard counts.contains(where: { $0 > 0 }) else { continue }
      truthImages.append(row.image)
      truthCounts += counts
    }
    self.truthImages = truthImages
    self.truthCounts = truthCounts
    limited = limits.map { Self.limited(tally, rows, most: $0) }
  }

  private static func limited(
    _ tally: DetectionTally, _ rows: ArraySlice<ClassParts.Row>, most: Int
  ) -> [(image: UInt32, count: UInt32)] {
    let columns = tally.columns
    let own: UInt64 = 1 << UInt64(tally.settings.iouThresholds.count) - 1
    var limited: [(image: UInt32, count: UInt32)] = []
    for row in rows {
      var hit = Int(row.hit)
      let results = min(most, Int(columns.parts[Int(row.part)].results))
      for result in Int(row.result)..<Int(row.result) + results
      where columns.marks[result] & MatchColumns.isHit != 0 {
        let word = hit * 2 * columns.areaCount
        let right = columns.hits[word] & ~columns.hits[word + columns.areaCount] & own
        if right != 0 { limited.append((row.image, UInt32(right.nonzeroBitCount))) }
        hit += 1
      }
    }
    return limited
  }

  /// The scores of one class in eight draws; NaN if a draw has no object that must be found.
  struct Values {
    /// Average precision and recall by area range and threshold.
    var precision: [SIMD8<Double>]
    var recall: [SIMD8<Double>]
    /// The mean recall over the settings' thresholds in the first area range, by limit.
    var limitedRecall: [SIMD8<Double>]
    var vocAP: SIMD8<Double>
  }

  /// - Parameters:
  ///   - working: the index of the working IoU.
  ///   - own: the number of the settings' thresholds.
  /// - Complexity: O(*detections* + *detections that take an object* · *area ranges* · *thresholds*).
  func values(_ weights: DrawWeights, working: Int, own: Int) -> Values {
    let undefined = SIMD8<Double>(repeating: .nan)
    var values = Values(
      precision: Array(repeating: undefined, count: curves.count),
      recall: Array(repeating: undefined, count: curves.count),
      limitedRecall: [], vocAP: undefined)
    let truths = truths(weights)
    let hits = weightedHits(weights)
    for area in 0..<areas where any(truths[area] .> 0) {
      let reached = ReachedRecalls(truths[area])
      let total = SIMD8<Double>(truths[area])
      for threshold in 0..<thresholds {
        let curve = area * thresholds + threshold
        let sums = sums(curve, area, hits, reached)
        let isDefined = total .> 0
        let recalls = Double(ClassPrecision.recalls)
        values.precision[curve].replace(with: sums.precision / recalls, where: isDefined)
        values.recall[curve].replace(with: sums.found / total, where: isDefined)
        if area == 0, threshold == working {
          values.vocAP.replace(with: sums.stepped / total, where: isDefined)
        }
      }
    }
    values.limitedRecall = limited.map { limited in
      var sum = Lanes.zero
      for (image, count) in limited {
        let weight = Lanes(truncatingIfNeeded: weights.counts[Int(image)])
        sum &+= weight &* Lanes(repeating: Int32(truncatingIfNeeded: count))
      }
      let total = SIMD8<Double>(truths[0])
      let mean = SIMD8<Double>(sum) / total / Double(own)
      return mean.replacing(with: .nan, where: total .== 0)
    }
    return values
  }

  private func truths(_ weights: DrawWeights) -> [Lanes] {
    var truths = Array(repeating: Lanes.zero, count: areas)
    for (row, image) in truthImages.enumerated() {
      let weight = Lanes(truncatingIfNeeded: weights.counts[Int(image)])
      for area in 0..<areas {
        let count = Int32(truncatingIfNeeded: truthCounts[row * areas + area])
        truths[area] &+= weight &* Lanes(repeating: count)
      }
    }
    return truths
  }

  /// The detections that match an object.
  private struct Hits {
    var weights: [Lanes] = []
    /// The weight of the detections before each that match none, for each area range.
    var plain: [Lanes] = []
  }

  private func weightedHits(_ weights: DrawWeights) -> Hits {
    var hits = Hits()
    var plain = Array(repeating: Lanes.zero, count: areas)
    weights.counts.withUnsafeBufferPointer { counts in
      plain.withUnsafeMutableBufferPointer { plain in
        for entry in entries {
          let weight = Lanes(truncatingIfNeeded: counts[Int(entry.image)])
          if entry.payload & MatchColumns.isHit != 0 {
            hits.weights.append(weight)
            hits.plain.append(contentsOf: plain)
            continue
          }
          for area in 0..<areas {
            let isInside = Int32(truncatingIfNeeded: entry.payload >> UInt32(area) & 1)
            plain[area] &+= weight & Lanes(repeating: -isInside)
          }
        }
      }
    }
    return hits
  }

  /// Returns the sum of a curve's precisions at the 101 recalls, the number of objects found, and the sum of
  /// the best precisions at each of these objects.
  private func sums(
    _ curve: Int, _ area: Int, _ hits: Hits, _ reached: ReachedRecalls
  ) -> (precision: SIMD8<Double>, found: SIMD8<Double>, stepped: SIMD8<Double>) {
    var (found, wrong) = (Lanes.zero, Lanes.zero)
    var (precision, stepped) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
    var best = SIMD8<Double>.zero
    return hits.weights.withUnsafeBufferPointer { weights in
      hits.plain.withUnsafeBufferPointer { plain in
        for step in curves[curve] {
          let weight = weights[Int(step >> 1)]
          if step & 1 == 1 { found &+= weight } else { wrong &+= weight }
        }
        let all = SIMD8<Double>(found)
        // Backwards, because the best precision at this recall or a higher one is needed.
        var recalls = reached.count(found)
        for step in curves[curve].reversed() {
          let number = Int(step >> 1)
          let weight = weights[number]
          guard step & 1 == 1 else {
            wrong &-= weight
            continue
          }
          let right = SIMD8<Double>(found)
          let others = SIMD8<Double>(wrong &+ plain[number * areas + area])
          best = pointwiseMax(best, right / (others + right + 0x1p-52))
          found &-= weight
          let fewer = reached.count(found)
          precision += best * (recalls - fewer)
          stepped += best * SIMD8<Double>(weight)
          recalls = fewer
        }
        return (precision + best, all, stepped)
      }
    }
  }
}

/// The number of recalls above 0 that a number of objects found reaches, for eight draws.
private struct ReachedRecalls {
  /// The counts by draw, then number of objects found.
  private var counts: [UInt8] = []
  private var starts = SIMD8<Int32>.zero
  private let truths: SIMD8<Int32>

  init(_ truths: SIMD8<Int32>) {
    self.truths = truths
    for lane in 0..<8 {
      starts[lane] = Int32(counts.count)
      var reached: UInt8 = 0
      let steps = truths[lane] > 0 ? ClassCurves.steps(truths: Int(truths[lane])) : []
      for found in 0...Int(truths[lane]) {
        while Int(reached) + 1 < steps.count, steps[Int(reached) + 1] <= found { reached += 1 }
        counts.append(reached)
      }
    }
  }

  func count(_ found: SIMD8<Int32>) -> SIMD8<Double> {
    // Never more than there are, whatever was stored.
    let places = starts &+ pointwiseMin(found, truths)
    return counts.withUnsafeBufferPointer { counts in
      var reached = SIMD8<Int32>.zero
      for lane in 0..<8 { reached[lane] = Int32(counts[Int(places[lane])]) }
      return SIMD8<Double>(reached)
    }
  }
}
