import AssayCore
import AssayTestSupport
import Foundation
import Testing

/// The program as a server that runs during a test.
private final class ServingProgram {
  private let process = Process()
  private let folder: TemporaryFolder
  private var out: String { folder.path + "/.server" }

  init(_ arguments: [String], in program: Program) throws {
    folder = program.folder
    process.executableURL = Program.executable
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    _ = FileManager.default.createFile(atPath: folder.path + "/.server", contents: nil)
    process.standardOutput = try #require(FileHandle(forWritingAtPath: folder.path + "/.server"))
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
  }

  deinit { if process.isRunning { process.terminate() } }

  var text: String { (try? String(contentsOfFile: out, encoding: .utf8)) ?? "" }

  /// Waits until the program has printed a text.
  func waits(for text: String) -> Bool {
    while process.isRunning, !self.text.contains(text) { usleep(20_000) }
    return self.text.contains(text)
  }

  /// Stops it like Ctrl-C.
  func interrupt() -> Int32 {
    process.interrupt()
    process.waitUntilExit()
    return process.terminationStatus
  }
}

@Suite("assay review with its server")
struct ReviewServerCommandTests {
  @Test(
    "It prints a link, lets others join, takes a second queue, and ends with word of what was kept"
  )
  func serves() throws {
    let house = try ReviewProgram()
    let port = "\(try ServerProcess.freePort())"
    let server = try ServingProgram(
      ["review", "r1", "--author", "anna", "--port", port], in: house.program)
    try #require(server.waits(for: "#token="), "\(server.text)")
    #expect(server.text.hasPrefix("review r1-uncertainty, new: 8 samples of r1"))
    #expect(server.text.contains("one-time link for anna:\nnext: http://127.0.0.1:\(port)/#token="))

    let link = try house.run("review", "link", "--author", "bea", "--json").json()
    #expect(link["author"] == "bea")
    #expect(link["url"]?.text?.hasPrefix("http://127.0.0.1:\(port)/#token=") == true)
    let status = try house.run("review", "status")
    #expect(status.stdout.contains("anna serves r1-uncertainty at http://127.0.0.1:\(port)"))
    #expect(status.stdout.hasSuffix("next: assay review link --author NAME\n"))
    let other = try house.run("review", "link", "other", "--author", "bea")
    #expect(other.status == 2)
    #expect(other.stderr.contains("other"))
    // A second queue is added to the running server, with a link that opens it.
    let second = try house.run("review", "r1", "--limit", "2", "--name", "two", "--author", "bea")
    #expect(second.status == 0, "\(second.stderr)")
    #expect(
      second.stdout.contains(
        "the queue is served by the running server at http://127.0.0.1:\(port)"))
    #expect(second.stdout.contains("&queue=two"))
    let named = try house.run("review", "link", "two", "--author", "bea", "--json").json()
    #expect(named["url"]?.text?.hasSuffix("&queue=two") == true)

    #expect(server.interrupt() == 0)
    #expect(server.text.contains("no changes were saved"))
    #expect(try house.run("review", "link", "--author", "bea").status == 2)
  }

  @Test("What is done from the command line has left the queue, by whom and when")
  func done() throws {
    let house = try ReviewProgram()
    _ = try house.run("review", "r1", "--list")
    let add = try house.run(
      "corrections", "add", "--sample", "faces:2", "--label", "sad", "--author", "bea")
    try #require(add.status == 0, "\(add.stderr)")
    let list = try house.run("review", "r1", "--list", "--rows", "1")
    #expect(list.stdout.contains("7 left, 1 done"))
    #expect(
      list.stdout.contains("1 correction exists, not used") || list.stderr.contains("1 correction"))
    let status = try house.run("review", "status", "--json").json()
    let rows = try #require(status["by_author_and_day"]?.elements)
    #expect(rows.count == 1)
    #expect(rows[0]["author"] == "bea")
    #expect(rows[0]["counts"]?["done"] == 1)
    #expect(rows[0]["day"]?.text?.count == 10)
    // Only the completed one is selected: there is nothing to build.
    let none = try house.run("review", "r1", "--where", "reviewed = true", "--list")
    #expect(none.status == 2)
    #expect(none.stderr.contains("1 sample that was already done"))
  }

  @Test("A queue in which nothing is left starts no server")
  func nothingLeft() throws {
    let house = try ReviewProgram()
    _ = try house.run("review", "r1", "--limit", "1", "--list")
    let add = try house.run(
      "corrections", "add", "--sample", "faces:2", "--label", "sad", "--author", "bea")
    try #require(add.status == 0, "\(add.stderr)")
    let outcome = try house.run("review", "r1", "--limit", "1")
    #expect(outcome.status == 0)
    #expect(outcome.stdout.contains("nothing left; --fresh rebuilds the queue"))
    let next = try house.run("review", "r1", "--limit", "1", "--fresh", "--json").json()
    #expect(next["items"]?.elements?.map { $0["key"] } == ["7"])
  }
}
