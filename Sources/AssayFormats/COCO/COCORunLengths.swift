import AssayCore
import CSimdJSON

/// Reads an annotation's run lengths, compressed or uncompressed.
struct COCORunLengths {
  private let annotation: COCOAnnotation

  /// The end of messages about unusable run lengths.
  private let leftOut: String

  /// - Parameter hasBox: true if the annotation has a box, which an evaluation from files uses
  ///   without its region.
  init(_ annotation: COCOAnnotation, hasBox: Bool) {
    self.annotation = annotation
    leftOut =
      hasBox ? "left out (evaluate --gt --dt --iou-type bbox keeps it by its box)" : "left out"
  }

  /// Returns the mask; `nil` if the annotation is omitted, which is added to `findings`.
  func mask(_ findings: inout OddityIssues) -> Mask? {
    let fields = annotation.record.pointee
    let pointer = annotation.pointer + "/segmentation"
    let title = annotation.title
    guard FieldState(fields.size_state).isUsable else {
      findings.note(
        .badTruthRegion, pointer + "/size", key: annotation.key,
        "\(title): its run lengths have no valid 'size' of height and width; \(leftOut)")
      return nil
    }
    guard
      let size = ImageSize.checked(
        width: Int(fields.mask_width), height: Int(fields.mask_height))
    else {
      findings.note(
        .badTruthRegion, pointer + "/size", key: annotation.key,
        "\(title): \(fields.mask_width)×\(fields.mask_height) is not a valid mask size; \(leftOut)"
      )
      return nil
    }
    guard let stated = annotation.size else {
      findings.note(
        .truthMaskSize, pointer, key: annotation.key,
        "\(title): the size of its image is unknown, so its run lengths cannot be used; \(leftOut)"
      )
      return nil
    }
    if stated != size {
      findings.note(
        .truthMaskSize, pointer + "/size", key: annotation.key,
        "\(title): its run lengths are for \(size), and its image is \(stated); \(leftOut)")
      return nil
    }
    do throws(MaskError) {
      return try mask(of: size, fields)
    } catch {
      findings.note(
        .badTruthRegion, pointer + "/counts", key: annotation.key, "\(title): \(error); \(leftOut)")
      return nil
    }
  }

  private func mask(
    of size: ImageSize, _ fields: assay_coco_annotation
  ) throws(MaskError) -> Mask {
    if fields.shape == UInt8(assay_shape_compressed.rawValue) {
      return try Mask(size: size, compressed: annotation.batch.bytes(fields.compressed))
    }
    var runs: [UInt32] = []
    runs.reserveCapacity(Int(fields.value_count))
    for place in 0..<Int(fields.value_count) {
      let number = annotation.batch.doubles[Int(fields.values) + place]
      guard let run = UInt32(exactly: number) else { throw .badRun(at: place) }
      runs.append(run)
    }
    return try Mask(size: size, runs: runs)
  }
}
