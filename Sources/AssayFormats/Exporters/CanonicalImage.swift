package import AssayCore

/// The canonical form of an image with its annotations, whatever format it was read from: equal content
/// has an equal hash.
///
/// It consists of the file's name without folders, the split, the size, further fields, the names of
/// labels, and for each object its class, shape, coordinates in thousandths of a pixel, crowd flag and attributes, in
/// sorted order. Ids and stated areas are not part of it.
package enum CanonicalImage {
  /// A SHA-256, in the order of its bytes: 32 bytes without a heap block, for millions of images.
  package struct Digest: Hashable, Comparable, Sendable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// - Precondition: `bytes` has 32 elements.
    fileprivate init(_ bytes: [UInt8]) {
      precondition(bytes.count == 32)
      func word(_ start: Int) -> UInt64 {
        bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
      }
      words = (word(0), word(8), word(16), word(24))
    }

    fileprivate var bytes: [UInt8] {
      [words.0, words.1, words.2, words.3].flatMap { word in
        (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
      }
    }

    package static func == (a: Self, b: Self) -> Bool { a.words == b.words }

    package static func < (a: Self, b: Self) -> Bool { a.words < b.words }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(words.0)
    }
  }

  /// The version of the form, for certificates.
  package static let version = 2

  /// The SHA-256 of an image's canonical form.
  ///
  /// - Parameters:
  ///   - name: the name of its file.
  ///   - classes: the names of the classes that its ordinals index.
  package static func hash(
    _ image: ExportImage, name: String, split: String?, classes: [String]
  ) -> Digest {
    var lines = image.objects.map { line($0, classes) }
    lines.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let labels = image.labels.map { JSONValue.string(classes[$0]).text() }.sorted()
    let head: JSONValue = [
      .string(name), JSONValue(split), JSONValue(image.size.map { "\($0)" }),
    ]
    let fields =
      image.fields.isEmpty ? "" : " " + JSONValue.object(image.fields).membersSorted.text()
    var hash = ContentHash()
    hash.update(head.text() + fields + "\n" + labels.joined(separator: ",") + "\n")
    for line in lines { hash.update(line + "\n") }
    return Digest(hash.digest())
  }

  /// The SHA-256 of a dataset, hexadecimal: over the sorted hashes of its images.
  package static func hash(ofDataset images: [Digest]) -> String {
    var hash = ContentHash()
    for image in images.sorted() {
      image.bytes.withUnsafeBytes { hash.update($0) }
    }
    return hash.hexadecimal()
  }

  private static func line(_ object: ExportObject, _ classes: [String]) -> String {
    var text = JSONValue.string(classes[object.category]).text()
    text += " \(object.shape.kind.rawValue) \(object.isCrowd ? 1 : 0)"
    switch object.shape {
    case .box: text += " " + numbers(corners(object.box))
    case .polygons(let lists), .lines(let lists):
      text += " " + lists.map(numbers).joined(separator: " / ")
    case .points(let points): text += " " + numbers(points)
    case .tag: break
    case .mask(let mask): text += " " + String(decoding: mask.compressed, as: UTF8.self)
    }
    for attribute in object.attributes.sorted(by: { $0.name < $1.name }) {
      let value: String
      if let list = attribute.value.elements?.compactMap(\.double),
        attribute.name == ExportObject.keypointsName
      {
        value = numbers(list)
      } else {
        value = attribute.value.membersSorted.text()
      }
      text += " \(JSONValue.string(attribute.name).text()):\(value)"
    }
    return text
  }

  private static func corners(_ box: Box) -> [Double] {
    [box.x, box.y, box.x + box.width, box.y + box.height]
  }

  /// Thousandths, with the steps between decimals of three digits or fewer, so that an error in the
  /// last digit of a double does not change them.
  private static func numbers(_ list: [Double]) -> String {
    list.map { value in
      let scaled = (value * 1000 + 0.31717).rounded(.down)
      return abs(scaled) < 1e15 ? "\(Int64(scaled))" : "\(value)"
    }.joined(separator: ",")
  }
}
