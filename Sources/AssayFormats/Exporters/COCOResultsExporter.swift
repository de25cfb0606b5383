package import AssayCore

/// Writes predicted masks as COCO results, as pycocotools' `loadRes` reads them: a list of
/// `{image_id, category_id, segmentation, score}`, the masks as compressed run lengths.
package struct COCOResultsExporter {
  private var isFirst = true

  package init() {}

  /// Writes what stands before the first result.
  package func begin(_ bytes: inout [UInt8]) { bytes += "[".utf8 }

  /// Writes one result, a line.
  ///
  /// - Parameters:
  ///   - image: the image's id in the source.
  ///   - category: the class's id in the source.
  ///   - score: the confidence, in 0...1.
  package mutating func write(
    image: SourceID, category: SourceID, mask: Mask, score: Double, to bytes: inout [UInt8]
  ) {
    bytes += isFirst ? "\n".utf8 : ",\n".utf8
    isFirst = false
    let result: JSONValue = [
      "image_id": JSONValue(image), "category_id": JSONValue(category),
      "segmentation": [
        "size": [JSONValue(mask.size.height), JSONValue(mask.size.width)],
        "counts": .string(String(decoding: mask.compressed, as: UTF8.self)),
      ],
      "score": .number(score),
    ]
    bytes += result.text().utf8
  }

  /// Writes what stands behind the last result.
  package func end(_ bytes: inout [UInt8]) { bytes += "\n]\n".utf8 }
}

extension JSONValue {
  /// An id as it was in the source: a number or a text.
  fileprivate init(_ id: SourceID) {
    switch id {
    case .integer(let value): self = .integer(value)
    case .text(let value): self = .string(value)
    }
  }
}
