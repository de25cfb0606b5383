import Foundation
import Testing

@testable import AssayCommands

@Suite("Help topics")
struct HelpTopicTests {
  @Test("Every topic is printed from the document, within the width", arguments: HelpTopic.allCases)
  func topics(topic: HelpTopic) throws {
    let program = try Program()
    let outcome = try program.run("help", topic.rawValue)
    #expect(outcome.status == 0)
    #expect(outcome.stdout.count > 2_000)
    let title = try #require(outcome.stdout.split(separator: "\n").first)
    #expect(title == title.uppercased())
    #expect(!outcome.stdout.contains("](") && !outcome.stdout.contains("| --"))
  }

  @Test("A word that is neither command nor topic is refused, with the nearest and the list")
  func unknown() throws {
    let program = try Program()
    let outcome = try program.run("help", "metricks")
    #expect(outcome.status == 64)
    #expect(
      outcome.stderr.contains("unknown command or topic “metricks”; did you mean “metrics”?"))
    #expect(outcome.stderr.contains("  queries"))
    #expect(try program.run("help", "stats").stdout.contains("USAGE: assay stats"))
  }

  @Test("Topics are not commands: each word has one meaning")
  func distinct() {
    #expect(Set(Assay.commandNames).isDisjoint(with: HelpTopic.allCases.map(\.rawValue)))
  }

  @Test("Without the documents the error names the folders")
  func notInstalled() {
    #expect {
      _ = try HelpTopic.metrics.markdown(besides: "/nowhere/bin/assay")
    } throws: { error in
      "\(error)".contains("Metrics.md was not found next to the program")
        && "\(error)".contains("/nowhere/share/doc/assay")
    }
  }

  @Test("Paragraphs are broken, lists hang, narrow tables are columns and wide ones rows")
  func markdown() {
    let text = MarkdownText(
      """
      # A title

      ## Contents

      - [One](#one)

      ## One

      Words with a [link](Other.md#place), **bold** and `code`, which go on behind the end of the line.

      - an item that is so long that it is broken into two lines of text
        more of it

          code stays   as it is, whatever its length may be, and is not broken

      | key | meaning |
      |---|---|
      | a | first \\| second |

      | key | meaning |
      |---|---|
      | `b` | a cell that is much too long for the width of the terminal it is in |
      """
    ).text(in: Terminal(width: 44))
    #expect(
      text == """
        A TITLE

        ONE

        Words with a link, bold and `code`, which go
        on behind the end of the line.

        - an item that is so long that it is broken
          into two lines of text
          more of it

            code stays   as it is, whatever its length may be, and is not broken

        key  meaning
        a    first | second

        `b`
            a cell that is much too long for the
              width of the terminal it is in
        """)
  }
}
