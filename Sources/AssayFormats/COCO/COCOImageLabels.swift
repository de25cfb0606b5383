import AssayCore
import CSimdJSON

/// The labels of whole images in one file: a set of classes for each image id.
struct COCOImageLabels {
  private var ids = COCOIDTable()
  /// The classes and the place of the first annotation, by the number of the image's id.
  private var labels: [(classes: [Int], first: Int)] = []
  /// The number of annotations that the file lists.
  private(set) var read = 0
  private var isTaken: [Bool] = []
  /// The pairs of an image's number and a class.
  private var seen: Set<SIMD2<Int>> = []

  /// Reads the list of annotations.
  ///
  /// - Throws: any error that the tree throws; ``FormatError/badJSON(_:offset:problem:)``.
  init(
    _ member: JSONOutline.Member?, _ tree: any SourceTree, _ path: String,
    _ classes: COCOCategories.Index, _ parser: COCOParser, _ findings: inout OddityIssues
  ) throws {
    for span in member?.batches ?? [] {
      try parser.parse(assay_coco_annotations, tree, path, span.bytes) { batch in
        try batch.marks.check(path, "/annotations", from: span.first)
        guard let records = batch.annotations else { return }
        read += batch.count
        for index in 0..<batch.count {
          let work = COCOAnnotation(
            record: records + index, batch: batch, place: span.first + index)
          add(work, classes, &findings)
        }
      }
    }
    isTaken = Array(repeating: false, count: labels.count)
    seen = []
  }

  private mutating func add(
    _ work: COCOAnnotation, _ classes: COCOCategories.Index, _ findings: inout OddityIssues
  ) {
    let record = work.record.pointee
    guard record.is_object else {
      findings.note(.badAnnotation, work.pointer, "the annotation is not an object; left out")
      return
    }
    guard let image = work.batch.id(record.image) else {
      findings.note(
        .truthOfUnknownImage, work.pointer + "/image_id",
        "\(work.title): 'image_id' \(record.image.field.complaint); left out")
      return
    }
    guard let category = work.batch.id(record.category), let found = classes.find(category) else {
      let what =
        work.batch.id(record.category).map { "there is no category \($0)" }
        ?? "'category_id' \(record.category.field.complaint)"
      findings.note(
        .truthOfUnknownCategory, work.pointer + "/category_id", "\(work.title): \(what); left out")
      return
    }
    if found.isConverted {
      findings.note(
        .mistypedTruth, work.pointer + "/category_id",
        "\(work.title): 'category_id' \(category) and the category's id have different types (text and number); matched"
      )
    }
    let hasShape =
      record.shape != UInt8(assay_shape_none.rawValue) || FieldState(record.box_state) != .missing
    if hasShape || record.attributes.count > 0 {
      findings.note(
        .labelFields, work.pointer,
        "\(work.title): it is kept as a label of its image, without its "
          + (hasShape ? "box or segmentation (PATH:coco reads them)" : "further fields"))
    }
    let number = ids.number(of: image)
    if number == labels.count { labels.append(([], work.place)) }
    guard seen.insert([number, found.place]).inserted else {
      findings.note(
        .repeatedLabel, work.pointer,
        "\(work.title): the image has this label already; counted once")
      return
    }
    labels[number].classes.append(found.place)
  }

  /// Returns the classes of an image, and remembers that they are taken. Annotations can spell its
  /// id as a text for a number, or vice versa.
  mutating func take(_ id: SourceID?, _ findings: inout OddityIssues) -> [Int] {
    guard let id else { return [] }
    let other: SourceID? =
      switch id {
      case .integer(let value): .text(String(value))
      case .text(let text): Int64(text).map { .integer($0) }
      }
    var classes: [Int] = []
    for spelling in [id, other].compactMap(\.self) {
      guard let (number, isConverted) = ids.find(spelling), !isConverted, !isTaken[number] else {
        continue
      }
      isTaken[number] = true
      if spelling != id {
        findings.note(
          .mistypedTruth, "/annotations/\(labels[number].first)/image_id",
          "'image_id' \(spelling) and the image's id have different types (text and number); matched"
        )
      }
      let known = Set(classes)
      classes += labels[number].classes.filter { !known.contains($0) }
    }
    return classes
  }

  /// Reports the labels of images that do not exist or were left out.
  func noteUntaken(_ known: COCOImageIndex, _ findings: inout OddityIssues) {
    for number in labels.indices where !isTaken[number] && !labels[number].classes.isEmpty {
      let id = ids.ids[number]
      let count = labels[number].classes.count
      let what = count == 1 ? "its label is" : "its \(count) labels are"
      if known.find(id) == nil {
        findings.note(
          .truthOfUnknownImage, "/annotations/\(labels[number].first)/image_id",
          "there is no image \(id); \(what) left out")
      } else {
        findings.note(
          .leftOutImage, "/annotations/\(labels[number].first)",
          "image \(id) was left out, so \(what) left out too")
      }
    }
  }
}
