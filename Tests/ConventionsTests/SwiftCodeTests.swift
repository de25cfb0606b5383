import Testing

/// The rules check only code, so code must be recognized correctly.
@Suite struct SwiftCodeTests {
  @Test(
    "Comments and insides of literals are blanked, lines kept",
    arguments: [
      ("let a = 1 // try!", "let a = 1        "),
      ("/* a /* b */ try! */x", "                    x"),
      ("/* a\n b */x", "    \n     x"),
      ("f(\"as! \\\" b\") + c", "f(\"        \") + c"),
      ("\"\\(g(\"try!\"))\"; h()", "\"            \"; h()"),
      ("#\"a\"b\\(c\"#; d", "#\"      \"#; d"),
      ("\"\"\"\n \"as!\" \n\"\"\"; d", "\"\"\"\n       \n\"\"\"; d"),
      ("x.replacing(#/ +!$/#)", "x.replacing(#/    /#)"),
      ("a / b / c // d", "a / b / c     "),
      ("#if DEBUG\nf()\n#endif", "#if DEBUG\nf()\n#endif"),
    ])
  func blanks(text: String, code: String) {
    #expect(SwiftCode.blanked(text) == code)
  }

  @Test("An unfinished literal or comment ends with the text")
  func unfinished() {
    #expect(SwiftCode.blanked("\"abc").count == 4)
    #expect(SwiftCode.blanked("/* abc").count == 6)
    #expect(SwiftCode.blanked("\"\\(").count == 3)
  }
}
