/// A JSON value as Python's `json` reads it: with NaN and Infinity, and integers distinguished from
/// other numbers.
package enum PythonValue: Sendable {
  case none
  case bool(Bool)
  /// An integer; beyond 64 bits its nearest `Double`, which is infinite if Python cannot convert
  /// it.
  case whole(Double)
  case fraction(Double)
  case text(String)
  case list([PythonValue])
  case dictionary([String: PythonValue])

  /// The value for a dictionary's key; `nil` if there is none, or if this is not a dictionary.
  package subscript(key: String) -> PythonValue? {
    guard case .dictionary(let members) = self else { return nil }
    return members[key]
  }

  /// The number used in arithmetic: `true` is 1.
  package var number: Double? {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .whole(let value), .fraction(let value): value
    default: nil
    }
  }

  /// The value of `float()`, and in a numpy array of doubles: NaN for `None`, the number in a text.
  package var float: Double? {
    switch self {
    case .none: Double.nan
    case .text(let text): Self.parsedFloat(text)
    case .whole(let value): value.isFinite ? value : nil
    default: number
    }
  }

  /// The value of `int()`; `nil` if that raises an error.
  package var integer: Double? {
    switch self {
    case .text(let text): Self.parsedInteger(text)
    default: number.flatMap { $0.isFinite ? $0.rounded(.towardZero) : nil }
    }
  }

  /// True if Python's `if` treats it as true.
  package var isTrue: Bool {
    switch self {
    case .none: false
    case .text(let text): !text.isEmpty
    case .list(let elements): !elements.isEmpty
    case .dictionary(let members): !members.isEmpty
    default: number != 0
    }
  }

  /// The text without surrounding blanks and without underscores between digits.
  private static func digits(_ text: String) -> String? {
    var bytes = Array(text.utf8)
    let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    bytes.removeFirst(bytes.prefix(while: isBlank).count)
    let isDigit = { (place: Int) in
      bytes.indices.contains(place) && (0x30...0x39).contains(bytes[place])
    }
    var kept: [UInt8] = []
    for (place, byte) in bytes.enumerated() {
      guard byte == UInt8(ascii: "_") else {
        kept.append(byte)
        continue
      }
      guard isDigit(place - 1), isDigit(place + 1) else { return nil }
    }
    return String(decoding: kept, as: UTF8.self)
  }

  private static func parsedFloat(_ text: String) -> Double? {
    guard let text = digits(text), let first = text.utf8.first,
      text.utf8.allSatisfy({ !"xXpP(".utf8.contains($0) }), first > 0x20
    else { return nil }
    // Python accepts `5.` and `.5`, as strtod does.
    return Double(text) ?? Double(text + "0") ?? Double("0" + text)
  }

  private static func parsedInteger(_ text: String) -> Double? {
    guard let text = digits(text) else { return nil }
    let number = text.first.map { "+-".contains($0) } == true ? text.dropFirst() : text[...]
    guard !number.isEmpty, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Double(text)
  }
}

/// A key of a Python dictionary: 1, 1.0 and `True` are one.
package enum PythonKey: Hashable, Sendable {
  case none
  case number(Double)
  case text(String)
  /// NaN, which is equal to nothing, distinguished by a counter.
  case unequal(Int)

  /// `nil` if the value cannot be a key.
  package init?(_ value: PythonValue, count: Int) {
    switch value {
    case .none: self = .none
    case .text(let text): self = .text(text)
    case .list, .dictionary: return nil
    default:
      guard let number = value.number else { return nil }
      self = number.isNaN ? .unequal(count) : .number(number)
    }
  }
}

/// Reads values from text that is known to be JSON.
struct PythonReader {
  private let bytes: ArraySlice<UInt8>
  private var at: Int

  /// - Parameter bytes: elements of a list with commas between them.
  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    at = bytes.startIndex
  }

  private var next: UInt8 { at < bytes.endIndex ? bytes[at] : 0 }

  private mutating func skip() {
    while at < bytes.endIndex,
      next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 || next == UInt8(ascii: ",")
    {
      at += 1
    }
  }

  /// The next element; `nil` at the end.
  mutating func element() -> PythonValue? {
    skip()
    return at < bytes.endIndex ? value() : nil
  }

  private mutating func value() -> PythonValue {
    skip()
    switch next {
    case UInt8(ascii: "{"): return dictionary()
    case UInt8(ascii: "["): return list()
    case UInt8(ascii: "\""): return .text(text())
    default: return word()
    }
  }

  private mutating func dictionary() -> PythonValue {
    at += 1
    var members: [String: PythonValue] = [:]
    while true {
      skip()
      guard next == UInt8(ascii: "\"") else { break }
      let name = text()
      while at < bytes.endIndex, next != UInt8(ascii: ":") { at += 1 }
      at += 1
      members[name] = value()
    }
    at += 1
    return .dictionary(members)
  }

  private mutating func list() -> PythonValue {
    at += 1
    var elements: [PythonValue] = []
    while true {
      skip()
      guard at < bytes.endIndex, next != UInt8(ascii: "]") else { break }
      elements.append(value())
    }
    at += 1
    return .list(elements)
  }

  private mutating func word() -> PythonValue {
    let start = at
    while at < bytes.endIndex, !",]} \n\r\t:".utf8.contains(next) { at += 1 }
    // Whatever the byte is, reading continues after it.
    if at == start { at += 1 }
    let word = String(decoding: bytes[start..<min(at, bytes.endIndex)], as: UTF8.self)
    switch word {
    case "null": return .none
    case "true": return .bool(true)
    case "false": return .bool(false)
    default: break
    }
    let number = Double(word) ?? .nan
    return word.utf8.contains { ".eENI".utf8.contains($0) } ? .fraction(number) : .whole(number)
  }

  private mutating func text() -> String {
    let start = at + 1
    at = start
    var isPlain = true
    while at < bytes.endIndex, next != UInt8(ascii: "\"") {
      if next == UInt8(ascii: "\\") {
        isPlain = false
        at += 1
      }
      at += 1
    }
    let end = min(at, bytes.endIndex)
    at = end + 1
    if isPlain { return String(decoding: bytes[start..<end], as: UTF8.self) }
    return Self.unescaped(bytes[start..<end])
  }

  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    var units: [UInt16] = []
    var at = bytes.startIndex
    var plain: [UInt8] = []
    func flush() {
      units += Array(String(decoding: plain, as: UTF8.self).utf16)
      plain = []
    }
    while at < bytes.endIndex {
      guard bytes[at] == UInt8(ascii: "\\"), at + 1 < bytes.endIndex else {
        plain.append(bytes[at])
        at += 1
        continue
      }
      let letter = bytes[at + 1]
      at += 2
      switch letter {
      case UInt8(ascii: "n"): plain.append(0x0A)
      case UInt8(ascii: "r"): plain.append(0x0D)
      case UInt8(ascii: "t"): plain.append(0x09)
      case UInt8(ascii: "b"): plain.append(0x08)
      case UInt8(ascii: "f"): plain.append(0x0C)
      case UInt8(ascii: "u"):
        flush()
        let end = min(at + 4, bytes.endIndex)
        units.append(UInt16(String(decoding: bytes[at..<end], as: UTF8.self), radix: 16) ?? 0xFFFD)
        at = end
      default: plain.append(letter)
      }
    }
    flush()
    return String(decoding: units, as: UTF16.self)
  }
}
