import AssayCore
import Foundation
import Testing

@testable import AssayCommands

@Suite("assay import")
struct ImportCommandTests {
  private static let header = "emotion,pixels,Usage\n"
  private static let rows = header + "3,1 2 3 4,Training\n4,5 6 7 8,PrivateTest\n"

  @Test("Options are understood, and wrong ones refused before anything is done")
  func options() throws {
    let command = try #require(
      try Assay.parseAsRoot([
        "import", "f.csv:pixel-csv", "--classes", "a,b", "--size", "6x4", "--split", "train",
        "--strict", "--replace", "--name", "n",
      ]) as? ImportCommand)
    let request = try command.request()
    #expect((request.path, request.format) == ("f.csv", .pixelCSV))
    #expect(request.classes == ["a", "b"])
    #expect(request.size == ImageSize(width: 6, height: 4))
    #expect(request.strict && request.replace)
    #expect((request.name, request.split) == ("n", "train"))
    for wrong in [
      ["--size", "6"], ["--size", "0x4"], ["--size", "6x4x3"], ["--size", "99999x99999"],
      ["--classes", ""], ["--classes", "a,,b"], ["--classes", "a,a"],
    ] {
      #expect(throws: (any Error).self) { try Assay.parseAsRoot(["import", "f.csv"] + wrong) }
    }
  }

  @Test("The summary tells what was read, by split and class, and where the issues are")
  func summary() throws {
    let program = try Program()
    try program.folder.write("f.csv", Self.rows + "9,1 2 3 4,Training\n")
    let outcome = try program.run("import", "f.csv", "--name", "faces")
    #expect(outcome.status == 0)
    #expect(outcome.stderr.isEmpty)
    let text = outcome.stdout
    #expect(text.contains("imported faces as fer: its header has the columns pixels and emotion"))
    #expect(text.contains("read 3 = accepted 2 + rejected 1, in "))
    #expect(text.contains("happy         1     0    1"))
    #expect(text.contains("1 issue: 1 unknownLabel (assay issues faces)"))
    let again = try program.run("import", "f.csv", "--name", "faces")
    #expect(again.status == 0)
    #expect(again.stdout.hasPrefix("already imported: faces is this input"))
  }

  @Test("What was imported with issues does not pass --strict by being there already")
  func strictAgain() throws {
    let program = try Program()
    try program.folder.write("f.csv", Self.rows + "9,1 2 3 4,Training\n")
    try program.run("import", "f.csv")
    #expect(try program.run("import", "f.csv").status == 0)
    let strict = try program.run("import", "f.csv", "--strict")
    #expect(strict.status == 1)
    #expect(strict.stdout.hasPrefix("already imported: f is this input"))
    #expect(strict.stdout.hasSuffix("nothing was done\n1 issue (assay issues f)\n"))
  }

  @Test("A format misspelt behind a path is told from a path that is not there")
  func misspelt() throws {
    let program = try Program()
    try program.folder.write("f.csv", Self.rows)
    let outcome = try program.run("import", "f.csv:pixelcsv")
    #expect(outcome.status == 2)
    #expect(
      outcome.stderr.contains("unknown format “pixelcsv” after f.csv; did you mean “pixel-csv”?"))
    #expect(try program.run("import", "g.csv:fer").stderr.contains("g.csv does not exist"))
  }

  @Test("Import and show have their splits in one order")
  func splitOrder() throws {
    let program = try Program()
    try program.folder.write("f.csv", Self.rows + "3,1 2 3 4,PublicTest\n")
    let header = "class     train  validation  test  all\n"
    #expect(try program.run("import", "f.csv").stdout.contains(header))
    #expect(try program.run("show", "f").stdout.contains(header))
  }

  @Test("A catalog that cannot be made says what it needs")
  func noFolder() throws {
    let program = try Program()
    try program.folder.write("f.csv", Self.rows)
    let outcome = try program.run("import", "f.csv", "--db", "none/x.db")
    #expect(outcome.status == 2)
    #expect(outcome.stderr.contains("none/x.db"))
    #expect(outcome.stderr.contains("the file's folder must exist"))
    #expect(!program.folder.has("none"))
  }

  @Test("Issues keep to a narrow terminal, and stay a line each in a pipe")
  func folded() throws {
    let program = try Program()
    try program.folder.write("f.csv", Self.rows + "9,1 2 3 4,Training\n")
    try program.run("import", "f.csv")
    let narrow = try program.run("issues", "f", environment: ["COLUMNS": "60"]).stdout
    #expect(narrow.split(separator: "\n").allSatisfy { $0.count <= 60 }, "\(narrow)")
    let piped = try program.run("issues", "f").stdout.split(separator: "\n")
    #expect(piped.count { $0.contains("f.csv:4") && $0.contains("row left out") } == 1)
  }

  @Test("As JSON it has the same numbers, and the reason against every other format")
  func json() throws {
    let program = try Program()
    try program.folder.write("f.csv", Self.rows)
    let json = try program.run("import", "f.csv", "--json").json()
    #expect(json["status"]?.text == "imported")
    #expect(json["dataset"]?["name"]?.text == "f")
    #expect(json["read"]?.double == 2)
    #expect(json["accepted"]?.double == 2)
    #expect(json["counts"]?.elements?.count == 2)
    #expect(json["counts"]?.elements?.first?["split"]?.text == "train")
    #expect(json["others"]?["image-folder"]?.text?.isEmpty == false)
    #expect(
      try program.run("import", "f.csv", "--json").json()["status"]?.text == "already imported")
  }

  @Test("A strict import lists every issue, ends with 1 and leaves no catalog")
  func strict() throws {
    let program = try Program()
    try program.folder.write("f.csv", Self.rows + "9,1 2 3 4,Training\n3,1 2 3,Training\n")
    let outcome = try program.run("import", "f.csv", "--strict")
    #expect(outcome.status == 1)
    #expect(outcome.stdout.contains("refused: 2 issues and --strict; nothing was imported"))
    #expect(outcome.stdout.contains("f.csv:4: unknown label '9'"))
    #expect(outcome.stdout.contains("f.csv:5: expected 4"))
    #expect(!program.folder.has("assay.db"))
  }

  @Test(
    "What cannot be imported is a clear text and status 2, and leaves no catalog",
    arguments: [
      ("empty.csv", "empty.csv is empty; assay imports fer, pixel-csv, multilabel-csv"),
      ("binary.csv", "is a binary file (byte 1 is 0)"), ("nowhere.csv", "does not exist"),
      ("folder", "folder: unrecognized dataset format: it is a folder with 1 file (1 .txt)"),
      ("text.txt", "unrecognized dataset format: it is text whose first line"),
      ("/dev/null", "neither a file nor a folder"), ("text.txt:fer", "cannot be read as fer"),
    ])
  func refused(source: String, says: String) throws {
    let program = try Program()
    try program.folder.write("empty.csv", "")
    try program.folder.write("binary.csv", [1, 0, 2])
    try program.folder.write("text.txt", "hello\nworld\n")
    try program.folder.write("folder/notes.txt", "hello\n")
    let outcome = try program.run("import", source)
    #expect(outcome.status == 2)
    #expect(outcome.stdout.isEmpty)
    #expect(outcome.stderr.contains(says))
    #expect(!program.folder.has("assay.db"))
  }

  @Test("A name that is taken needs --replace, and the message says so")
  func taken() throws {
    let program = try Program()
    try program.folder.write("a.csv", Self.rows)
    try program.folder.write("b.csv", Self.header + "0,1 2 3 4,Training\n")
    #expect(try program.run("import", "a.csv", "--name", "x").status == 0)
    let outcome = try program.run("import", "b.csv", "--name", "x")
    #expect(outcome.status == 2)
    #expect(outcome.stderr.contains("--replace"))
    let replaced = try program.run("import", "b.csv", "--name", "x", "--replace")
    #expect(replaced.stdout.contains("samples: 0 new, 1 kept, 1 removed"))
  }

  /// Starts an import that takes a while and signals it once it has begun to write.
  private func interrupt(_ signal: Int32, in program: Program) throws -> Process {
    let row = "0," + Array(repeating: "128", count: 48 * 48).joined(separator: " ") + ",Training\n"
    try program.folder.write("big.csv", Self.header + String(repeating: row, count: 8_000))
    let process = Process()
    process.executableURL = Program.executable
    process.arguments = ["import", "big.csv"]
    process.currentDirectoryURL = URL(fileURLWithPath: program.folder.path)
    let errors = program.folder.path + "/errors"
    _ = FileManager.default.createFile(atPath: errors, contents: nil)
    process.standardError = FileHandle(forWritingAtPath: errors)
    process.standardOutput = FileHandle.nullDevice
    // A test's thread has signals blocked, and a child would inherit that.
    var blocked = sigset_t()
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &blocked)
    defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
    try process.run()
    while process.isRunning, !program.folder.has("assay.db") { usleep(1_000) }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    return process
  }

  @Test("An interrupt rolls the import back and says so")
  func interrupted() throws {
    var program: Program
    var process: Process
    repeat {
      program = try Program()
      process = try interrupt(SIGINT, in: program)
      // If this test gets no processor time for so long that the import ends first, it tries again.
    } while process.terminationReason == .exit && process.terminationStatus == 0
    #expect(process.terminationStatus == 130)
    #expect(try program.folder.read("errors").contains("interrupted; nothing was imported"))
    #expect(!program.folder.has("assay.db"))
  }

  @Test("After a kill the old state is there, and the import can be run again")
  func killed() throws {
    var program: Program
    repeat {
      program = try Program()
    } while try interrupt(SIGKILL, in: program).terminationReason == .exit
    let listed = try program.run("ls", "--json").json()
    #expect(listed["datasets"]?.elements ?? [] == [])
    let outcome = try program.run("import", "big.csv", "--json")
    #expect(try outcome.json()["accepted"]?.double == 8_000)
  }
}
