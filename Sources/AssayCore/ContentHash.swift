import Crypto

/// A SHA-256 in the making, and its 64 lower-case hexadecimal digits.
package struct ContentHash {
  private var hash = SHA256()

  package init() {}

  /// Takes in more bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    hash.update(bufferPointer: bytes)
  }

  /// Takes in the UTF-8 bytes of a text.
  package mutating func update(_ text: String) {
    var text = text
    text.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
  }

  /// The digest of all that was taken in so far: 32 bytes.
  package func digest() -> [UInt8] { Array(hash.finalize()) }

  /// The digest as 64 lower-case hexadecimal digits.
  package func hexadecimal() -> String { Self.hexadecimal(digest()) }

  /// The hexadecimal SHA-256 of bytes.
  package static func of(_ bytes: [UInt8]) -> String {
    var hash = ContentHash()
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.hexadecimal()
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
