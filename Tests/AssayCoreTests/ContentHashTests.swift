import Testing

import AssayCore

/// SHA-256 against the examples of FIPS 180-4.
struct ContentHashTests {
  @Test(
    "The digest is that of the standard's examples",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func examples(text: String, digest: String) {
    #expect(ContentHash.of(Array(text.utf8)) == digest)
    var inPieces = ContentHash()
    for character in text { inPieces.update(String(character)) }
    #expect(inPieces.hexadecimal() == digest)
  }

  @Test("A million letters in one piece")
  func million() {
    #expect(
      ContentHash.of([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test("A copy goes on by itself, and a digest ends nothing")
  func copies() {
    var first = ContentHash()
    first.update("a")
    var second = first
    second.update("x")
    #expect(first.hexadecimal() == ContentHash.of(Array("a".utf8)))
    first.update("bc")
    #expect(first.hexadecimal() == ContentHash.of(Array("abc".utf8)))
    #expect(second.hexadecimal() == ContentHash.of(Array("ax".utf8)))
  }
}
