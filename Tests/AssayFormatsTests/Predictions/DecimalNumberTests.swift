import AssayCore
import Testing

@testable import AssayFormats

@Suite("Decimal numbers to the bit")
struct DecimalNumberTests {
  private func parse<Score: DecimalScore>(_ text: String, as score: Score.Type) -> Score? {
    Array(text.utf8).withUnsafeBytes { DecimalNumber.parse($0, as: score) }
  }

  private func finite<Score: BinaryFloatingPoint>(_ score: Score?) -> Score? {
    score.flatMap { $0.isFinite ? $0 : nil }
  }

  /// The texts that are parsed differently than by the C library.
  private func differences(_ texts: [String]) -> [String] {
    texts.filter { text in
      parse(text, as: Double.self)?.bitPattern != finite(Double(text))?.bitPattern
        || parse(text, as: Float.self)?.bitPattern != finite(Float(text))?.bitPattern
    }
  }

  @Test("Random decimals are the numbers that the C library reads")
  func agreesWithLibrary() {
    var random = SplitMix64(seed: 21)
    let texts = (0..<50_000).map { _ in
      let digits = Int.random(in: 1...20, using: &random)
      var text = (0..<digits).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
      let point = Int.random(in: 0...digits, using: &random)
      text.insert(".", at: text.index(text.startIndex, offsetBy: point))
      if Bool.random(using: &random) { text += "e\(Int.random(in: -50...30, using: &random))" }
      return Bool.random(using: &random) ? "-" + text : text
    }
    #expect(differences(texts).isEmpty)
  }

  @Test("Numbers right between two floats are rounded once")
  func betweenFloats() {
    var random = SplitMix64(seed: 22)
    let texts = (0..<20_000).flatMap { _ in
      let low = Float(bitPattern: UInt32.random(in: 0..<0x7F7F_FFFF, using: &random))
      let middle = (Double(low) + Double(low.nextUp)) / 2
      return ["\(middle)", "\(middle.nextDown)", "\(middle.nextUp)"]
    }
    #expect(differences(texts).isEmpty)
    // 1 + 2^-24 is exactly between 1 and the next float; a slightly larger value must round up,
    // although the nearest double is the same.
    #expect(parse("1.000000059604644775390625", as: Float.self) == 1)
    #expect(parse("1.0000000596046447753906250000000001", as: Float.self) == Float(1).nextUp)
  }

  @Test(
    "Only decimal numbers are numbers",
    arguments: [
      "", "-", ".", "e5", "1e", "1e+", "nan", "inf", "-inf", "0x1", "1_0", "1,5", "1 2", "--1",
      "1.2.3", "1e5.0", "٣",
    ])
  func refused(text: String) {
    #expect(parse(text, as: Double.self) == nil)
    #expect(parse(text, as: Float.self) == nil)
  }

  @Test("Signs, a leading point, a trailing point and large exponents are read")
  func spellings() {
    #expect(parse("+1.5", as: Double.self) == 1.5)
    #expect(parse("-.5", as: Double.self) == -0.5)
    #expect(parse("5.", as: Double.self) == 5)
    #expect(parse("-0", as: Double.self)?.sign == .minus)
    #expect(parse("1E3", as: Float.self) == 1000)
    #expect(parse("0e99999999999999999999", as: Double.self) == 0)
    #expect(parse("1e-99999999999999999999", as: Double.self) == 0)
    #expect(parse("1e39", as: Float.self) == nil)
    #expect(parse("1e309", as: Double.self) == nil)
    #expect(parse("1e-45", as: Float.self) == Float.leastNonzeroMagnitude)
  }
}
