package import AssayCore

/// The pixel counts and measures of one sample's ground-truth and predicted masks, from which every
/// score is computed.
package struct SegmentedSample: Sendable, Hashable {
  /// *k* · *k* pixel counts over the labels, row-major: rows ground truth, columns prediction.
  package var confusion: [Int]
  /// Two counts per label, intersection and union of the boundary bands of ground truth and
  /// prediction; empty if they were not requested.
  package var boundary: [Int]
  /// The number of pixels left out.
  package var void: Int
  /// The defined measures of masks of a single class; empty if they were not requested.
  package var measures: [MaskMeasure: Double]

  package init(
    confusion: [Int], boundary: [Int] = [], void: Int = 0, measures: [MaskMeasure: Double] = [:]
  ) {
    self.confusion = confusion
    self.boundary = boundary
    self.void = void
    self.measures = measures
  }

  /// Returns whether the counts fit `count` labels and are nonnegative, and measures are in their
  /// ranges.
  func fits(_ count: Int) -> Bool {
    confusion.count == count * count && (boundary.isEmpty || boundary.count == 2 * count)
      && void >= 0 && measures.allSatisfy { $0.key.allows($0.value) }
      && confusion.allSatisfy { $0 >= 0 } && boundary.allSatisfy { $0 >= 0 }
  }
}

extension SegmentedSample {
  /// Compares two binary masks: label 0 for unset pixels, label 1 for set pixels.
  ///
  /// - Parameters:
  ///   - predicted: the same size.
  ///   - void: pixels that are left out; the same size.
  ///   - boundary: whether boundary bands are counted and the masks measured.
  /// - Throws: ``MetricError/sizeMismatch(truth:predicted:)``.
  /// - Complexity: O(runs), with boundary bands O(pixels).
  package init(
    truth: Mask, predicted: Mask, void: Mask? = nil, boundary: Bool = true
  ) throws(MetricError) {
    guard truth.size == predicted.size else {
      throw .sizeMismatch(truth: truth.size, predicted: predicted.size)
    }
    if let void, void.size != truth.size {
      throw .sizeMismatch(truth: truth.size, predicted: void.size)
    }
    self.init(counting: truth, predicted, void: void)
    if boundary,
      let counted = Self.withBoundary(truth, predicted, void: void, left: self.void)
    {
      self.boundary = counted.boundary
      measures = counted.measures
    }
  }

  /// Walks along the runs of all masks together.
  private init(counting truth: Mask, _ predicted: Mask, void: Mask?) {
    var (a, b) = (RunWalk(truth.runs), RunWalk(predicted.runs))
    var c = RunWalk(void?.runs ?? [UInt32(truth.size.area)])
    self.init(confusion: [0, 0, 0, 0])
    var place = 0
    while place < truth.size.area {
      let end = min(a.end, b.end, c.end)
      if c.isSet {
        self.void += end - place
      } else {
        confusion[(a.isSet ? 2 : 0) + (b.isSet ? 1 : 0)] += end - place
      }
      place = end
      a.advance(to: place)
      b.advance(to: place)
      c.advance(to: place)
    }
  }

  /// A square is symmetric under exchange of rows and columns, so the masks stay column-major.
  private static func withBoundary(
    _ truth: Mask, _ predicted: Mask, void: Mask?, left: Int
  ) -> SegmentedSample? {
    var (a, b) = (truth.columnMajorBytes, predicted.columnMajorBytes)
    if let void, left > 0 {
      for (index, byte) in void.columnMajorBytes.enumerated() where byte == 1 {
        (a[index], b[index]) = (2, 2)
      }
    }
    return a.withUnsafeBufferPointer { a in
      b.withUnsafeBufferPointer { b in
        try? LabelPair(
          truth: a, predicted: b, width: truth.size.height, height: truth.size.width
        ).sample(
          labels: 2, isVoid: (0..<256).map { $0 == 2 }, band: BoundaryBands.width(truth.size),
          measured: 1)
      }
    }
  }
}

/// A position in a mask's runs.
private struct RunWalk {
  private let runs: [UInt32]
  private var next = 0
  /// The end of the run, in pixels from the mask's first pixel.
  private(set) var end = 0

  init(_ runs: [UInt32]) {
    self.runs = runs
    advance(to: 0)
  }

