import Testing

import AssayCore

@Suite("JSON values")
struct JSONValueTests {
  @Test("What is written reads back the same")
  func roundTrip() throws {
    let value: JSONValue = [
      "b": [1, 2.5, nil, true, false], "a": "quote \" slash \\ line \n tab \t é \u{1}",
      "empty": [:], "none": [], "small": 1e-300,
    ]
    for indented in [false, true] {
      #expect(try JSONValue(parsing: value.text(indented: indented)) == value)
    }
  }

  @Test("Members keep their order and control characters are escaped")
  func writing() {
    let value: JSONValue = ["z": 1, "a": "\u{1B}[31m\u{9B}"]
    #expect(value.text() == #"{"z":1,"a":"\u001b[31m\u009b"}"#)
  }

  @Test("A number that is not finite prints as null")
  func notFinite() {
    #expect(JSONValue.number(.nan).text() == "null")
    #expect(JSONValue(Double?.none).text() == "null")
  }

  @Test("Escapes and surrogate pairs are read")
  func escapes() throws {
    #expect(
      try JSONValue(parsing: #""\u00e9\ud83d\ude00\/""#) == .string("é😀/"))
  }

  @Test(
    "Invalid JSON is rejected",
    arguments: [
      "", "{", "[1,]", "{\"a\":}", "{a:1}", "01", "-", "1.", "1e999", "+1", "tru", "\"\\x\"",
      "\"\\ud800\"", "\"\\ud800x\"", "\"a", "[1] 2", "\"\u{1}\"", "\"\\u12g4\"", "NaN",
    ])
  func refused(text: String) {
    #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
  }

  @Test("Nesting has a limit")
  func depth() throws {
    let limit = JSONValue.depthLimit
    let deep = { (n: Int) in String(repeating: "[", count: n) + String(repeating: "]", count: n) }
    _ = try JSONValue(parsing: deep(limit))
    #expect(throws: JSONError.self) { try JSONValue(parsing: deep(limit + 2)) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: deep(1_000_000)) }
  }

  @Test("Seeded random texts never trap")
  func mutations() {
    let seed = Array(#"{"a":[1,-2.5e3,"x\u00e9\n"],"b":{"c":null,"d":true}}"#.utf8)
    var random = SplitMix64(seed: 7)
    var accepted = 0
    for _ in 0..<20_000 {
      var bytes = seed
      for _ in 0...Int.random(in: 0...3, using: &random) {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0...2, using: &random) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: at)
        default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: at)
        }
      }
      if (try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self))) != nil { accepted += 1 }
    }
    #expect(accepted > 0 && accepted < 20_000)
  }
}
