/// The values of a page or dictionary that are there, without nulls.
enum ParquetValues: Sendable {
  case flags([Bool])
  case integers([Int64])
  case numbers([Double])
  case bytes(ParquetByteColumn)

  var count: Int {
    switch self {
    case .flags(let values): values.count
    case .integers(let values): values.count
    case .numbers(let values): values.count
    case .bytes(let values): values.ranges.count
    }
  }
}

/// Values of bytes, in one array.
struct ParquetByteColumn: Sendable {
  var storage: [UInt8]
  var ranges: [Range<Int>]

  subscript(index: Int) -> ArraySlice<UInt8> { storage[ranges[index]] }
}

extension ParquetValues {
  private static let encodings = [
    "PLAIN", "GROUP_VAR_INT", "PLAIN_DICTIONARY", "RLE", "BIT_PACKED", "DELTA_BINARY_PACKED",
    "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY", "RLE_DICTIONARY", "BYTE_STREAM_SPLIT",
  ]

  /// Decodes the values of a page.
  ///
  /// - Parameters:
  ///   - input: the encoded values, to their end.
  ///   - count: the number of values.
  ///   - dictionary: the chunk's dictionary; `nil` if it has none.
  /// - Throws: ``ParquetProblem``.
  init(
    _ input: inout ParquetBytes, encoding: Int, count: Int, of leaf: ParquetSchema.Leaf,
    dictionary: ParquetValues?
  ) throws {
    switch (encoding, leaf.physical) {
    case (_, .int96):
      throw ParquetProblem("the column \(leaf.name) has the type INT96, which is not read")
    case (0, _): self = try Self.plain(&input, count, leaf)
    case (2, _), (8, _):
      guard let dictionary else {
        throw ParquetProblem.damaged("the column \(leaf.name) lacks its dictionary")
      }
      // A page of nulls can be empty.
      let width = count > 0 ? Int(try input.byte()) : 0
      self = try dictionary.picking(
        try ParquetEncodings.runs(&input, count: count, width: width), leaf)
    case (3, .boolean):
      let length = Int(try input.number(bytes: 4))
      let start = try input.take(length)
      var part = ParquetBytes(input.bytes, start..<start + length)
      self = .flags(try ParquetEncodings.runs(&part, count: count, width: 1).map { $0 != 0 })
    case (5, .int32):
      self = .integers(
        try ParquetEncodings.deltas(&input, count: count).map {
          Self.int32(UInt64(truncatingIfNeeded: $0), leaf)
        })
    case (5, .int64): self = .integers(try ParquetEncodings.deltas(&input, count: count))
    case (6, .byteArray):
      let lengths = try ParquetEncodings.lengths(&input, count: count)
      self = .bytes(try Self.following(&input, lengths))
    case (7, .byteArray), (7, .fixedBytes): self = .bytes(try Self.prefixed(&input, count))
    case (9, .int32), (9, .int64), (9, .float), (9, .double), (9, .fixedBytes):
      self = try Self.split(&input, count, leaf)
    default:
      let name =
        Self.encodings.indices.contains(encoding) ? Self.encodings[encoding] : "\(encoding)"
      throw ParquetProblem("the column \(leaf.name) has the encoding \(name), which is not read")
    }
  }

  private static func int32(_ value: UInt64, _ leaf: ParquetSchema.Leaf) -> Int64 {
    leaf.meaning == .unsigned
      ? Int64(UInt32(truncatingIfNeeded: value)) : Int64(Int32(truncatingIfNeeded: value))
  }

  /// The size of a value of a fixed size.
  private static func size(of leaf: ParquetSchema.Leaf) -> Int {
    switch leaf.physical {
    case .int32, .float: 4
    case .fixedBytes: leaf.length
    default: 8
    }
  }

  private static func plain(
    _ input: inout ParquetBytes, _ count: Int, _ leaf: ParquetSchema.Leaf
  ) throws -> ParquetValues {
    switch leaf.physical {
    case .boolean:
      let start = try input.take((count + 7) / 8)
      return .flags((0..<count).map { input.bytes[start + $0 / 8] >> UInt8($0 % 8) & 1 == 1 })
    case .byteArray:
      var ranges: [Range<Int>] = []
      ranges.reserveCapacity(count)
      for _ in 0..<count {
        let length = Int(try input.number(bytes: 4))
        let start = try input.take(length)
        ranges.append(start..<start + length)
      }
      return .bytes(ParquetByteColumn(storage: input.bytes, ranges: ranges))
    default: return try fixed(&input, count, leaf)
    }
  }

