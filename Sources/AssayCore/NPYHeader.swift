/// The header of a NumPy array in the form of `.npy` files, which the array's values follow.
///
/// Source: NumPy's `numpy/lib/format.py` (NEP 1), versions 1.0 to 3.0.
package struct NPYHeader: Hashable, Sendable {
  /// The element types that are read. The raw value is NumPy's spelling without the byte order.
  package enum Element: String, CaseIterable, Sendable {
    case f2, f4, f8, i1, i2, i4, i8, u1, u2, u4, u8
    /// A truth value in one byte.
    case bool = "b1"

    /// The number of bytes of a value.
    package var size: Int {
      switch self {
      case .i1, .u1, .bool: 1
      case .f2, .i2, .u2: 2
      case .f4, .i4, .u4: 4
      case .f8, .i8, .u8: 8
      }
    }
  }

  package var element: Element
  /// The length of each axis, slowest first; empty for a single value.
  package var shape: [Int]

  package init(element: Element, shape: [Int]) {
    self.element = element
    self.shape = shape
  }

  /// The bytes before the header's own length is known.
  package static let startCount = 12
  /// The maximum length of a header in bytes.
  package static let limit = 1 << 16

  /// The number of values; `nil` if it overflows.
  package var count: Int? {
    var product = 1
    for side in shape {
      let (next, overflow) = product.multipliedReportingOverflow(by: side)
      guard !overflow else { return nil }
      product = next
    }
    return product
  }

  /// The number of bytes of the values; `nil` if it overflows.
  package var byteCount: Int? {
    guard let count else { return nil }
    let (bytes, overflow) = count.multipliedReportingOverflow(by: element.size)
    return overflow ? nil : bytes
  }
}

/// A fault of a NumPy array, as the end of a sentence that begins with the array's name.
package struct NPYFault: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

extension NPYHeader {
  /// The number of bytes of the whole header, from its first bytes.
  ///
  /// - Parameter start: the first ``startCount`` bytes of the array.
  /// - Throws: ``NPYFault`` if they are not those of an array, or if the header is longer than
  ///   ``limit``.
  package static func length(of start: some Collection<UInt8>) throws(NPYFault) -> Int {
    let bytes = Array(start.prefix(startCount))
    guard bytes.count == startCount, bytes[0] == 0x93, bytes[1..<6].elementsEqual("NUMPY".utf8)
    else { throw NPYFault("is no NumPy array: it does not begin with \\x93NUMPY") }
    guard (1...3).contains(bytes[6]) else {
      throw NPYFault("has the version \(bytes[6]) of NumPy's form; 1 to 3 can be read")
    }
    let length =
      bytes[6] == 1
      ? 10 + Int(bytes[8]) + Int(bytes[9]) << 8
      : 12 + (8..<12).reduce(0) { $0 + Int(bytes[$1]) << (8 * ($1 - 8)) }
    guard length <= limit else { throw NPYFault("has a header of \(length) bytes") }
    guard length >= startCount else { throw NPYFault("has a header that is cut off") }
    return length
  }

  /// The fields of a header as they are written.
  package struct Fields: Hashable, Sendable {
    /// The element type as Python text: `'<f4'`, or a list for a structured type.
    package var type: String
    package var isFortran: Bool
    /// The length of each axis.
    package var shape: [Int]
    /// The number of bytes of the whole header.
    package var length: Int
  }

  /// Reads the fields of a header.
  ///
  /// - Parameter bytes: the beginning of the array, at least the bytes of ``length(of:)``.
  /// - Throws: ``NPYFault``.
  package static func fields(of bytes: [UInt8]) throws(NPYFault) -> Fields {
    let length = try Self.length(of: bytes)
    guard bytes.count >= length else { throw NPYFault("has a header that is cut off") }
    var literal = PythonLiteral(Array(bytes[(bytes[6] == 1 ? 10 : 12)..<length]))
    guard let fields = literal.header() else { throw NPYFault("has a damaged header") }
    return Fields(
      type: fields.type, isFortran: fields.isFortran, shape: fields.shape, length: length)
  }

  /// Reads a whole header.
  ///
  /// - Parameter bytes: exactly the bytes of ``length(of:)``.
  /// - Throws: ``NPYFault``, also for objects, which are Python's pickles and never read, for big-endian
  ///   values and for Fortran's order.
  package init(_ bytes: [UInt8]) throws(NPYFault) {
    let fields = try Self.fields(of: bytes)
    guard bytes.count == fields.length else { throw NPYFault("has a header that is cut off") }
    guard fields.type.hasPrefix("'") else { throw NPYFault("has a damaged header") }
    self.element = try Self.element(of: String(fields.type.dropFirst().dropLast()))
    guard !fields.isFortran || fields.shape.count < 2 else {
      throw NPYFault("is in Fortran's order; save numpy.ascontiguousarray(array)")
    }
    self.shape = fields.shape
    guard byteCount != nil else { throw NPYFault("has an impossible shape, \(shape)") }
  }

