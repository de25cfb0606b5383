import AssayCore
import AssayTestSupport
import Foundation
import Testing

/// An import of an image folder is stopped after it has read some of the images.
@Suite("assay import of images, interrupted")
struct InterruptedImportTests {
  private static let images = 6_000

  /// A program beside a folder of images whose times are long ago.
  private static func program() throws -> Program {
    let program = try Program()
    let image = try Data(contentsOf: PackageFolder.fixture("image-folder/splits/train/cat/1.png"))
    for number in 0..<images { try program.folder.write("set/cat/\(number).png", image) }
    try program.folder.write("set/dog/0.png", image)
    let made = try program.shell("find set -type f -exec touch -d 2023-01-01 {} +")
    try #require(made.status == 0)
    return program
  }

  private static func kept(in program: Program) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: program.folder.path).filter {
      $0.hasPrefix("assay.db.images-")
    }
  }

  /// Returns whether a file of sizes has lines: it is made before the first ones are written.
  private static func keepsSizes(in program: Program) throws -> Bool {
    try kept(in: program).contains { name in
      let path = program.folder.path + "/" + name
      let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      return (size ?? 0) > 0
    }
  }

  /// Starts an import, and signals it once it has kept the sizes of some images.
  private static func stopped(by signal: Int32) throws -> (Program, Process) {
    while true {
      let program = try program()
      let process = Process()
      process.executableURL = Program.executable
      process.arguments = ["import", "set"]
      process.currentDirectoryURL = URL(fileURLWithPath: program.folder.path)
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      let errors = program.folder.path + "/errors"
      _ = FileManager.default.createFile(atPath: errors, contents: nil)
      process.standardError = FileHandle(forWritingAtPath: errors)
      process.standardOutput = FileHandle.nullDevice
      // A test's thread has signals blocked, and a child would inherit that.
      var blocked = sigset_t()
      var none = sigset_t()
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, &blocked)
      try process.run()
      pthread_sigmask(SIG_SETMASK, &blocked, nil)
      while process.isRunning, try !keepsSizes(in: program) { usleep(500) }
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      // If this test gets no processor time for so long that the import ends first, it tries again.
      if process.terminationReason == .uncaughtSignal || process.terminationStatus != 0 {
        return (program, process)
      }
    }
  }

  @Test(
    "The same command continues: images that were read are not read again, and the rows are the same",
    arguments: [SIGINT, SIGKILL])
  func continues(signal: Int32) throws {
    let (program, process) = try Self.stopped(by: signal)
    let name = try #require(try Self.kept(in: program).first)
    if signal == SIGINT {
      #expect(process.terminationStatus == 130)
      let message = try program.folder.read("errors")
      #expect(message.contains("nothing is in the catalog yet"), "\(message)")
      #expect(message.contains(name))
      #expect(!program.folder.has("assay.db"))
    }
    // A line that a crash cut, and one that is no image.
    let file = try #require(FileHandle(forWritingAtPath: program.folder.path + "/" + name))
    try file.seekToEnd()
    try file.write(contentsOf: Data("1\t2\tx\t4\tset\n150\t1672531200000".utf8))
    try file.close()
    let second = try program.run("import", "set", "--json")
    #expect(second.status == 0, "\(second.stderr)")
    let notes = try #require(try second.json()["notes"]?.elements?.compactMap(\.text))
    let note = try #require(notes.first { $0.contains("not read again") }, "\(notes)")
    let count = try #require(Int(note.prefix { $0.isNumber }))
    #expect(count >= 100 && count <= Self.images)
    #expect(try Self.kept(in: program) == [])
    let query = """
      SELECT count(*) AS images, group_concat(line) AS lines FROM (
        SELECT key || ' ' || width || ' ' || height || ' ' || fileSize || ' ' || fileModified AS line
        FROM sample ORDER BY key)
      """
    let rows = try program.run("sql", query, "--json").json()["rows"]
    #expect(rows?.elements?.first?["images"]?.whole == Self.images + 1)
    let fresh = try program.run("import", "set", "--db", "fresh.db")
    #expect(fresh.status == 0)
    #expect(try program.run("sql", query, "--json", "--db", "fresh.db").json()["rows"] == rows)
  }
}
