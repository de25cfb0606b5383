package import AssayCore

/// Writes predicted masks or detections as COCO results, as pycocotools' `loadRes` reads them: a
/// list of `{image_id, category_id, bbox, segmentation, score}`, with masks as compressed run
/// lengths. If a dataset has no classes, each result also has a `category_name`, which
/// ``COCOResultNames`` reads.
package struct COCOResultsExporter {
  private var isFirst = true

  package init() {}

  /// Writes the text before the first result.
  package func begin(_ bytes: inout [UInt8]) { bytes += "[".utf8 }

  /// Writes one result on a line.
  ///
  /// - Parameters:
  ///   - image: the image's id in the source.
  ///   - category: the class's id in the source.
  ///   - categoryName: the class's name, if nothing else defines the id.
  ///   - score: the confidence, in 0...1.
  package mutating func write(
    image: SourceID, category: SourceID, categoryName: String? = nil, mask: Mask, score: Double,
    to bytes: inout [UInt8]
  ) {
    bytes += isFirst ? "\n".utf8 : ",\n".utf8
    isFirst = false
    var members: [JSONValue.Member] = [
      .init("image_id", JSONValue(image)), .init("category_id", JSONValue(category)),
    ]
    if let categoryName { members.append(.init("category_name", .string(categoryName))) }
    members += [
      .init(
        "segmentation",
        [
          "size": [JSONValue(mask.size.height), JSONValue(mask.size.width)],
          "counts": .string(String(decoding: mask.compressed, as: UTF8.self)),
        ]),
      .init("score", .number(score)),
    ]
    bytes += JSONValue.object(members).text().utf8
  }

  /// Writes a detection on a line.
  ///
  /// - Parameters:
  ///   - image: the image's id in the source.
  ///   - size: the image's size, which a region needs; without it the region is omitted.
  ///   - category: the class's id in the source.
  ///   - categoryName: the class's name, if nothing else defines the id.
  ///   - hasBox: whether to write its box; if the first result has one, the reference takes a
  ///     region's size class from its box.
  package mutating func write(
    image: SourceID, size: ImageSize?, category: SourceID, categoryName: String? = nil,
    detection: Detection, hasBox: Bool, to bytes: inout [UInt8]
  ) {
    bytes += isFirst ? "\n".utf8 : ",\n".utf8
    isFirst = false
    bytes += #"{"image_id":"#.utf8
    bytes += JSONValue(image).text().utf8
    bytes += #","category_id":"#.utf8
    bytes += JSONValue(category).text().utf8
    if let categoryName {
      bytes += #","category_name":"#.utf8
      bytes += JSONValue.string(categoryName).text().utf8
    }
    if hasBox {
      bytes += #","bbox":["#.utf8
      let box = detection.box
      JSONNumber.append(box.x, to: &bytes)
      for value in [box.y, box.width, box.height] {
        bytes.append(UInt8(ascii: ","))
        JSONNumber.append(value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    }
    if let counts = detection.counts, let size {
      bytes += #","segmentation":{"size":["#.utf8
      bytes += "\(size.height),\(size.width)".utf8
      bytes += #"],"counts":"#.utf8
      bytes += JSONValue.string(String(decoding: counts, as: UTF8.self)).text().utf8
      bytes.append(UInt8(ascii: "}"))
    }
    if !detection.keypoints.isEmpty {
      bytes += #","keypoints":["#.utf8
      for (place, value) in detection.keypoints.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONNumber.append(value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    }
    if let attributes = detection.attributes {
      bytes += #","attributes":"#.utf8
      bytes += attributes.utf8
    }
    bytes += #","score":"#.utf8
    JSONNumber.append(detection.confidence, to: &bytes)
    bytes.append(UInt8(ascii: "}"))
  }

  /// Appends results that another exporter wrote.
  package mutating func append(_ results: [UInt8], to bytes: inout [UInt8]) {
    guard !results.isEmpty else { return }
    // Another exporter's first result has no comma before its line.
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    bytes += results
  }

  /// Writes the text after the last result.
  package func end(_ bytes: inout [UInt8]) { bytes += "\n]\n".utf8 }
}

extension JSONValue {
  /// An id with the type it had in the source: a number or a text.
  fileprivate init(_ id: SourceID) {
    switch id {
    case .integer(let value): self = .integer(value)
    case .text(let value): self = .string(value)
    }
  }
}
