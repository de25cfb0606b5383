import Testing

@testable import AssayCommands

@Suite("Folding")
struct ParagraphTests {
  @Test("A long line is broken at blanks, later lines two columns in")
  func prose() {
    #expect(Paragraph.folded("one two three four", to: 9) == "one two\n  three\n  four")
    #expect(Paragraph.folded("short", to: 9) == "short")
    #expect(Paragraph.folded("", to: 9) == "")
  }

  @Test("The commands of a color take no column")
  func color() {
    let text = "\u{1B}[38;5;166mone: \u{1B}[0mtwo"
    #expect(Paragraph.folded(text, to: 8) == text)
  }

  @Test("What stands behind a gap hangs under itself")
  func hanging() {
    #expect(
      Paragraph.folded("name    a b c d e f g h", to: 18)
        == "name    a b c d e\n        f g h")
  }

  @Test("A word too long for its place under the gap moves left")
  func path() {
    #expect(
      Paragraph.folded("  ok   font   /usr/share/fonts/x.ttf", to: 26)
        == "  ok   font\n    /usr/share/fonts/x.ttf")
  }

  @Test("Words, commands and what a caret points at stay whole")
  func whole() {
    for text in [
      String(repeating: "x", count: 50), "next: assay model add a b c d e f g h i j k",
      "  label = a and label = b\n          ^",
    ] {
      #expect(Paragraph.folded(text, to: 20) == text)
    }
  }

  @Test("A command at the end of a long text is one line, which can be copied")
  func command() {
    let command = #"(cd PATH && find . | sed '1i file,class' > a.csv) && assay import PATH/a.csv"#
    let text = "note: these images have no labels, write a table of them: \(command)"
    let lines = "note: these images have no labels, write\n  a table of them:\n  \(command)"
    let terminal = Terminal(width: 40, folds: true)
    #expect(Paragraph.text(text, in: terminal) == lines)
    #expect(Paragraph.folded(lines, to: 40) == lines)
    #expect(Paragraph.folded(text, to: 40) == lines)
    #expect(
      Paragraph.folded("error: there is no such run: assay runs list", to: 30)
        == "error: there is no such run:\n  assay runs list")
    #expect(
      Paragraph.folded("error: no run: assay runs list", to: 30) == "error: no run: assay runs list"
    )
    #expect(
      Paragraph.folded("error: no run: assay runs list, or --run", to: 30)
        == "error: no run: assay runs\n  list, or --run")
  }

  @Test("Nothing is lost, and no line with blanks is too long", arguments: 1...30)
  func complete(width: Int) {
    let text = "bad.csv:9: the label '9' is no class (0 to 6: angry, disgust, fear)  row left out "
    let folded = Paragraph.folded(text, to: width)
    #expect(folded.split(whereSeparator: \.isWhitespace) == text.split(separator: " "))
    for line in folded.split(separator: "\n") {
      #expect(line.count <= width || !line.drop { $0 == " " }.contains(" "))
    }
  }
}
