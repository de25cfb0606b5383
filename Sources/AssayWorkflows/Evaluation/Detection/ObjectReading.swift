import AssayCore
import AssayMetrics
import AssayStore

/// Makes what the metrics match of what the catalog keeps: a sample's objects and detections, by the
/// classes of an evaluation.
struct ObjectReading: Sendable {
  let classes: DetectionClasses
  let overlap: OverlapKind
  /// True if the area of a detection is that of its box even if it has a region, as in pycocotools for files whose
  /// first result has a box; else it is that of the region even if boxes are compared.
  let takesBoxArea: Bool
  /// True if the known bugs of pycocotools are reproduced.
  let isCompatible: Bool

  /// Objects with the ordinals of their annotations.
  struct Truths {
    var objects: [TruthObject] = []
    var ordinals: [Int] = []
    /// Of each whether its id is another than 0, which the reference takes for none.
    var hasID: [Bool] = []

    var hasIDZero: Bool { hasID.contains(false) }
  }

  /// Detections with their ordinals.
  struct Found {
    var objects: [FoundObject] = []
    var ordinals: [Int] = []
    /// Those of classes that are not judged.
    var strangers = 0
  }

  /// The annotations of a sample as objects to be found.
  ///
  /// An area that the source does not state is the region's number of pixels, of a box alone width times
  /// height; a box that it does not state is the region's.
  ///
  /// - Throws: `MaskError` for a damaged region, or one in an image whose size is not known.
  func truths(
    _ annotations: [AnnotationRecord], of sample: SampleRecord
  ) throws(MaskError) -> Truths {
    var truths = Truths()
    truths.objects.reserveCapacity(annotations.count)
    for annotation in annotations {
      guard let place = classes.truthPlaces[annotation.category] else { continue }
      var region: Mask?
      let needsRegion =
        overlap == .mask || annotation.box == nil
        || annotation.area == nil && annotation.shape != .box
      if needsRegion {
        guard let size = sample.size else { throw .damaged }
        region = try annotation.mask(in: size)
      }
      let box = annotation.box ?? region?.boundingBox ?? Box(x: 0, y: 0, width: 0, height: 0)
      let isIDZero = annotation.sourceID == .integer(0)
      truths.hasID.append(!isIDZero)
      truths.objects.append(
        TruthObject(
          class: place, box: box,
          area: annotation.area ?? region.map { Double($0.area) } ?? box.area,
          isCrowd: annotation.isCrowd, mask: overlap == .mask ? region : nil,
          countsAsUnmatched: isCompatible && isIDZero))
      truths.ordinals.append(annotation.ordinal)
    }
    return truths
  }

  /// Returns whether an annotation's geometry is needed besides its box and area.
  func needsGeometry(_ annotation: AnnotationRecord) -> Bool {
    overlap == .mask || annotation.box == nil
      || annotation.area == nil && annotation.shape != .box
  }

  /// The detections of a sample, the most confident first.
  ///
  /// One without a region is its box, where regions are judged.
  ///
  /// - Throws: `MaskError` for a damaged region, or one in an image whose size is not known.
  func found(
    _ detections: [Detection], of sample: SampleRecord
  ) throws(MaskError) -> Found {
    var found = Found()
    found.objects.reserveCapacity(detections.count)
    found.ordinals.reserveCapacity(detections.count)
    for (ordinal, detection) in detections.enumerated() {
      guard let place = classes.runPlaces[detection.class] else {
        found.strangers += 1
        continue
      }
      var object = FoundObject(
        class: place, score: detection.confidence, box: detection.box,
        area: takesBoxArea ? detection.box.area : detection.area ?? detection.box.area)
      if overlap == .mask {
        guard let size = sample.size else { throw .damaged }
        let mask =
          if let counts = detection.counts {
            try Mask(size: size, compressed: counts)
          } else {
            Mask(box: detection.box, size: size)
          }
        object.mask = mask
        if !takesBoxArea { object.area = Double(mask.area) }
      }
      found.objects.append(object)
      found.ordinals.append(ordinal)
    }
    return found
  }
}
