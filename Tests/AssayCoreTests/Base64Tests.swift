import Testing

import AssayCore

@Suite struct Base64Tests {
  @Test(
    "The examples of RFC 4648, section 10",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
  func examples(text: String, encoded: String) {
    #expect(Base64.text(of: Array(text.utf8)) == encoded)
  }

  @Test("The last two letters of the alphabet are + and /")
  func letters() {
    // 0xFB 0xEF 0xFF = 111110 111110 111111 111111 = + + / /
    #expect(Base64.text(of: [0xFB, 0xEF, 0xFF]) == "++//")
  }
}

extension Base64Tests {
  @Test("Texts are read back, with line ends and without padding; other letters are refused")
  func reading() {
    for count in 0..<50 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 77 + count) }
      let text = Array(Base64.text(of: bytes).utf8)
      #expect(Base64.bytes(of: text) == bytes)
      #expect(Base64.bytes(of: text.filter { $0 != UInt8(ascii: "=") }) == bytes)
      #expect(Base64.bytes(of: text + [0x0D, 0x0A]) == bytes)
    }
    for text in ["A", "AAAAA", "A=AA", "AA%A", "AA A"] {
      #expect(Base64.bytes(of: Array(text.utf8)) == nil)
    }
  }
}
