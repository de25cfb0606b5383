import Testing

import AssayStore

@Suite("Names")
struct NameTests {
  @Test(
    "A name starts with a letter or digit and has no blanks",
    arguments: [
      ("faces", true), ("2017val", true), ("a.b_c-d", true), ("", false), ("-a", false),
      (".a", false), ("a b", false), ("a/b", false), ("ä", false),
      (String(repeating: "a", count: 200), true), (String(repeating: "a", count: 201), false),
    ])
  func rule(name: String, valid: Bool) {
    #expect(Name.isValid(name) == valid)
  }
}
