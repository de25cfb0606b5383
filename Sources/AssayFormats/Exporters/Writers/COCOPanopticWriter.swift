import AssayCore
import AssayImaging

/// Writes COCO's panoptic segments, one file per split with a PNG per image beside it, and the images in
/// `images/SPLIT`.
///
/// A pixel's color is the id of its segment, R + 256 · G + 65,536 · B, and 0 without one. Ids are those of
/// the source where they fit and are unique in their image; the others are the lowest free numbers from 1.
/// A class without `isthing` is written as a thing, which ``notes`` say.
struct COCOPanopticWriter: DatasetExporter {
  let capabilities: ExportCapabilities
  private let parts: COCOFileParts

  init(_ dataset: ExportDataset) {
    parts = COCOFileParts(dataset)
    var can = ExportCapabilities()
    can.shapes = [.mask]
    can.flattening = .segments
    can.pixelAreas = true
    can.keypoints = .any
    can.crowds = true
    can.attributes = .any
    can.reservedAttributes = ["id", "category_id", "iscrowd", "area", "bbox"]
    can.objectIDs = true
    can.imageIDs = dataset.hasImageIDs
    can.imageFields = true
    can.reservedImageFields = COCODatasetImage.reservedFields
    can.classIDs = parts.keepsClassIDs
    can.unusedClasses = true
    can.classOrder = true
    can.supercategories = true
    can.classFields = .any
    can.splits = .files
    can.needsSizes = true
    capabilities = can
  }

  var notes: [String] {
    let names = parts.dataset.classes.filter { $0.isThing == nil }.map(\.name)
    guard !names.isEmpty else { return [] }
    let listed = names.prefix(Self.listed).joined(separator: ", ")
    let others = names.count > Self.listed ? " and \(names.count - Self.listed) more" : ""
    return [
      "\(Counted.text(names.count, "class is", "classes are")) written as things, because the source does "
        + "not state whether they are things or stuff: \(listed)\(others) (--stuff states the stuff "
        + "classes)"
    ]
  }

  /// The maximum number of classes that a note lists.
  private static let listed = 5

  func imageFolder(split: Int, label: Int?) -> String { parts.imageFolder(split: split) }

  /// The path of a split's file without its suffix, which is its folder of PNG files.
  private func stem(split: Int) -> String {
    let folder = parts.dataset.splits[split].folder
    return "annotations/panoptic" + (folder.isEmpty ? "" : "_" + folder)
  }

  func path(ofImage image: ExportImage) -> String? {
    "\(stem(split: image.split))/\(image.stem).png"
  }

  func bytes(ofImage image: ExportImage) throws -> [UInt8] {
    guard let size = image.size else { return [] }
    var map = SegmentMap(size: size)
    for (object, id) in zip(image.objects, ids(of: image)) {
      guard case .mask(let mask) = object.shape else { continue }
      map.paint(id, mask)
    }
    return try ImageCodec.encodePNG(map.raster)
  }

  /// The id of each segment of an image.
  private func ids(of image: ExportImage) -> [Int] {
    let known = image.objects.map { object -> Int? in
      guard case .integer(let id)? = object.sourceID else { return nil }
      return Int(exactly: id)
    }
    let used = Set(known.compactMap { $0 })
    var next = 0
    return known.map { id in
      if let id { return id }
      repeat { next += 1 } while used.contains(next)
      return next
    }
  }

  var tables: [ExportTable] {
    let classes = parts.dataset.classes.map { category in
      var category = category
      if category.isThing == nil { category.setThing(true) }
      return category
    }
    return parts.dataset.splits.indices.map { place in
      var segments = ExportTable.Section("", separator: ",\n")
      segments.opening = COCODatasetExporter.toAnnotations
      var table = ExportTable(
        path: stem(split: place) + ".json", split: place,
        sections: [parts.heads(classes), segments])
      table.closing = COCODatasetExporter.closing
      return table
    }
  }

  func rows(_ image: ExportImage, table: Int, section: Int) throws -> [UInt8] {
    guard section > 0 else { return parts.row(image) }
    let segments = zip(image.objects, ids(of: image)).compactMap { object, id -> JSONValue? in
      guard case .mask(let mask) = object.shape, let bounds = mask.bounds else { return nil }
      let members: [JSONValue.Member] = [
        .init("id", JSONValue(id)), .init("category_id", parts.classIDs[object.category].json),
        .init("area", JSONValue(mask.area)),
        .init(
          "bbox",
          [
            JSONValue(bounds.x), JSONValue(bounds.y), JSONValue(bounds.width),
            JSONValue(bounds.height),
          ]),
        .init("iscrowd", object.isCrowd ? 1 : 0),
      ]
      return .object(members + object.attributes)
    }
    let row: JSONValue = [
      "image_id": parts.id(of: image).json, "file_name": .string("\(image.stem).png"),
      "segments_info": .array(segments),
    ]
    return Array(row.text().utf8)
  }
}