  /// Values of a fixed size, one after the other.
  private static func fixed(
    _ input: inout ParquetBytes, _ count: Int, _ leaf: ParquetSchema.Leaf
  ) throws -> ParquetValues {
    let size = size(of: leaf)
    let (total, isOver) = count.multipliedReportingOverflow(by: size)
    guard !isOver else { throw ParquetBytes.short }
    let start = try input.take(total)
    if leaf.physical == .fixedBytes {
      return .bytes(
        ParquetByteColumn(
          storage: input.bytes,
          ranges: (0..<count).map { start + $0 * size..<start + ($0 + 1) * size }))
    }
    let words = input.bytes.withUnsafeBytes { bytes in
      (0..<count).map { index -> UInt64 in
        size == 4
          ? UInt64(
            UInt32(
              littleEndian: bytes.loadUnaligned(fromByteOffset: start + 4 * index, as: UInt32.self))
          )
          : UInt64(
            littleEndian: bytes.loadUnaligned(fromByteOffset: start + 8 * index, as: UInt64.self))
      }
    }
    switch leaf.physical {
    case .float:
      return .numbers(words.map { Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0))) })
    case .double: return .numbers(words.map { Double(bitPattern: $0) })
    case .int32: return .integers(words.map { int32($0, leaf) })
    default: return .integers(words.map { Int64(bitPattern: $0) })
    }
  }

  /// BYTE_STREAM_SPLIT: the first bytes of all values, then the second ones, and so on.
  private static func split(
    _ input: inout ParquetBytes, _ count: Int, _ leaf: ParquetSchema.Leaf
  ) throws -> ParquetValues {
    let size = size(of: leaf)
    let (total, isOver) = count.multipliedReportingOverflow(by: size)
    guard !isOver else { throw ParquetBytes.short }
    let start = try input.take(total)
    var joined = [UInt8](repeating: 0, count: total)
    for value in 0..<count {
      for byte in 0..<size {
        joined[value * size + byte] = input.bytes[start + byte * count + value]
      }
    }
    var values = ParquetBytes(joined)
    return try fixed(&values, count, leaf)
  }

  /// Values of stated lengths, one after the other.
  private static func following(
    _ input: inout ParquetBytes, _ lengths: [Int]
  ) throws -> ParquetByteColumn {
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(lengths.count)
    for length in lengths {
      let start = try input.take(length)
      ranges.append(start..<start + length)
    }
    return ParquetByteColumn(storage: input.bytes, ranges: ranges)
  }

  /// DELTA_BYTE_ARRAY: each value begins with a part of the one before.
  private static func prefixed(
    _ input: inout ParquetBytes, _ count: Int
  ) throws -> ParquetByteColumn {
    let prefixes = try ParquetEncodings.lengths(&input, count: count)
    let lengths = try ParquetEncodings.lengths(&input, count: count)
    let ends = try following(&input, lengths)
    var storage: [UInt8] = []
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(count)
    for (index, prefix) in prefixes.enumerated() {
      let last = ranges.last ?? 0..<0
      guard prefix <= last.count else {
        throw ParquetProblem.damaged("a value shares more bytes than the one before has")
      }
      guard storage.count + prefix + lengths[index] <= ParquetLimits.freePage else {
        throw ParquetProblem(
          "a page of DELTA_BYTE_ARRAY has more than \(ParquetLimits.freePage >> 20) MiB, the limit")
      }
      let start = storage.count
      storage.append(contentsOf: Array(storage[last.lowerBound..<last.lowerBound + prefix]))
      storage.append(contentsOf: ends[index])
      ranges.append(start..<storage.count)
    }
    return ParquetByteColumn(storage: storage, ranges: ranges)
  }

  /// The values of a dictionary at some indices.
  private func picking(_ indices: [UInt32], _ leaf: ParquetSchema.Leaf) throws -> ParquetValues {
    let limit = UInt32(clamping: count)
    guard indices.allSatisfy({ $0 < limit }) else {
      throw ParquetProblem.damaged("an index of the column \(leaf.name) is not in its dictionary")
    }
    return switch self {
    case .flags(let values): .flags(indices.map { values[Int($0)] })
    case .integers(let values): .integers(indices.map { values[Int($0)] })
    case .numbers(let values): .numbers(indices.map { values[Int($0)] })
    case .bytes(let values):
      .bytes(
        ParquetByteColumn(storage: values.storage, ranges: indices.map { values.ranges[Int($0)] }))
    }
  }
}
