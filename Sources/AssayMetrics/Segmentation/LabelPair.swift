import AssayCore

/// The label maps of one sample's ground truth and prediction, with their pixels in the same order.
struct LabelPair {
  var truth: UnsafeBufferPointer<UInt8>
  var predicted: UnsafeBufferPointer<UInt8>
  /// Their width in that order: the height is the number of rows of `width` pixels.
  var width: Int
  var height: Int

  /// Counts the pixels of all pairs of labels.
  ///
  /// - Parameters:
  ///   - labels: the number of labels *k*.
  ///   - isVoid: for each of the 256 values, whether ground-truth pixels with this value are left
  ///     out.
  ///   - band: the width of the boundary bands in pixels; `nil` omits them and all measures.
  ///   - measured: the label whose two masks are measured; `nil` for none.
  /// - Throws: ``MetricError/valueOutOfRange(side:value:labels:)``.
  func sample(
    labels: Int, isVoid: [Bool], band: Int?, measured: Int?
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
    if let band {
      let isVoid = voidBytes(left > 0 ? isVoid : [])
      sample.boundary = boundary(labels, band: band, isVoid: isVoid)
      if let measured {
        for measure in MaskMeasure.allCases {
          sample.measures[measure] = value(
            of: measure, label: UInt8(truncatingIfNeeded: measured), isVoid: isVoid)
        }
      }
    }
    return sample
  }

  /// A measure of the two masks of a label; `nil` if it is undefined.
  private func value(of measure: MaskMeasure, label: UInt8, isVoid: [UInt8]) -> Double? {
    switch measure {
    case .hausdorff95:
      SurfaceDistance.hausdorff95(
        truth, predicted, label: label, width: width, height: height, isVoid: isVoid)
    }
  }

  /// The number of void pixels; throws for other pixels without a label.
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

  /// The intersection and union of the two bands of every label.
  private func boundary(_ labels: Int, band: Int, isVoid: [UInt8]) -> [Int] {
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

  /// 255 for each void pixel of the ground truth, 0 for the others; empty if no value is void.
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

/// The pixels of the boundary bands of two label maps, by label.
struct BandCounts: Sendable {
  /// One count per byte value: in the ground truth's bands, in the prediction's, and, if both maps
  /// have the value, in both.
  private(set) var first = [Int](repeating: 0, count: 256)
  private(set) var second = [Int](repeating: 0, count: 256)
  private(set) var both = [Int](repeating: 0, count: 256)

  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// - Parameters:
  ///   - truth, predicted: labels, with the same number of pixels.
  ///   - inFirst, inSecond: 1 if the pixel is in the ground truth's or the prediction's band, else
  ///     0.
  /// - Complexity: O(pixels).
  init(
    truth: UnsafeRawBufferPointer, predicted: UnsafeRawBufferPointer,
    _ inFirst: UnsafeRawBufferPointer, _ inSecond: UnsafeRawBufferPointer
  ) {
    let pixels = truth.count
    first.withUnsafeMutableBufferPointer { first in
      second.withUnsafeMutableBufferPointer { second in
        both.withUnsafeMutableBufferPointer { both in
          var place = 0
          while place < pixels {
            if place + 8 <= pixels {
              let a = inFirst.loadUnaligned(fromByteOffset: place, as: UInt64.self)
              let b = inSecond.loadUnaligned(fromByteOffset: place, as: UInt64.self)
              let (own, other) = (truth[place], predicted[place])
              let t = truth.loadUnaligned(fromByteOffset: place, as: UInt64.self)
              let p = predicted.loadUnaligned(fromByteOffset: place, as: UInt64.self)
              if (a | b) == 0 {
                place += 8
                continue
              }
              if (t ^ (UInt64(own) &* Self.ones)) | (p ^ (UInt64(other) &* Self.ones)) == 0 {
                first[Int(own)] &+= Self.sum(a)
                second[Int(other)] &+= Self.sum(b)
                both[Int(own)] &+= own == other ? Self.sum(a & b) : 0
                place += 8
                continue
              }
            }
            for index in place..<min(place + 8, pixels) {
              let (own, other) = (truth[index], predicted[index])
              let (a, b) = (Int(inFirst[index]), Int(inSecond[index]))
              first[Int(own)] &+= a
              second[Int(other)] &+= b
              both[Int(own)] &+= own == other ? a & b : 0
            }
            place += 8
          }
        }
      }
    }
  }

  /// The sum of eight bytes that are 0 or 1.
  @inline(__always)
  private static func sum(_ bytes: UInt64) -> Int { Int((bytes &* ones) >> 56) }
}
