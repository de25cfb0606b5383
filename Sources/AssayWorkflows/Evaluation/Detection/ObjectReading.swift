import AssayCore
import AssayMetrics
import AssayStore

/// Converts a sample's stored objects and detections to the input of the metrics, for the classes
/// of an evaluation.
struct ObjectReading: Sendable {
  let classes: DetectionClasses
  let overlap: OverlapKind
  /// True if the area of a detection is that of its box even if it has a region, as in pycocotools
  /// for files whose first result has a box; otherwise it is that of the region even if boxes are
  /// compared.
  let takesBoxArea: Bool
  /// True if the known bugs of pycocotools are reproduced.
  let isCompatible: Bool

  /// Objects with the ordinals of their annotations.
  struct Truths {
    var objects: [TruthObject] = []
    var ordinals: [Int] = []
    /// For each object, whether its id is not 0; pycocotools treats the id 0 as no match.
    var hasID: [Bool] = []

    var hasIDZero: Bool { hasID.contains(false) }
  }

  /// Detections with their ordinals.
  struct Found {
    var objects: [FoundObject] = []
    var ordinals: [Int] = []
    /// The number of detections of classes that are not evaluated.
    var strangers = 0
  }

  /// The annotations of a sample as objects to be found.
  ///
  /// If the source does not state an area, it is the region's number of pixels, or width times
  /// height for a box without a region. If the source does not state a box, it is the region's
  /// bounding box.
  ///
  /// - Throws: `MaskError` for a damaged region, or for one in an image of unknown size.
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

  /// The detections of a sample, highest score first.
  ///
  /// If regions are evaluated, a detection without a region is represented by its box.
  ///
  /// - Throws: `MaskError` for a damaged region, or for one in an image of unknown size.
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
