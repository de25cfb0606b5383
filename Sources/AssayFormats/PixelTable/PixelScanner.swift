/// Reads rows of whole numbers in 0...255 from text, 64 bytes at a time.
///
/// It accepts exactly one spelling: one to three digits, one separator between two numbers, nothing
/// before or after. All other text is rejected without a reason, which ``LenientPixels``
/// determines. Bytes are classified eight at a time in ordinary registers: of the valid characters
/// only digits have bit 4 set, so one bit per byte marks the separators, and each number's end is
/// then known before its value is computed. Source: the idea is from G. Langdale and D. Lemire,
/// "Parsing Gigabytes of JSON per Second" (2019), doi:10.1007/s00778-019-00578-5, without their
/// vector instructions.
/// - Complexity: O(*n*) for *n* bytes; about 2 GB per second and core.
struct PixelScanner: Sendable {
  /// The separator's bits that differ from a digit's upper half, and its lower half, in every byte.
  private let separatorNibbles: UInt64
  private let separator: UInt8
  /// For 12 bits (tens, hundreds, ones, from the lowest) the value, or ``bad``.
  private let values: [UInt16]

  private static let bad: UInt16 = 0x100
  private static let allValues: [UInt16] = (0..<4096).map { key in
    let (tens, hundreds, ones) = (key & 15, key >> 4 & 15, key >> 8)
    let value = 100 * hundreds + 10 * tens + ones
    return tens > 9 || hundreds > 9 || ones > 9 || value > 255 ? bad : UInt16(value)
  }
  private static let every: UInt64 = 0x0101_0101_0101_0101

  /// - Parameter separator: a blank or a comma.
  init(separator: UInt8) {
    self.separator = separator
    separatorNibbles = UInt64(separator & 0x0F) &* Self.every
    values = Self.allValues
  }

  /// Reads `text`, which is followed by ``LineBlock/padding`` readable bytes, as exactly `expected`
  /// numbers.
  ///
  /// - Parameters:
  ///   - output: space for `expected` + 64 numbers.
  /// - Returns: whether it was exactly that; if not, the contents of `output` are undefined.
  func scan(
    _ text: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<UInt8>,
    expecting expected: Int
  ) -> Bool {
    // A number takes at least one digit and a separator, so more would not fit.
    guard let base = text.baseAddress, expected >= 1, text.count >= 2 * expected - 1,
      text.count <= 4 * expected - 1
    else { return false }
    return values.withUnsafeBufferPointer { table in
      guard let values = table.baseAddress else { return false }
      return scan(base, count: text.count, into: output, expecting: expected, values)
    }
  }

  private func scan(
    _ base: UnsafeRawPointer, count: Int, into output: UnsafeMutablePointer<UInt8>,
    expecting expected: Int, _ values: UnsafePointer<UInt16>
  ) -> Bool {
    let limit = output + expected
    var next = output
    var start = 0
    var wrong: UInt16 = 0
    var strange = SIMD2<UInt64>()
    var gaps: UInt64 = 0
    var lastDigits: UInt64 = 0
    var block = 0
    while block &+ 64 <= count {
      let (digits, odd) = classify(base + block)
      strange |= odd
      // Two consecutive separators, and four consecutive digits, each also across a block boundary.
      let separators = ~digits
      gaps |= separators & ~(digits << 1 | lastDigits >> 63)
      gaps |=
        digits & (digits << 1 | lastDigits >> 63) & (digits << 2 | lastDigits >> 62)
        & (digits << 3 | lastDigits >> 61)
      lastDigits = digits
      guard next <= limit else { return false }
      var ends = separators
      while ends != 0 {
        let end = block &+ ends.trailingZeroBitCount
        ends &= ends &- 1
        let value = Self.value(base, start, end, values)
        wrong |= value
        next.pointee = UInt8(truncatingIfNeeded: value)
        next += 1
        start = end &+ 1
      }
      block &+= 64
    }
    guard gaps == 0, strange[0] | strange[1] == 0 else { return false }
    while true {
      let end = Self.endOfDigits(base, from: start, to: count)
      guard end > start, end - start <= 3, next < limit else { return false }
      let value = Self.value(base, start, end, values)
      wrong |= value
      next.pointee = UInt8(truncatingIfNeeded: value)
      next += 1
      if end == count { break }
      guard base.load(fromByteOffset: end, as: UInt8.self) == separator else { return false }
      start = end + 1
    }
    return next == limit && wrong & Self.bad == 0
  }

