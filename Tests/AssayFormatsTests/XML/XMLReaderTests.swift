import AssayCore
import Testing

@testable import AssayFormats

@Suite("The XML reader")
struct XMLReaderTests {
  private func problem(_ text: String, limit: Int = 1000) -> XMLProblem? {
    do {
      _ = try XMLTree.read(Array(text.utf8), limit: limit)
      return nil
    } catch { return error }
  }

  @Test("Elements keep attributes, text, children and lines, in any part sizes")
  func elements() throws {
    let text =
      "<?xml version=\"1.0\"?>\n<a k=\"1 &amp; 2\">x\n  <b>1&lt;&#xE9;</b><!-- c --><b/>y\n</a>"
    let whole = try XMLTree.read(Array(text.utf8), limit: 10)
    #expect(whole.name == "a" && whole["k"] == "1 & 2" && whole.line == 2)
    #expect(whole.trimmedText == "x\n  y" && whole.all("b").map(\.text) == ["1<é", ""])
    #expect(
      whole.first("b")?.line == 3 && whole.text(of: "b") == "1<é" && whole.text(of: "c") == nil)
    let reader = try XMLReader()
    var tree = XMLTree(limit: 10)
    var found: XMLElement?
    for byte in text.utf8 { try reader.parse([byte], isLast: false) }
    try reader.parse([], isLast: true)
    for event in reader.takeEvents() { found = try tree.add(event) ?? found }
    #expect(found == whole && reader.events.isEmpty)
  }

  @Test("The children of the root are built one at a time")
  func children() throws {
    let reader = try XMLReader()
    try reader.parse(Array("<a>\n<b><c/></b>t<b n=\"2\"/></a>".utf8), isLast: true)
    var tree = XMLTree(depth: 1, limit: 3)
    var found: [XMLElement] = []
    for event in reader.takeEvents() {
      if let element = try tree.add(event) { found.append(element) }
    }
    #expect(found.map(\.name) == ["b", "b"] && found[1]["n"] == "2")
    #expect(found.map(\.line) == [2, 2] && found[0].children.map(\.name) == ["c"])
    #expect(tree.rootName == "a")
  }

  @Test("Document types and entities are refused, whatever they would declare or open")
  func entities() {
    for text in [
      "<!DOCTYPE a>\n<a/>", "\n<!DOCTYPE a SYSTEM \"http://x/y.dtd\"><a/>",
      "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>",
      "<!DOCTYPE a [<!ENTITY x \"y\"><!ENTITY z \"&x;&x;&x;&x;\">]><a>&z;</a>",
    ] { #expect(problem(text)?.text.contains("document type declaration") == true) }
    #expect(problem("<a>\n&b;</a>") == XMLProblem(line: 2, text: "invalid XML: undefined entity"))
    #expect(problem("<a b=\"&c;\"/>") != nil)
  }

  @Test("Broken XML is an error with its line, and depth and number of elements have limits")
  func limits() {
    #expect(problem("")?.line == 1 && problem("  \n ") != nil && problem("x") != nil)
    #expect(problem("<a>\n\n<b></a>")?.line == 3)
    #expect(problem("<a/><b/>") != nil && problem("<a>\u{0}</a>") != nil)
    let deep = String(repeating: "<a>", count: 64) + String(repeating: "</a>", count: 64)
    #expect(problem(deep) == nil)
    #expect(problem("<a>" + deep + "</a>")?.text == "more than 64 nested elements")
    #expect(problem("<a><b/><b/></a>", limit: 2)?.text == "more than 2 elements")
    #expect(problem("<a><b/><b/></a>", limit: 3) == nil)
  }

  @Test("UTF-16, Latin-1 and UTF-8 with a byte order mark are decoded; other encodings are refused")
  func encodings() throws {
    let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><a>é</a>"
    var little: [UInt8] = [0xFF, 0xFE]
    for unit in text.utf16 { little += [UInt8(unit & 255), UInt8(unit >> 8)] }
    #expect(try XMLTree.read(little, limit: 9).text == "é")
    let latin =
      Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>".utf8) + [0xE9] + Array("</a>".utf8)
    #expect(try XMLTree.read(latin, limit: 9).text == "é")
    #expect(try XMLTree.read([0xEF, 0xBB, 0xBF] + Array("<a>é</a>".utf8), limit: 9).text == "é")
    #expect(
      problem("<?xml version=\"1.0\" encoding=\"EBCDIC\"?><a/>")?.text.contains("encoding") == true)
    #expect(throws: XMLProblem.self) {
      try XMLTree.read(Array("<a>".utf8) + [0xE9] + Array("</a>".utf8), limit: 9)
    }
  }

  @Test("Texts become JSON values that print as they are written")
  func scalars() {
    let cases: [(String, JSONValue)] = [
      ("1", .integer(1)), ("-5", .integer(-5)), ("007", .string("007")), ("0.5", .number(0.5)),
      ("true", .bool(true)), ("False", .bool(false)), ("nan", .string("nan")), ("", .string("")),
      ("1e5", .string("1e5")), ("99999999999999999999", .string("99999999999999999999")),
      ("a", .string("a")),
    ]
    for (text, value) in cases { #expect(JSONValue(scalar: text) == value) }
  }
}
