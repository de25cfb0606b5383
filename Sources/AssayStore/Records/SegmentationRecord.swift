package import AssayCore

/// Statistics of one class's mask for one sample.
package struct MaskPrediction: Hashable, Sendable {
  /// The class's index in the run's classes.
  package var `class`: Int
  /// The mask's area in pixels of the original image.
  package var area: Int
  /// The mean probability of the mask's pixels, in 0...1; `nil` if the mask is empty.
  package var meanInside: Double?
  /// The mean of
  /// p − ½
  ///  over the map, in 0...½: small if the model is uncertain.
  package var meanDistance: Double
  /// The mask at the original size as COCO's compressed run lengths, if it is not made from a
  /// stored map: the run stores no maps, or chose the most likely of several classes.
  package var counts: [UInt8]?

  package init(
    class: Int, area: Int, meanInside: Double?, meanDistance: Double, counts: [UInt8]? = nil
  ) {
    self.class = `class`
    self.area = area
    self.meanInside = meanInside
    self.meanDistance = meanDistance
    self.counts = counts
  }
}

/// One class's probabilities for one sample, at the model's output size.
package struct ProbabilityMapRecord: Hashable, Sendable {
  /// The class's index in the run's classes.
  package var `class`: Int
  package var width: Int
  package var height: Int
  /// ⌊255p + ½⌋ in row-major order: `width * height` bytes.
  package let bytes: [UInt8]
  /// The bytes that the catalog stores, computed by ``compressed(level:)``.
  private(set) var packed: [UInt8]?

  package init(class: Int, width: Int, height: Int, bytes: [UInt8]) {
    self.class = `class`
    self.width = width
    self.height = height
    self.bytes = bytes
  }

  /// Returns the same map with its stored form computed, so that the storing thread does not have
  /// to.
  ///
  /// - Parameter level: zlib's level, 1...9. The data read back does not depend on it.
  package func compressed(level: Int = 1) -> ProbabilityMapRecord {
    var copy = self
    copy.packed = Zlib.compressed(bytes, level: level)
    return copy
  }

  /// The bytes that the catalog stores.
  var stored: [UInt8] { packed ?? Zlib.compressed(bytes, level: 1) }
}

/// A segmentation run's output for one sample, to be stored in the catalog.
package struct SampleMasks: Hashable, Sendable {
  package var sample: Int64
  package var masks: [MaskPrediction]
  /// Empty if the run stores no maps.
  package var maps: [ProbabilityMapRecord]

  package init(sample: Int64, masks: [MaskPrediction], maps: [ProbabilityMapRecord] = []) {
    self.sample = sample
    self.masks = masks
    self.maps = maps
  }
}

/// A segmentation run's stored output for one sample, without its maps.
package struct MaskPredictionRecord: Hashable, Sendable {
  package var sample: SampleRecord
  /// In the order of the run's classes.
  package var masks: [MaskPrediction]
}

/// The contribution of one sample to every segmentation score.
package struct PixelTallyRecord: Hashable, Sendable {
  package var sample: Int64
  /// Pixels by ground truth (row) and prediction (column), for the evaluation's classes in order,
  /// in row-major order.
  package var confusion: [Int]
  /// The intersection and union of the boundary bands of each class.
  package var boundary: [Int]
  /// The number of ignored pixels.
  package var void: Int
  /// The sample's own scores, in 0...1; `nil` if undefined.
  package var iou: Double?
  package var dice: Double?
  package var pixelAccuracy: Double?
  package var boundaryIoU: Double?
  package var precision: Double?
  package var recall: Double?
  /// The model's uncertainty, in 0...1: for one class, 1 − 2·mean
  /// p − ½
  ///  over the map; for several, half the sum of that over the classes, at most 1.
  package var uncertainty: Double?
  /// The distance of the mask's center of mass from the center of its box, as a share of the box's
  /// diagonal, in 0...½.
  package var centerOffset: Double?
  /// The measures that are defined, each in the range of its metric.
  package var measures: [MaskMeasure: Double]

  package init(
    sample: Int64, confusion: [Int], boundary: [Int], void: Int, iou: Double? = nil,
    dice: Double? = nil, pixelAccuracy: Double? = nil, boundaryIoU: Double? = nil,
    precision: Double? = nil, recall: Double? = nil, uncertainty: Double? = nil,
    centerOffset: Double? = nil, measures: [MaskMeasure: Double] = [:]
  ) {
    self.sample = sample
    self.confusion = confusion
    self.boundary = boundary
    self.void = void
    self.iou = iou
    self.dice = dice
    self.pixelAccuracy = pixelAccuracy
    self.boundaryIoU = boundaryIoU
    self.precision = precision
    self.recall = recall
    self.uncertainty = uncertainty
    self.centerOffset = centerOffset
    self.measures = measures
  }
}
