import Testing

@testable import AssayFormats

@Suite("Fields of a line")
struct CSVFieldsTests {
  @Test(
    "Commas, quotes and blanks are told apart",
    arguments: [
      ("a,b", ["a", "b"]), ("", [""]), (",", ["", ""]), ("a,", ["a", ""]),
      (" a , b\t", ["a", "b"]), ("\"a,b\",c", ["a,b", "c"]), ("\"a\"\"b\"", ["a\"b"]),
      ("\"\",x", ["", "x"]), ("\" a \"", [" a "]), ("a\"b,c", ["a\"b", "c"]),
      ("  \"x\"  ,y", ["x", "y"]),
    ])
  func fields(line: String, expected: [String]) {
    #expect(CSVFields.texts(of: Array(line.utf8)) == expected)
  }

  @Test("An unclosed quote is reported")
  func openQuote() {
    for (line, isOpen) in [("a,\"b", true), ("\"", true), ("\"a\"", false), ("\"a\"\"", true)] {
      Array(line.utf8).withUnsafeBytes { #expect(CSVFields($0).isOpen == isOpen) }
    }
  }
}
