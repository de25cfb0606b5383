import Testing

@testable import AssayCommands

@Suite("The spelling of commands")
struct CommandSpellingTests {
  @Test("A misspelled command suggests the nearest one, with the status of wrong usage")
  func misspelt() throws {
    let outcome = try Program().run("impot", "f.csv")
    #expect(outcome.status == 64)
    #expect(outcome.stdout.isEmpty)
    #expect(outcome.stderr.contains("unknown command “impot”; did you mean “import”?"))
    #expect(try Program().run("xyzzy").stderr.contains("commands are import, formats, ls"))
  }

  @Test("Commands and options are none", arguments: ["import", "rm", "help", "--version", "-h"])
  func right(word: String) {
    #expect(Assay.spelling(of: word)?.message == nil)
  }

  @Test("Help, version and a bare call are as they were")
  func plain() throws {
    let program = try Program()
    #expect(try program.run("--version").stdout == "assay 0.1.0\n")
    #expect(try program.run().stdout.contains("SUBCOMMANDS:"))
    #expect(try program.run("help", "import").stdout.contains("USAGE: assay import"))
  }
}
