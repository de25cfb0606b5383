/// The reason why a text is not valid JSON, with the 0-based byte offset where reading stopped.
package struct JSONError: Error, Hashable, CustomStringConvertible {
  package var offset: Int
  package var message: String

  package var description: String { "\(message) at byte \(offset)" }
}

extension JSONValue {
  /// The maximum nesting depth of arrays and objects.
  package static let depthLimit = 64

  /// Reads one JSON text (RFC 8259). Whole numbers that fit become ``integer(_:)``.
  ///
  /// - Throws: ``JSONError`` with the byte offset, also for a text nested deeper than
  ///   ``depthLimit`` and for a number beyond the range of a `Double`.
  package init(parsing text: String) throws(JSONError) {
    var reader = JSONReader(bytes: Array(text.utf8), JSONReading())
    self = try reader.document()
  }

  /// Reads one JSON text in UTF-8, with a byte order mark or without, as files have it.
  ///
  /// - Throws: ``JSONError``, as ``init(parsing:)`` does.
  package init(parsing bytes: [UInt8], _ reading: JSONReading) throws(JSONError) {
    var reader = JSONReader(bytes: bytes, reading)
    reader.passByteOrderMark()
    self = try reader.document()
  }
}

/// The parts of a JSON text that are read, and the deviations that are accepted.
package struct JSONReading: Sendable {
  /// True if `NaN`, `Infinity` and `-Infinity`, which Python writes, are numbers.
  package var takesNotFinite = false
  /// The members of the outermost object that are read; the others are passed over. `nil` for all.
  package var members: Set<String>?
  /// The members of the outermost object whose texts are cut after ``shortenedBytes`` bytes, without
  /// escapes: images as base64.
  package var shortened: Set<String> = []

  /// The length of a shortened text.
  package static let shortenedBytes = 64

  package init() {}
}

/// The positions of values in a JSON text.
package enum JSONPositions {
  /// The ranges of the values in `a, b, c`: a list without its brackets. The values are checked only
  /// as far as their ends need.
  ///
  /// - Throws: ``JSONError``.
  package static func elements(of bytes: [UInt8]) throws(JSONError) -> [Range<Int>] {
    var reader = JSONReader(bytes: bytes, JSONReading())
    return try reader.elementRanges()
  }

  /// The members of an object and the ranges of their values; `nil` if the text is no object.
  ///
  /// - Parameter start: the position of the object.
  /// - Throws: ``JSONError``.
  package static func members(
    of bytes: [UInt8], at start: Int = 0
  ) throws(JSONError) -> [(name: String, value: Range<Int>)]? {
    var reader = JSONReader(bytes: bytes, JSONReading())
    reader.passByteOrderMark()
    reader.at = max(reader.at, start)
    return try reader.memberRanges()
  }
}

private struct JSONReader {
  let bytes: [UInt8]
  let reading: JSONReading
  var at = 0

  init(bytes: [UInt8], _ reading: JSONReading) {
    self.bytes = bytes
    self.reading = reading
  }

  mutating func passByteOrderMark() {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
  }

  mutating func document() throws(JSONError) -> JSONValue {
    let value = try value(depth: 0)
    skipBlanks()
    guard at == bytes.count else { throw error("text after the end of the value") }
    return value
  }

