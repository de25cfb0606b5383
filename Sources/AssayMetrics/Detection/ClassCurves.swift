/// The positions in one class's ranked detections at which objects are found, in every area range
/// at every threshold: the basis of precision over recall.
///
/// Precision is needed only where an object is found: recall rises only there, and between two such
/// positions precision falls.
/// Source: `accumulate` of pycocotools' cocoeval.py.
struct ClassCurves: Sendable {
  private let thresholds: Int
  private let room: Int
  /// The number of objects that must be found, by area range.
  let truths: [Int]
  /// The number of objects found, by area range and threshold.
  private(set) var found: [Int]
  /// The number of wrong detections before each object found, by area range and threshold.
  private var wrong: [UInt32]
  /// The positions among the ranked detections, in the same order; empty unless requested.
  private var places: [UInt32]

  init(_ ranked: RankedClass, _ tally: DetectionTally, keepsPlaces: Bool = false) {
    let areas = tally.columns.areaCount
    let thresholds = tally.matcher.thresholds.count
    let every = tally.matcher.allThresholds
    let room = ranked.hitCount
    self.thresholds = thresholds
    self.room = room
    truths = ranked.truths
    var found = Array(repeating: 0, count: areas * thresholds)
    var places = Array(
      repeating: UInt32(0), count: keepsPlaces ? areas * thresholds * room : 0)
    // The wrong detections so far: those that match no object, by area range, and the others.
    var plain = Array(repeating: UInt32(0), count: areas)
    var others = Array(repeating: UInt32(0), count: areas * thresholds)
    wrong = Array(unsafeUninitializedCapacity: areas * thresholds * room) { wrong, count in
      tally.columns.hits.withUnsafeBufferPointer { hits in
        for (place, entry) in ranked.entries.enumerated() {
          guard entry.payload & MatchColumns.isHit != 0 else {
            for area in 0..<areas { plain[area] &+= entry.payload &>> UInt32(area) & 1 }
            continue
          }
          let hit = Int(entry.payload & ~MatchColumns.isHit) * 2 * areas
          for area in 0..<areas {
            let (matched, ignored) = (hits[hit + area], hits[hit + areas + area])
            var right = matched & ~ignored
            while right != 0 {
              let curve = area * thresholds + right.trailingZeroBitCount
              right &= right &- 1
              wrong[curve * room + found[curve]] = plain[area] &+ others[curve]
              if keepsPlaces { places[curve * room + found[curve]] = UInt32(place) }
              found[curve] += 1
            }
            var neither = every & ~(matched | ignored)
            while neither != 0 {
              others[area * thresholds + neither.trailingZeroBitCount] &+= 1
              neither &= neither &- 1
            }
          }
        }
      }
      count = wrong.count
    }
    self.found = found
    self.places = places
  }

  /// Computes the precision at each of the recalls; 0 if a recall is not reached.
  ///
  /// - Parameters:
  ///   - steps: the number of objects that reaches each recall.
  ///   - precision: receives as many values.
  /// - Returns: the sum of the best precisions at each object found.
  @discardableResult
  func precision(
    area: Int, threshold: Int, steps: [Int], _ precision: UnsafeMutableBufferPointer<Double>
  ) -> Double {
    let curve = area * thresholds + threshold
    var best = 0.0
    var sum = 0.0
    var recall = steps.count - 1
    while recall > 0, steps[recall] > found[curve] {
      precision[recall] = 0
      recall -= 1
    }
    var index = found[curve]
    while index > 0 {
      let wrong = Double(self.wrong[curve * room + index - 1])
      let value = Double(index) / (wrong + Double(index) + 0x1p-52)
      if value > best { best = value }
      sum += best
      while recall > 0, steps[recall] == index {
        precision[recall] = best
        recall -= 1
      }
      index -= 1
    }
    precision[0] = best
    return sum
  }

  /// The position of the ranked detection that reaches each recall except 0; `nil` if none does.
  func places(area: Int, threshold: Int, steps: [Int]) -> [Int?] {
    let curve = area * thresholds + threshold
    return steps.map { step in
      step == 0 || step > found[curve] ? nil : Int(places[curve * room + step - 1])
    }
  }

  /// The smallest number of objects out of `truths` that reaches each of the 101 recalls.
  static func steps(truths: Int) -> [Int] {
    PrecisionRecallCurve.recalls.map { recall in
      let total = Double(truths)
      var step = Int(recall * total)
      // The products are rounded; the quotients decide.
      while step > 0, Double(step - 1) / total >= recall { step -= 1 }
      while Double(step) / total < recall { step += 1 }
      return step
    }
  }
}
