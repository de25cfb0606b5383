/// Reads Thrift's compact protocol. Nothing that the bytes state is trusted.
///
/// Source: Apache Thrift, "Thrift Compact protocol encoding".
struct ThriftReader {
  /// The types of fields and elements.
  enum Kind: UInt8 {
    case yes = 1
    case no, byte, int16, int32, int64, double, binary, list, set, map, structure
  }

  private let bytes: [UInt8]
  /// The index of the next byte.
  private(set) var position: Int
  private var depth = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = 0
  }

  /// The end of the bytes in the middle of a value.
  struct Truncated: Error {}

  private mutating func byte() throws -> UInt8 {
    guard position < bytes.count else { throw Truncated() }
    defer { position += 1 }
    return bytes[position]
  }

  private mutating func varint() throws -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      let next = try byte()
      value |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return value }
    }
    throw ParquetProblem.damaged("a number of its header has more than 64 bits")
  }

  /// Reads the fields of a structure. `body` must read or ``skip(_:)`` each field.
  mutating func fields(_ body: (inout ThriftReader, Int, Kind) throws -> Void) throws {
    try deeper()
    var last = 0
    while true {
      let head = try byte()
      if head == 0 { break }
      guard let kind = Kind(rawValue: head & 0x0F) else {
        throw ParquetProblem.damaged("a field of its header has an unknown type")
      }
      if head >> 4 == 0 {
        last = Int(truncatingIfNeeded: try integer()) & 0xFFFF
      } else {
        last += Int(head >> 4)
      }
      try body(&self, last, kind)
    }
    depth -= 1
  }

  private mutating func deeper() throws {
    depth += 1
    guard depth <= ParquetLimits.depth else {
      throw ParquetProblem.damaged("its header is nested too deeply")
    }
  }

  /// Reads a whole number.
  mutating func integer() throws -> Int64 {
    let value = try varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// Reads a whole number of a field; other fields are an error.
  mutating func integer(_ kind: Kind) throws -> Int64 {
    switch kind {
    case .int16, .int32, .int64: return try integer()
    case .byte: return Int64(Int8(bitPattern: try byte()))
    default: throw ParquetProblem.damaged("a field of its header is no number")
    }
  }

  /// Reads a number that must be from 0 to a limit.
  mutating func count(_ kind: Kind, upTo limit: Int = .max) throws -> Int {
    let value = try integer(kind)
    guard let count = Int(exactly: value), (0...limit).contains(count) else {
      throw ParquetProblem.damaged("its header states \(value), expected 0 to \(limit)")
    }
    return count
  }

  /// Reads the value of a field of type bool.
  func flag(_ kind: Kind) throws -> Bool {
    guard kind == .yes || kind == .no else {
      throw ParquetProblem.damaged("a field of its header is no bool")
    }
    return kind == .yes
  }

  /// Reads bytes.
  mutating func binary(_ kind: Kind) throws -> ArraySlice<UInt8> {
    guard kind == .binary else {
      throw ParquetProblem.damaged("a field of its header is no text")
    }
    let length = try varint()
    guard length <= UInt64(bytes.count - position) else { throw Truncated() }
    defer { position += Int(length) }
    return bytes[position..<position + Int(length)]
  }

  /// Reads a text.
  mutating func text(_ kind: Kind) throws -> String {
    guard let text = String(validating: try binary(kind), as: UTF8.self) else {
      throw ParquetProblem.damaged("a name is not UTF-8")
    }
    return text
  }

  /// Reads a list. `body` must read or ``skip(_:)`` each element.
  mutating func list(
    _ kind: Kind, upTo limit: Int, _ body: (inout ThriftReader, Kind) throws -> Void
  ) throws {
    guard kind == .list || kind == .set else {
      throw ParquetProblem.damaged("a field of its header is no list")
    }
    let (count, element) = try listHead()
    guard count <= limit else {
      throw ParquetProblem.damaged("a list of its header has \(count) elements, over \(limit)")
    }
    for _ in 0..<count { try body(&self, element) }
  }

  private mutating func listHead() throws -> (Int, Kind) {
    let head = try byte()
    let count = head >> 4 == 15 ? try varint() : UInt64(head >> 4)
    // An element has at least one byte.
    guard count <= UInt64(bytes.count - position) else { throw Truncated() }
    guard let element = Kind(rawValue: max(1, head & 0x0F)) else {
      throw ParquetProblem.damaged("a list of its header has an unknown type")
    }
    return (Int(count), element)
  }

  /// Passes over a value.
  mutating func skip(_ kind: Kind, inList: Bool = false) throws {
    switch kind {
    case .yes, .no: if inList { _ = try byte() }
    case .byte: _ = try byte()
    case .int16, .int32, .int64: _ = try varint()
    case .double:
      guard bytes.count - position >= 8 else { throw Truncated() }
      position += 8
    case .binary: _ = try binary(kind)
    case .list, .set:
      try deeper()
      let (count, element) = try listHead()
      for _ in 0..<count { try skip(element, inList: true) }
      depth -= 1
    case .map:
      try deeper()
      let count = try varint()
      if count > 0 {
        let kinds = try byte()
        guard count <= UInt64(bytes.count - position) else { throw Truncated() }
        guard let key = Kind(rawValue: max(1, kinds >> 4)),
          let value = Kind(rawValue: max(1, kinds & 0x0F))
        else { throw ParquetProblem.damaged("a map of its header has an unknown type") }
        for _ in 0..<count {
          try skip(key, inList: true)
          try skip(value, inList: true)
        }
      }
      depth -= 1
    case .structure: try fields { reader, _, kind in try reader.skip(kind) }
    }
  }
}
