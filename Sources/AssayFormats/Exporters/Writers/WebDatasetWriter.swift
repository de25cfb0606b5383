import AssayCore

/// Writes WebDataset's tar shards, `SPLIT-000000.tar`, with `KEY.jpg`, `KEY.cls` and `KEY.json`, and
/// `classes.txt` beside them.
///
/// `cls` is the number of the class in `classes.txt`, for an image with one label. `json` has the size,
/// the `labels` of an image with none or several, its `objects` and its `fields`; it is left out only if no
/// image of the dataset has objects and this one has one label and no fields.
struct WebDatasetWriter: DatasetExporter {
  let capabilities: ExportCapabilities
  private let dataset: ExportDataset
  /// True if a number in `cls` cannot be mistaken for the name of another class.
  private let hasNumbers: Bool

  init(_ dataset: ExportDataset) {
    self.dataset = dataset
    hasNumbers = dataset.classes.enumerated().allSatisfy { place, category in
      Int(category.name).map { $0 == place && category.name == "\(place)" } ?? true
    }
    var can = ExportCapabilities()
    can.shapes = [.box, .polygon, .mask, .polyline, .points, .tag]
    can.labels = .set
    can.parts = true
    can.keypoints = .any
    can.crowds = true
    can.attributes = .any
    can.statedBoxes = true
    can.pixelAreas = true
    can.objectIDs = true
    can.classNames = .lines
    can.unusedClasses = true
    can.classOrder = true
    can.splits = .folders
    can.imageFields = true
    can.needsFiles = true
    can.needsSizes = true
    can.needsDisplayedSize = true
    capabilities = can
  }

  var isSharded: Bool { true }

  /// The name of a split's shards. A split without a name that readers take for one has no word of its
  /// name there.
  func imageFolder(split: Int, label: Int?) -> String {
    dataset.splits[split].name ?? "data" + (split == 0 ? "" : "\(split + 1)")
  }

  var fixedFiles: [(path: String, bytes: [UInt8])] {
    guard !dataset.classes.isEmpty else { return [] }
    let lines = dataset.classes.map { $0.name + "\n" }
    return [("classes.txt", Array(lines.joined().utf8))]
  }

  func members(ofImage image: ExportImage) throws -> [(suffix: String, bytes: [UInt8])] {
    var members: [(suffix: String, bytes: [UInt8])] = []
    let hasClass = image.labels.count == 1 && !dataset.isMultiLabel
    if hasClass, let label = image.labels.first {
      let text = hasNumbers ? "\(label)" : dataset.classes[label].name
      members.append(("cls", Array(text.utf8)))
    }
    guard dataset.hasObjects || !hasClass || !image.fields.isEmpty else { return members }
    var fields: [JSONValue.Member] = []
    if let size = image.size {
      fields += [
        .init("width", JSONValue(size.width)), .init("height", JSONValue(size.height)),
      ]
    }
    if !hasClass {
      let names = image.labels.map { JSONValue.string(dataset.classes[$0].name) }
      fields.append(.init("labels", .array(names)))
    }
    if dataset.hasObjects {
      fields.append(.init("objects", .array(image.objects.map { json($0, image) })))
    }
    if !image.fields.isEmpty {
      fields.append(.init(WebLabel.imageFields, .object(image.fields)))
    }
    members.append(("json", Array(JSONValue.object(fields).text().utf8)))
    return members
  }

  private func json(_ object: ExportObject, _ image: ExportImage) -> JSONValue {
    var fields: [JSONValue.Member] = [
      .init("class", .string(dataset.classes[object.category].name))
    ]
    if object.shape != .tag {
      let box = object.box
      fields.append(.init("bbox", Self.list([box.x, box.y, box.width, box.height])))
    }
    switch object.shape {
    case .box, .tag: break
    case .polygons(let polygons):
      fields.append(.init("segmentation", .array(polygons.map(Self.list))))
    case .mask(let mask):
      let counts = String(decoding: mask.compressed, as: UTF8.self)
      fields.append(
        .init(
          "segmentation",
          [
            "size": [JSONValue(mask.size.height), JSONValue(mask.size.width)],
            "counts": .string(counts),
          ]))
    case .lines(let lines): fields.append(.init("lines", .array(lines.map(Self.list))))
    case .points(let points): fields.append(.init("points", Self.list(points)))
    }
    if object.isCrowd { fields.append(.init("iscrowd", 1)) }
    if let id = object.sourceID { fields.append(.init("id", id.json)) }
    if !object.attributes.isEmpty {
      fields.append(.init("attributes", .object(object.attributes)))
    }
    return .object(fields)
  }

  private static func list(_ numbers: [Double]) -> JSONValue {
    .array(numbers.map { .number($0) })
  }
}
