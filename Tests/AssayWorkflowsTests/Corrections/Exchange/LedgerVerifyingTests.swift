import AssayStore
import Foundation
import Testing

import AssayWorkflows

@Suite("Verifying a ledger against its catalog")
struct LedgerVerifyingTests {
  private typealias House = LedgerHouse

  @Test("Without a catalog the chain alone counts")
  func alone() throws {
    let house = try House()
    #expect(throws: LedgerError.noLedger(path: house.path("a.ledger.db"))) {
      try LedgerVerifying().run(catalog: house.path("a.db"))
    }
    let ledger = try house.ledger("a")
    try ledger.append([House.draft(1), House.draft(2)])
    let outcome = try LedgerVerifying().run(catalog: house.path("a.db"))
    #expect(outcome.verification.count == 2 && outcome.verification.firstBad == nil)
    #expect(outcome.seen == nil && outcome.otherLedger == nil)
    #expect(!FileManager.default.fileExists(atPath: house.path("a.db")))
  }

  @Test("What the catalog saw must still be there")
  func seen() throws {
    let house = try House()
    let ledger = try house.ledger("a")
    try ledger.append([House.draft(1), House.draft(2), House.draft(3)])
    _ = try Catalog.open(house.path("a.db"), .create)
      .importDataset(
        ImportDraft(name: "x", format: .fer, root: "/x", isSingleFile: true)
      ) { _ in (.init(), nil) }
    _ = try CorrectedCatalog.open(house.path("a.db"), .readWrite, reportingTo: NoProgress())
    try ledger.append(House.draft(4))
    let outcome = try LedgerVerifying().run(catalog: house.path("a.db"))
    #expect(outcome.seen == 3 && outcome.otherLedger == nil)
    #expect(outcome.verification.firstBad == nil)

    // A ledger of two entries in its place: an older copy of the file.
    let old = try house.ledger("old")
    try house.export(ledger, "a.jsonl")
    #expect(try house.bring("a.jsonl", into: old).new == 4)
    for name in ["b.db", "c.db"] {
      try FileManager.default.copyItem(atPath: house.path("a.db"), toPath: house.path(name))
    }
    try FileManager.default.copyItem(
      atPath: house.path("old.ledger.db"), toPath: house.path("b.ledger.db"))
    let other = try LedgerVerifying().run(catalog: house.path("b.db"))
    #expect(other.otherLedger == ledger.uuid && other.seen == nil)
    #expect(other.verification.firstBad == nil)
  }
}
