import AssayCore
import CSimdJSON

/// Reads an annotation's run lengths, compressed or not.
struct COCORuns {
  private let annotation: COCOAnnotation

  init(_ annotation: COCOAnnotation) { self.annotation = annotation }

  /// The mask; `nil` where the annotation is left out, which is said.
  func mask(_ findings: inout COCOFindings) -> Mask? {
    let fields = annotation.record.pointee
    let pointer = annotation.pointer + "/segmentation"
    let title = annotation.title
    guard FieldState(fields.size_state).isUsable else {
      findings.note(
        .badRuns, pointer + "/size", key: annotation.key,
        "\(title): its run lengths come without a 'size' of height and width; left out")
      return nil
    }
    guard
      let size = ImageSize.checked(
        width: Int(fields.mask_width), height: Int(fields.mask_height))
    else {
      findings.note(
        .badRuns, pointer + "/size", key: annotation.key,
        "\(title): \(fields.mask_width)×\(fields.mask_height) is no size of a mask; left out")
      return nil
    }
    guard let stated = annotation.size else {
      findings.note(
        .maskSize, pointer, key: annotation.key,
        "\(title): the size of its image is not known, so its run lengths have no place; left out")
      return nil
    }
    if stated != size {
      findings.note(
        .maskSize, pointer + "/size", key: annotation.key,
        "\(title): its run lengths are for \(size), and its image is \(stated); left out")
      return nil
    }
    do throws(MaskError) {
      return try mask(of: size, fields)
    } catch {
      findings.note(
        .badRuns, pointer + "/counts", key: annotation.key, "\(title): \(error); left out")
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
