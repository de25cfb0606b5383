import CCrypto

/// A key that proves who wrote a text: HMAC-SHA-256 (RFC 2104) under a key derived by HKDF-SHA-256
/// (RFC 5869, without a salt).
package struct AuthenticationKey: Sendable {
  private let key: [UInt8]

  /// Derives a key of 32 bytes.
  ///
  /// - Parameters:
  ///   - secret: the input key material, at least one byte.
  ///   - purpose: the UTF-8 text of HKDF's `info`: keys for different purposes are unrelated.
  package init(secret: [UInt8], purpose: String) {
    self.init(key: Self.derived(secret, Array(purpose.utf8), count: 32))
  }

  /// A key that is used without derivation.
  package init(key: [UInt8]) { self.key = key }

  /// The authentication code of bytes: 32 bytes.
  package func code(of bytes: some Collection<UInt8>) -> [UInt8] {
    let message = Array(bytes)
    return [UInt8](unsafeUninitializedCapacity: 32) { code, count in
      let found = HMAC(
        EVP_sha256(), key, Int32(key.count), message, message.count, code.baseAddress, nil)
      precondition(found != nil, "libcrypto's HMAC failed")
      count = 32
    }
  }

  /// Returns whether a code matches these bytes, in a time that does not depend on the first
  /// difference.
  package func isCode(_ code: some Collection<UInt8>, of bytes: some Collection<UInt8>) -> Bool {
    let expected = self.code(of: bytes)
    let found = Array(code)
    return found.count == expected.count && CRYPTO_memcmp(found, expected, expected.count) == 0
  }

  /// HKDF-SHA-256 without a salt.
  static func derived(_ secret: [UInt8], _ info: [UInt8], count: Int) -> [UInt8] {
    let context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil)
    defer { EVP_PKEY_CTX_free(context) }
    precondition(
      EVP_PKEY_derive_init(context) == 1
        && EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) == 1
        && EVP_PKEY_CTX_set1_hkdf_key(context, secret, Int32(secret.count)) == 1
        && EVP_PKEY_CTX_add1_hkdf_info(context, info, Int32(info.count)) == 1,
      "libcrypto has no HKDF")
    return [UInt8](unsafeUninitializedCapacity: count) { bytes, length in
      length = count
      precondition(
        EVP_PKEY_derive(context, bytes.baseAddress, &length) == 1 && length == count,
        "libcrypto's HKDF failed")
    }
  }
}
