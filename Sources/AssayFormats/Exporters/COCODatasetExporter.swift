package import AssayCore

/// An image of a COCO file.
package struct COCODatasetImage: Hashable, Sendable {
  package var id: SourceID
  /// The path below the folder of images.
  package var fileName: String
  /// `nil` if it is unknown; then the file omits it.
  package var size: ImageSize?
  /// Further fields, without ``reservedFields``.
  package var fields: [JSONValue.Member]

  /// The names of fields that readers take for COCO's own, or for LVIS's.
  package static let reservedFields: Set<String> = [
    "id", "file_name", "width", "height", "license", "coco_url", "flickr_url", "date_captured",
    "neg_category_ids", "not_exhaustive_category_ids",
  ]

  package init(
    id: SourceID, fileName: String, size: ImageSize?, fields: [JSONValue.Member] = []
  ) {
    self.id = id
    self.fileName = fileName
    self.size = size
    self.fields = fields
  }
}

/// An annotation of a COCO file.
package struct COCODatasetInstance: Hashable, Sendable {
  package var id: SourceID
  package var image: SourceID
  package var category: SourceID
  package var isCrowd: Bool
  /// In pixels, as the source states it.
  package var area: Double?
  package var box: Box?
  package var shape: ShapeKind
  /// The packed ``Geometry``; `nil` for a box alone.
  package var geometry: [UInt8]?
  /// The image's size, required for run lengths.
  package var size: ImageSize?
  /// Additional fields as one JSON object, without ``reservedAttributes``.
  package var attributes: String?

  /// The names of fields that are COCO's own.
  package static let reservedAttributes: Set<String> = [
    "id", "image_id", "category_id", "iscrowd", "area", "bbox", "segmentation",
  ]

  /// The fields of an annotation that can be written beside COCO's own.
  ///
  /// - Parameter attributes: a JSON object.
  /// - Returns: the object without the others, and their number.
  package static func writable(_ attributes: String?) -> (attributes: String?, leftOut: Int) {
    guard let attributes, reservedAttributes.contains(where: { attributes.contains("\"\($0)\":") }),
      let members = (try? JSONValue(parsing: attributes))?.members
    else { return (attributes, 0) }
    let kept = members.filter { !reservedAttributes.contains($0.name) }
    let text = kept.isEmpty ? nil : JSONValue.object(kept).text()
    return (text, members.count - kept.count)
  }

  package init(
    id: SourceID, image: SourceID, category: SourceID, isCrowd: Bool = false, area: Double? = nil,
    box: Box? = nil, shape: ShapeKind, geometry: [UInt8]? = nil, size: ImageSize? = nil,
    attributes: String? = nil
  ) {
    self.id = id
    self.image = image
    self.category = category
    self.isCrowd = isCrowd
    self.area = area
    self.box = box
    self.shape = shape
    self.geometry = geometry
    self.size = size
    self.attributes = attributes
  }
}

