import AssayCore
import Testing

@testable import AssayCommands

@Suite("The version of the program")
struct ProgramVersionTests {
  private let hash = "31f70d56" + String(repeating: "a", count: 32)

  @Test("A commit is shown by its first digits, with a mark for changed sources")
  func text() {
    #expect(ProgramVersion.text(of: nil) == "0.1.0")
    #expect(ProgramVersion.text(of: BuildCommit(hash)) == "0.1.0 (31f70d56)")
    #expect(ProgramVersion.text(of: BuildCommit(hash + "-dirty")) == "0.1.0 (31f70d56-dirty)")
  }

  @Test(
    "Other texts are no commits", arguments: ["", "31f70d56", "@assay commit@", "HEAD", "-dirty"])
  func others(text: String) {
    #expect(BuildCommit(text) == nil)
  }

  @Test("--version is a line, or JSON with the whole commit")
  func answer() throws {
    let commit = BuildCommit(hash + "-dirty")
    #expect(
      ProgramVersion.answer(to: ["assay", "--version"], commit: commit)
        == "assay 0.1.0 (31f70d56-dirty)")
    let json = try JSONValue(
      parsing: ProgramVersion.answer(to: ["assay", "--json", "--version"], commit: commit))
    #expect(json["version"]?.text == "0.1.0" && json["commit"]?.text == hash)
    #expect(json["dirty"] == .bool(true))
  }

  @Test("A program that swift built says the version alone")
  func plain() throws {
    let json = try Program().run("--version", "--json").json()
    #expect(json["version"]?.text == "0.1.0")
    #expect(json["commit"] == .null && json["dirty"] == .null)
  }
}
