import AssayCore

/// A label map of TensorFlow's Object Detection API: class names by number.
///
///     item {
///       id: 1
///       name: '/m/01g317'
///       display_name: 'person'
///     }
struct LabelMap: Sendable, Hashable {
  struct Item: Sendable, Hashable {
    var id: Int64
    var name: String?
    var displayName: String?
  }

  /// In the order of the file.
  private(set) var items: [Item] = []

  /// Reads the text format of protocol buffers; messages in items are skipped.
  ///
  /// - Throws: ``TFRecordProblem``.
  init(_ text: [UInt8]) throws {
    var scanner = Scanner(bytes: text)
    while let field = try scanner.field() {
      guard field == "item", try scanner.opensMessage() else {
        try scanner.skipValue()
        continue
      }
      var id: Int64?
      var item = Item(id: 0)
      while let member = try scanner.field() {
        switch member {
        case "id": id = Int64(try scanner.scalar())
        case "name": item.name = try scanner.scalar()
        case "display_name": item.displayName = try scanner.scalar()
        default: try scanner.skipValue()
        }
      }
      try scanner.closeMessage()
      guard let id else { throw TFRecordProblem("item \(items.count + 1) has no id") }
      item.id = id
      items.append(item)
      guard items.count <= TFRecordLimits.values else {
        throw TFRecordProblem("it has more than \(TFRecordLimits.values) items")
      }
    }
    guard scanner.isAtEnd else { throw scanner.problem("expected a field") }
  }

  /// The tokens of the text format.
  private struct Scanner {
    let bytes: [UInt8]
    private var place = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    private static let depthLimit = 32

    func problem(_ text: String) -> TFRecordProblem {
      TFRecordProblem("it is no label map: \(text) at byte \(place)")
    }

    private mutating func skipBlanks() {
      while place < bytes.count {
        switch bytes[place] {
        case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: ";"): place += 1
        case UInt8(ascii: "#"):
          while place < bytes.count, bytes[place] != 0x0A { place += 1 }
        default: return
        }
      }
    }

    var isAtEnd: Bool {
      mutating get {
        skipBlanks()
        return place >= bytes.count
      }
    }

    private mutating func takes(_ sign: Character) -> Bool {
      skipBlanks()
      guard place < bytes.count, bytes[place] == sign.asciiValue else { return false }
      place += 1
      return true
    }

    private mutating func word() -> String {
      skipBlanks()
      let start = place
      while place < bytes.count {
        let byte = bytes[place]
        let isPart =
          (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || [UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ".")]
            .contains(byte)
        guard isPart else { break }
        place += 1
      }
      return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    /// The name of the next field, and its colon; `nil` at the end of a message.
    mutating func field() throws -> String? {
      let name = word()
      guard !name.isEmpty else { return nil }
      _ = takes(":")
      return name
    }

    mutating func opensMessage() throws -> Bool { takes("{") || takes("<") }

    mutating func closeMessage() throws {
      guard takes("}") || takes(">") else { throw problem("expected }") }
    }

    /// A number, a name or a string; adjacent strings are one.
    mutating func scalar() throws -> String {
      skipBlanks()
      guard place < bytes.count else { throw problem("expected a value") }
      guard [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[place]) else {
        let word = word()
        guard !word.isEmpty else { throw problem("expected a value") }
        return word
      }
      var text: [UInt8] = []
      while place < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[place]) {
        text += try string()
        skipBlanks()
      }
      guard let found = String(validating: text, as: UTF8.self) else {
        throw problem("a string that is not UTF-8")
      }
      return found
    }

    private mutating func string() throws -> [UInt8] {
      let quote = bytes[place]
      place += 1
      var text: [UInt8] = []
      while place < bytes.count, bytes[place] != quote {
        guard bytes[place] == UInt8(ascii: "\\") else {
          text.append(bytes[place])
          place += 1
          continue
        }
        place += 1
        guard place < bytes.count else { break }
        let escaped = bytes[place]
        place += 1
        switch escaped {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
          var value = Int(escaped) - 48
          for _ in 0..<2 {
            guard place < bytes.count, (48...55).contains(bytes[place]) else { break }
            value = value * 8 + Int(bytes[place]) - 48
            place += 1
          }
          text.append(UInt8(truncatingIfNeeded: value))
        default: text.append(escaped)
        }
      }
      guard place < bytes.count else { throw problem("a string without end") }
      place += 1
      return text
    }

    mutating func skipValue(_ depth: Int = 0) throws {
      guard depth < Self.depthLimit else { throw problem("messages nested too deeply") }
      guard try opensMessage() else {
        _ = try scalar()
        return
      }
      while try field() != nil { try skipValue(depth + 1) }
      try closeMessage()
    }
  }
}
