import AssayCore
import AssayTestSupport
import Foundation
import Testing

/// Tasks that are killed, interrupted or out of space, and tasks that do the same work.
@Suite("assay predict --shard, failures", .openVINO)
struct ShardFailureTests {
  /// A dataset of many small images.
  private func world(_ rows: Int) throws -> ShardWorld {
    let world = try ShardWorld(.labels)
    let lines = (0..<rows).map { "\($0 % 2 == 0 ? "bright" : "dark"),\($0 % 256) 9 80 40" }
    try world.program.folder.write(
      "many.csv", (["label,pixels"] + lines).joined(separator: "\n"))
    try world.run("import", "many.csv:pixel-csv", "--name", "many")
    return world
  }

  private func start(
    _ world: ShardWorld, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> Process {
    let process = Process()
    process.executableURL = Program.executable
    process.arguments = arguments
    process.currentDirectoryURL = world.program.folder.url
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 }
    ) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  private func names(_ world: ShardWorld, _ folder: String) -> [String] {
    let path = world.program.folder.path(folder)
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  private let part = [
    "predict", "many", "--model", "m", "--shard", "1/2", "--out", "parts", "--quiet",
  ]

  @Test(
    "A killed task leaves no part; the next one removes what it left",
    arguments: [SIGKILL, SIGTERM])
  func killed(signal: Int32) throws {
    let world = try world(20_000)
    try world.program.folder.write("tmp/keep", "")
    let environment = ["TMPDIR": world.program.folder.path("tmp")]
    var status: Int32 = 0
    repeat {
      try? FileManager.default.removeItem(atPath: world.program.folder.path("parts"))
      let process = try start(world, part, environment: environment)
      // The folder for the part is made once the model is read.
      while process.isRunning, names(world, "tmp") == ["keep"] { usleep(500) }
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      status = process.terminationStatus
      // If this test gets no processor time for so long that the task ends first, it tries again.
    } while status == 0
    #expect(status == (signal == SIGTERM ? 75 : SIGKILL))
    #expect(names(world, "parts").isEmpty)
    let again = try world.program.run(part + ["--json"], environment: environment)
    #expect(again.status == 0, "\(again.stderr)")
    #expect(names(world, "parts") == ["part-1-of-2.db"])
    // The child of a killed task ends by itself, a moment later.
    while names(world, "tmp") != ["keep"] {
      try world.program.run(part, environment: environment)
      try? FileManager.default.removeItem(atPath: world.program.folder.path("parts/part-1-of-2.db"))
    }
  }

  @Test("Two tasks on one shard: one part, both succeed")
  func twice() throws {
    let world = try world(2_000)
    let tasks = try (0..<3).map { _ in try start(world, part) }
    for task in tasks {
      task.waitUntilExit()
      #expect(task.terminationStatus == 0)
    }
    #expect(names(world, "parts") == ["part-1-of-2.db"])
    try world.run("predict", "many", "--model", "m", "--shard", "2/2", "--out", "parts")
    let merged = try world.run("merge", "parts", "--name", "r", "--json").json()
    #expect(merged["done"]?.double == 2_000)
    try world.run("predict", "many", "--model", "m", "--name", "w")
    #expect(try world.rows("r").dropLast() == world.rows("w").dropLast())
  }

  @Test("A full disk ends a task with status 75, for the local file and for the part")
  func full() throws {
    let world = try world(3_000)
    // The limit on the size of files, in blocks of 512 bytes (dash) or 1,024 bytes (bash).
    let line = "ulimit -f 100; exec \"$A\" " + part.joined(separator: " ")
    let outcome = try world.program.shell(line)
    #expect(outcome.status == 75, "\(outcome.stderr)")
    #expect(names(world, "parts").isEmpty)
    let again = try world.program.run(part)
    #expect(again.status == 0, "\(again.stderr)")
    let size = try #require(
      FileManager.default.attributesOfItem(
        atPath: world.program.folder.path("parts/part-1-of-2.db"))[.size] as? Int)
    #expect(size > 100 * 1_024)
  }

  @Test("A folder that cannot be written is an error that does not pass")
  func unwritable() throws {
    let world = try world(10)
    try world.program.folder.write("file", "")
    let outcome = try world.program.run(
      "predict", "many", "--model", "m", "--shard", "1/2", "--out", "file")
    #expect(outcome.status == 2 && outcome.stderr.contains("Not a directory"), "\(outcome.stderr)")
    let unknown = try world.program.run(
      "predict", "none", "--model", "m", "--shard", "1/2", "--out", "parts")
    #expect(unknown.status == 2)
  }

  @Test("A killed merge leaves the catalog as it was", arguments: [SIGKILL, SIGTERM])
  func killedMerge(signal: Int32) throws {
    let world = try world(20_000)
    for shard in ["1/2", "2/2"] {
      try world.run("predict", "many", "--model", "m", "--shard", shard, "--out", "parts")
    }
    let catalog = world.program.folder.path("assay.db")
    var status: Int32 = 0
    repeat {
      try world.program.run("rm", "run", "r")
      let process = try start(world, ["merge", "parts", "--name", "r", "--quiet"])
      func isWriting() -> Bool {
        ["-journal", "-wal"].contains { suffix in
          let size =
            try? FileManager.default.attributesOfItem(atPath: catalog + suffix)[.size] as? Int
          return (size ?? 0) > 0
        }
      }
      while process.isRunning, !isWriting() { usleep(500) }
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      status = process.terminationStatus
    } while status == 0
    let runs = try world.run("ls", "runs", "--json").json()["runs"]?.elements
    #expect(runs?.isEmpty == true)
    let health = try world.run(
      "sql",
      "SELECT integrity_check AS h, (SELECT count(*) FROM runSample) AS n"
        + " FROM pragma_integrity_check", "--json"
    ).json()
    #expect(health["rows"]?.elements?.first == ["h": "ok", "n": 0])
    let merged = try world.run("merge", "parts", "--name", "r", "--json").json()
    #expect(merged["done"]?.double == 20_000)
  }
}
