import AssayCore
import Testing

@testable import AssayFormats

@Suite("Reading numbers, 64 bytes at a time")
struct PixelScannerTests {
  /// The scanner's result for a text; `nil` if it declines.
  private func scan(_ text: String, _ separator: UInt8 = 0x20, expecting: Int) -> [UInt8]? {
    // The bytes after the text must not matter, so they are digits and separators.
    let bytes =
      Array(text.utf8) + Array(repeating: UInt8(ascii: "7"), count: 32)
      + Array(repeating: separator, count: 32)
    var output = [UInt8](repeating: 0, count: expecting + LineBlock.padding)
    let isRead = bytes.withUnsafeBytes { bytes in
      output.withUnsafeMutableBufferPointer { output in
        guard let base = output.baseAddress else { return false }
        let text = UnsafeRawBufferPointer(rebasing: bytes[..<text.utf8.count])
        return PixelScanner(separator: separator).scan(text, into: base, expecting: expecting)
      }
    }
    return isRead ? Array(output.prefix(expecting)) : nil
  }

  @Test("Every value is read in every spelling of at most three digits")
  func values() {
    for value in 0...255 {
      var spellings = Set([String(value)])
      if value < 100 { spellings.insert("0\(value)") }
      if value < 10 { spellings.insert("00\(value)") }
      for spelling in spellings {
        #expect(scan(spelling, expecting: 1) == [UInt8(value)])
        // Once within the first 64 bytes, and once after them.
        let many = Array(repeating: spelling, count: 90).joined(separator: ",")
        #expect(scan(many, 0x2C, expecting: 90) == Array(repeating: UInt8(value), count: 90))
      }
    }
  }

  @Test("Rows of any length are read, wherever the 64 bytes end")
  func lengths() {
    var random = SplitMix64(seed: 7)
    for count in 1...300 {
      let values = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let text = values.map(String.init).joined(separator: " ")
      #expect(scan(text, expecting: count) == values)
      #expect(scan(text, expecting: count + 1) == nil)
      #expect(count == 1 || scan(text, expecting: count - 1) == nil)
    }
  }

  @Test(
    "Every other spelling is declined, wherever it stands",
    arguments: [
      "", " ", "256", "999", "1000", "0001", "1  2", "-1", "+1", "1.5", ":1", "/", "1,2", "x",
      "\u{B2}", "1\t2", "(", "0x1",
    ])
  func declined(_ bad: String) {
    for place in [0, 1, 15, 16, 17, 40, 63, 64, 99] {
      var words = Array(repeating: "128", count: 100)
      words[place] = bad
      #expect(scan(words.joined(separator: " "), expecting: 100) == nil, "at \(place)")
    }
  }

  @Test("Where it reads at all, it reads what the careful reader reads")
  func agreesWithCarefulReader() throws {
    var random = SplitMix64(seed: 11)
    let alphabet = Array("0123456789  ,:/.\t\"".utf8)
    var accepted = 0
    for _ in 0..<20_000 {
      var bytes: [UInt8] = []
      let count = Int.random(in: 1...60, using: &random)
      for place in 0..<count {
        if place > 0 { bytes.append(0x20) }
        bytes += String(Int.random(in: 0...260, using: &random)).utf8
      }
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let fast = scan(text, expecting: count) else { continue }
      accepted += 1
      var careful = [UInt8](repeating: 0, count: count)
      try bytes.withUnsafeBytes { bytes in
        try careful.withUnsafeMutableBufferPointer { output in
          let base = try #require(output.baseAddress)
          try LenientPixels.read(bytes, into: base, expecting: count)
        }
      }
      #expect(fast == careful)
    }
    // Rows of up to 60 values, 2 % of them over 255: most of the short ones pass.
    #expect(accepted > 2_000)
  }
}
