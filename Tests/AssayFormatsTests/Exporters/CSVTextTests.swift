import AssayFormats
import Testing

@Suite("Fields of a CSV file")
struct CSVTextTests {
  @Test(
    "What a spreadsheet could take for a formula gets an apostrophe, within quotes",
    arguments: [
      "=HYPERLINK(\"http://x\")", "+1", "-2+3", "@SUM(1)", "\t=1", "\r=1", "\n=1", "＝1",
    ])
  func harmless(text: String) {
    let field = CSVText.harmless(text)
    #expect(field.hasPrefix("\"'") && field.hasSuffix("\""))
    #expect(
      field.dropFirst(2).dropLast().replacing("\"\"", with: "\"") == text)
  }

  @Test(
    "Other texts are as they are, quoted where CSV needs it",
    arguments: [("a", "a"), ("a,b", "\"a,b\""), ("a=b", "a=b"), ("'", "'"), ("", "\"\"")])
  func plain(text: String, field: String) {
    #expect(CSVText.harmless(text) == field)
  }

  @Test("Control characters of a text for people are shown as a sign")
  func printable() {
    #expect(CSVText.printable("a\u{1B}]0;x\u{7}\u{9B}31m\n=b é") == "a�]0;x��31m�=b é")
  }
}
