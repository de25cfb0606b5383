import AssayCore

/// The label maps of one sample's truth and prediction, pixel by pixel in one order.
struct LabelPair {
  var truth: UnsafeBufferPointer<UInt8>
  var predicted: UnsafeBufferPointer<UInt8>
  /// Their size in that order: the height is the number of rows of `width` pixels.
  var width: Int
  var height: Int

  /// Counts the pixels of all pairs of labels.
  ///
  /// - Parameters:
  ///   - labels: the number of labels *k*.
  ///   - isVoid: for each of the 256 values whether truth pixels that have it are left out.
  ///   - band: the width of the boundary bands in pixels; `nil` leaves them and all measures out.
  ///   - measured: the label whose two masks are measured; `nil` for none.
  /// - Throws: ``MetricError/valueOutOfRange(side:value:labels:)``.
  func sample(
    labels: Int, isVoid: [Bool], band: Int?
  ) throws(MetricError) -> SegmentedSample {
    var histogram = LabelHistogram()
    histogram.add(
      truth: UnsafeRawBufferPointer(truth), predicted: UnsafeRawBufferPointer(predicted))
    var confusion = Array(repeating: 0, count: labels * labels)
    var counted = 0
    for truth in 0..<labels where !isVoid[truth] {
      for predicted in 0..<labels {
        let pixels = histogram[truth, predicted]
        confusion[truth * labels + predicted] = pixels
        counted += pixels
      }
    }
    let left =
      counted < truth.count ? try leftOut(histogram, labels: labels, isVoid: isVoid) : 0
    var sample = SegmentedSample(confusion: confusion, void: left)
    if let band { sample.boundary = boundary(labels, band: band, isVoid: left > 0 ? isVoid : []) }
    return sample
  }

  /// The number of void pixels; throws for others that have no label.
  private func leftOut(
    _ histogram: LabelHistogram, labels: Int, isVoid: [Bool]
  ) throws(MetricError) -> Int {
    var left = 0
    for truth in 0..<256 {
      for predicted in 0..<256 where isVoid[truth] || truth >= labels || predicted >= labels {
        let pixels = histogram[truth, predicted]
        if pixels == 0 { continue }
        guard isVoid[truth] else {
          throw truth >= labels
            ? .valueOutOfRange(side: .truth, value: truth, labels: labels)
            : .valueOutOfRange(side: .prediction, value: predicted, labels: labels)
        }
        left += pixels
      }
    }
    return left
  }

  /// Intersection and union of the two bands of every label.
  private func boundary(_ labels: Int, band: Int, isVoid values: [Bool]) -> [Int] {
    let isVoid = voidBytes(values)
    let (first, second) = (
      BoundaryBands(labels: truth, width: width, height: height, isVoid: isVoid, band: band),
      BoundaryBands(labels: predicted, width: width, height: height, isVoid: isVoid, band: band)
    )
    let counts = first.inside.withUnsafeBytes { first in
      second.inside.withUnsafeBytes { second in
        BandCounts(
          truth: UnsafeRawBufferPointer(truth), predicted: UnsafeRawBufferPointer(predicted), first,
          second)
      }
    }
    return (0..<labels).flatMap { label in
      let shared = counts.both[label]
      return [shared, counts.first[label] + counts.second[label] - shared]
    }
  }

  /// 255 for each void pixel of the truth, 0 for the others; empty where no value is void.
  private func voidBytes(_ values: [Bool]) -> [UInt8] {
    guard !values.isEmpty else { return [] }
    let table = values.map { $0 ? UInt8.max : 0 }
    return table.withUnsafeBufferPointer { table in
      [UInt8](unsafeUninitializedCapacity: truth.count) { bytes, used in
        for index in truth.indices { bytes[index] = table[Int(truth[index])] }
        used = truth.count
      }
    }
  }
}
