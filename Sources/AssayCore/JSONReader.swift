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
    var reader = JSONReader(bytes: Array(text.utf8))
    self = try reader.document()
  }
}

private struct JSONReader {
  let bytes: [UInt8]
  var at = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() throws(JSONError) -> JSONValue {
    let value = try value(depth: 0)
    skipBlanks()
    guard at == bytes.count else { throw error("text after the end of the value") }
    return value
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
    while let byte = next,
      (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte)
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

  private mutating func string() throws(JSONError) -> String {
    at += 1
    var out: [UInt8] = []
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
