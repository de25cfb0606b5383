import AssayCore
import AssayStore
import Foundation
import Testing

/// Commands that are started at the same time.
@Suite("First commands at the same time")
struct FirstCommandTests {
  @Test("Of two or more imports into an empty folder all succeed")
  func imports() throws {
    for round in 0..<10 {
      let program = try Program()
      try program.folder.write("f.csv", "emotion,pixels\n3,1 2 3 4\n4,5 6 7 8\n")
      let count = round.isMultiple(of: 2) ? 2 : 6
      let lines = (1...count).map {
        "(\"$A\" import f.csv --name d\($0) >/dev/null || echo $? ) &"
      }
      let outcome = try program.shell(lines.joined(separator: "\n") + "\nwait")
      #expect(outcome.stdout.isEmpty && outcome.stderr.isEmpty, "round \(round): \(outcome)")
      let listed = try program.run("ls", "--json").json()
      #expect(listed["datasets"]?.elements?.count == count)
    }
  }

  @Test("A backup that is killed leaves nothing that keeps the next one from its work")
  func killedBackup() throws {
    let house = try ReviewProgram()
    let added = try house.run(
      "corrections", "add", "--sample", "faces:2", "--label", "sad", "--author", "bea")
    try #require(added.status == 0)
    for round in 0..<12 {
      let name = "b\(round)"
      // The shell waits only for the program, so that it is killed at an arbitrary moment.
      _ = try house.program.shell(
        "\"$A\" backup \(name).db >/dev/null 2>&1 & sleep 0.0\(round * 7 + 10); kill -9 $!; wait $!"
      )
      let isThere = house.program.folder.has("\(name).db")
      let again = try house.run("backup", "\(name).db")
      #expect(again.status == (isThere ? 2 : 0), "\(again.stderr)")
      for file in ["\(name).db", "\(name).ledger.db"] { #expect(house.program.folder.has(file)) }
      #expect(try house.run("corrections", "verify", "--db", "\(name).db").status == 0)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: house.program.folder.path)
    #expect(!names.contains { $0.hasPrefix(".assay-") }, "\(names)")
  }

  @Test("A read error of the disk is not reported as a damaged catalog")
  func readFailure() throws {
    let house = try ReviewProgram()
    guard try house.program.shell("strace -e inject=getuid:error=EPERM true").status == 0 else {
      return
    }
    var failures = 0
    for call in 1...12 {
      let outcome = try house.program.shell(
        "strace -f -qq -o /dev/null -P assay.db -P \"$PWD/assay.db\" "
          + "-e trace=pread64 -e inject=pread64:error=EIO:when=\(call)+ \"$A\" evaluate r1")
      if outcome.status == 0 { continue }
      failures += 1
      #expect(outcome.status == 2)
      #expect(outcome.stderr.contains("cannot be read"), "\(outcome.stderr)")
      #expect(!outcome.stderr.contains("damaged"), "\(outcome.stderr)")
    }
    #expect(failures > 0)
  }

  @Test("If the disk fails during a save, the reported entries equal those in the ledger")
  func unconfirmedSave() throws {
    let house = try ReviewProgram()
    guard try house.program.shell("strace -e inject=getuid:error=EPERM true").status == 0 else {
      return
    }
    _ = try house.run(
      "corrections", "add", "--sample", "faces:0", "--label", "sad", "--author", "bea")
    let ledger = try Ledger.open(house.program.folder.path + "/assay.ledger.db", .readOnly)
    var unconfirmed = 0
    var count = 1
    // A correction that changes nothing creates no entry, so the labels alternate.
    var label = "angry"
    // One of the calls that wait for the disk fails; one of them occurs when the journal is gone.
    for call in 1...12 {
      let outcome = try house.program.shell(
        "strace -f -qq -o /dev/null -e trace=fsync,fdatasync "
          + "-e inject=fsync,fdatasync:error=EIO:when=\(call) "
          + "\"$A\" corrections add --sample faces:1 --label \(label) --author bea")
      let entries = try ledger.entries().count
      let isToldSaved =
        outcome.status == 0 || outcome.stderr.contains("the change is in the ledger")
      #expect(entries == count + (isToldSaved ? 1 : 0), "\(call): \(outcome.stderr)")
      if outcome.status != 0, isToldSaved { unconfirmed += 1 }
      if entries > count { label = label == "angry" ? "sad" : "angry" }
      count = entries
    }
    #expect(unconfirmed > 0)
  }
}
