/// The names of classes in a TensorFlow Lite model with metadata: a file of labels in the zip archive that
/// follows the model.
///
/// Source: tflite-support 0.4, `metadata.py`: associated files are appended as a zip archive, not compressed.
enum TFLiteLabels {
  /// The names in output order, one per line of the only text file whose name holds `label`; empty if there is
  /// none, or if there are several.
  static func names(_ bytes: [UInt8]) -> [String] {
    let files = files(bytes).filter { name, _ in
      let name = name.lowercased()
      return name.hasSuffix(".txt") && name.contains("label")
    }
    guard files.count == 1, let text = String(validating: bytes[files[0].range], as: UTF8.self)
    else { return [] }
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(String.init)
    while lines.last?.isEmpty == true { lines.removeLast() }
    let isPlain = lines.allSatisfy { !$0.isEmpty && $0.utf8.count <= 1_000 }
    return isPlain && lines.count <= ModelManifest.classLimit && Set(lines).count == lines.count
      ? lines : []
  }

  /// The stored (not compressed) files of an archive at the end of the bytes.
  private static func files(_ bytes: [UInt8]) -> [(name: String, range: Range<Int>)] {
    func number(_ place: Int, _ size: Int) -> Int? {
      guard place >= 0, place <= bytes.count - size else { return nil }
      return (0..<size).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
    // The end record without a comment has 22 bytes.
    let lowest = max(0, bytes.count - 22 - 65_535)
    guard
      let end = stride(from: bytes.count - 22, through: lowest, by: -1).first(where: {
        number($0, 4) == 0x0605_4b50
      }), let count = number(end + 10, 2), var place = number(end + 16, 4), count <= 1_000
    else { return [] }
    var files: [(name: String, range: Range<Int>)] = []
    for _ in 0..<count {
      guard number(place, 4) == 0x0201_4b50, let method = number(place + 10, 2),
        let size = number(place + 20, 4), let nameLength = number(place + 28, 2),
        let extra = number(place + 30, 2), let comment = number(place + 32, 2),
        let local = number(place + 42, 4), place + 46 + nameLength <= bytes.count
      else { return files }
      let name = String(decoding: bytes[place + 46..<place + 46 + nameLength], as: UTF8.self)
      if method == 0, number(local, 4) == 0x0403_4b50, let localName = number(local + 26, 2),
        let localExtra = number(local + 28, 2)
      {
        let start = local + 30 + localName + localExtra
        if start <= bytes.count, size <= bytes.count - start {
          files.append((name, start..<start + size))
        }
      }
      place += 46 + nameLength + extra + comment
    }
    return files
  }
}
