import AssayCore
import Foundation
import Testing

import AssayStore

@Suite("Appending to the ledger")
struct LedgerAppendTests {
  private typealias House = TemporaryLedger

  @Test("Entries are numbered from 1 on, chained, and read back whole")
  func appends() throws {
    let house = try House()
    #expect(try house.ledger.head().hash == LedgerHash.first(ledger: house.ledger.uuid))
    let draft = House.draft(
      1, payload: ["time": "2026-11-21T14:40:05Z", "author": "anna", "note": "“so” \u{1F600}\n"])
    let first = try house.ledger.append(draft)
    #expect(first.entry.sequence == 1)
    #expect(first.entry.parent == nil && first.head == 1)
    #expect(!first.isRepeat && !first.isConflict)
    #expect(
      first.entry.payload
        == #"{"author":"anna","note":"“so” 😀\n","time":"2026-11-21T14:40:05Z"}"#)
    let second = try house.ledger.append(House.draft(2))
    #expect(second.entry.previousHash == first.entry.hash)
    #expect(second.entry.parent == 1 && second.head == 2)
    #expect(try house.ledger.entries() == [first.entry, second.entry])
    #expect(try house.ledger.head() == LedgerHead(sequence: 2, hash: second.entry.hash))
  }

  @Test("The same save twice is one row, also within one call, also after others")
  func repeats() throws {
    let house = try House()
    let draft = House.draft(1, parent: .sequence(0))
    let outcomes = try house.ledger.append([draft, draft])
    #expect(outcomes.map(\.isRepeat) == [false, true])
    try house.ledger.append([House.draft(2), House.draft(3, sample: "1.png")])
    var late = draft
    late.payload = ["author": "anna", "category": "happy", "time": "later"]
    let again = try house.ledger.append(late)
    #expect(again.isRepeat && !again.isConflict)
    #expect(again.entry == outcomes[0].entry)
    #expect(again.head == 2)
    #expect(try house.ledger.head().sequence == 3)
  }

