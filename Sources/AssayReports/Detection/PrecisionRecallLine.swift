/// Precision at evenly spaced recalls from 0 to 1, made non-increasing; its mean
/// is the average precision.
package struct PrecisionRecallLine: Sendable, Hashable {
  /// The minimum IoU of a correct detection.
  package var iou: Double
  /// The precision in 0...1, at recalls 0, 1/(n − 1), … 1; 0 at recalls that are not reached.
  package var precision: [Double]

  package init(iou: Double, precision: [Double]) {
    self.iou = iou
    self.precision = precision
  }

  /// The mean precision; `nil` if there is none.
  package var ap: Double? {
    precision.isEmpty ? nil : precision.reduce(0, +) / Double(precision.count)
  }

  /// The points of the line up to the last recall that is reached, without the interior
  /// points of straight segments.
  var points: [(recall: Double, precision: Double)] {
    guard precision.count > 1 else { return [] }
    let reached = precision.lastIndex { $0 > 0 } ?? -1
    guard reached >= 0 else { return [] }
    let last = Double(precision.count - 1)
    var points: [(recall: Double, precision: Double)] = []
    for index in 0...reached {
      let value = precision[index]
      let isCorner =
        index == 0 || index == reached || precision[index - 1] != value
        || precision[index + 1] != value
      if isCorner { points.append((Double(index) / last, value)) }
    }
    if reached < precision.count - 1 { points.append((Double(reached) / last, 0)) }
    return points
  }

  /// Returns the mean of some classes' lines at one IoU; `nil` for an empty list.
  package static func mean(_ lines: [PrecisionRecallLine]) -> PrecisionRecallLine? {
    guard let first = lines.first else { return nil }
    var sums = Array(repeating: 0.0, count: first.precision.count)
    for line in lines where line.precision.count == sums.count {
      for index in sums.indices { sums[index] += line.precision[index] }
    }
    return PrecisionRecallLine(iou: first.iou, precision: sums.map { $0 / Double(lines.count) })
  }
}
