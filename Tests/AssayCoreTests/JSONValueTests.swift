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

@Suite("Parts of JSON texts")
struct JSONReadingTests {
  private func read(_ text: String, _ change: (inout JSONReading) -> Void) throws -> JSONValue {
    var reading = JSONReading()
    change(&reading)
    return try JSONValue(parsing: Array(text.utf8), reading)
  }

  @Test("Only wanted members are read, and long texts are cut")
  func members() throws {
    let data = String(repeating: "A", count: 1000)
    let text =
      "\u{FEFF}{\"a\": [1, {\"b\": \"}\"}], \"c\": \"\(data)\", \"b\": {\"c\": \"\(data)\"}}"
    let some = try read(text) {
      $0.members = ["c", "b"]
      $0.shortened = ["c"]
    }
    #expect(some.member("a") == nil)
    #expect(some.member("c") == .string(String(repeating: "A", count: 64)))
    #expect(some.member("b")?.member("c") == .string(data))
    #expect(throws: JSONError.self) { try read("{\"a\": [1, 2", { $0.members = [] }) }
    #expect(throws: JSONError.self) { try read("{\"a\": \"\\", { $0.members = [] }) }
    #expect(throws: JSONError.self) { try read("{\"a\": }", { $0.members = [] }) }
  }

  @Test("NaN and Infinity are read only on request")
  func notFinite() throws {
    let value = try read("[NaN, -Infinity, Infinity, -1]") { $0.takesNotFinite = true }
    let numbers = value.elements?.compactMap(\.double) ?? []
    #expect(numbers.count == 4 && numbers[0].isNaN)
    #expect(numbers[1...] == [-.infinity, .infinity, -1])
    #expect(throws: JSONError.self) { try read("[NaN]") { _ in } }
  }

  @Test("The ranges of elements and members are those of whole values")
  func positions() throws {
    let list = Array(#" {"a": "},"} , [1, 2],3 , "x\"," "#.utf8)
    let parts = try JSONPositions.elements(of: list).map {
      String(decoding: list[$0], as: UTF8.self)
    }
    #expect(parts == [#"{"a": "},"}"#, "[1, 2]", "3", #""x\",""#])
    #expect(try JSONPositions.elements(of: []).isEmpty)
    let object = Array(#"{"a/b": {"c": 1}, "d": [2]}"#.utf8)
    let members = try #require(try JSONPositions.members(of: object))
    #expect(members.map(\.name) == ["a/b", "d"])
    #expect(String(decoding: object[members[0].value], as: UTF8.self) == #"{"c": 1}"#)
    #expect(try JSONPositions.members(of: Array("[]".utf8)) == nil)
    for text in ["1,", ",", "[", "\"", "]", "1 2"] {
      #expect(throws: JSONError.self) { try JSONPositions.elements(of: Array(text.utf8)) }
    }
    let deep = String(repeating: "[", count: 1000)
    #expect(throws: JSONError.self) { try JSONPositions.elements(of: Array(deep.utf8)) }
  }

  @Test("Of members with one name the last one counts; whole numbers are recognized")
  func accessors() throws {
    let value = try JSONValue(parsing: #"{"a": 1, "a": 2.0, "b": 2.5, "c": 1e300}"#)
    #expect(value.member("a")?.whole == 2 && value.member("b")?.whole == nil)
    #expect(value.member("c")?.whole == nil && value.member("d") == nil)
  }
}
