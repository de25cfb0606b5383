import Testing

@testable import AssayCore

/// HMAC and HKDF against the test vectors of their RFCs.
struct AuthenticationKeyTests {
  private func bytes(_ digits: String) -> [UInt8] {
    let digits = Array(digits)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
  }

  @Test(
    "HMAC-SHA-256 is that of RFC 4231",
    arguments: [
      (
        "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "4869205468657265",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        "4a656665", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
    ])
  func authentication(key: String, message: String, code: String) {
    let key = AuthenticationKey(key: bytes(key))
    #expect(key.code(of: bytes(message)) == bytes(code))
    #expect(key.isCode(bytes(code), of: bytes(message)))
    for index in 0..<32 {
      var other = bytes(code)
      other[index] ^= 1
      #expect(!key.isCode(other, of: bytes(message)))
    }
    #expect(!key.isCode(bytes(code).dropLast(), of: bytes(message)))
    #expect(!key.isCode([UInt8](), of: bytes(message)))
  }

  @Test("HKDF-SHA-256 without a salt is that of RFC 5869, test case 3")
  func derivation() {
    #expect(
      AuthenticationKey.derived([UInt8](repeating: 0x0b, count: 22), [], count: 42)
        == bytes(
          "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
            + "9d201395faa4b61a96c8"))
  }

  @Test("Keys for different purposes give different codes")
  func purposes() {
    let secret = [UInt8](0..<32)
    let codes = ["link", "session", "picture"].map {
      AuthenticationKey(secret: secret, purpose: $0).code(of: [1, 2, 3])
    }
    #expect(Set(codes).count == 3)
  }
}
