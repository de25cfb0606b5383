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
