import AssayCore
import CSimdJSON

/// Reads batches of captions.
///
/// A caption describes the whole image, so it is a tag: kept, and neither drawn nor evaluated. A caption
/// with a box or a segmentation keeps that shape.
struct COCOCaptionReader: COCOListReader {
  /// The reader of ordinary annotations of the same file.
  let base: COCOAnnotationReader
  /// The index of the class of captions without a category.
  let category: Int

  /// The name of that class.
  static let className = "caption"

  func read(_ span: JSONOutline.Batch, worker: Int) throws -> COCOAnnotationReader.Part {
    try base.parsers[worker].parse(assay_coco_annotations, base.tree, base.path, span.bytes) {
      batch in
      try batch.marks.check(base.path, "/annotations", from: span.first)
      var part = COCOAnnotationReader.Part(findings: OddityIssues(base.path))
      part.read = batch.count
      part.end = span.bytes.upperBound
      guard let records = batch.annotations else { return part }
      var counts: [Int] = []
      for index in 0..<batch.count {
        var work = COCOAnnotation(
          record: records + index, batch: batch, place: span.first + index)
        if let annotation = read(&work, &counts, &part) { part.annotations.append(annotation) }
      }
      return part
    }
  }

  private func read(
    _ work: inout COCOAnnotation, _ counts: inout [Int], _ part: inout COCOAnnotationReader.Part
  ) -> ImportedAnnotation? {
    let record = work.record.pointee
    guard record.is_object else {
      part.findings.note(.badAnnotation, work.pointer, "the annotation is not an object; left out")
      return nil
    }
    guard let image = base.image(of: work, &part.findings), let sample = image.sample else {
      return nil
    }
    (work.size, work.key) = (image.size, image.key)
    base.noteID(work, &part.findings)
    let attributes = record.attributes.count == 0 ? nil : work.batch.text(record.attributes)
    if attributes?.contains("\"caption\":\"") != true {
      part.findings.note(
        .noCaption, work.pointer + "/caption", key: work.key,
        "\(work.title): 'caption' is missing or no text; kept")
    }
    if record.has_nulled_attribute {
      part.findings.note(
        .nulledAttribute, work.pointer, key: work.key,
        "\(work.title): a further field is NaN or infinite; kept as null")
    }
    let found = work.batch.id(record.category).flatMap { base.categories.find($0)?.place }
    var annotation = ImportedAnnotation(
      sample: sample, category: found ?? category, ordinal: work.place, shape: .tag,
      sourceID: work.batch.id(record.id), attributes: attributes)
    let hasShape =
      record.shape != UInt8(assay_shape_none.rawValue) || FieldState(record.box_state) != .missing
    if hasShape {
      guard let shape = work.shape(counts: &counts, into: &part.geometry, &part.findings) else {
        return nil
      }
      annotation.shape = shape.kind
      annotation.area = shape.area
      annotation.box = shape.box
      annotation.geometry = shape.geometry
      return annotation
    }
    return annotation
  }
}
