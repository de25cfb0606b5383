import Foundation
import GRDB
import Testing

@testable import AssayStore

@Suite("A ledger that cannot be written")
struct LedgerDiskTests {
  /// True if a separate file system can be mounted.
  static let canMount = LedgerProgram.works("unshare", "-m", "true")
  /// True if the bench can be run as another user, who can read and run it but owns nothing.
  static let canBeNobody = LedgerProgram.works(
    "setpriv", "--reuid=65534", "--clear-groups", "test", "-x", LedgerProgram.bench)

  @Test("Without room nothing of an entry is kept, and with room it goes on")
  func pageLimit() throws {
    let house = try TemporaryLedger(entries: 2)
    let before = try house.ledger.head()
    func limit(_ pages: Int) throws {
      try house.ledger.connection.inDatabase {
        _ = try Int.fetchOne($0, sql: "PRAGMA max_page_count = \(pages)")
      }
    }
    try limit(20)
    let large = TemporaryLedger.draft(
      9, payload: ["x": .string(String(repeating: "x", count: 100_000))])
    #expect(throws: LedgerError.diskFull(path: house.ledger.path)) {
      try house.ledger.append([TemporaryLedger.draft(8), large])
    }
    #expect(try house.ledger.head() == before)
    #expect(try house.ledger.verify().firstBad == nil)
    #expect(!FileManager.default.fileExists(atPath: house.ledger.path + "-journal"))
    try limit(1_000_000)
    #expect(try house.ledger.append(large).entry.sequence == 3)
  }

  @Test(
    "On a full disk it says so, keeps what it acknowledged, and goes on when there is room",
    .enabled(if: canMount, "needs root, for a small file system of its own"))
  func fullDisk() throws {
    let house = try TemporaryLedger()
    let bench = LedgerProgram.bench
    let script = """
      mount -t tmpfs -o size=400k none "$0" && cd "$0" || exit 9
      head -c 100000 /dev/zero > filler
      "\(bench)" append a.ledger.db --count 100 --size 20000 ; echo "STATUS $?"
      "\(bench)" verify a.ledger.db
      ls ; rm filler
      "\(bench)" append a.ledger.db --count 14 --size 20000 ; echo "STATUS $?"
      "\(bench)" verify a.ledger.db
      head -c 1000000 /dev/zero > filler 2>/dev/null
      "\(bench)" append b.ledger.db ; echo "STATUS $?"
      "\(bench)" verify b.ledger.db
      rm filler
      "\(bench)" append b.ledger.db ; echo "STATUS $?"
      """
    let outcome = try LedgerProgram.run(
      try #require(LedgerProgram.find("unshare")), ["-m", "sh", "-c", script, house.folder.path])
    let parts = outcome.stdout.components(separatedBy: "STATUS ")
    try #require(parts.count == 5, "\(outcome)")
    let first = LedgerProgram.acknowledged(parts[0])
    #expect(first.count > 3 && first.count < 14)
    #expect(parts[1].hasPrefix("2\nVERIFIED \(first.count)\n"), "\(parts[1])")
    #expect(!parts[1].contains("journal"))
    // The same entries again: acknowledged ones exist, the rest follow.
    #expect(
      LedgerProgram.acknowledged(parts[1].components(separatedBy: "filler\n").last ?? "").map(
        \.sequence) == Array(1...14))
    #expect(parts[2].hasPrefix("0\nVERIFIED 14\n"))
    // A ledger that could not be created does not exist, and is created later.
    #expect(parts[3].hasPrefix("2\nACK 1 "))
    #expect(parts[4] == "0\n")
    let errors = outcome.stderr.split(separator: "\n").map(String.init)
    #expect(errors.count == 3)
    #expect(errors.first?.hasPrefix("ERROR the disk is full") == true, "\(errors)")
    #expect(errors.dropFirst().first?.hasPrefix("ERROR the disk is full") == true, "\(errors)")
    #expect(errors.last?.hasPrefix("ERROR no corrections yet") == true, "\(errors)")
  }

  /// Runs the bench as a user who owns nothing.
  private func asNobody(_ arguments: String...) throws -> LedgerProgram.Outcome {
    try LedgerProgram.run(
      try #require(LedgerProgram.find("setpriv")),
      ["--reuid=65534", "--clear-groups", LedgerProgram.bench] + arguments)
  }

  private func chmod(_ path: String, _ mode: Int, owner: Int? = nil) throws {
    var attributes: [FileAttributeKey: Any] = [.posixPermissions: mode]
    if let owner { attributes[.ownerAccountID] = owner }
    try FileManager.default.setAttributes(attributes, ofItemAtPath: path)
  }

  @Test(
    "A ledger or folder of somebody else is read, not written, and the reason is said",
    .enabled(if: canBeNobody, "needs root and setpriv, to be another user"))
  func permissions() throws {
    let house = try TemporaryLedger(entries: 3)
    let path = house.ledger.path
    let before = try house.ledger.head()
    let cases: [(file: Int, owner: Int, folder: Int, says: String)] = [
      (0o644, 0, 0o755, "it belongs to “root”"),
      (0o644, 0, 0o777, "it belongs to “root”"),
      (0o666, 0, 0o755, "its folder \(house.folder.path) is not writable"),
      (0o444, 65_534, 0o777, "chmod u+w"),
    ]
    for (file, owner, folder, says) in cases {
      try chmod(path, file, owner: owner)
      try chmod(house.folder.path, folder)
      let refused = try asNobody("append", path)
      #expect(refused.status == 2 && refused.stdout.isEmpty)
      #expect(refused.stderr.contains("cannot save to the ledger \(path)"), "\(refused.stderr)")
      #expect(refused.stderr.contains(says), "\(refused.stderr)")
      #expect(try asNobody("verify", path).stdout == "VERIFIED 3\n")
    }
    try chmod(path, 0o600, owner: 0)
    try chmod(house.folder.path, 0o755)
    for action in ["append", "verify"] {
      #expect(try asNobody(action, path).status == 2)
    }
    #expect(try asNobody("verify", path).stderr.contains("no permission to read it"))
    let new = try asNobody("append", house.path("new.ledger.db"))
    #expect(new.stderr.contains("is not writable for you"), "\(new.stderr)")
    #expect(!FileManager.default.fileExists(atPath: house.path("new.ledger.db")))
    #expect(try house.ledger.head() == before)
    // If both are writable, it saves.
    try chmod(path, 0o666)
    try chmod(house.folder.path, 0o777)
    #expect(try asNobody("append", path).acknowledged.map(\.sequence) == [4])
  }

  @Test(
    "On a file system that is mounted read-only it is read",
    .enabled(if: canMount, "needs root, for a file system of its own"))
  func readOnlyFileSystem() throws {
    let house = try TemporaryLedger(entries: 3)
    let script = """
      mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && cd "$0" || exit 9
      "\(LedgerProgram.bench)" append a.ledger.db
      "\(LedgerProgram.bench)" append b.ledger.db
      "\(LedgerProgram.bench)" verify a.ledger.db
      """
    let outcome = try LedgerProgram.run(
      try #require(LedgerProgram.find("unshare")), ["-m", "sh", "-c", script, house.folder.path])
    #expect(outcome.stdout == "VERIFIED 3\n", "\(outcome)")
    #expect(outcome.stderr.components(separatedBy: "its file system is read-only").count == 3)
  }

  @Test("A ledger that was moved or exchanged under way takes nothing until it is back")
  func moved() throws {
    let house = try TemporaryLedger(entries: 2)
    let path = house.ledger.path
    let away = house.path("away")
    try FileManager.default.moveItem(atPath: path, toPath: away)
    #expect(throws: LedgerError.moved(path: path)) {
      try house.ledger.append(TemporaryLedger.draft(9))
    }
    let other = try Ledger.open(path, .create)
    #expect(throws: LedgerError.moved(path: path)) {
      try house.ledger.append(TemporaryLedger.draft(9))
    }
    #expect(try other.head().sequence == 0)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: away, toPath: path)
    #expect(try house.ledger.append(TemporaryLedger.draft(9)).entry.sequence == 3)
    #expect(try house.ledger.verify().firstBad == nil)
  }

  @Test(
    "Who may only read is told of a save that was cut off, and reads once it is cleared away",
    .enabled(if: canBeNobody, "needs root and setpriv, to be another user"))
  func hotJournal() throws {
    let house = try TemporaryLedger(entries: 3)
    let path = house.ledger.path
    let copy = house.path("copy.ledger.db")
    struct Killed: Error {}
    #expect(throws: Killed.self) {
      try house.ledger.appending { appender in
        for number in 10..<30 {
          _ = try appender.append(
            LedgerRow(
              TemporaryLedger.draft(
                number, payload: ["x": .string(String(repeating: "x", count: 200_000))])))
        }
        for suffix in ["", "-journal"] {
          try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
          try chmod(copy + suffix, 0o644)
        }
        throw Killed()
      }
    }
    try chmod(house.folder.path, 0o755)
    let refused = try asNobody("verify", copy)
    #expect(refused.status == 2)
    #expect(refused.stderr.contains("stopped during a save"), "\(refused)")
    #expect(try LedgerProgram.run(LedgerProgram.bench, ["verify", copy]).stdout == "VERIFIED 3\n")
    #expect(try asNobody("verify", copy).stdout == "VERIFIED 3\n")
  }
}
