import CCrypto

/// A running SHA-256 (FIPS 180-4) over the bytes added so far.
///
/// A value type: a copy continues independently.
package struct ContentHash {
  private var state = DigestState()

  package init() {}

  /// Adds bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    if !isKnownUniquelyReferenced(&state) { state = DigestState(copying: state) }
    state.update(bytes)
  }

  /// Adds the UTF-8 bytes of a text.
  package mutating func update(_ text: String) {
    var text = text
    text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
  }

  /// The digest of everything added so far: 32 bytes. More can be added afterwards.
  package func digest() -> [UInt8] { DigestState(copying: state).finish() }

  /// The digest as 64 lower-case hexadecimal digits.
  package func hexadecimal() -> String { Self.hexadecimal(digest()) }

  /// The hexadecimal SHA-256 of bytes.
  package static func of(_ bytes: [UInt8]) -> String {
    var hash = ContentHash()
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.hexadecimal()
  }

  /// Bytes as lower-case hexadecimal digits, two each.
  package static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

/// The state of a digest in libcrypto, freed with the object.
private final class DigestState {
  private let context: OpaquePointer

  init() {
    context = Self.allocated()
    precondition(EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1, "libcrypto has no SHA-256")
  }

  init(copying other: DigestState) {
    context = Self.allocated()
    precondition(EVP_MD_CTX_copy_ex(context, other.context) == 1, "out of memory")
  }

  deinit { EVP_MD_CTX_free(context) }

  private static func allocated() -> OpaquePointer {
    guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
    return context
  }

  func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    precondition(EVP_DigestUpdate(context, start, bytes.count) == 1, "libcrypto's SHA-256 failed")
  }

  /// The 32 bytes of the digest; the object must not be used afterwards.
  func finish() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { bytes, count in
      precondition(
        EVP_DigestFinal_ex(context, bytes.baseAddress, nil) == 1, "libcrypto's SHA-256 failed")
      count = 32
    }
  }
}
