import AssayTestSupport
import Foundation
import Testing

@testable import AssayStore

@Suite("Processes that write to one ledger")
struct LedgerKillTests {
  /// The number of kills; with `ASSAY_LONG_TESTS=1`, as many as the ledger's guarantee covers.
  static let kills =
    LongTests.areOn ? 2_000 : 40

  /// Appends entries 0, 1, 2, … of a seed, is killed, restarts after the last acknowledged one like
  /// a client would, and so on.
  ///
  /// In every second round it is killed after an acknowledgement, so that it makes progress however
  /// slow the machine is; in the others at a random moment.
  private func killed(_ times: Int, seed: Int, path: String, folder: URL) throws -> [(
    sequence: Int64, uuid: String
  )] {
    var acknowledged: [(sequence: Int64, uuid: String)] = []
    var random = SystemRandomNumberGenerator()
    for round in 0...times {
      let isLast = round == times
      let (process, out, err) = try LedgerProgram.start(
        LedgerProgram.bench,
        [
          "append", path, "--seed", String(seed), "--start", String(acknowledged.count), "--count",
          isLast ? "2" : "1000000", "--size", round % 4 == 0 ? "20000" : "300", "--busy-timeout",
          "36000",
        ], in: folder, name: "\(seed)-\(round)")
      if !isLast {
        if round.isMultiple(of: 2) {
          let wanted = Int.random(in: 1...5, using: &random)
          while process.isRunning,
            try LedgerProgram.acknowledged(
              String(contentsOf: out, encoding: .utf8)
            ).count < wanted
          { usleep(500) }
        }
        usleep(UInt32.random(in: 0...150_000, using: &random))
        kill(process.processIdentifier, SIGKILL)
      }
      process.waitUntilExit()
      acknowledged += LedgerProgram.acknowledged(try String(contentsOf: out, encoding: .utf8))
      let errors = try String(contentsOf: err, encoding: .utf8)
      guard errors.isEmpty else {
        Issue.record("seed \(seed), round \(round): \(errors)")
        break
      }
      for file in [out, err] { try FileManager.default.removeItem(at: file) }
    }
    return acknowledged
  }

  @Test("Of four that are killed again and again, each acknowledged entry is there exactly once")
  func kills() async throws {
    let house = try TemporaryLedger()
    let (path, folder) = (house.ledger.path, house.folder)
    let rounds = Self.kills / 4
    let acknowledged = try await withThrowingTaskGroup(
      of: (seed: Int, entries: [(sequence: Int64, uuid: String)]).self
    ) { group in
      for seed in 1...4 {
        group.addTask {
          try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
              continuation.resume(
                with: Result {
                  (seed, try killed(rounds, seed: seed, path: path, folder: folder))
                })
            }
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let found = try house.ledger.verify()
    #expect(found.firstBad == nil)
    let entries = try house.ledger.entries()
    #expect(entries.map(\.sequence) == Array(1...Int64(entries.count)))
    for (seed, acknowledged) in acknowledged {
      #expect(acknowledged.count >= (rounds + 1) / 2 + 2)
      let own = entries.filter { $0.uuid.hasPrefix(String(format: "%08lx-", seed)) }
      // The last round ends normally: every existing entry was acknowledged, in the order of
      // sending.
      #expect(own.map(\.sequence) == acknowledged.map(\.sequence))
      #expect(own.map(\.uuid) == acknowledged.map(\.uuid))
      #expect(Set(own.map(\.uuid)).count == own.count)
      #expect(own.last?.uuid.hasSuffix(String(format: "-%012lx", own.count - 1)) == true)
    }
    #expect(acknowledged.reduce(0) { $0 + $1.entries.count } == entries.count)
    // Each followed the last entry of its sample at that time.
    for sample in try house.ledger.samples() {
      let own = entries.filter { $0.sample.key == sample.key }
      #expect(own.map(\.parent) == [nil] + own.dropLast().map(\.sequence))
    }
  }

  @Test("Of four that write at once none loses, repeats or reorders an entry")
  func writers() throws {
    let house = try TemporaryLedger()
    let path = house.path("new.ledger.db")
    // They also create the ledger at the same time.
    let started = try (1...4).map { seed in
      try LedgerProgram.start(
        LedgerProgram.bench,
        ["append", path, "--seed", String(seed), "--count", "25", "--size", "2000"],
        in: house.folder)
    }
    var all: [Int64] = []
    for (process, out, err) in started {
      process.waitUntilExit()
      #expect(try String(contentsOf: err, encoding: .utf8).isEmpty)
      let sequences = LedgerProgram.acknowledged(try String(contentsOf: out, encoding: .utf8))
        .map(\.sequence)
      #expect(sequences.count == 25 && sequences == sequences.sorted())
      all += sequences
    }
    #expect(all.sorted() == Array(1...100))
    let ledger = try Ledger.open(path, .readOnly)
    #expect(
      try ledger.verify() == LedgerVerification(count: 100, head: ledger.head(), firstBad: nil))
  }

  @Test("Killed while it makes the ledger it leaves none or a whole one, and the next one goes on")
  func killedMaking() throws {
    let house = try TemporaryLedger()
    for round in 0..<20 {
      let path = house.path("\(round).ledger.db")
      let (process, out, _) = try LedgerProgram.start(
        LedgerProgram.bench, ["append", path], in: house.folder)
      usleep(UInt32.random(in: 0...60_000))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let acknowledged = LedgerProgram.acknowledged(try String(contentsOf: out, encoding: .utf8))
      let again = try LedgerProgram.run(LedgerProgram.bench, ["append", path, "--count", "2"])
      #expect(again.status == 0 && again.acknowledged.map(\.sequence) == [1, 2], "\(again)")
      let ledger = try Ledger.open(path, .readWrite)
      #expect(try ledger.verify().firstBad == nil)
      if let first = acknowledged.first {
        #expect(try ledger.entry(sequence: 1)?.uuid == first.uuid)
      }
    }
  }
}
