import AssayCore
import CSimdJSON

/// Reads batches of a file's annotations of one kind of content.
protocol COCOListReader: Sendable {
  func read(_ span: JSONOutline.Batch, worker: Int) throws -> COCOAnnotationReader.Part
}

/// Reads batches of a file's annotations; the result for each depends on that annotation alone.
struct COCOAnnotationReader: COCOListReader {
  struct Part: Sendable {
    var annotations: [ImportedAnnotation] = []
    var geometry: [UInt8] = []
    var findings: OddityIssues
    var read = 0
    /// The end of the batch in the file, in bytes.
    var end = 0
  }

  let tree: any SourceTree
  let path: String
  let images: COCOImageIndex
  let categories: COCOCategories.Index
  let parsers: [COCOParser]
  /// True if 'iscrowd' is a field of the format.
  var hasCrowds = true

  func read(_ span: JSONOutline.Batch, worker: Int) throws -> Part {
    try parsers[worker].parse(assay_coco_annotations, tree, path, span.bytes) { batch in
      try batch.marks.check(path, "/annotations", from: span.first)
      var part = Part(findings: OddityIssues(path))
      part.read = batch.count
      part.end = span.bytes.upperBound
      guard let records = batch.annotations else { return part }
      part.annotations.reserveCapacity(batch.count)
      part.geometry.reserveCapacity(span.bytes.count / 4)
      var counts: [Int] = []
      for index in 0..<batch.count {
        var work = COCOAnnotation(
          record: records + index, batch: batch, place: span.first + index)
        work.hasCrowds = hasCrowds
        if let annotation = read(&work, &counts, &part) { part.annotations.append(annotation) }
      }
      return part
    }
  }

  private func read(
    _ work: inout COCOAnnotation, _ counts: inout [Int], _ part: inout Part
  ) -> ImportedAnnotation? {
    guard work.record.pointee.is_object else {
      part.findings.note(.badAnnotation, work.pointer, "the annotation is not an object; left out")
      return nil
    }
    guard let image = image(of: work, &part.findings),
      let category = category(of: work, &part.findings), let sample = image.sample
    else { return nil }
    work.size = image.size
    work.key = image.key
    noteID(work, &part.findings)
    guard let shape = work.shape(counts: &counts, into: &part.geometry, &part.findings) else {
      return nil
    }
    let attributes = work.record.pointee.attributes
    if work.record.pointee.has_keypoints {
      noteKeypoints(work, category, &part.findings)
    }
    if work.record.pointee.has_nulled_attribute {
      part.findings.note(
        .nulledAttribute, work.pointer, key: work.key,
        "\(work.title): a further field is NaN or infinite; kept as null")
    }
    return ImportedAnnotation(
      sample: sample, category: category, ordinal: work.place, shape: shape.kind,
      isCrowd: work.isCrowd(&part.findings), area: shape.area, box: shape.box,
      sourceID: work.batch.id(work.record.pointee.id), geometry: shape.geometry,
      attributes: attributes.count == 0 ? nil : work.batch.text(attributes))
  }

  /// Reports a list of keypoints whose length is not that of the class's names.
  private func noteKeypoints(
    _ work: COCOAnnotation, _ category: Int, _ findings: inout OddityIssues
  ) {
    let values = Int(work.record.pointee.keypoint_values)
    guard let names = categories.keypoints[category], values != 3 * names else { return }
    findings.note(
      .keypointCount, work.pointer + "/keypoints", key: work.key,
      "\(work.title): 'keypoints' has \(values) values, and its category names \(names) keypoints (\(3 * names) values); kept"
    )
  }

  func image(
    of work: COCOAnnotation, _ findings: inout OddityIssues
  ) -> COCOImageIndex.Entry? {
    let field = work.record.pointee.image
    guard let id = work.batch.id(field) else {
      findings.note(
        .truthOfUnknownImage, work.pointer + "/image_id",
        "\(work.title): 'image_id' \(field.field.complaint); left out")
      return nil
    }
    guard let (entry, isConverted) = images.find(id) else {
      findings.note(
        .truthOfUnknownImage, work.pointer + "/image_id",
        "\(work.title): there is no image \(id); left out")
      return nil
    }
    guard entry.sample != nil else {
      findings.note(
        .leftOutImage, work.pointer,
        "\(work.title): its image \(id) was left out, so the annotation is left out too")
      return nil
    }
    if isConverted {
      findings.note(
        .mistypedTruth, work.pointer + "/image_id", key: entry.key,
        "\(work.title): 'image_id' \(id) and the image's id have different types (text and "
          + "number); matched")
    }
    return entry
  }

  private func category(of work: COCOAnnotation, _ findings: inout OddityIssues) -> Int? {
    let field = work.record.pointee.category
    guard let id = work.batch.id(field) else {
      findings.note(
        .truthOfUnknownCategory, work.pointer + "/category_id",
        "\(work.title): 'category_id' \(field.field.complaint); left out")
      return nil
    }
    guard let (place, isConverted) = categories.find(id) else {
      findings.note(
        .truthOfUnknownCategory, work.pointer + "/category_id",
        "\(work.title): there is no category \(id); left out")
      return nil
    }
    if isConverted {
      findings.note(
        .mistypedTruth, work.pointer + "/category_id",
        "\(work.title): 'category_id' \(id) and the category's id have different types (text and "
          + "number); matched")
    }
    return place
  }

  func noteID(_ work: COCOAnnotation, _ findings: inout OddityIssues) {
    let field = work.record.pointee.id
    guard field.field.isUsable else {
      findings.note(
        .annotationWithoutID, work.pointer + "/id", key: work.key,
        "\(work.title): 'id' \(field.field.complaint); kept")
      return
    }
    if let what = field.oddity {
      findings.note(.oddID, work.pointer + "/id", key: work.key, "\(work.title): \(what)")
    } else if !field.is_text, field.integer == 0 {
      findings.note(
        .oddID, work.pointer + "/id", key: work.key,
        "\(work.title): its id is 0, which pycocotools treats as unmatched; kept")
    }
  }
}
