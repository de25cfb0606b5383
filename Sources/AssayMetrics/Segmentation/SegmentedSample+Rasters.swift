package import AssayCore

extension SegmentedSample {
  /// Compares two label maps.
  ///
  /// - Parameters:
  ///   - truth: one channel, a label a pixel.
  ///   - predicted: the same size.
  ///   - voids: truth pixels of these values are left out, whatever is predicted there.
  ///   - boundary: whether boundary bands are counted, too.
  /// - Throws: ``MetricError`` where the sizes differ or a pixel's value is no label.
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
            band: boundary ? BoundaryBands.width(size) : nil)
        }
      }
    }
    self = try result.get()
  }

  /// Compares two label maps of which at most one value is left out; see
  /// ``init(truth:predicted:labels:voids:boundary:)``.
  package init(
    truth: Raster<UInt8>, predicted: Raster<UInt8>, labels: SegmentationLabels,
    void: UInt8? = nil, boundary: Bool = true
  ) throws(MetricError) {
    try self.init(
      truth: truth, predicted: predicted, labels: labels, voids: Set([void].compactMap(\.self)),
      boundary: boundary)
  }

  /// Compares two gray masks: label 0 are pixels below `threshold`, label 1 the others.
  ///
  /// - Throws: ``MetricError`` where the sizes differ.
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
