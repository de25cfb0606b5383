/// The lines of a text file, and the fields of each line, without copies.
struct YOLOTextLines {
  private let bytes: UnsafeRawBufferPointer
  private var position: Int
  /// The 1-based number of the line that ``next(_:)`` returned.
  private(set) var line = 0

  /// - Parameter bytes: valid as long as this value is used; a byte order mark is skipped.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// True if all lines were read.
  var isAtEnd: Bool { position >= bytes.count }

  /// Replaces `fields` by those of the next line, which are separated by blanks; false at the end.
  ///
  /// A line ends at `\n`, `\r\n` or `\r`.
  mutating func next(_ fields: inout [UnsafeRawBufferPointer]) -> Bool {
    guard position < bytes.count else { return false }
    fields.removeAll(keepingCapacity: true)
    line += 1
    var start = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte <= 0x20 {
        if start < position {
          fields.append(UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
        }
        start = position + 1
        if byte == 0x0A || byte == 0x0D {
          position += 1
          if byte == 0x0D, position < bytes.count, bytes[position] == 0x0A { position += 1 }
          return true
        }
      }
      position += 1
    }
    if start < position {
      fields.append(UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
    }
    return true
  }

  /// A field as text for messages, at most 40 bytes of it.
  static func text(_ field: UnsafeRawBufferPointer) -> String {
    String(decoding: field.prefix(40), as: UTF8.self) + (field.count > 40 ? "…" : "")
  }
}

extension YOLOTextLines {
  /// Returns whether the beginning of a file looks like YOLO's labels: at least half of the first
  /// lines are a class and at least four numbers in 0...1.
  static func looksLikeLabels(_ head: [UInt8], isWhole: Bool) -> Bool {
    head.withUnsafeBytes { bytes in
      var lines = YOLOTextLines(bytes)
      var fields: [UnsafeRawBufferPointer] = []
      var (good, all) = (0, 0)
      while all < 20, lines.next(&fields) {
        if fields.isEmpty || (lines.isAtEnd && !isWhole && all > 0) { continue }
        all += 1
        if isLabel(fields) { good += 1 }
      }
      return good > 0 && 2 * good >= all
    }
  }

  private static func isLabel(_ fields: [UnsafeRawBufferPointer]) -> Bool {
    guard fields.count >= 5, let index = DecimalNumber.parse(fields[0], as: Double.self),
      index >= 0, index.rounded() == index
    else { return false }
    // The last field of the beginning of a file can be cut.
    return fields[1...4].allSatisfy { field in
      DecimalNumber.parse(field, as: Double.self).map(YOLOLine.range.contains) ?? false
    }
  }

  /// Returns whether the beginning of a file is a list of images: each line ends like the path of
  /// an image.
  static func looksLikeImageList(_ head: [UInt8], isWhole: Bool) -> Bool {
    var lines = head.split { $0 == 0x0A || $0 == 0x0D }.map { line in
      String(decoding: line, as: UTF8.self).trimmingBlanks
    }
    if !isWhole, lines.count > 1 { lines.removeLast() }
    lines.removeAll { $0.isEmpty }
    return !lines.isEmpty && lines.allSatisfy { YOLOFileRole($0).isImage }
  }
}

extension String {
  /// The text without white space and a byte order mark at its ends.
  var trimmingBlanks: String {
    var text = self[...]
    while let first = text.first, first.isWhitespace || first == "\u{FEFF}" { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
