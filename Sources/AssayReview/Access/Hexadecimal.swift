/// Bytes as lower-case hexadecimal digits.
enum Hexadecimal {
  static func text(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Returns the digits of random bytes from the system's generator.
  static func random(bytes count: Int) -> String {
    var random = SystemRandomNumberGenerator()
    return text((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
  }
}
