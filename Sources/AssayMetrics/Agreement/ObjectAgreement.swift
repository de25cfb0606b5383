/// The agreement of pairs of people about the objects of samples.
package struct ObjectAgreement: Sendable {
  /// Two objects of one class that are taken for the same.
  package struct Match: Sendable, Hashable {
    package var first: Int
    package var second: Int
    package var iou: Double

    package init(first: Int, second: Int, iou: Double) {
      self.first = first
      self.second = second
      self.iou = iou
    }
  }

  /// The numbers of one sample, over all pairs of people.
  package struct Sample: Sendable, Hashable {
    /// The number of matches, and of the objects of both people together.
    package var matched = 0
    package var objects = 0
    /// The sum of the IoU of the matches.
    package var overlap = 0.0

    package init() {}

    package mutating func add(matches: [Match], objects: Int) {
      matched += matches.count
      self.objects += objects
      overlap += matches.reduce(0) { $0 + $1.iou }
    }

    package mutating func merge(_ other: Sample) {
      matched += other.matched
      objects += other.objects
      overlap += other.overlap
    }

    /// 2 · matches / objects; `nil` without objects.
    package var f1: Double? { objects > 0 ? Double(2 * matched) / Double(objects) : nil }
  }

  /// The matches of the objects of two people, each object in at most one: greedy by descending IoU,
  /// then by the order of the objects.
  ///
  /// The order of the two people does not matter unless two pairs have the same IoU.
  ///
  /// - Parameters:
  ///   - overlaps: the IoU of pairs of one class that overlap.
  ///   - minimum: the smallest IoU of a match.
  package static func matches(_ overlaps: [Match], minimum: Double = 0.5) -> [Match] {
    let sorted = overlaps.filter { $0.iou >= minimum }.sorted {
      ($1.iou, $0.first, $0.second) < ($0.iou, $1.first, $1.second)
    }
    var (firsts, seconds): (Set<Int>, Set<Int>) = ([], [])
    var matches: [Match] = []
    for pair in sorted where !firsts.contains(pair.first) && !seconds.contains(pair.second) {
      firsts.insert(pair.first)
      seconds.insert(pair.second)
      matches.append(pair)
    }
    return matches
  }

  /// The F1 of all samples together, with a jackknife over samples from 50 on.
  package static func f1(_ samples: [Sample]) -> Score {
    var total = Sample()
    for sample in samples { total.merge(sample) }
    guard let value = total.f1 else { return .undefined }
    guard samples.count >= NominalAgreement.leastItems else { return Score(value) }
    var leftOut: [Double] = []
    for sample in samples {
      let objects = total.objects - sample.objects
      guard objects > 0 else { return Score(value) }
      leftOut.append(Double(2 * (total.matched - sample.matched)) / Double(objects))
    }
    return Score(
      value, interval: JackknifeInterval.of(value, leavingOut: leftOut, isDifference: false))
  }

  /// The mean IoU of all matches; `nil` without one.
  package static func matchedIoU(_ samples: [Sample]) -> Double? {
    let matched = samples.reduce(0) { $0 + $1.matched }
    return matched > 0 ? samples.map(\.overlap).compensatedSum() / Double(matched) : nil
  }

  /// The mean of one value per sample, with Student's interval, clipped to 0...1.
  package static func mean(_ values: [Double]) -> Score {
    Score(
      values.mean(),
      interval: StudentInterval.of(values).map {
        Interval(low: max(0, $0.low), high: min(1, $0.high), method: $0.method)
      })
  }
}
