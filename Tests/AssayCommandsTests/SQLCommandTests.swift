import Foundation
import Testing

import AssayCommands

@Suite("assay sql")
struct SQLCommandTests {
  private func program() throws -> Program {
    let program = try Program()
    try program.folder.write("f.csv", "emotion,pixels\n3,1 2 3 4\n")
    try program.run("import", "f.csv")
    return program
  }

  @Test("A table that is not there brings the ones that are")
  func noTable() throws {
    let outcome = try program().run("sql", "SELECT * FROM samples")
    #expect(outcome.status == 2)
    #expect(outcome.stderr.contains("no such table: samples; did you mean “sample”? Tables: "))
    #expect(!outcome.stderr.contains("grdb"))
  }

  @Test("A column that is not there says how to see the columns, and that statement works")
  func noColumn() throws {
    let program = try program()
    let outcome = try program.run("sql", "SELECT color FROM sample")
    #expect(outcome.status == 2)
    #expect(outcome.stderr.contains("SELECT sql FROM sqlite_schema WHERE type = 'table'"))
    let schema = try program.run("sql", "SELECT sql FROM sqlite_schema WHERE type = 'table'").stdout
    #expect(schema.contains("CREATE TABLE sample"))
    #expect(!schema.contains("\\u{a}"))
  }

  /// The processor time that a process has used, in the system's ticks.
  private func processorTicks(of process: Process) throws -> Int {
    let text = try String(
      contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
    // After the program's name, which is in parentheses, the 12th and 13th field.
    let fields = (text.split(separator: ")").last ?? "").split(separator: " ")
    return try #require(Int(fields[11])) + #require(Int(fields[12]))
  }

  @Test("Ctrl-C ends a statement without end, with status 130")
  func interrupt() throws {
    let program = try program()
    let process = Process()
    process.executableURL = Program.executable
    process.currentDirectoryURL = URL(fileURLWithPath: program.folder.path)
    process.arguments = [
      "sql",
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c",
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    // A second of processor time is more than everything before the statement takes.
    while process.isRunning, try processorTicks(of: process) < sysconf(Int32(_SC_CLK_TCK)) {
      usleep(5_000)
    }
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 130)
  }
}
