/// A number that is written in decimal and read back bit-identically.
package protocol DecimalScore: Hashable, Sendable {
  /// The number nearest to the exact decimal value, ties to even.
  ///
  /// - Parameters:
  ///   - nearest: the nearest `Double`.
  ///   - text: the number as written, ASCII.
  static func rounded(from nearest: Double, text: UnsafeRawBufferPointer) -> Self?
}

extension Double: DecimalScore {
  package static func rounded(from nearest: Double, text: UnsafeRawBufferPointer) -> Double? {
    nearest
  }
}

extension Float: DecimalScore {
  package static func rounded(from nearest: Double, text: UnsafeRawBufferPointer) -> Float? {
    // Double rounding is wrong only if the first result is exactly between two floats, or below the
    // smallest normal float, where that position is not at bit 28.
    let isBetween = nearest.bitPattern & 0x1FFF_FFFF == 0x1000_0000
    guard isBetween || nearest.magnitude < Double(Float.leastNormalMagnitude) else {
      let value = Float(nearest)
      return value.isFinite ? value : nil
    }
    guard let value = Float(String(decoding: text, as: UTF8.self)), value.isFinite else {
      return nil
    }
    return value
  }
}

/// Reads numbers as people and programs write them: `0.25`, `1e-05`, `-3`, `.5`.
///
/// `nan`, `inf` and hexadecimal are not accepted.
enum DecimalNumber {
  /// Powers of ten that a `Double` represents exactly.
  private static let powers: [Double] = (0...22).map { exponent in
    (0..<exponent).reduce(1.0) { value, _ in value * 10 }
  }

  /// The number nearest to the text's value; `nil` if the text is not a number or not finite.
  ///
  /// Source: W. D. Clinger, "How to Read Floating Point Numbers Accurately" (1990),
  /// doi:10.1145/93542.93557: 53 bits of digits and an exact power of ten need only one rounding.
  static func parse<Score: DecimalScore>(_ text: UnsafeRawBufferPointer, as: Score.Type) -> Score? {
    guard let (digits, exponent, isExact, isNegative) = scan(text) else { return nil }
    let magnitude: Double
    if isExact, digits < 1 << 53, -22...22 ~= exponent {
      magnitude =
        exponent < 0 ? Double(digits) / powers[-exponent] : Double(digits) * powers[exponent]
    } else {
      guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
        return nil
      }
      return Score.rounded(from: value, text: text)
    }
    return Score.rounded(from: isNegative ? -magnitude : magnitude, text: text)
  }

  /// The digits as one whole number, the matching power of ten, and whether all digits were kept;
  /// `nil` if the text is not a number.
  private static func scan(
    _ text: UnsafeRawBufferPointer
  ) -> (digits: UInt64, exponent: Int, isExact: Bool, isNegative: Bool)? {
    var position = 0
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative || text.first == UInt8(ascii: "+") { position = 1 }
    var (digits, exponent, count, isExact) = (UInt64(0), 0, 0, true)
    var isFraction = false
    while position < text.count {
      let byte = text[position]
      if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else if 48...57 ~= byte {
        count += 1
        if digits < 100_000_000_000_000_000 {
          digits = digits * 10 + UInt64(byte - 48)
          if isFraction { exponent -= 1 }
        } else {
          isExact = false
        }
      } else {
        break
      }
      position += 1
    }
    guard count > 0 else { return nil }
    guard position < text.count else { return (digits, exponent, isExact, isNegative) }
    guard text[position] | 0x20 == UInt8(ascii: "e") else { return nil }
    position += 1
    let sign = position < text.count ? text[position] : 0
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { position += 1 }
    guard position < text.count else { return nil }
    var power = 0
    while position < text.count {
      guard 48...57 ~= text[position] else { return nil }
      power = min(100_000, power * 10 + Int(text[position] - 48))
      position += 1
    }
    return (digits, exponent + (sign == UInt8(ascii: "-") ? -power : power), isExact, isNegative)
  }
}