  private static func element(of type: String) throws(NPYFault) -> Element {
    guard !type.contains("O") else {
      throw NPYFault("holds Python objects (pickles), which are never read; save numbers")
    }
    let order = type.first
    guard let element = Element(rawValue: String(type.dropFirst())),
      order == "<" || order == "|" || order == "=" || element.size == 1
    else {
      throw NPYFault(
        "has the element type “\(type.prefix(40))”; "
          + (order == ">"
            ? "save array.astype(array.dtype.newbyteorder(\"<\"))"
            : "numbers of float, int and uint and bool can be read"))
    }
    return element
  }

  /// The header's bytes, version 1.0; `nil` if a length is negative or there are thousands of axes.
  package var bytes: [UInt8]? {
    Self.bytes(type: (element.size == 1 ? "|" : "<") + element.rawValue, shape: shape)
  }

  /// The bytes of a header, version 1.0; `nil` if a length is negative or there are thousands of axes.
  ///
  /// - Parameter type: NumPy's spelling with the byte order, `<f4`, without quotation marks.
  package static func bytes(type: String, shape: [Int]) -> [UInt8]? {
    guard shape.allSatisfy({ $0 >= 0 }) else { return nil }
    let sides = shape.map(String.init).joined(separator: ", ") + (shape.count == 1 ? "," : "")
    var header =
      "{'descr': '\(type)', 'fortran_order': False, 'shape': (\(sides)), }"
    // The values begin at a multiple of 64, after 10 bytes and a header that ends with a line feed.
    let unpadded = 10 + header.utf8.count + 1
    header += String(repeating: " ", count: (64 - unpadded % 64) % 64) + "\n"
    guard let length = UInt16(exactly: header.utf8.count) else { return nil }
    return [0x93] + Array("NUMPY".utf8)
      + [1, 0, UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8)]
      + Array(header.utf8)
  }
}

/// The dictionary in a header: texts, truth values and a tuple of whole numbers.
private struct PythonLiteral {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func header() -> (type: String, isFortran: Bool, shape: [Int])? {
    var type: String?
    var isFortran: Bool?
    var shape: [Int]?
    guard takes("{") else { return nil }
    while !takes("}") {
      guard let key = text(), takes(":") else { return nil }
      switch key {
      case "descr": type = element()
      case "fortran_order": isFortran = truth()
      case "shape": shape = tuple()
      default: return nil
      }
      if !takes(",") {
        guard takes("}") else { return nil }
        break
      }
    }
    guard let type, let isFortran, let shape else { return nil }
    return (type, isFortran, shape)
  }

  private mutating func passBlanks() {
    while place < bytes.count, [0x20, 0x0A, 0x09, 0x0D].contains(bytes[place]) { place += 1 }
  }

  private mutating func takes(_ word: StaticString) -> Bool {
    passBlanks()
    let word = word.withUTF8Buffer { Array($0) }
    guard bytes[place...].starts(with: word) else { return false }
    place += word.count
    return true
  }

  private mutating func text() -> String? {
    passBlanks()
    guard place < bytes.count, bytes[place] == 0x27 || bytes[place] == 0x22,
      let end = bytes[(place + 1)...].firstIndex(of: bytes[place])
    else { return nil }
    defer { place = end + 1 }
    return String(validating: bytes[(place + 1)..<end], as: UTF8.self)
  }

  /// A text between single quotation marks, or the text of a list with its brackets.
  private mutating func element() -> String? {
    if let text = text() { return "'\(text)'" }
    guard place < bytes.count, bytes[place] == 0x5B else { return nil }
    let start = place
    var depth = 0
    while place < bytes.count {
      if bytes[place] == 0x27 || bytes[place] == 0x22 {
        guard text() != nil else { return nil }
        continue
      }
      if bytes[place] == 0x5B { depth += 1 }
      if bytes[place] == 0x5D { depth -= 1 }
      place += 1
      if depth == 0 { return String(validating: bytes[start..<place], as: UTF8.self) }
    }
    return nil
  }

  private mutating func truth() -> Bool? {
    if takes("True") { return true }
    return takes("False") ? false : nil
  }

  private mutating func tuple() -> [Int]? {
    guard takes("(") else { return nil }
    var values: [Int] = []
    while !takes(")") {
      passBlanks()
      let digits = bytes[place...].prefix { (0x30...0x39).contains($0) }
      guard let value = Int(String(decoding: digits, as: UTF8.self)), values.count < 64 else {
        return nil
      }
      place += digits.count
      // Python 2 wrote lengths as long integers.
      _ = takes("L")
      values.append(value)
      if !takes(",") { return takes(")") ? values : nil }
    }
    return values
  }
}
