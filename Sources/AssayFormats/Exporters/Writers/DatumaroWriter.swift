import AssayCore

/// Writes Datumaro's JSON: `annotations/SPLIT.json` and `images/SPLIT/x.jpg`; images without a split
/// are in the subset `default`.
struct DatumaroWriter: DatasetExporter {
  let capabilities: ExportCapabilities
  private let dataset: ExportDataset

  init(_ dataset: ExportDataset) {
    self.dataset = dataset
    var can = ExportCapabilities()
    can.shapes = [.box, .polygon, .mask, .polyline, .points, .tag]
    can.labels = .set
    can.keypoints = .ofPoints(counts: nil, isApart: true)
    can.classFields = .named(["keypoints", "skeleton", "positions"])
    can.crowds = true
    can.attributes = .plain
    // Datumaro's own meaning: the track, and crowds.
    can.reservedAttributes = ["track_id", "is_crowd"]
    can.imageFields = true
    can.unusedClasses = true
    can.classOrder = true
    can.supercategories = true
    can.splits = .files
    can.onlySplit = "default"
    can.missingSplitFolder = "default"
    can.readsMissingSplit = true
    capabilities = can
  }

  /// The ordinal of the class of captions; `nil` if there is none.
  private var caption: Int? {
    dataset.classes.firstIndex { $0.name == DatumaroClasses.caption.name }
  }

  private func subset(_ split: Int) -> String {
    dataset.splits[split].folder.isEmpty ? "default" : dataset.splits[split].folder
  }

  func imageFolder(split: Int, label: Int?) -> String { "images/\(subset(split))" }

  var tables: [ExportTable] {
    let labels = dataset.classes.map { category -> JSONValue in
      [
        "name": .string(category.name), "parent": .string(category.supercategory ?? ""),
        "attributes": [],
      ]
    }
    var categories: [JSONValue.Member] = [
      .init("label", ["labels": .array(labels), "label_groups": [], "attributes": []])
    ]
    let points = dataset.classes.enumerated().compactMap(Self.points)
    if !points.isEmpty {
      categories.append(.init("points", ["items": .array(points), "attributes": []]))
    }
    let opening =
      #"{"dm_format_version":"1.0","media_type":2,"infos":{},"categories":"#
      + JSONValue.object(categories).text()
      + ",\n\"items\":[\n"
    return dataset.splits.indices.map { place in
      ExportTable(
        path: "annotations/\(subset(place)).json", split: place,
        sections: [.init(opening, separator: ",\n")], closing: "\n]}\n")
    }
  }

  /// The names and edges of the keypoints of a class; `nil` if it has neither.
  private static func points(_ ordinal: Int, _ category: Category) -> JSONValue? {
    let fields = ["keypoints", "skeleton", "positions"].map { category.field($0)?.elements }
    guard fields.contains(where: { $0 != nil }) else { return nil }
    var item: [JSONValue.Member] = [
      .init("label_id", JSONValue(ordinal)), .init("labels", .array(fields[0] ?? [])),
      .init("joints", .array(fields[1] ?? [])),
    ]
    if let positions = fields[2] { item.append(.init("positions", .array(positions))) }
    return .object(item)
  }

  func rows(_ image: ExportImage, table: Int, section: Int) -> [UInt8] {
    var annotations: [JSONValue] = []
    func add(
      _ type: String, _ category: Int, _ members: [JSONValue.Member], _ object: ExportObject?
    ) {
      var attributes = object?.attributes ?? []
      attributes.removeAll { ["keypoints", "num_keypoints"].contains($0.name) }
      let group = object?.group()
      if group != nil { attributes.removeAll { $0.name == KeypointGroups.name } }
      if object?.isCrowd == true, !attributes.contains(where: { $0.name == "is_crowd" }) {
        attributes.append(.init("is_crowd", true))
      }
      annotations.append(
        .object(
          [
            // An id says nothing about a label, and 0 is none.
            .init("id", type == "label" ? 0 : JSONValue(annotations.count)),
            .init("type", .string(type)),
            .init("attributes", .object(attributes)),
            .init("group", .integer(group ?? 0)), .init("label_id", JSONValue(category)),
          ] + members))
    }
    /// A caption has a text instead of a class.
    func addTag(_ object: ExportObject) {
      var object = object
      guard object.category == caption,
        let place = object.attributes.firstIndex(where: { $0.name == "caption" }),
        let text = object.attributes[place].value.text
      else { return add("label", object.category, [], object) }
      object.attributes.remove(at: place)
      annotations.append([
        "id": 0, "type": "caption",
        "attributes": .object(object.attributes), "group": 0, "caption": .string(text),
      ])
    }
    for label in image.labels { add("label", label, [], nil) }
    for object in image.objects {
      let layer = JSONValue.Member("z_order", 0)
      let box = object.box
      let bounds = JSONValue.Member(
        "bbox", [.number(box.x), .number(box.y), .number(box.width), .number(box.height)])
      func points(_ list: [Double]) -> JSONValue.Member {
        .init("points", .array(list.map { .number($0) }))
      }
      switch object.shape {
      case .box: add("bbox", object.category, [layer, bounds], object)
      case .polygons(let polygons):
        add("polygon", object.category, [layer, points(polygons.first ?? [])], object)
      case .lines(let lines):
        add("polyline", object.category, [layer, points(lines.first ?? [])], object)
      case .points(let list):
        let all = object.keypoints
        let marks = all.map { all in
          stride(from: 2, to: all.count, by: 3).map { JSONValue.integer(Int64(all[$0])) }
        }
        let places = all.map { all in all.indices.filter { $0 % 3 < 2 }.map { all[$0] } } ?? list
        let visibility = marks ?? (0..<list.count / 2).map { _ in 2 }
        add(
          "points", object.category,
          [layer, points(places), .init("visibility", .array(visibility))], object)
      case .tag: addTag(object)
      case .mask(let mask):
        let counts = String(decoding: mask.compressed, as: UTF8.self)
        let rle: JSONValue = [
          "counts": .string(counts),
          "size": [JSONValue(mask.size.height), JSONValue(mask.size.width)],
        ]
        add("mask", object.category, [layer, .init("rle", rle)], object)
      }
    }
    var file: [JSONValue.Member] = [.init("path", .string(String(image.name)))]
    if let size = image.size {
      file.append(.init("size", [JSONValue(size.height), JSONValue(size.width)]))
    }
    let item: JSONValue = [
      "id": .string(String(image.stem)), "annotations": .array(annotations),
      "attr": .object(image.fields), "image": .object(file),
    ]
    return Array(item.text().utf8)
  }
}
