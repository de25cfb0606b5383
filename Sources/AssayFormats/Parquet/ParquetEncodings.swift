/// The encodings of numbers.
///
/// Source: Apache Parquet, "Encodings".
enum ParquetEncodings {
  /// Reads numbers of a few bits in runs and packed groups (RLE, bit width from 0 to 32).
  static func runs(_ input: inout ParquetBytes, count: Int, width: Int) throws -> [UInt32] {
    guard (0...32).contains(width) else {
      throw ParquetProblem.damaged("indices of \(width) bits")
    }
    guard width > 0 else { return [UInt32](repeating: 0, count: count) }
    var values: [UInt32] = []
    values.reserveCapacity(count)
    let mask = width == 32 ? UInt64(UInt32.max) : (1 << UInt64(width)) - 1
    while values.count < count {
      let head = try input.varint()
      if head & 1 == 0 {
        let value = UInt32(truncatingIfNeeded: try input.number(bytes: (width + 7) / 8) & mask)
        let run = Int(min(head >> 1, UInt64(count - values.count)))
        values.append(contentsOf: repeatElement(value, count: run))
        continue
      }
      let groups = head >> 1
      let wanted = min(groups, UInt64((count - values.count + 7) / 8))
      // Writers may end the last group early.
      let size = min(Int(wanted) * width, input.remaining)
      let start = try input.take(size)
      let part = min(Int(wanted) * 8, count - values.count, size * 8 / width)
      guard part > 0 else { throw ParquetBytes.short }
      var (bits, held, place) = (UInt64(0), 0, start)
      for _ in 0..<part {
        while held < width {
          bits |= UInt64(input.bytes[place]) << UInt64(held)
          place += 1
          held += 8
        }
        values.append(UInt32(truncatingIfNeeded: bits & mask))
        bits >>= UInt64(width)
        held -= width
      }
    }
    return values
  }

  /// Reads DELTA_BINARY_PACKED numbers, and leaves the input behind them.
  static func deltas(_ input: inout ParquetBytes, count: Int) throws -> [Int64] {
    let block = try input.varint()
    let parts = try input.varint()
    let total = try input.varint()
    var value = try input.zigzag()
    guard block > 0, block <= 1 << 20, parts > 0, parts <= block, block % parts == 0,
      block / parts % 8 == 0
    else { throw ParquetProblem.damaged("blocks of \(block) numbers in \(parts) parts") }
    guard total == UInt64(count) else {
      throw ParquetProblem.damaged("a page has \(total) numbers, expected \(count)")
    }
    let length = Int(block / parts)
    var values: [Int64] = []
    values.reserveCapacity(count)
    if count > 0 { values.append(value) }
    while values.count < count {
      let least = try input.zigzag()
      let widths = try input.take(Int(parts))
      for part in 0..<Int(parts) where values.count < count {
        let width = Int(input.bytes[widths + part])
        guard width <= 64 else { throw ParquetProblem.damaged("differences of \(width) bits") }
        let start = try input.take(length * width / 8)
        for number in 0..<min(length, count - values.count) {
          let delta = bits(input.bytes, start, at: number * width, width)
          value = value &+ least &+ Int64(bitPattern: delta)
          values.append(value)
        }
      }
    }
    return values
  }

  /// A number of up to 64 bits, the lowest first.
  private static func bits(_ bytes: [UInt8], _ start: Int, at bit: Int, _ width: Int) -> UInt64 {
    guard width > 0 else { return 0 }
    var value: UInt64 = 0
    var (place, shift, taken) = (start + bit / 8, bit % 8, 0)
    while taken < width {
      let part = min(8 - shift, width - taken)
      let mask = UInt64(1) << UInt64(part) - 1
      value |= (UInt64(bytes[place] >> UInt8(shift)) & mask) << UInt64(taken)
      taken += part
      place += 1
      shift = 0
    }
    return value
  }

  /// Reads lengths, which must not be negative.
  static func lengths(_ input: inout ParquetBytes, count: Int) throws -> [Int] {
    try deltas(&input, count: count).map { length in
      guard (0...Int64(ParquetLimits.page)).contains(length) else {
        throw ParquetProblem.damaged("a value has the length \(length)")
      }
      return Int(length)
    }
  }
}
