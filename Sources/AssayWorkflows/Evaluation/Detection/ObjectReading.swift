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
  /// The σ of the classes' keypoints; `nil` if they are not compared.
  var keypoints: KeypointClasses?

  /// Objects with the ordinals of their annotations.
  struct Truths {
    var objects: [TruthObject] = []
    var ordinals: [Int] = []
    /// For each object, whether its id is not 0; pycocotools treats the id 0 as no match.
    var hasID: [Bool] = []
    /// The numbers of objects whose keypoints are unusable, and of those with labeled keypoints that
    /// state no area.
    var badKeypoints = 0
    var withoutArea = 0

    var hasIDZero: Bool { hasID.contains(false) }
  }

  /// Detections with their ordinals.
  struct Found {
    var objects: [FoundObject] = []
    var ordinals: [Int] = []
    /// The number of detections of classes that are not evaluated.
    var strangers = 0
    /// The number of detections that are left out because they have no usable keypoints.
    var withoutKeypoints = 0
  }

  /// The annotations of a sample as objects to be found.
  ///
  /// If the source does not state an area, it is the region's number of pixels, or width times
  /// height for a box without a region. If the source does not state a box, it is the region's
  /// bounding box.
  ///
  /// - Throws: `MaskError` for a damaged region, or for one in an image of unknown size;
  ///   ``KeypointProblem``.
  func truths(
    _ annotations: [AnnotationRecord], of sample: SampleRecord
  ) throws -> Truths {
    var truths = Truths()
    truths.objects.reserveCapacity(annotations.count)
    for annotation in annotations {
      guard let place = classes.truthPlaces[annotation.category] else { continue }
      var region: Mask?
      let points = overlap == .keypoints ? AnnotationKeypoints(annotation.attributes) : nil
      if !annotation.shape.isRegion, points?.values == nil { continue }
      if needsGeometry(annotation) {
        guard let size = sample.size else { throw MaskError.damaged }
        region = try annotation.mask(in: size)
      }
      let extent = points?.values.flatMap { Box(aroundKeypoints: Self.labeled($0)) }
      let box =
        annotation.box ?? region?.boundingBox ?? extent ?? Box(x: 0, y: 0, width: 0, height: 0)
      let isIDZero = annotation.sourceID == .integer(0)
      truths.hasID.append(!isIDZero)
      truths.objects.append(
        TruthObject(
          class: place, box: box,
          area: annotation.area ?? region.map { Double($0.area) } ?? box.area,
          isCrowd: annotation.isCrowd, mask: overlap == .mask ? region : nil,
          countsAsUnmatched: isCompatible && isIDZero))
      if let keypoints, let points {
        let truth = try keypoints.truth(points.values, labeled: points.labeled, of: place)
        let last = truths.objects.count - 1
        truths.objects[last].keypoints = truth.keypoints
        truths.objects[last].isIgnored = truth.isIgnored
        if truth.isBad { truths.badKeypoints += 1 }
        if annotation.area == nil, !truth.isIgnored { truths.withoutArea += 1 }
      }
      truths.ordinals.append(annotation.ordinal)
    }
    return truths
  }

  /// The labeled points of keypoints.
  private static func labeled(_ values: [Double]) -> [Double] {
    stride(from: 0, to: values.count - 2, by: 3).filter { values[$0 + 2] > 0 }
      .flatMap { values[$0...$0 + 2] }
  }

  /// Returns whether an annotation's geometry is needed besides its box and area.
  func needsGeometry(_ annotation: AnnotationRecord) -> Bool {
    guard annotation.shape.isRegion else { return false }
    return overlap == .mask || annotation.box == nil
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
      if let keypoints {
        guard keypoints.isUsable(detection.keypoints, of: place) else {
          found.withoutKeypoints += 1
          continue
        }
        object.keypoints = detection.keypoints
      }
      found.objects.append(object)
      found.ordinals.append(ordinal)
    }
    return found
  }
}
