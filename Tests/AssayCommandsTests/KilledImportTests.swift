import AssayCore
import Foundation
import Testing

/// The program is killed in the middle of an import, after it has written pages to the catalog's
/// file.
@Suite("assay import, killed")
struct KilledImportTests {
  private static let rows = 5_000

  /// A CSV of faces of one gray each, whose pixels are more than a page cache holds.
  private static func csv(_ rows: Int) -> String {
    var text = "emotion,pixels,Usage\n"
    for row in 0..<rows {
      let pixels = repeatElement("\(row % 10)", count: 48 * 48).joined(separator: " ")
      text += "\(row % 7),\(pixels),Training\n"
    }
    return text
  }

  /// Starts an import and kills it once the catalog's file has grown by a few pages.
  ///
  /// - Returns: true if it was killed before it finished.
  private func killedImport(_ program: Program, _ arguments: [String]) throws -> Bool {
    let catalog = program.folder.path + "/assay.db"
    let sizeBefore = try size(of: catalog)
    let process = Process()
    process.executableURL = Program.executable
    process.arguments = ["import"] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: program.folder.path)
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    while process.isRunning, try size(of: catalog) < sizeBefore + 1_000_000 { usleep(500) }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal
  }

  private func size(of path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }

  private func counts(_ program: Program) throws -> [JSONValue] {
    let query = """
      SELECT (SELECT group_concat(name) FROM (SELECT name FROM dataset ORDER BY name)) AS names, \
      (SELECT count(*) FROM sample WHERE retired = 0) AS samples, \
      (SELECT count(*) FROM pixels) AS pixels, (SELECT max(version) FROM import) AS version, \
      (SELECT integrity_check FROM pragma_integrity_check) AS health
      """
    let outcome = try program.run("sql", query, "--json")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    guard case .object(let members) = try outcome.json()["rows"]?.elements?.first else { return [] }
    return members.map(\.value)
  }

  @Test("The old state is left, and the import can be run again", arguments: [false, true])
  func killed(replaces: Bool) throws {
    let again =
      replaces ? ["new.csv", "--name", "old", "--replace"] : ["new.csv", "--name", "new"]
    var program: Program
    repeat {
      program = try Program()
      try program.folder.write("old.csv", Self.csv(10))
      try program.folder.write("new.csv", Self.csv(Self.rows))
      let first = try program.run("import", "old.csv", "--name", "old")
      try #require(first.status == 0, "\(first.stderr)")
      // If this test gets no processor time for so long that the import ends first, it tries again.
    } while try !killedImport(program, again)
    #expect(try counts(program) == ["old", 10, 10, 1, "ok"])
    let second = try program.run(["import"] + again)
    #expect(second.status == 0, "\(second.stderr)")
    #expect(
      try counts(program)
        == (replaces ? ["old", 5_000, 5_000, 2, "ok"] : ["new,old", 5_010, 5_010, 1, "ok"]))
  }
}