  @Test("A uuid that means something else is refused, and with it the whole call")
  func takenUUID() throws {
    let house = try House(entries: 1)
    for draft in [
      House.draft(1, sample: "other.png"), House.draft(1, kind: .note),
      House.draft(1, dataset: "others"),
    ] {
      #expect(throws: LedgerError.uuidTaken(uuid: House.uuid(1), sequence: 1)) {
        try house.ledger.append([House.draft(2), draft])
      }
    }
    #expect(try house.ledger.head().sequence == 1)
  }

  /// Entry 1, then 2 after it; 3 after 1 conflicts, 4 follows the conflict, 5 follows 2.
  @Test("An entry with a stale parent is kept as a conflict, and the main branch goes on")
  func conflicts() throws {
    let house = try House()
    let outcomes = try house.ledger.append([
      House.draft(1, parent: .sequence(0)), House.draft(2, parent: .entry(House.uuid(1))),
      House.draft(3, parent: .sequence(1)), House.draft(4, parent: .entry(House.uuid(3))),
      House.draft(5, parent: .head), House.draft(6, parent: .sequence(0)),
    ])
    #expect(outcomes.map(\.isConflict) == [false, false, true, true, false, true])
    #expect(outcomes.map(\.entry.parent) == [nil, 1, 1, 3, 2, nil])
    #expect(outcomes.map(\.head) == [1, 2, 2, 2, 5, 5])
    #expect(try house.ledger.mainHead(dataset: "faces", key: "0.png") == 5)
    #expect(try house.ledger.lastSequence(dataset: "faces", key: "0.png") == 6)
    let again = try house.ledger.append(House.draft(4, parent: .sequence(1)))
    #expect(again.isRepeat && again.isConflict && again.head == 5)
    // A separate call finds the main branch again.
    #expect(try house.ledger.append(House.draft(7)).entry.parent == 5)
  }

  @Test("A parent that is not there or of another sample is refused")
  func unknownParent() throws {
    let house = try House(entries: 2)
    for parent: CorrectionDraft.Parent in [
      .sequence(9), .sequence(-1), .sequence(2), .entry(House.uuid(9)), .entry(House.uuid(2)),
    ] {
      let error = #expect(throws: LedgerError.self) {
        try house.ledger.append(House.draft(5, parent: parent))
      }
      guard case .unknownParent(House.uuid(5), _) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    #expect(try house.ledger.head().sequence == 2)
  }

  @Test("What an entry must not hold is refused before anything is written")
  func limits() throws {
    let house = try House()
    var drafts: [CorrectionDraft] = []
    func bad(_ change: (inout CorrectionDraft) -> Void) {
      var draft = House.draft(1)
      change(&draft)
      drafts.append(draft)
    }
    bad { $0.uuid = "0A7D3C51-90C2-4A8B-8F6E-000000000001" }
    bad { $0.uuid = "1" }
    bad { $0.uuid = "0a7d3c51-90c2-4a8b-8f6e-00000000000é" }
    bad { $0.visit = "" }
    bad { $0.sample.dataset = "" }
    bad { $0.sample.dataset = "a b" }
    bad { $0.sample.key = "" }
    bad { $0.sample.key = "a\0b" }
    bad { $0.sample.key = String(repeating: "k", count: 65_537) }
    bad { $0.sample.contentHash = "abc" }
    bad { $0.sample.contentHash = String(repeating: "A", count: 64) }
    bad { $0.payload = .array([]) }
    for draft in drafts {
      let error = #expect(throws: LedgerError.self) { try house.ledger.append(draft) }
      guard case .badEntry? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    #expect(try house.ledger.head().sequence == 0)
    var row = LedgerRow(House.draft(1))
    row.payload = "{" + String(repeating: " ", count: 16 << 20)
    #expect(LedgerLimits.fault(of: row)?.contains("16777217 bytes; the limit is 16777216") == true)
    #expect(throws: LedgerError.self) { try house.ledger.appending { try $0.append(row) } }
    row.payload = "{" + String(repeating: " ", count: (16 << 20) - 2) + "}"
    let largest = row
    #expect(try house.ledger.appending { try $0.append(largest) }.entry.sequence == 1)
    #expect(try house.ledger.verify().firstBad == nil)
  }

  @Test("A closure that throws takes all of its entries back")
  func rollback() throws {
    struct Stop: Error {}
    let house = try House(entries: 1)
    #expect(throws: Stop.self) {
      try house.ledger.appending { appender in
        _ = try appender.append(LedgerRow(House.draft(8)))
        throw Stop()
      }
    }
    #expect(try house.ledger.head().sequence == 1)
    #expect(try house.ledger.append(House.draft(8)).entry.sequence == 2)
  }

  @Test("A kind, target and format of a later version are kept")
  func laterVersion() throws {
    let house = try House()
    let row = LedgerRow(
      uuid: House.uuid(1), format: 7, sample: House.identity("0.png"), target: "?", kind: "polish",
      visit: House.uuid(2), parent: .head, payload: "{\"b\":1, \"a\":2}")
    let outcome = try house.ledger.appending { try $0.append(row) }
    #expect(outcome.entry.payload == "{\"b\":1, \"a\":2}")
    #expect(outcome.entry.format == 7)
    #expect(try house.ledger.verify().firstBad == nil)
  }

  @Test("Entries are found by range, dataset and sample")
  func entries() throws {
    let house = try House(entries: 6)
    try house.ledger.append(House.draft(7, sample: "0.png", dataset: "others"))
    func sequences(
      after: Int64 = 0, upTo: Int64? = nil, dataset: String? = nil, key: String? = nil
    ) throws -> [Int64] {
      try house.ledger.entries(after: after, upTo: upTo, dataset: dataset, key: key).map(\.sequence)
    }
    #expect(try sequences(after: 2, upTo: 5) == [3, 4, 5])
    #expect(try sequences(dataset: "faces", key: "0.png") == [1, 4])
    #expect(try sequences(after: 1, dataset: "faces", key: "0.png") == [4])
    #expect(try sequences(dataset: "others") == [7])
    #expect(try sequences(key: "0.png") == [1, 4, 7])
    #expect(try house.ledger.entry(uuid: House.uuid(3))?.sequence == 3)
    #expect(try house.ledger.entry(uuid: House.uuid(33)) == nil)
    #expect(try house.ledger.entry(sequence: 3)?.uuid == House.uuid(3))
    #expect(try house.ledger.entry(sequence: 8) == nil)
    let samples = try house.ledger.samples()
    #expect(samples.map(\.key) == ["0.png", "1.png", "2.png", "0.png"])
    #expect(samples.map(\.last) == [4, 5, 6, 7])
    #expect(samples.map(\.entries) == [2, 2, 2, 1])
    #expect(samples[0].identity == House.identity("0.png"))
    #expect(try house.ledger.samples(after: 5).map(\.last) == [6, 7])
    #expect(try house.ledger.samples(dataset: "others").map(\.first) == [7])
  }
}
