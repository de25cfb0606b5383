import AssayCore
import CSimdJSON

/// Reads the images and the classes of a ground truth file.
struct COCOTruthLists {
  let tree: any SourceTree
  let path: String
  let parser: COCOParser

  /// - Returns: the images' ids; their numbers are indices into ``COCOTruth/images``.
  mutating func images(
    _ member: JSONOutline.Member?, _ truth: inout COCOTruth
  ) throws -> COCOIDTable {
    var table = COCOIDTable()
    for span in member?.batches ?? [] {
      try parser.parse(assay_coco_images, tree, path, span.bytes) { batch in
        try batch.marks.check(path, "/images", from: span.first)
        guard let records = batch.images else { return }
        for index in 0..<batch.count {
          add(records[index], at: span.first + index, batch, &table, &truth)
        }
      }
    }
    return table
  }

  private func add(
    _ record: assay_coco_image, at place: Int, _ batch: assay_coco_batch,
    _ table: inout COCOIDTable, _ truth: inout COCOTruth
  ) {
    guard record.is_object else { return truth.findings.note(.badImage, at: place) }
    guard let id = batch.id(record.id) else {
      return truth.findings.note(
        .imageWithoutID, at: place, "/id", "'id' \(record.id.field.complaint)")
    }
    var size: ImageSize?
    if FieldState(record.width_state).isUsable, FieldState(record.height_state).isUsable {
      size = ImageSize.checked(
        width: Int(clamping: record.width), height: Int(clamping: record.height))
    }
    let fine = UInt8(assay_field_fine.rawValue)
    if (record.id.state ^ fine) | (record.width_state ^ fine) | (record.height_state ^ fine) != 0 {
      truth.isOdd = true
    }
    if size == nil { truth.findings.note(.noImageSize, at: place) }
    let number = table.number(of: id)
    if number < truth.images.count {
      truth.findings.note(.repeatedImageID, at: place, "/id", "id \(id)")
      truth.images[number].size = size ?? truth.images[number].size
    } else {
      let name = FieldState(record.name_state) == .fine ? batch.text(record.name) : ""
      truth.images.append(
        COCOTruth.Image(id: id, size: size, name: name.isEmpty ? "/images/\(place)" : name))
    }
  }

  /// - Returns: the classes' ids; their numbers are indices into ``COCOTruth/categories``.
  mutating func categories(
    _ member: JSONOutline.Member?, _ truth: inout COCOTruth
  ) throws -> COCOIDTable {
    var table = COCOIDTable()
    var names: Set<String> = []
    for span in member?.batches ?? [] {
      try parser.parse(assay_coco_categories, tree, path, span.bytes) { batch in
        guard let records = batch.categories else { return }
        for index in 0..<batch.count {
          add(records[index], at: span.first + index, batch, &table, &names, &truth)
        }
      }
    }
    return table
  }

  private func add(
    _ record: assay_coco_category, at place: Int, _ batch: assay_coco_batch,
    _ table: inout COCOIDTable, _ names: inout Set<String>, _ truth: inout COCOTruth
  ) {
    guard record.is_object else { return truth.findings.note(.badCategory, at: place) }
    guard let id = batch.id(record.id) else {
      return truth.findings.note(
        .categoryWithoutID, at: place, "/id", "'id' \(record.id.field.complaint)")
    }
    if record.id.field != .fine { truth.isOdd = true }
    var name = batch.text(record.name)
    let state = FieldState(record.name_state)
    if !state.isUsable || name.isEmpty {
      truth.findings.note(
        .categoryWithoutName, at: place, "/name",
        "id \(id): 'name' \(state.isUsable ? "is empty" : state.complaint)")
      name = "category \(id)"
    }
    let number = table.number(of: id)
    guard number == truth.categories.count else {
      return truth.findings.note(.repeatedCategoryID, at: place, "/id", "id \(id)")
    }
    if !names.insert(name).inserted {
      truth.findings.note(.repeatedCategoryName, at: place, "/name", "'\(name)'")
    }
    truth.categories.append(
      COCOTruth.Category(
        id: id, name: name,
        attributes: record.attributes.count > 0 ? batch.text(record.attributes) : nil))
  }
}
