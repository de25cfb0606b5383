import AssayCore

/// The images of a Hugging Face image folder with the labels and objects of their metadata, for
/// ``RegionImport``.
struct HFSource: RegionSource {
  let name: String
  let items: [HFLayout.Item]
  let classes: [Category]
  let issues: [Issue]
  private let layout: HFLayout
  private let reader: HFRecordReader

  /// - Parameter names: the classes of `--classes`; `nil` if the metadata's values are the classes.
  init(_ layout: HFLayout, name: String, names: [String]?) {
    self.name = name
    self.layout = layout
    reader = HFRecordReader(labels: HFClassNames(names), objects: HFClassNames(names))
    items = layout.items
    issues = layout.issues
    classes = HFClassNames(names).categories
  }

  func path(of item: HFLayout.Item) -> String { layout.path(of: item) }

  func split(of item: HFLayout.Item) -> String? {
    path(of: item).split(separator: "/").dropLast().first { FolderLayout.isSplit(String($0)) }
      .map(String.init)
  }

  func read(_ item: HFLayout.Item, image: ImageProbe?) -> LabeledImage {
    var result = LabeledImage()
    let key = path(of: item)
    guard let (table, record) = layout.record(of: item) else {
      result.issues.append(
        Issue(
          .missingLabel, .error, at: IssueLocation(file: key), sampleKey: key,
          "no metadata describes the image; left out"))
      result.isRejected = true
      return result
    }
    let value = table.value(of: record)
    let location = IssueLocation(file: table.path, line: record.line)
    if let width = Self.whole(value["width"]), let height = Self.whole(value["height"]) {
      result.statedSize = ImageSize.checked(width: width, height: height)
    }
    result.attributes = HFMetadata.further(value)
    let captions = readCaptions(value, location, key, &result)
    let stated = HFMetadata.labelFields.lazy.compactMap { value[$0] }.first { $0 != .null }
    if let list = stated?.elements {
      reader.readLabels(list, location, key, &result)
    } else if stated != nil || (value["objects"] == nil && captions.isEmpty) {
      reader.readLabel(stated, location, key, &result)
    }
    result.regions += captions
    result.annotationsRead += captions.count
    if let objects = value["objects"] { reader.readObjects(objects, location, key, nil, &result) }
    noteShapes(value, location, key, &result)
    return result
  }

  /// Reports boxes and outlines that are not in `objects`, where the format has them.
  private func noteShapes(
    _ value: JSONValue, _ location: IssueLocation, _ key: String, _ result: inout LabeledImage
  ) {
    guard value["objects"] == nil,
      let name = Self.shapeFields.first(where: { value[$0]?.elements?.isEmpty == false })
    else { return }
    let shapes = value[name]?.elements ?? []
    let count = shapes.allSatisfy { $0.double != nil } ? 1 : shapes.count
    result.annotationsRead += count
    result.issues.append(
      Issue(
        .unsupportedField, .error, at: location, sampleKey: key,
        "“\(name)” of \(key) is not in “objects”, where the format has the objects of an image "
          + "({\"objects\": {\"bbox\": [[x, y, width, height], …], \"categories\": […]}}); kept as a field of the image"
      ))
  }

  private static let shapeFields =
    HFObjects.boxFields + ["boxes", "segmentation", "segmentations", "polygons", "keypoints"]

  /// The captions of a record.
  private func readCaptions(
    _ value: JSONValue, _ location: IssueLocation, _ key: String, _ result: inout LabeledImage
  ) -> [LabeledRegion] {
    var found: [LabeledRegion] = []
    for field in Captions.fields {
      guard let stated = value[field] else { continue }
      if let texts = Captions.texts(stated) {
        found += texts.map { Captions.region($0, at: location) }
      } else {
        result.issues.append(
          Issue(
            .badField, .error, at: location, sampleKey: key,
            "“\(field)” of \(key) is neither a text nor a list of texts; left out"))
      }
    }
    return found
  }

  private static func whole(_ value: JSONValue?) -> Int? {
    if case .integer(let number)? = value { Int(number) } else { nil }
  }
}