/// Writes COCO's instances JSON piece by piece: ``opening(description:)``, the categories, the
/// images and the annotations, with ``separator`` between two elements of a list, and the
/// transitions between the lists.
///
/// Polygons stay polygons, run lengths are written compressed, ids keep their type, and every
/// number reads back as the same double.
package enum COCODatasetExporter {
  /// The file's beginning, up to the first category.
  package static func opening(description: String) -> [UInt8] {
    let text = JSONValue.string(description).text()
    return Array("{\"info\":{\"description\":\(text)},\"licenses\":[],\n\"categories\":[\n".utf8)
  }

  /// The text between two elements of a list.
  package static let separator = Array(",\n".utf8)
  /// The text from the last category to the first image.
  package static let toImages = Array("\n],\n\"images\":[\n".utf8)
  /// The text from the last image to the first annotation.
  package static let toAnnotations = Array("\n],\n\"annotations\":[\n".utf8)
  /// The file's end.
  package static let closing = Array("\n]}\n".utf8)

  /// Appends a class.
  package static func append(_ category: Category, id: SourceID, to bytes: inout [UInt8]) {
    var members: [JSONValue.Member] = [.init("id", id.json), .init("name", .string(category.name))]
    if let above = category.supercategory {
      members.append(.init("supercategory", .string(above)))
    }
    bytes += JSONValue.object(members).text().utf8
    appendMembers(category.attributes, to: &bytes)
  }

  /// Adds the members of a JSON object to the object at the end of `bytes`.
  private static func appendMembers(_ object: String?, to bytes: inout [UInt8]) {
    guard let members = object?.utf8, members.count > 2, bytes.last == UInt8(ascii: "}") else {
      return
    }
    bytes.removeLast()
    bytes.append(UInt8(ascii: ","))
    bytes += members.dropFirst()
  }

  /// Appends an image.
  package static func append(_ image: COCODatasetImage, to bytes: inout [UInt8]) {
    var members: [JSONValue.Member] = [
      .init("id", image.id.json), .init("file_name", .string(image.fileName)),
    ]
    if let size = image.size {
      members.append(.init("width", JSONValue(size.width)))
      members.append(.init("height", JSONValue(size.height)))
    }
    members += image.fields
    bytes += JSONValue.object(members).text().utf8
  }

  /// Appends an annotation.
  ///
  /// - Throws: `MaskError` if the packed geometry is damaged, or contains run lengths without the
  ///   image's size.
  package static func append(
    _ instance: COCODatasetInstance, to bytes: inout [UInt8]
  ) throws(MaskError) {
    bytes += "{\"id\":\(instance.id.json.text()),\"image_id\":\(instance.image.json.text()),".utf8
    bytes += "\"category_id\":\(instance.category.json.text()),".utf8
    bytes += instance.isCrowd ? "\"iscrowd\":1".utf8 : "\"iscrowd\":0".utf8
    if let area = instance.area {
      bytes += ",\"area\":".utf8
      JSONNumber.append(area, to: &bytes)
    }
    if let box = instance.box {
      bytes += ",\"bbox\":".utf8
      append([box.x, box.y, box.width, box.height], to: &bytes)
    }
    bytes += ",\"segmentation\":".utf8
    try appendSegmentation(instance, to: &bytes)
    if let attributes = instance.attributes?.utf8, attributes.count > 2 {
      bytes.append(UInt8(ascii: ","))
      bytes += attributes.dropFirst().dropLast()
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private static func appendSegmentation(
    _ instance: COCODatasetInstance, to bytes: inout [UInt8]
  ) throws(MaskError) {
    guard let packed = instance.geometry else {
      bytes += "[]".utf8
      return
    }
    if instance.shape == .mask {
      guard let size = instance.size else { throw .damaged }
      bytes += "{\"size\":[\(size.height),\(size.width)],\"counts\":\"".utf8
      for byte in packed {
        // The only character of the encoding that JSON escapes.
        if byte == UInt8(ascii: "\\") { bytes.append(byte) }
        bytes.append(byte)
      }
      bytes += "\"}".utf8
      return
    }
    let anySize = ImageSize(width: 1, height: 1)
    let geometry = try Geometry(
      shape: instance.shape, packed: packed, size: instance.size ?? anySize)
    // Lines and points are no regions in COCO's format: only their box is written.
    guard case .polygons(let polygons) = geometry else {
      guard !instance.shape.isRegion else { throw .damaged }
      bytes += "[]".utf8
      return
    }
    bytes.append(UInt8(ascii: "["))
    for (place, polygon) in polygons.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      append(polygon, to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private static func append(_ numbers: [Double], to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    for (place, number) in numbers.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      JSONNumber.append(number, to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}

extension SourceID {
  /// As JSON, with its type.
  var json: JSONValue {
    switch self {
    case .integer(let value): .integer(value)
    case .text(let value): .string(value)
    }
  }
}