  /// True if the run's pixels are set.
  var isSet: Bool { next % 2 == 0 }

  /// Advances to the run that contains pixel `place`; to the last run if none does.
  mutating func advance(to place: Int) {
    while end <= place, next < runs.count {
      end += Int(runs[next])
      next += 1
    }
  }
}

extension Mask {
  /// The pixels column by column, 1 if set.
  fileprivate var columnMajorBytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size.area) { bytes, used in
      for (index, run) in runs.enumerated() {
        bytes[used..<used + Int(run)].initialize(repeating: UInt8(index % 2))
        used += Int(run)
      }
    }
  }
}

extension SegmentedSample {
  /// Compares two label maps.
  ///
  /// - Parameters:
  ///   - truth: one channel with one label per pixel.
  ///   - predicted: the same size.
  ///   - voids: the values of ground-truth pixels that are left out, regardless of the prediction.
  ///   - boundary: whether boundary bands are counted, and masks of a single class measured.
  /// - Throws: ``MetricError`` if the sizes differ or a pixel's value is not a label.
  /// - Complexity: O(pixels).
  package init(
    truth: Raster<UInt8>, predicted: Raster<UInt8>, labels: SegmentationLabels,
    voids: Set<UInt8>, boundary: Bool = true
  ) throws(MetricError) {
    let size = try Self.size(truth)
    let other = try Self.size(predicted)
    guard size == other else { throw .sizeMismatch(truth: size, predicted: other) }
    var isVoid = [Bool](repeating: false, count: 256)
    for value in voids { isVoid[Int(value)] = true }
    let result = truth.elements.withUnsafeBufferPointer { truth in
      predicted.elements.withUnsafeBufferPointer { predicted in
        Result { () throws(MetricError) in
          try LabelPair(
            truth: truth, predicted: predicted, width: size.width, height: size.height
          ).sample(
            labels: labels.count, isVoid: isVoid,
            band: boundary ? BoundaryBands.width(size) : nil,
            measured: labels.isBinary ? labels.evaluated.lowerBound : nil)
        }
      }
    }
    self = try result.get()
  }

  /// Compares two label maps with at most one void value; see
  /// ``init(truth:predicted:labels:voids:boundary:)``.
  package init(
    truth: Raster<UInt8>, predicted: Raster<UInt8>, labels: SegmentationLabels,
    void: UInt8? = nil, boundary: Bool = true
  ) throws(MetricError) {
    try self.init(
      truth: truth, predicted: predicted, labels: labels, voids: Set([void].compactMap(\.self)),
      boundary: boundary)
  }

  /// Compares two gray masks: label 0 for pixels below `threshold`, label 1 for the others.
  ///
  /// - Throws: ``MetricError`` if the sizes differ.
  /// - Complexity: O(pixels).
  package init(
    truth: Raster<UInt8>, predicted: Raster<UInt8>, threshold: UInt8, boundary: Bool = true
  ) throws(MetricError) {
    let size = try Self.size(truth)
    let other = try Self.size(predicted)
    guard size == other else { throw .sizeMismatch(truth: size, predicted: other) }
    let counts = truth.elements.withUnsafeBytes { truth in
      predicted.elements.withUnsafeBytes { predicted in
        ThresholdCounts(truth, predicted, threshold: threshold)
      }
    }
    self.init(confusion: [
      size.area - counts.first - counts.second + counts.both, counts.second - counts.both,
      counts.first - counts.both, counts.both,
    ])
    guard boundary else { return }
    func binary(_ raster: Raster<UInt8>) -> Raster<UInt8> {
      var raster = raster
      for index in raster.elements.indices {
        raster.elements[index] = raster.elements[index] >= threshold ? 1 : 0
      }
      return raster
    }
    self = try SegmentedSample(
      truth: binary(truth), predicted: binary(predicted),
      labels: SegmentationLabels(foreground: ""), voids: [], boundary: true)
  }

  private static func size(_ map: Raster<UInt8>) throws(MetricError) -> ImageSize {
    guard map.channels == 1, map.width >= 1, map.height >= 1 else {
      throw .noLabelMap(width: map.width, height: map.height, channels: map.channels)
    }
    return ImageSize(width: map.width, height: map.height)
  }
}
