import AssayCore
import AssayTestSupport
import Foundation
import GRDB
import Testing

@testable import AssayStore

/// A ledger in its own folder, which is removed with it.
final class TemporaryLedger {
  private let temporary: TemporaryFolder
  let folder: URL
  let ledger: Ledger

  /// - Parameter entries: the number of initial ``draft(_:sample:parent:)`` entries, with three
  ///   samples in turn.
  init(entries: Int = 0) throws {
    temporary = try TemporaryFolder()
    folder = temporary.url
    ledger = try Ledger.open(folder.appending(path: "a.ledger.db").path, .create)
    try ledger.append((0..<entries).map { Self.draft($0 + 1, sample: "\($0 % 3).png") })
  }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  /// Modifies the file as another program would, without the settings of assay's own connections.
  func tamper(_ sql: String..., at path: String? = nil) throws {
    let queue = try DatabaseQueue(path: path ?? ledger.path)
    try queue.inDatabase { database in
      for sql in sql { try database.execute(sql: sql) }
    }
    try queue.close()
  }

  /// Removes the guards so that rows can be changed, which cannot happen by accident.
  func dropGuards() throws {
    try tamper(
      "DROP TRIGGER correctionInsert", "DROP TRIGGER correctionUpdate",
      "DROP TRIGGER correctionDelete")
  }

  /// Restores the guards.
  func restoreGuards() throws {
    for object in LedgerSchema.objects where object.name.hasPrefix("correction") {
      if object.sql.hasPrefix("CREATE TRIGGER") { try tamper(object.sql) }
    }
  }

  static func uuid(_ number: Int) -> String {
    String(format: "00000000-0000-4000-8000-%012lx", number)
  }

  static func identity(_ key: String, dataset: String = "faces") -> SampleIdentity {
    SampleIdentity(dataset: dataset, key: key, contentHash: ContentHash.of(Array(key.utf8)))
  }

  static func draft(
    _ number: Int, sample key: String = "0.png", parent: CorrectionDraft.Parent = .head,
    dataset: String = "faces", kind: CorrectionKind = .label,
    payload: JSONValue = ["author": "anna", "category": "happy"]
  ) -> CorrectionDraft {
    CorrectionDraft(
      uuid: uuid(number), sample: identity(key, dataset: dataset), target: .label, kind: kind,
      visit: uuid(0xABC), parent: parent, payload: payload)
  }
}

/// The programs that the tests of the ledger start as processes.
enum LedgerProgram {
  static var fixtures: URL { PackageFolder.fixture("ledger") }

  /// `LedgerBench`, which is built next to the test bundle.
  static var bench: String { BuiltProgram.url("LedgerBench").path }

  /// A program's path, searched in `PATH`.
  static func find(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Returns whether a program exists and exits with 0 for these arguments.
  static func works(_ name: String, _ arguments: String...) -> Bool {
    guard let path = find(name) else { return false }
    return (try? run(path, arguments))?.status == 0
  }

  struct Outcome {
    var status: Int32
    var stdout: String
    var stderr: String

    /// The sequence numbers and uuids that were acknowledged.
    var acknowledged: [(sequence: Int64, uuid: String)] { LedgerProgram.acknowledged(stdout) }
  }

  /// Runs a program and waits until it exits.
  static func run(_ program: String, _ arguments: [String]) throws -> Outcome {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "assay-run-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (process, out, err) = try start(program, arguments, in: folder)
    process.waitUntilExit()
    return try Outcome(
      status: process.terminationStatus, stdout: String(contentsOf: out, encoding: .utf8),
      stderr: String(contentsOf: err, encoding: .utf8))
  }

  /// Starts a program whose output goes to files in a folder.
  static func start(
    _ program: String, _ arguments: [String], in folder: URL, name: String = UUID().uuidString
  ) throws -> (process: Process, out: URL, err: URL) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let out = folder.appending(path: name + ".out")
    let err = folder.appending(path: name + ".err")
    for file in [out, err] { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: out)
    process.standardError = try FileHandle(forWritingTo: err)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return (process, out, err)
  }

  /// The `ACK sequence uuid` lines of a text; a truncated last line does not count.
  static func acknowledged(_ text: String) -> [(sequence: Int64, uuid: String)] {
    text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 3, words[0] == "ACK", let sequence = Int64(words[1]) else { return nil }
      return (sequence, String(words[2]))
    }
  }
}
