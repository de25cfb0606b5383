import AssayCore
import AssayMetrics
import AssayReports

/// One lost or won object and its surroundings: the ground truth and the detections of both runs.
struct ObjectChangeDrawing {
  var change: ObjectChange
  /// The image size that the boxes refer to; `nil` for the image's own size.
  var size: ImageSize?
  /// The names of the pairing's classes.
  var classes: [String]
  var first: SampleObjects
  var second: SampleObjects
  var overlap: OverlapKind

  /// `person: 0.71 → 0.21`, `person: 0.71 → as dog 0.80`, `person: – → 0.64`.
  var caption: String {
    "\(classes[change.category]): \(words(change.first)) → \(words(change.second))"
  }

  private func words(_ answer: ObjectAnswer) -> String {
    let score = NumberText.fixed(answer.confidence, 2)
    let iou = NumberText.fixed(answer.iou, 2)
    return switch answer.outcome {
    case .found, .unsure: score
    case .otherClass: "as \(answer.category.map { classes[$0] } ?? "?") \(score)"
    case .place: "IoU \(iou)"
    case .both: "as \(answer.category.map { classes[$0] } ?? "?"), IoU \(iou)"
    case .nothing: "–"
    }
  }

  /// The crop of the image around the object, RGB. Names are not drawn because they would hide
  /// small objects; they are in the caption.
  ///
  /// - Throws: `ReportError`.
  func drawn(over raster: Raster<UInt8>, longest: Int) throws(ReportError) -> Raster<UInt8> {
    guard let shown = ImageSize.checked(width: raster.width, height: raster.height) else {
      return raster
    }
    let frame = size ?? shown
    let said = [
      object(.earlier, change.first, of: first), object(.prediction, change.second, of: second),
    ].compactMap(\.self)
    let truth = BoxOverlay.Object(
      .truth, box: change.box, mask: truthMask(in: frame))
    let objects = [truth] + said
    return try ObjectCutout(
      of: raster, frame: frame, around: objects.map(\.box), objects: objects
    ).drawn(longest: longest)
  }

  private func truthMask(in frame: ImageSize) -> Mask? {
    guard overlap == .mask else { return nil }
    let truth = first.truths.first { $0.ordinal == change.annotation }
    return try? truth?.mask(in: frame)
  }

  private func object(
    _ side: BoxOverlay.Side, _ answer: ObjectAnswer, of sample: SampleObjects
  ) -> BoxOverlay.Object? {
    guard let place = answer.prediction, sample.detections.indices.contains(place) else {
      return nil
    }
    let detection = sample.detections[place]
    var mask: Mask?
    if overlap == .mask, let counts = detection.counts, let size {
      mask = try? Mask(size: size, compressed: counts)
    }
    return BoxOverlay.Object(side, box: detection.box, mask: mask)
  }
}
