import AssayCore
import Foundation
import Testing

@testable import AssayStore

@Suite("A backup of catalog and ledger")
struct BackupWithLedgerTests {
  @Test("Both are copied whole, the ledger under the name that belongs to the copy")
  func both() throws {
    let house = try CorrectedHouse()
    try house.label("0", "sad")
    try house.label("1", "happy")
    _ = try house.refresh().state()
    let target = house.house.path("copy.db")
    let copied = try BackupWithLedger(catalog: house.catalog).copy(to: target, overwrite: false)
    #expect(copied?.path == house.house.path("copy.ledger.db"))
    #expect(copied?.entries == 2)
    let ledger = try Ledger.open(house.house.path("copy.ledger.db"), .readWrite)
    #expect(ledger.uuid == house.ledger.uuid)
    #expect(try ledger.head() == house.ledger.head())
    #expect(try ledger.verify().firstBad == nil)
    // It is a ledger like any other: it takes entries, and nothing else.
    try ledger.append(house.draft("2", .label, .label, ["category": "sad"]))
    let catalog = try Catalog.open(target, .readWrite)
    let state = try MirrorRefresh(catalog: catalog, ledger: ledger) { _, samples in
      Dictionary(uniqueKeysWithValues: samples.map { ($0.id, house.image($0.key)) })
    }.state()
    #expect(
      try catalog.reading(state.reading(corrected: true)).keys("faces", "corrected = true")
        == ["0", "1", "2"])
  }

  @Test("A copy of an earlier state is overwritten, one that has more is not")
  func overwriting() throws {
    let house = try CorrectedHouse()
    try house.label("0", "sad")
    let backup = BackupWithLedger(catalog: house.catalog)
    let target = house.house.path("copy.db")
    _ = try backup.copy(to: target, overwrite: false)
    #expect(throws: StoreError.fileExists(path: target)) {
      try backup.copy(to: target, overwrite: false)
    }
    try house.label("1", "happy")
    #expect(try backup.copy(to: target, overwrite: true)?.entries == 2)
    let ledger = try Ledger.open(house.house.path("copy.ledger.db"), .readWrite)
    try ledger.append(house.draft("2", .label, .label, ["category": "sad"]))
    let error = #expect(throws: StoreError.self) { try backup.copy(to: target, overwrite: true) }
    #expect(error?.description.contains("has corrections that are not in") == true)
    #expect(try ledger.head().sequence == 3)
  }

  @Test("Without a ledger the catalog alone is copied, but not beside another one's ledger")
  func alone() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    let backup = BackupWithLedger(catalog: house.catalog)
    #expect(try backup.copy(to: house.path("copy.db"), overwrite: false) == nil)
    _ = try Ledger.open(house.path("other.ledger.db"), .create)
    #expect(throws: StoreError.self) {
      try backup.copy(to: house.path("other.db"), overwrite: false)
    }
    #expect(!FileManager.default.fileExists(atPath: house.path("other.db")))
  }
}
