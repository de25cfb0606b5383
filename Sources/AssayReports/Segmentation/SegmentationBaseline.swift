package import AssayMetrics

/// The score of a prediction that ignores the image: every pixel is labeled as the class, or, with
/// several classes, as the most frequent one.
package struct SegmentationBaseline: Sendable, Equatable {
  /// The mean IoU over the samples with one class, the mIoU with several.
  package var value: Double
  /// The class's name.
  package var name: String

  /// Creates the baseline; `nil` if no pixel was evaluated.
  package init?(_ tally: SegmentationTally) {
    let labels = tally.labels
    let rows = tally.confusion.rows.map { $0.reduce(0, +) }
    let all = rows.reduce(0, +)
    guard all > 0, let mostFrequent = labels.evaluated.max(by: { rows[$0] < rows[$1] }) else {
      return nil
    }
    name = labels.names[mostFrequent]
    guard labels.isBinary else {
      // Its IoU is its share of all pixels; the IoU of every other class that occurs is 0.
      let present = labels.evaluated.count { rows[$0] > 0 }
      guard present > 0 else { return nil }
      value = Double(rows[mostFrequent]) / Double(all) / Double(present)
      return
    }
    var sum = 0.0
    var samples = 0
    for index in 0..<tally.count {
      let counts = tally[index].confusion
      let evaluated = counts.reduce(0, +)
      guard evaluated > 0 else { continue }
      let start = mostFrequent * labels.count
      sum += Double(counts[start..<start + labels.count].reduce(0, +)) / Double(evaluated)
      samples += 1
    }
    guard samples > 0 else { return nil }
    value = sum / Double(samples)
  }
}
