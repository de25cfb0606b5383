import Foundation
import Testing

import AssayCommands

@Suite(
  "Limits of the system",
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/prlimit"), "needs prlimit"))
struct ProcessResourcesTests {
  /// Runs the program under limits that `prlimit` sets.
  private func run(
    _ limits: [String], _ arguments: [String], in program: Program, asNobody: Bool = false
  ) throws -> Program.Outcome {
    let process = Process()
    let (out, err) = (Pipe(), Pipe())
    var command = ["/usr/bin/prlimit"] + limits + [Program.executable.path] + arguments
    if asNobody {
      command =
        ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + command
    }
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: program.folder.path)
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardOutput = out
    process.standardError = err
    try process.run()
    let stdout = out.fileHandleForReading.readDataToEndOfFile()
    let stderr = err.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    return Program.Outcome(
      status: process.terminationStatus, stdout: String(decoding: stdout, as: UTF8.self),
      stderr: String(decoding: stderr, as: UTF8.self))
  }

  @Test("Too few open files are said, with status 2", arguments: 4...12)
  func files(_ limit: Int) throws {
    let program = try Program()
    let outcome = try run(["--nofile=\(limit):\(limit)"], ["ls", "--json"], in: program)
    #expect(outcome.status == 2)
    #expect(outcome.stderr.contains("only \(limit) files may be open at once"), "\(outcome.stderr)")
    #expect(try outcome.json()["error"]?.text?.contains("ulimit -n") == true)
  }

  @Test("A low limit on open files is raised where that is allowed")
  func raised() throws {
    let program = try Program()
    try program.folder.write("squares.csv", "label,pixels\nbright,0 9 80 0\n")
    let outcome = try run(
      ["--nofile=8:4096"], ["import", "squares.csv:pixel-csv", "--name", "s"], in: program)
    #expect(outcome.status == 0, "\(outcome.stderr)")
  }

  @Test("A limit on file size is an error, not the end of the program")
  func fileSize() throws {
    let program = try Program()
    try program.folder.write("squares.csv", "label,pixels\nbright,0 9 80 0\n")
    let outcome = try run(
      ["--fsize=20000"], ["import", "squares.csv:pixel-csv", "--name", "s"], in: program)
    #expect(outcome.status == 2 && outcome.stderr.hasPrefix("error: "), "\(outcome.stderr)")
  }

  @Test(
    "Threads that cannot be started are said, with status 2",
    .enabled(
      if: geteuid() != 0 || FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv"),
      "needs setpriv"), arguments: ["ls", "doctor"])
  func threads(_ command: String) throws {
    let program = try Program()
    let outcome = try run(
      ["--nproc=1"], [command, "--json"], in: program, asNobody: geteuid() == 0)
    #expect(outcome.status == 2)
    #expect(
      outcome.stderr.contains("required threads can be started"), "\(outcome.stderr)")
    #expect(try outcome.json()["error"]?.text?.contains("ulimit -u") == true)
  }
}
