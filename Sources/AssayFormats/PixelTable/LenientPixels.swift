/// Reads pixels in any unambiguous spelling, and reports the problem with all others.
///
/// Accepts numbers of any length with leading zeros, and any number of blanks and tabs between
/// them.
enum LenientPixels {
  /// The reason why text is not a row of pixels.
  enum Problem: Error, Hashable {
    /// The number of values found, which differs from the expected one.
    case count(Int)
    /// The value at a 0-based index, shortened for display.
    case value(place: Int, text: String)
    case badUTF8
  }

  /// Reads numbers separated by blanks.
  ///
  /// - Parameter output: space for `expected` numbers.
  /// - Throws: ``Problem``; the contents of `output` are then undefined.
  static func read(
    _ text: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<UInt8>,
    expecting expected: Int
  ) throws(Problem) {
    var count = 0
    var position = 0
    while true {
      while position < text.count, CSVFields.isBlank(text[position]) { position += 1 }
      guard position < text.count else { break }
      var end = position
      while end < text.count, !CSVFields.isBlank(text[end]) { end += 1 }
      let value = try value(UnsafeRawBufferPointer(rebasing: text[position..<end]), place: count)
      if count < expected { output[count] = value }
      count += 1
      position = end
    }
    guard count == expected else { throw .count(count) }
  }

  /// Reads one number without surrounding blanks.
  ///
  /// - Throws: ``Problem``.
  static func value(_ text: UnsafeRawBufferPointer, place: Int) throws(Problem) -> UInt8 {
    var value = 0
    for byte in text {
      let digit = Int(byte) - 48
      guard 0...9 ~= digit, value <= 255 else { throw problem(text, place: place) }
      value = value * 10 + digit
    }
    guard !text.isEmpty, value <= 255 else { throw problem(text, place: place) }
    return UInt8(value)
  }

  private static func problem(_ text: UnsafeRawBufferPointer, place: Int) -> Problem {
    guard let whole = String(validating: text, as: UTF8.self) else { return .badUTF8 }
    return .value(place: place, text: String(whole.prefix(24)) + (whole.count > 24 ? "…" : ""))
  }
}
