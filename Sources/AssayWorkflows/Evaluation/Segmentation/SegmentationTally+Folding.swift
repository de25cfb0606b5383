import AssayMetrics

extension SegmentationTally {
  /// The tally restricted to some of the evaluated labels; the pixels of the others count as
  /// background.
  ///
  /// - Parameter names: evaluated labels of this tally, in the order of the result.
  /// - Throws: `MetricError`.
  func evaluating(only names: [String]) throws -> SegmentationTally {
    guard Array(labels.names[labels.evaluated]) != names, labels.hasBackground else { return self }
    let folded = try SegmentationLabels(names: [labels.names[0]] + names, hasBackground: true)
    var places: [String: Int] = [:]
    for (place, name) in names.enumerated() { places[name] = place + 1 }
    let target = labels.names.enumerated().map { $0 == 0 ? 0 : places[$1] ?? 0 }
    var tally = SegmentationTally(labels: folded)
    for index in 0..<count {
      let sample = self[index]
      var confusion = Array(repeating: 0, count: folded.count * folded.count)
      for (cell, pixels) in sample.confusion.enumerated() where pixels > 0 {
        let (truth, predicted) = cell.quotientAndRemainder(dividingBy: labels.count)
        confusion[target[truth] * folded.count + target[predicted]] += pixels
      }
      // The background's boundary band would change, but the background is not evaluated.
      var boundary = sample.boundary.isEmpty ? [] : Array(repeating: 0, count: 2 * folded.count)
      for label in labels.evaluated where target[label] > 0 && !boundary.isEmpty {
        boundary[2 * target[label]] = sample.boundary[2 * label]
        boundary[2 * target[label] + 1] = sample.boundary[2 * label + 1]
      }
      try tally.add(SegmentedSample(confusion: confusion, boundary: boundary, void: sample.void))
    }
    return tally
  }
}
