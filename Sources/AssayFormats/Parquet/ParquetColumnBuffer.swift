/// The values of one column of a row group that is written.
struct ParquetColumnBuffer {
  private let kind: ParquetTable.Kind
  private let isRequired: Bool
  private var definitions: [UInt8] = []
  private var repetitions: [UInt8] = []
  private var plain: [UInt8] = []
  private var flags: [Bool] = []
  /// The places of texts in the dictionary; `nil` once there are too many.
  private var indices: [Int]? = []
  private var places: [String: Int] = [:]
  private var texts: [UInt8] = []

  /// The number of texts of a dictionary.
  private static let dictionaryLimit = 4096

  init(_ kind: ParquetTable.Kind, isRequired: Bool) {
    self.kind = kind
    self.isRequired = isRequired
  }

  /// The number of values, with nulls and empty lists.
  var count: Int { definitions.count }
  /// The approximate size in bytes.
  var size: Int { plain.count + 2 * definitions.count }

  /// The definition level of a value that is there.
  private var maxDefinition: UInt8 { (isRequired ? 0 : 1) + (kind.isList ? 1 : 0) }

  mutating func add(_ cell: ParquetTable.Cell) {
    switch (cell, kind) {
    case (.integer(let value), .integer):
      define()
      append(UInt64(bitPattern: value), bytes: 8)
    case (.number(let value), .number):
      define()
      append(value.bitPattern, bytes: 8)
    case (.flag(let value), .flag):
      define()
      flags.append(value)
    case (.text(let value), .text):
      define()
      append(value)
    case (.texts(let values), .texts):
      list(values.count)
      for value in values { append(value) }
    case (.numbers(let values), .numbers):
      list(values.count)
      for value in values { append(value.bitPattern, bytes: 8) }
    default:
      // A required column gets the value that stands for nothing.
      if isRequired {
        switch kind {
        case .integer: add(.integer(0))
        case .number: add(.number(.nan))
        case .flag: add(.flag(false))
        case .text: add(.text(""))
        case .texts: add(.texts([]))
        case .numbers: add(.numbers([]))
        }
      } else {
        definitions.append(0)
        repetitions.append(0)
      }
    }
  }

  private mutating func define() {
    definitions.append(maxDefinition)
    repetitions.append(0)
  }

  private mutating func list(_ count: Int) {
    guard count > 0 else {
      definitions.append(maxDefinition - 1)
      repetitions.append(0)
      return
    }
    for place in 0..<count {
      definitions.append(maxDefinition)
      repetitions.append(place == 0 ? 0 : 1)
    }
  }

  private mutating func append(_ value: UInt64, bytes count: Int) {
    for byte in 0..<count { plain.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * byte))) }
  }

  private mutating func append(_ text: String) {
    let start = plain.count
    append(UInt64(text.utf8.count), bytes: 4)
    plain += Array(text.utf8)
    guard indices != nil else { return }
    if let place = places[text] {
      indices?.append(place)
    } else if places.count < Self.dictionaryLimit {
      indices?.append(places.count)
      places[text] = places.count
      texts += plain[start...]
    } else {
      indices = nil
      (places, texts) = ([:], [])
    }
  }

  /// The levels before the values of a page.
  var levels: [UInt8] {
    (kind.isList ? Self.levels(repetitions) : [])
      + (maxDefinition > 0 ? Self.levels(definitions) : [])
  }

  /// Levels as runs, with their length.
  private static func levels(_ values: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var start = 0
    while start < values.count {
      let end = values[start...].firstIndex { $0 != values[start] } ?? values.count
      varint((end - start) << 1, &bytes)
      bytes.append(values[start])
      start = end
    }
    return (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
  }

  private static func varint(_ value: Int, _ bytes: inout [UInt8]) {
    var value = value
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(value))
  }

  /// The values one after the other.
  var values: [UInt8] { kind == .flag ? Self.packed(flags.map { $0 ? 1 : 0 }, width: 1) : plain }

  /// The texts, and the index of each value, if that is shorter than the values; else `nil`.
  func dictionary() -> (page: [UInt8], count: Int, indices: [UInt8])? {
    guard kind == .text || kind == .texts, let indices, !indices.isEmpty,
      2 * places.count <= indices.count
    else { return nil }
    var width = 1
    while 1 << width < places.count { width += 1 }
    var bytes = [UInt8(width)]
    Self.varint(((indices.count + 7) / 8) << 1 | 1, &bytes)
    // Groups have 8 values.
    let padding = (8 - indices.count % 8) % 8
    bytes += Self.packed(indices + Array(repeating: 0, count: padding), width: width)
    return (texts, places.count, bytes)
  }

  /// Numbers of a few bits, the lowest first.
  private static func packed(_ values: [Int], width: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var (bits, held) = (0, 0)
    for value in values {
      bits |= value << held
      held += width
      while held >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        held -= 8
      }
    }
    if held > 0 { bytes.append(UInt8(truncatingIfNeeded: bits)) }
    return bytes
  }
}
