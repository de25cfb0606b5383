import Foundation
import Testing

import AssayStore

/// The meaning of "saved" at the system level: everything written is on disk before the
/// acknowledgement.
@Suite("A save is on disk before it is acknowledged")
struct LedgerSyncTests {
  static let canTrace = LedgerProgram.works("strace", "-o", "/dev/null", "true")

  /// Traces ten appends.
  private func trace(_ synchronous: String, size: Int) throws -> SyncTrace {
    let house = try TemporaryLedger()
    let folder = house.folder.resolvingSymlinksInPath().path
    let strace = try #require(LedgerProgram.find("strace"))
    let output = folder + "-trace"
    defer { try? FileManager.default.removeItem(atPath: output) }
    let outcome = try LedgerProgram.run(
      strace,
      [
        "-f", "-y", "-o", output, "-e",
        "trace=write,pwrite64,fsync,fdatasync,unlink,unlinkat,openat", LedgerProgram.bench,
        "append", folder + "/new.ledger.db", "--count", "10", "--size", String(size),
        "--synchronous", synchronous,
      ])
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let text = try String(contentsOfFile: output, encoding: .utf8)
    return SyncTrace(text, folder: folder)
  }

  @Test(
    "A trace of system calls shows it, and shows that it is not so with synchronous=OFF",
    .enabled(if: canTrace, "needs strace, and leave to trace"), arguments: [300, 100_000])
  func traced(size: Int) throws {
    let safe = try trace("EXTRA", size: size)
    #expect(safe.acknowledged == 10)
    #expect(safe.written >= 10 * (3 + size / 4_096))
    #expect(safe.violations == [])
    #expect(safe.unguarded == [])
    let unsafe = try trace("OFF", size: size)
    #expect(unsafe.acknowledged == 10)
    // The file and the folder, each time.
    #expect(unsafe.violations.count >= 20)
    #expect(!unsafe.unguarded.isEmpty)
  }

  /// Handwritten traces: one that waits, one without the sync of the file, one without the sync of
  /// the folder.
  @Test("The reading of a trace finds what is not waited for")
  func reading() {
    let journal = """
      7 openat(AT_FDCWD</x>, "/d/a.db-journal", O_RDWR|O_CREAT|O_CLOEXEC, 0644) = 5</d/a.db-journal>
      7 pwrite64(5</d/a.db-journal>, "..."..., 512, 0) = 512
      7 fdatasync(5</d/a.db-journal>)         = 0
      7 fdatasync(6</d> <unfinished ...>
      8 write(9</d2/other>, "x", 1) = 1
      7 <... fdatasync resumed>)              = 0
      7 pwrite64(4</d/a.db>, "..."..., 4096, 0) = 4096

      """
    let rest = """
      7 unlink("/d/a.db-journal")             = 0
      7 fdatasync(5</d>)                      = 0
      7 write(1</o.txt>, "ACK 1 u\\n", 8)      = 8
      """
    let wait = "7 fdatasync(4</d/a.db>)  = 0\n"
    let good = SyncTrace(journal + wait + rest, folder: "/d")
    #expect(good.acknowledged == 1 && good.written == 2)
    #expect(good.violations == [] && good.unguarded == [])
    let file = SyncTrace(journal + rest, folder: "/d")
    #expect(file.violations == ["/d/a.db at acknowledgement 1"])
    let folder = SyncTrace(
      journal + wait + rest.replacing("fdatasync(5</d>)                      = 0", with: "x"),
      folder: "/d")
    #expect(folder.violations == ["/d at acknowledgement 1"])
    let early = SyncTrace(
      journal.replacing("fdatasync(5</d/a.db-journal>)         = 0", with: "x") + wait + rest,
      folder: "/d")
    #expect(early.unguarded == ["/d/a.db"])
    let failed = SyncTrace(
      journal + wait.replacing("= 0", with: "= -1 EIO (Input/output error)") + rest, folder: "/d")
    #expect(failed.violations == ["/d/a.db at acknowledgement 1"])
  }
}
