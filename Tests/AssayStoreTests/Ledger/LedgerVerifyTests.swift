import AssayCore
import Foundation
import Testing

@testable import AssayStore

@Suite("Verifying a ledger")
struct LedgerVerifyTests {
  /// Six entries of three samples in turn; `sql` changes them without guards.
  private func fault(after sql: String...) throws -> LedgerFault? {
    let house = try TemporaryLedger(entries: 6)
    try house.dropGuards()
    for sql in sql { try house.tamper(sql) }
    try house.restoreGuards()
    return try Ledger.open(house.ledger.path, .readOnly).verify().firstBad
  }

  @Test("A whole chain is good, an empty one too")
  func good() throws {
    #expect(try fault() == nil)
    let house = try TemporaryLedger()
    let empty = try house.ledger.verify()
    #expect(empty.count == 0 && empty.firstBad == nil)
    #expect(
      empty.head == LedgerHead(sequence: 0, hash: LedgerHash.first(ledger: house.ledger.uuid)))
  }

  @Test(
    "A change of any column shows at its entry",
    arguments: [
      "payload = replace(payload, 'happy', 'sad')", "payload = payload || ' '",
      "uuid = '00000000-0000-4000-8000-00000000ffff'", "format = 2", "dataset = 'face'",
      "key = key || 'x'", "contentHash = 'x'", "target = 'sample'", "kind = 'mask'",
      "visit = 'x'", "parent = NULL", "parent = 2", "hash = zeroblob(32)", "hash = x''",
      // A damaged byte that is read as the replacement character.
      "payload = CAST(x'7bff7d' AS TEXT)",
    ])
  func columns(change: String) throws {
    let fault = try fault(after: "UPDATE correction SET \(change) WHERE sequence = 4")
    #expect(fault == LedgerFault(sequence: 4, why: .hash))
  }

  @Test("A damaged byte is not taken for the character that stands for damaged bytes")
  func damagedByte() throws {
    let house = try TemporaryLedger()
    try house.ledger.append(TemporaryLedger.draft(1, payload: ["note": "\u{FFFD}"]))
    try house.dropGuards()
    // {"note":" and the bytes of U+FFFD, replaced by a byte that is not UTF-8.
    try house.tamper("UPDATE correction SET payload = CAST(x'7b226e6f7465223a22ff227d' AS TEXT)")
    let ledger = try Ledger.open(house.ledger.path, .readOnly)
    #expect(try ledger.entry(sequence: 1)?.payload == "{\"note\":\"\u{FFFD}\"}")
    #expect(try ledger.verify().firstBad == LedgerFault(sequence: 1, why: .hash))
  }

  @Test("An exchanged row, a missing one and a cut show")
  func rows() throws {
    #expect(
      try fault(after: "UPDATE correction SET previousHash = zeroblob(32) WHERE sequence = 3")
        == LedgerFault(sequence: 3, why: .previousHash))
    let gap = try fault(after: "DELETE FROM correction WHERE sequence = 3")
    #expect(gap == LedgerFault(sequence: 4, why: .gap(expected: 3)))
    #expect(gap?.description == "entry 3 before it is missing")
    let wide = try fault(after: "DELETE FROM correction WHERE sequence IN (3, 4)")
    #expect(wide?.description == "entries 3 to 4 before it are missing")
    #expect(
      try fault(after: "DELETE FROM correction WHERE sequence = 1")
        == LedgerFault(sequence: 2, why: .gap(expected: 1)))
    #expect(
      try fault(after: "UPDATE correction SET sequence = 0 WHERE sequence = 1")
        == LedgerFault(sequence: 0, why: .gap(expected: 1)))
  }

  @Test("A row that was written anew with a hash of its own shows at the next")
  func rewritten() throws {
    let house = try TemporaryLedger(entries: 4)
    var entry = try #require(try house.ledger.entry(sequence: 3))
    entry.kind = "bad"
    let hash = LedgerHash.hash(of: entry).map { String(format: "%02x", $0) }.joined()
    try house.dropGuards()
    try house.tamper(
      "UPDATE correction SET kind = 'bad', hash = x'\(hash)' WHERE sequence = 3")
    try house.restoreGuards()
    let ledger = try Ledger.open(house.ledger.path, .readOnly)
    let found = try ledger.verify()
    #expect(found.firstBad == LedgerFault(sequence: 4, why: .previousHash))
    #expect(found.count == 4 && found.head.sequence == 3)
  }

  /// A chain that was forged from entry 2 on has valid hashes throughout.
  @Test("A forged chain shows by uuid, parent, and what the catalog knew")
  func forged() throws {
    func forged(_ change: (inout LedgerEntry) -> Void) throws -> (Ledger, TemporaryLedger) {
      let house = try TemporaryLedger(entries: 4)
      var entry = try #require(try house.ledger.entry(sequence: 4))
      change(&entry)
      entry.hash = LedgerHash.hash(of: entry)
      let hash = entry.hash.map { String(format: "%02x", $0) }.joined()
      try house.dropGuards()
      try house.tamper(
        "PRAGMA writable_schema = 1",
        "UPDATE sqlite_schema SET sql = replace(sql, ' UNIQUE', '') WHERE name = 'correction'",
        "DELETE FROM sqlite_schema WHERE name LIKE 'sqlite_autoindex%'")
      try house.tamper(
        """
        UPDATE correction SET uuid = '\(entry.uuid)', parent = \(entry.parent ?? 0), hash = x'\(hash)'
        WHERE sequence = 4
        """)
      return (try Ledger.open(house.ledger.path, .readOnly), house)
    }
    let (twin, one) = try forged { $0.uuid = TemporaryLedger.uuid(2) }
    #expect(try twin.verify().firstBad == LedgerFault(sequence: 4, why: .uuid(earlier: 2)))
    let (stray, two) = try forged { $0.parent = 2 }
    #expect(try stray.verify().firstBad == LedgerFault(sequence: 4, why: .parent(2)))
    let (later, three) = try forged { $0.parent = 4 }
    #expect(try later.verify().firstBad == LedgerFault(sequence: 4, why: .parent(4)))
    let (wrong, four) = try forged { $0.uuid = "x" }
    #expect(try wrong.verify().firstBad == LedgerFault(sequence: 4, why: .uuid(earlier: nil)))
    withExtendedLifetime([one, two, three, four]) {}
  }

  @Test("Against a head that was known, entries cut off or exchanged show")
  func known() throws {
    let house = try TemporaryLedger(entries: 5)
    let head = try house.ledger.head()
    #expect(try house.ledger.verify(known: head).firstBad == nil)
    try house.ledger.append(TemporaryLedger.draft(6))
    #expect(try house.ledger.verify(known: head).firstBad == nil)
    let other = LedgerHead(sequence: 5, hash: Array(repeating: 1, count: 32))
    #expect(
      try house.ledger.verify(known: other).firstBad == LedgerFault(sequence: 5, why: .exchanged))
    try house.dropGuards()
    try house.tamper("DELETE FROM correction WHERE sequence > 3")
    try house.restoreGuards()
    let ledger = try Ledger.open(house.ledger.path, .readOnly)
    #expect(try ledger.verify().firstBad == nil)
    #expect(
      try ledger.verify(known: head).firstBad == LedgerFault(sequence: 5, why: .cut(end: 3)))
  }

  @Test("An index that does not fit the table shows, and so does a damaged page")
  func pages() throws {
    let house = try TemporaryLedger(entries: 60)
    let bad = house.path("bad.ledger.db")
    // Pages: 1 schema, then tables and indexes. Each except the first is damaged in turn.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: house.ledger.path))
    #expect(bytes.count > 8 * 4_096)
    for page in 1..<bytes.count / 4_096 {
      var damaged = bytes
      for place in 4_040..<4_096 { damaged[page * 4_096 + place] ^= 0x5A }
      try damaged.write(to: URL(fileURLWithPath: bad))
      do {
        let found = try Ledger.open(bad, .readOnly).verify()
        #expect(found.firstBad != nil, "page \(page)")
      } catch let error as LedgerError {
        // The ledger's own row is on one of them.
        guard case .damaged = error else { throw error }
      }
    }
  }

  @Test("Progress is told, and can end the walk")
  func progress() throws {
    struct Stop: Error {}
    let house = try TemporaryLedger(entries: 3)
    #expect(throws: Stop.self) {
      try house.ledger.verify { fraction, _ in if fraction > 0.5 { throw Stop() } }
    }
  }
}
