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

  @Test("A view or a run as an option of another command says how the command takes it")
  func options() throws {
    let program = try Program()
    for (words, hint) in [
      (
        ["predict", "--in", "faces", "--model", "m"],
        "assay predict takes the dataset or view as an argument: assay predict VIEW"
      ),
      (["evaluate", "--in", "faces"], "assay evaluate takes a run"),
      (
        ["evaluate", "--run", "r1"],
        "assay evaluate takes the run as an argument: assay evaluate RUN"
      ),
      (["report", "--run", "r1", "--out", "d"], "assay report RUN"),
      (["query", "label = a", "faces"], "assay query takes the dataset or view as --in VIEW"),
    ] {
      let outcome = try program.run(words)
      #expect(outcome.status == 64, "\(words)")
      #expect(outcome.stderr.contains(hint), "\(outcome.stderr)")
      #expect(!outcome.stderr.contains("Did you mean"), "\(outcome.stderr)")
    }
    #expect(
      Assay.spelled("Error: Unknown option '--x'\nUsage: assay query")
        == "Error: Unknown option '--x'\nUsage: assay query")
  }

  @Test("Help, version and a bare call are as they were")
  func plain() throws {
    let program = try Program()
    #expect(try program.run("--version").stdout == "assay 0.1.0\n")
    #expect(try program.run().stdout.contains("SUBCOMMANDS:"))
    #expect(try program.run("help", "import").stdout.contains("USAGE: assay import"))
  }
}
