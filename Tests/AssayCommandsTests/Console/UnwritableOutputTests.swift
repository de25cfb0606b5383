import ArgumentParser
import AssayCore
import Foundation
import Testing

import AssayCommands

/// Standard output or standard error on a full disk, or closed.
@Suite("Output that cannot be written")
struct UnwritableOutputTests {
  /// One call of each command, in a folder with the dataset `faces` and the runs `r1` and `r2`; some fail.
  static let calls = [
    "import faces.csv --name two", "formats", "ls", "show faces", "issues faces",
    "rm run r2", "relink faces faces.csv", "backup bk.db", "query \"label = 'sad'\" --in faces",
    "view save v --in faces --where \"label = 'sad'\"", "view ls",
    "sql 'SELECT count(*) FROM sample'",
    "tag faces hard --author bea", "tags faces",
    "field faces light=dim --author bea", "fields faces",
    "split faces --name s --parts a=0.5,b=0.5", "sample faces 2 --save some",
    "merge faces faces --name both --prefix-keys", "check faces", "stats faces",
    "model add none.onnx", "model edit none --print", "model inputs none faces --out inputs",
    "model check none", "model audit none faces", "model runner-template",
    "predict faces --model none --name r3", "status none",
    "scan . --shard 1/1 --out scanned",
    "plan predict faces --model none --out p.assayplan",
    "submit slurm predict faces --model none --shards 2 --dry-run",
    "submit slurm check faces --shards 2 --dry-run",
    "submit slurm stats faces --means m --shards 2 --dry-run",
    "submit slurm scan . --name n --shards 2 --dry-run",
    "predictions import r1.csv --in faces --name r4",
    "predictions export r1 --out p.csv", "predictions combine r1 r2 --name r5",
    "predictions refine r1 --name r6 --steps holes", "predictions objects r1 --name r7",
    "evaluate r1", "compare r1 r2", "decide make r1 --where 'width > 0'",
    "decide apply r1 --decision none.yaml",
    "gate r1 'accuracy >= 0.01'", "gate r1 'accuracy >= 0.99'", "report r1 --out report",
    "actionshot none --model none --out shot.png",
    "pipeline run faces none", "pipeline ls", "pipeline show faces",
    "open none", "live --model none", "review start r1 --list", "review status", "review link",
    "review assign q --to b", "review consensus q", "agreement q",
    "corrections add --sample faces:2 --label sad --author bea", "corrections ls",
    "corrections show faces:2", "corrections undo 1 --author bea",
    "corrections redo 1 --author bea", "corrections export c.jsonl",
    "corrections import c.jsonl", "corrections adopt faces two", "corrections verify",
    "corrections forget",
    "export faces --to folder --out exported", "convert faces.csv --to image-folder converted",
    "cache", "doctor", "--help", "--version", "import --help",
    "nonsense", "ls --nonsense", "--generate-completion-script bash", "ls --json",
    "show none --json",
  ]

  /// A folder that is copied for each call.
  private static let world = Result {
    let house = try ReviewProgram()
    try house.program.run("predictions", "import", "r1.csv", "--in", "faces", "--name", "r2")
    try house.program.run("evaluate", "r1")
    try house.program.run("evaluate", "r2")
    try house.program.run(
      "corrections", "add", "--sample", "faces:3", "--label", "happy", "--author", "bea")
    return house
  }

  /// Runs a call in a fresh copy of the world.
  private func run(_ call: String, _ redirections: String) throws -> (Program.Outcome, Program) {
    let house = try Self.world.get()
    let program = try Program()
    for name in try FileManager.default.contentsOfDirectory(atPath: house.program.folder.path)
    where !name.hasPrefix(".") {
      try FileManager.default.copyItem(
        atPath: house.program.folder.path + "/" + name, toPath: program.folder.path + "/" + name)
    }
    return (try program.shell("exec \"$A\" \(call) \(redirections)"), program)
  }

  @Test("Every command is among the calls")
  func complete() {
    func spellings(_ command: any ParsableCommand.Type, _ prefix: String) -> [String] {
      command.configuration.subcommands.flatMap { child -> [String] in
        let name = prefix + (child.configuration.commandName ?? "")
        let below = spellings(child, name + " ")
        return below.isEmpty ? [name] : below
      }
    }
    let missing = spellings(Assay.self, "").filter { name in
      !Self.calls.contains { $0 == name || $0.hasPrefix(name + " ") }
    }
    #expect(missing.isEmpty, "\(missing)")
  }

  @Test("It ends a command with status 74 and a line that says so", arguments: calls)
  func unwritable(call: String) throws {
    let (usual, _) = try run(call, "")
    #expect(usual.status < 128, "\(usual.stderr)")
    for redirection in [">/dev/full", ">&-"] {
      let (outcome, program) = try run(call, redirection)
      let isLost = !usual.stdout.isEmpty
      #expect(outcome.status == (isLost ? 74 : usual.status), "\(redirection): \(outcome.stderr)")
      #expect(
        outcome.stderr.contains("standard output cannot be written") == isLost,
        "\(redirection): \(outcome.stderr)")
      #expect(try health(of: program) == "ok")
    }
    let (full, _) = try run(call, "2>/dev/full")
    #expect(full.status == (usual.stderr.isEmpty ? usual.status : 74))
    let (closed, program) = try run(call, "<&- >&- 2>&-")
    #expect(closed.status == 74)
    #expect(try health(of: program) == "ok")
  }

  private func health(of program: Program) throws -> String? {
    let outcome = try program.run("sql", "PRAGMA integrity_check", "--json")
    guard case .object(let row)? = try outcome.json()["rows"]?.elements?.first else { return nil }
    return row.first?.value.text
  }

  @Test("What was saved before the output failed is saved")
  func saved() throws {
    let (outcome, program) = try run(
      "corrections add --sample faces:2 --label sad --author bea", ">/dev/full")
    #expect(outcome.status == 74)
    #expect(outcome.stderr.contains("the command succeeded"))
    let list = try program.run("corrections", "ls", "--json").json()
    #expect(list.text().contains("faces") && list.text().contains("\"2\""))
  }

  @Test("A server whose link nobody can see ends itself with status 74")
  func server() throws {
    let port = try ServerProcess.freePort()
    let (outcome, program) = try run("review r1 --author anna --port \(port)", ">/dev/full")
    #expect(outcome.status == 74, "\(outcome.stderr)")
    #expect(!program.folder.has("assay.ledger.server"))
  }

  @Test("A reader that goes away ends the program as before")
  func brokenPipe() throws {
    let (outcome, _) = try run("show faces --json", "| head -c 1")
    #expect(outcome.status == 0)
    #expect(outcome.stdout == "{")
    #expect(outcome.stderr.isEmpty)
  }

  @Test("No file takes the place of a stream that is closed")
  func closedStreams() throws {
    let (outcome, program) = try run("export faces --to folder --out e", "<&- >&- 2>&-")
    #expect(outcome.status == 74)
    let listed = try program.shell("find e -type f | xargs grep -l 'cannot be written'")
    #expect(listed.stdout.isEmpty)
    #expect(program.folder.has("e/manifest.json"))
  }
}