  /// The bytes among 64 that are digits or `:;<=>?`, one bit each from the lowest, and bits that
  /// are nonzero if a byte is neither such a character nor the separator.
  @inline(__always)
  private func classify(_ pointer: UnsafeRawPointer) -> (digits: UInt64, odd: SIMD2<UInt64>) {
    let a = classify(pair: pointer)
    let b = classify(pair: pointer + 16)
    let c = classify(pair: pointer + 32)
    let d = classify(pair: pointer + 48)
    // Byte j of the eight words: bit k of byte j becomes bit j of byte k.
    let pairs = a.marks | b.marks &<< 2 | c.marks &<< 4 | d.marks &<< 6
    let separators = Self.transposed(pairs[0] | pairs[1] &<< 1)
    return (~separators, a.odd | b.odd | c.odd | d.odd)
  }

  /// The lowest bit of each of 16 bytes that is not a digit, and bits for invalid bytes.
  @inline(__always)
  private func classify(
    pair pointer: UnsafeRawPointer
  ) -> (marks: SIMD2<UInt64>, odd: SIMD2<UInt64>) {
    let every = SIMD2<UInt64>(repeating: Self.every)
    let bytes = pointer.loadUnaligned(as: SIMD2<UInt64>.self)
    let x = bytes ^ (every &<< 5 | every &<< 4)
    let marks = (x &>> 4) & every
    let nibbles = (marks &<< 4) &- marks
    let upper = every &<< 7 | every &<< 6 | every &<< 5
    return (marks, (x & upper) | ((x ^ SIMD2(repeating: separatorNibbles)) & nibbles))
  }

  /// The transpose of a word as an 8×8 bit matrix.
  ///
  /// Source: H. S. Warren, "Hacker's Delight", 2nd ed., section 7–3.
  @inline(__always)
  private static func transposed(_ word: UInt64) -> UInt64 {
    var x = word
    var t = (x ^ (x &>> 7)) & 0x00AA_00AA_00AA_00AA
    x ^= t ^ (t &<< 7)
    t = (x ^ (x &>> 14)) & 0x0000_CCCC_0000_CCCC
    x ^= t ^ (t &<< 14)
    t = (x ^ (x &>> 28)) & 0x0000_0000_F0F0_F0F0
    return x ^ t ^ (t &<< 28)
  }

  /// The number in bytes `start..<end`, one to three of them, with ``bad`` set if it is not in
  /// 0...255.
  @inline(__always)
  private static func value(
    _ base: UnsafeRawPointer, _ start: Int, _ end: Int, _ values: UnsafePointer<UInt16>
  ) -> UInt16 {
    let word = UInt32(
      littleEndian: base.loadUnaligned(fromByteOffset: start, as: UInt32.self))
    // Shifts the digits to the upper end, so that the bytes after them are shifted out.
    let shift = UInt32(truncatingIfNeeded: start &- end) &<< 3
    let digits = (word &<< shift) & 0x0F0F_0F00
    let key = UInt16(truncatingIfNeeded: digits | digits &>> 12) &>> 4
    return values[Int(key)]
  }

  private static func endOfDigits(_ base: UnsafeRawPointer, from start: Int, to count: Int) -> Int {
    var end = start
    while end < count, base.load(fromByteOffset: end, as: UInt8.self) &- 48 < 10 { end += 1 }
    return end
  }
}
