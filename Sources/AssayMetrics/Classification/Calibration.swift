/// The calibration of confidences: 15 equal-width bins over the confidence, (low, high], and the
/// expected calibration error.
///
/// Edges are numpy's `linspace(0, 1, 16)`. A confidence of 0 would be in no bin, but the largest of
/// *k* probabilities is never below 1/*k*. Source: M. Naeini, G. Cooper, M. Hauskrecht (2015),
/// AAAI.
package struct Calibration: Sendable, Equatable {
  /// One bin of the reliability chart.
  package struct Bin: Sendable, Equatable {
    /// The edges; `low` is exclusive, `high` inclusive.
    package var low: Double
    package var high: Double
    /// The number of samples.
    package var count: Int
    /// The share of correct samples in the bin, in 0...1; `nil` in an empty bin.
    package var accuracy: Double?
    /// The mean confidence of the samples in the bin, in 0...1; `nil` in an empty bin.
    package var meanConfidence: Double?
  }

  /// The number of bins.
  package static let binCount = 15

  /// The 16 edges, the same bits as numpy's.
  package static let edges: [Double] =
    (0..<binCount).map { Double($0) * (1 / Double(binCount)) } + [1]

  /// The rule in words, to show next to the value.
  package static let rule = "15 bins of equal width (low, high] over the largest probability"

  /// The bins in ascending order.
  package let bins: [Bin]
  /// Σ count/n · |accuracy − mean confidence|, in 0...1; `nil` without samples.
  package let error: Double?

  /// Sorts samples into the bins.
  ///
  /// - Parameters:
  ///   - confidences: one per sample, in 0...1.
  ///   - isCorrect: whether the sample at an index is correct.
  /// - Complexity: O(*n*).
  package init(confidences: [Double], isCorrect: (Int) -> Bool) {
    var counts = Array(repeating: 0, count: Self.binCount)
    var hits = counts
    var sums = Array(repeating: CompensatedSum(), count: Self.binCount)
    for (index, confidence) in confidences.enumerated() {
      guard let bin = Self.bin(of: confidence) else { continue }
      counts[bin] += 1
      hits[bin] += isCorrect(index) ? 1 : 0
      sums[bin].add(confidence)
    }
    let total = confidences.count
    bins = (0..<Self.binCount).map { index in
      let count = Double(counts[index])
      return Bin(
        low: Self.edges[index], high: Self.edges[index + 1], count: counts[index],
        accuracy: counts[index] == 0 ? nil : Double(hits[index]) / count,
        meanConfidence: counts[index] == 0 ? nil : sums[index].value / count)
    }
    guard total > 0 else {
      error = nil
      return
    }
    error =
      bins.compactMap { bin -> Double? in
        guard let accuracy = bin.accuracy, let confidence = bin.meanConfidence else { return nil }
        return Double(bin.count) / Double(total) * abs(accuracy - confidence)
      }.compensatedSum()
  }

  /// The bin that contains a confidence; `nil` outside (0, 1].
  package static func bin(of confidence: Double) -> Int? {
    guard confidence > 0, confidence <= 1 else { return nil }
    // The product can round to the other side of an edge; the edges decide.
    var bin = min(binCount - 1, Int(confidence * Double(binCount)))
    if confidence <= edges[bin] { bin -= 1 }
    if confidence > edges[bin + 1] { bin += 1 }
    return bin
  }
}
