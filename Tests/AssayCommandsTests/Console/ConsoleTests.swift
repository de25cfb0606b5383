import Testing

@testable import AssayCommands

@Suite("Console")
struct ConsoleTests {
  @Test("Columns are aligned, numbers to the right, without blanks at the ends")
  func aligned() {
    var table = TextTable([("class", .left), ("n", .right)])
    table.add(["happy", "8989"])
    table.add(["sad", "5"])
    #expect(table.text(in: Terminal(width: 80)) == "class     n\nhappy  8989\nsad       5")
  }

  @Test("A narrow terminal cuts the widest column", arguments: [60, 40])
  func narrow(width: Int) {
    var table = TextTable([("key", .left), ("message", .left), ("n", .right)])
    table.add(["row 17", String(repeating: "long ", count: 40), "3"])
    for line in table.text(in: Terminal(width: width)).split(separator: "\n") {
      #expect(line.count <= width)
    }
    #expect(table.text(in: Terminal(width: width)).contains("…"))
    #expect(table.text(in: Terminal(width: width)).hasSuffix("3"))
  }

  @Test("Where numbers do not fit, none is cut: the columns go on below, beside the first again")
  func parts() {
    var table = TextTable([
      ("class", .left), ("instances", .right), ("coverage", .right), ("least…largest", .right),
    ])
    table.add(["traffic light", "117", "0.061", "0.001…0.628"])
    // Text columns need at least 8 characters: 8 + 2 + 9 + 2 + 8 = 29 fit 40 columns, 2 + 13 more
    // do not.
    #expect(
      table.text(in: Terminal(width: 40)) == """
        class          instances  coverage
        traffic light        117     0.061

        class          least…largest
        traffic light    0.001…0.628
        """)
    #expect(!table.text(in: Terminal(width: 60)).contains("\n\n"))
  }

  @Test("A path that is cut keeps its end")
  func paths() {
    var table = TextTable([("key", .path)])
    table.add(["0123456789abcdefghijklmnopqrstuvwxyz.0123456789.jpg"])
    // Of 40 columns one is "…", and two thirds of the other 39, 26, are the end.
    #expect(
      table.text(in: Terminal(width: 40))
        == "key\n0123456789abc…pqrstuvwxyz.0123456789.jpg")
  }

  @Test("Control characters from a file cannot steer the terminal")
  func safe() {
    #expect(
      Terminal.safe("a\u{1B}[31mb\u{9B}c\u{202E}d\n") == "a\\u{1b}[31mb\\u{9b}c\\u{202e}d\\u{a}")
    #expect(Terminal.safe("Grüße 😀") == "Grüße 😀")
    var table = TextTable([("name", .left)])
    table.add(["\u{1B}]0;x\u{7}"])
    #expect(!table.text(in: Terminal()).unicodeScalars.contains("\u{1B}"))
  }

  @Test("The bar fits its width and survives odd fractions", arguments: [20, 40, 100])
  func bar(width: Int) {
    for fraction in [0, 0.5, 1, -1, 7, .nan, .infinity] {
      let line = ProgressBar.line(fraction, "importing faces", elapsed: .seconds(3), width: width)
      #expect(line.count <= max(width, 20))
    }
    let half = ProgressBar.line(0.5, "importing", elapsed: .seconds(3), width: 80)
    #expect(half.contains("50 %, 3 s left"))  // 3 s for one half leave 3 s
  }
}
