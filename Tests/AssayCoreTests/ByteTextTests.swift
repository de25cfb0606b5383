import Testing

import AssayCore

@Suite("Sizes of memory as text")
struct ByteTextTests {
  @Test(
    "A number with a unit is read",
    arguments: [
      ("512M", 512 << 20), ("1G", 1 << 30), ("1.5 GiB", 3 << 29), ("2tb", 2 << 40),
      ("128mib", 128 << 20),
    ])
  func read(_ text: String, _ bytes: Int) {
    #expect(ByteText.bytes(text) == bytes)
  }

  @Test(
    "Other text is refused",
    arguments: ["", "1", "G", "-1G", "1K", "1e3M", "1..2G", "0G", "99999999999T", "nanG", "1GG"])
  func refused(_ text: String) {
    #expect(ByteText.bytes(text) == nil)
  }

  @Test("Sizes are written in MiB or GiB")
  func write() {
    #expect(ByteText.text(512 << 20) == "512 MiB")
    #expect(ByteText.text(12 << 30) == "12 GiB")
    #expect(ByteText.text(3 << 29) == "1.5 GiB")
    #expect(ByteText.text(0) == "0 MiB")
  }
}
