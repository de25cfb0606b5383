import AssayCore
import CSimdJSON

/// The classes of one or more COCO files: joined by name across files, found by each file's own
/// ids. Within one file, each id is its own class (``COCOClassNames``).
struct COCOCategories {
  /// The maximum number of categories of a file; the catalog's time per class grows with it.
  static let limit = 100_000

  /// All classes in order of introduction.
  private(set) var categories: [Category] = []
  private var places: [String: Int] = [:]
  /// The names assigned to each id and name.
  private var assigned: [COCOClassNames.Entry: String] = [:]

  /// A category that is kept, and its position in the list.
  private struct Listed {
    var entry: COCOClassNames.Entry
    var superName: String
    var pointer: String
    /// Additional fields as one canonical JSON object; `nil` if there are none.
    var attributes: String?
  }

  /// The classes of one file by their ids in that file.
  struct Index: Sendable {
    fileprivate var ids = COCOIDTable()
    /// The index of each id's class among all classes, by the number of the id.
    fileprivate var places: [Int] = []
    /// The number of keypoint names of classes that name keypoints, by the class's index.
    fileprivate(set) var keypoints: [Int: Int] = [:]

    /// Returns the index of an id's class, and whether it was found only by converting the id's
    /// type.
    func find(_ id: SourceID) -> (place: Int, isConverted: Bool)? {
      ids.find(id).map { (places[$0.number], $0.isConverted) }
    }
  }

  /// Reads a file's list.
  ///
  /// - Parameters:
  ///   - isNeeded: whether annotations need classes, so that a missing list is reported.
  ///   - annotated: the category ids of the file's annotations; called only if a name is repeated.
  mutating func add(
    _ member: JSONOutline.Member?, _ tree: any SourceTree, _ path: String,
    _ findings: inout OddityIssues, isNeeded: Bool = true, annotated: () throws -> Set<SourceID>
  ) throws -> Index {
    var index = Index()
    var listed: [Listed] = []
    guard let member else {
      if isNeeded {
        findings.note(
          .badCategory, "/categories", "there are no 'categories', so no annotation has a class")
      }
      return index
    }
    guard member.elements <= Self.limit else {
      throw FormatError.notCOCO(
        path,
        problem: """
          it lists \(member.elements) categories, and a dataset has at most \(Self.limit); leave out the \
          categories that no annotation has, or evaluate the files with evaluate --gt --dt
          """)
    }
    let parser = try COCOParser()
    for span in member.batches {
      try parser.parse(assay_coco_categories, tree, path, span.bytes) { batch in
        guard let records = batch.categories else { return }
        for place in 0..<batch.count {
          add(
            records[place], in: batch, pointer: "/categories/\(span.first + place)", to: &index,
            &listed, &findings)
        }
      }
    }
    let names = try COCOClassNames(listed.map(\.entry), assigned: assigned, annotated: annotated)
      .names
    for (category, name) in zip(listed, names) {
      introduce(category, as: name, in: &index, &findings)
    }
    return index
  }

  private mutating func introduce(
    _ category: Listed, as name: String, in index: inout Index, _ findings: inout OddityIssues
  ) {
    let id = category.entry.id
    if name != category.entry.name {
      findings.note(
        .repeatedCategoryName, category.pointer + "/name",
        "category \(id) has the same name '\(category.entry.name)' as another category; imported "
          + "as a separate class, '\(name)', because COCO evaluates each id separately")
    }
    assigned[category.entry] = name
    let place = places[name] ?? categories.count
    if place == categories.count {
      places[name] = place
      categories.append(
        Category(
          name: name, sourceID: id,
          supercategory: category.superName.isEmpty ? nil : category.superName,
          attributes: category.attributes))
    } else if categories[place].attributes != category.attributes {
      findings.note(
        .categoryFields, category.pointer,
        "category \(id) ('\(name)'): its further fields differ from those in an earlier file, which are kept"
      )
    }
    index.places.append(place)
    if let count = Self.keypointCount(category.attributes) { index.keypoints[place] = count }
  }

  /// The number of keypoint names in the additional fields; `nil` if there are none.
  private static func keypointCount(_ attributes: String?) -> Int? {
    guard let attributes, attributes.contains("\"keypoints\":"),
      let names = (try? JSONValue(parsing: attributes))?["keypoints"]?.elements, !names.isEmpty
    else { return nil }
    return names.count
  }

  /// Returns the index of a class that no file lists, introducing it if it is new.
  mutating func place(of name: String) -> Int {
    if let place = places[name] { return place }
    places[name] = categories.count
    categories.append(Category(name: name))
    return categories.count - 1
  }

  private mutating func add(
    _ record: assay_coco_category, in batch: assay_coco_batch, pointer: String,
    to index: inout Index, _ listed: inout [Listed], _ findings: inout OddityIssues
  ) {
    guard record.is_object else {
      findings.note(.badCategory, pointer, "the category is not an object; left out")
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
      findings.note(
        .oddCategoryID, pointer + "/id", "category \(id): its id is not a whole number; kept")
    }
    guard !index.ids.contains(id) else {
      findings.note(
        .repeatedCategoryID, pointer + "/id",
        "duplicate category id \(id); the second one is left out")
      return
    }
    var name = batch.text(record.name)
    if !FieldState(record.name_state).isUsable || name.isEmpty {
      name = "category \(id)"
      findings.note(
        .categoryWithoutName, pointer + "/name",
        "category \(id): its name \(FieldState(record.name_state).complaint); called '\(name)'")
    }
    if record.has_nulled_attribute {
      findings.note(
        .nulledAttribute, pointer,
        "category \(id): a further field is NaN or infinite; kept as null")
    }
    // Its index is set when all names are known, in the order of ``Listed``.
    _ = index.ids.number(of: id)
    listed.append(
      Listed(
        entry: .init(id: id, name: name), superName: batch.text(record.supercategory),
        pointer: pointer,
        attributes: record.attributes.count == 0 ? nil : batch.text(record.attributes)))
  }
}
