import AssayCore
import Testing

@Suite("The shape of a YAML text")
struct YAMLShapeTests {
  @Test(
    "Ordinary texts can be parsed",
    arguments: [
      "", "names: [a, b]\n", "a: b && c\n", "# [[[ &a\nb: 1\n", "names: {0: salt & pepper}\n",
      "  - x\r\n  - y\r\n", "d: |\n  mkdir x && cd x\n",
    ])
  func ordinary(text: String) { #expect(YAMLShape.problem(in: text) == nil) }

  @Test(
    "An anchor is found with its line",
    arguments: [
      ("a: &b 1\n", 1), ("x: 1\ny: [&b 1]\n", 2), ("- &b x\n", 1), ("x: 1\ry: &b 2", 2),
      ("# c\u{85}y: &b 2", 2), ("# c\u{2028}y: &b 2", 2),
    ])
  func anchors(text: String, line: Int) throws {
    let found = try #require(YAMLShape.problem(in: text))
    #expect(found.problem == .anchor && found.line == line)
  }

  @Test("Nesting over the limit is found in brackets and in blocks, whatever ends a line")
  func depth() throws {
    let flow = String(repeating: "[", count: YAMLShape.depthLimit + 1)
    let block = String(repeating: "- ", count: YAMLShape.depthLimit + 1)
    for end in ["\n", "\r", "\r\n", "\u{85}", "\u{2029}"] {
      for text in [flow, block] {
        let found = try #require(YAMLShape.problem(in: "# x" + end + text))
        #expect(found.problem == .tooDeep && found.line == 2)
      }
    }
    #expect(YAMLShape.problem(in: String(flow.dropLast())) == nil)
  }
}