  mutating func elementRanges() throws(JSONError) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    skipBlanks()
    guard at < bytes.count else { return ranges }
    while true {
      skipBlanks()
      let start = at
      try pass()
      ranges.append(start..<at)
      skipBlanks()
      guard at < bytes.count else { return ranges }
      guard take(UInt8(ascii: ",")) else { throw error("expected ','") }
    }
  }

  mutating func memberRanges() throws(JSONError) -> [(name: String, value: Range<Int>)]? {
    guard take(UInt8(ascii: "{")) else { return nil }
    var members: [(name: String, value: Range<Int>)] = []
    if take(UInt8(ascii: "}")) { return members }
    repeat {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw error("expected a name in quotes") }
      let name = try string()
      guard take(UInt8(ascii: ":")) else { throw error("expected ':'") }
      skipBlanks()
      let start = at
      try pass()
      members.append((name, start..<at))
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw error("expected ',' or '}'") }
    return members
  }

  /// Moves behind a value without reading it.
  private mutating func pass() throws(JSONError) {
    skipBlanks()
    var depth = 0
    let start = at
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        try passString()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        guard depth <= JSONValue.depthLimit else {
          throw error("nested deeper than \(JSONValue.depthLimit) levels")
        }
        at += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard depth > 0 else {
          guard at > start else { throw error("expected a value") }
          return
        }
        depth -= 1
        at += 1
      case UInt8(ascii: ","), 0x20, 0x0A, 0x0D, 0x09:
        if depth == 0 {
          guard at > start else { throw error("expected a value") }
          return
        }
        at += 1
        continue
      default:
        at += 1
        continue
      }
      if depth == 0 { return }
    }
    guard depth == 0, at > start else { throw error("the text ends early") }
  }

  private mutating func passString() throws(JSONError) {
    at += 1
    while let byte = next {
      at += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return }
    }
    throw error("a text without its closing quote")
  }

  /// A text cut to its first bytes.
  private mutating func shortenedString() throws(JSONError) -> JSONValue {
    let start = at + 1
    try passString()
    let end = min(start + JSONReading.shortenedBytes, at - 1)
    let part = bytes[min(start, end)..<end].prefix { $0 != UInt8(ascii: "\\") }
    return .string(String(decoding: part, as: UTF8.self))
  }

  private func error(_ message: String) -> JSONError { JSONError(offset: at, message: message) }

  private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { at += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard next == byte else { return false }
    at += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    guard depth <= JSONValue.depthLimit else {
      throw error("nested deeper than \(JSONValue.depthLimit) levels")
    }
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case nil: throw error("the text ends early")
    default: return try number()
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
    guard bytes[at...].starts(with: word.utf8) else { throw error("unknown word") }
    at += word.utf8.count
    return value
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
    at += 1
    var members: [JSONValue.Member] = []
    if take(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw error("expected a name in quotes") }
      let name = try string()
      guard take(UInt8(ascii: ":")) else { throw error("expected ':'") }
      if depth == 0 {
        skipBlanks()
        if let wanted = reading.members, !wanted.contains(name) {
          try pass()
          continue
        }
        if next == UInt8(ascii: "\""), reading.shortened.contains(name) {
          members.append(.init(name, try shortenedString()))
          continue
        }
      }
      members.append(.init(name, try value(depth: depth + 1)))
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw error("expected ',' or '}'") }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
    at += 1
    var elements: [JSONValue] = []
    if take(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      elements.append(try value(depth: depth + 1))
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw error("expected ',' or ']'") }
    return .array(elements)
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = at
    if reading.takesNotFinite {
      for (word, number) in Self.notFinite where bytes[at...].starts(with: word.utf8) {
        at += word.utf8.count
        return .number(number)
      }
    }
    while let byte = next,
      (0x30...0x39).contains(byte) || byte == 0x2E || byte == 0x2D || byte == 0x65 || byte == 0x45
        || byte == 0x2B
    {
      at += 1
    }
    let text = String(decoding: bytes[start..<at], as: UTF8.self)
    let digits = text.first == "-" ? text.dropFirst() : text[...]
    guard let first = digits.first, first.isASCII, first.isNumber,
      digits.count == 1 || first != "0" || !(digits.dropFirst().first?.isNumber ?? false)
    else {
      at = start
      throw error("expected a value")
    }
    if let whole = Int64(text) { return .integer(whole) }
    guard text.last != ".", let number = Double(text), number.isFinite else {
      at = start
      throw error("not a number")
    }
    return .number(number)
  }

  private static let notFinite: [(String, Double)] = [
    ("NaN", .nan), ("Infinity", .infinity), ("-Infinity", -.infinity),
  ]

  private mutating func string() throws(JSONError) -> String {
    at += 1
    // Most texts have no escapes.
    let start = at
    while let byte = next, byte != 0x22, byte != 0x5C, byte >= 0x20 { at += 1 }
    if next == 0x22 {
      guard let text = String(validating: bytes[start..<at], as: UTF8.self) else {
        throw error("a text that is not UTF-8")
      }
      at += 1
      return text
    }
    var out = Array(bytes[start..<at])
    while let byte = next {
      at += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: out, as: UTF8.self) else {
          throw error("a text that is not UTF-8")
        }
        return text
      case UInt8(ascii: "\\"): try escape(into: &out)
      case 0..<0x20: throw error("a control character in a text")
      default: out.append(byte)
      }
    }
    throw error("a text without its closing quote")
  }

  private mutating func escape(into out: inout [UInt8]) throws(JSONError) {
    guard let byte = next else { throw error("the text ends early") }
    at += 1
    switch byte {
    case UInt8(ascii: "n"): out.append(0x0A)
    case UInt8(ascii: "r"): out.append(0x0D)
    case UInt8(ascii: "t"): out.append(0x09)
    case UInt8(ascii: "b"): out.append(0x08)
    case UInt8(ascii: "f"): out.append(0x0C)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): out.append(byte)
    case UInt8(ascii: "u"):
      var code = try hexadecimal()
      if (0xD800..<0xDC00).contains(code) {
        guard next == UInt8(ascii: "\\") else { throw error("half a surrogate pair") }
        at += 1
        guard next == UInt8(ascii: "u") else { throw error("half a surrogate pair") }
        at += 1
        let low = try hexadecimal()
        guard (0xDC00..<0xE000).contains(low) else { throw error("half a surrogate pair") }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw error("half a surrogate pair") }
      out += Array(String(Character(scalar)).utf8)
    default: throw error("unknown escape")
    }
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt32 {
    guard at + 4 <= bytes.count,
      bytes[at..<(at + 4)].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let code = UInt32(String(decoding: bytes[at..<(at + 4)], as: UTF8.self), radix: 16)
    else { throw error("expected four hexadecimal digits") }
    at += 4
    return code
  }
}
