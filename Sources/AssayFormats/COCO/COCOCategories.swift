import AssayCore
import CSimdJSON

/// The classes of one or more COCO files: joined by name, found by each file's own ids.
struct COCOCategories {
  /// All classes in order of introduction.
  private(set) var categories: [Category] = []
  private var places: [String: Int] = [:]

  /// The classes of one file by their ids there.
  struct Index: Sendable {
    fileprivate(set) var integers: [Int64: Int] = [:]
    fileprivate(set) var texts: [String: Int] = [:]

    func find(_ id: SourceID) -> (place: Int, isConverted: Bool)? {
      switch id {
      case .integer(let value):
        if let place = integers[value] { return (place, false) }
        return texts[String(value)].map { ($0, true) }
      case .text(let value):
        if let place = texts[value] { return (place, false) }
        return Int64(value).flatMap { integers[$0] }.map { ($0, true) }
      }
    }
  }

  /// Reads a file's list.
  mutating func add(
    _ member: JSONOutline.Member?, _ tree: any SourceTree, _ path: String,
    _ findings: inout COCOFindings
  ) throws -> Index {
    var index = Index()
    guard let member else {
      findings.note(
        .badCategory, "/categories", "there are no 'categories', so no annotation has a class")
      return index
    }
    let parser = try COCOParser()
    for span in member.batches {
      try parser.parse(assay_coco_categories, tree, path, span.bytes) { batch in
        guard let records = batch.categories else { return }
        for place in 0..<batch.count {
          add(
            records[place], in: batch, pointer: "/categories/\(span.first + place)", to: &index,
            &findings)
        }
      }
    }
    return index
  }

  private mutating func add(
    _ record: assay_coco_category, in batch: assay_coco_batch, pointer: String,
    to index: inout Index, _ findings: inout COCOFindings
  ) {
    guard record.is_object else {
      findings.note(.badCategory, pointer, "the category is no object; left out")
      return
    }
    let id = batch.id(record.id)
    guard let id else {
      findings.note(
        .badCategory, pointer + "/id",
        "the category's id \(record.id.field.complaint), so nothing can refer to it; left out")
      return
    }
    if record.id.is_text || record.id.field == .odd {
      findings.note(.oddCategoryID, pointer + "/id", "category \(id): its id is no number; kept")
    }
    guard index.find(id).map(\.isConverted) ?? true else {
      findings.note(
        .repeatedCategoryID, pointer + "/id",
        "category \(id) is there twice; the second one is left out")
      return
    }
    var name = batch.text(record.name)
    if !FieldState(record.name_state).isUsable || name.isEmpty {
      name = "category \(id)"
      findings.note(
        .categoryWithoutName, pointer + "/name",
        "category \(id): its name \(FieldState(record.name_state).complaint); called '\(name)'")
    }
    let superName = batch.text(record.supercategory)
    let place: Int
    if let known = places[name] {
      place = known
      if index.integers.values.contains(known) || index.texts.values.contains(known) {
        findings.note(
          .repeatedCategoryName, pointer + "/name",
          "category \(id) has the name '\(name)' of another one; both are one class")
      }
    } else {
      place = categories.count
      places[name] = place
      categories.append(
        Category(
          name: name, sourceID: id, supercategory: superName.isEmpty ? nil : superName))
    }
    switch id {
    case .integer(let value): index.integers[value] = place
    case .text(let value): index.texts[value] = place
    }
  }
}
