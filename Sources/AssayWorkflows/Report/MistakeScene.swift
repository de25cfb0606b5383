import AssayCore
import AssayMetrics
import AssayReports
import AssayStore

/// The objects and detections of one sample as evaluated: in that order, evaluated classes only.
struct MistakeScene: Sendable {
  struct Truth: Sendable {
    let annotation: AnnotationRecord
    let box: Box
    /// An index into the evaluated classes.
    let `class`: Int
  }

  struct Found: Sendable {
    let detection: Detection
    let `class`: Int

    var box: Box { detection.box }
    var score: Double { detection.confidence }
  }

  let sample: SampleRecord
  let truths: [Truth]
  let found: [Found]
  private let overlap: OverlapKind
  private let workingScore: Double

  init(_ objects: SampleObjects, _ evaluated: EvaluatedRun<ObjectDetection>) {
    sample = objects.sample
    overlap = evaluated.matching.overlap
    workingScore = evaluated.matching.workingScore
    truths = objects.truths.compactMap { annotation in
      evaluated.classes.truthPlaces[annotation.category].map { place in
        Truth(
          annotation: annotation, box: Self.box(of: annotation, in: objects.sample.size),
          class: place)
      }
    }
    found = objects.detections.compactMap { detection in
      evaluated.classes.runPlaces[detection.class].map { Found(detection: detection, class: $0) }
    }
  }

  /// The box; if the source does not state one, the region's bounding box.
  private static func box(of annotation: AnnotationRecord, in size: ImageSize?) -> Box {
    annotation.box ?? size.flatMap { try? annotation.mask(in: $0).boundingBox }
      ?? Box(x: 0, y: 0, width: 0, height: 0)
  }

  func mask(ofTruth index: Int, _ frame: ImageSize) -> Mask? {
    guard overlap == .mask else { return nil }
    return try? truths[index].annotation.mask(in: frame)
  }

  func mask(ofFound index: Int, _ frame: ImageSize) -> Mask? {
    guard overlap == .mask, let counts = found[index].detection.counts else { return nil }
    return try? Mask(size: frame, compressed: counts)
  }

  /// Everything else, to be drawn faintly: the other objects, and detections with at least the
  /// working score.
  func around(truth: Int?, found chosen: [Int], _ frame: ImageSize) -> [BoxOverlay.Object] {
    let others = truths.indices.filter { $0 != truth }.map { index in
      BoxOverlay.Object(.truth, box: truths[index].box, isFaint: true)
    }
    let detections = found.indices.filter {
      !chosen.contains($0) && found[$0].score >= workingScore
    }
    return others
      + detections.map { BoxOverlay.Object(.prediction, box: found[$0].box, isFaint: true) }
  }

  /// A size that contains all boxes, for an image of unknown size.
  var extent: ImageSize {
    var (width, height) = (1.0, 1.0)
    for box in truths.map(\.box) + found.map(\.box) {
      width = max(width, box.x + box.width)
      height = max(height, box.y + box.height)
    }
    func side(_ value: Double) -> Int { value.isFinite ? Int(min(value, 4_096).rounded(.up)) : 1 }
    return ImageSize(width: side(width), height: side(height))
  }
}
