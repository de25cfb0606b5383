import AssayCore
import Foundation
import GRDB
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
    // It is a ledger like any other: it accepts entries, and nothing else.
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

  @Test(
    "A copy never replaces the catalog or the ledger that it is made of", arguments: [false, true])
  func itself(overwrite: Bool) throws {
    let house = try CorrectedHouse()
    try house.label("0", "sad")
    let catalog = house.catalog.path
    let ledger = Ledger.path(forCatalog: catalog)
    let before = try Data(contentsOf: URL(filePath: ledger))
    // Without an extension, the copy's ledger would be the catalog's own.
    let bare = String(catalog.dropLast(".db".count))
    try #require(Ledger.path(forCatalog: bare) == ledger)
    for target in [bare, catalog, ledger] {
      #expect(throws: StoreError.self) {
        try BackupWithLedger(catalog: house.catalog).copy(to: target, overwrite: overwrite)
      }
    }
    #expect(try Data(contentsOf: URL(filePath: ledger)) == before)
    try house.label("1", "happy")
    #expect(try house.ledger.verify().count == 2)
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

  @Test("A ledger alone, left by a backup that was killed between the two names, is no hindrance")
  func ledgerAlone() throws {
    let house = try CorrectedHouse()
    try house.label("0", "sad")
    let target = house.house.path("copy.db")
    let backup = BackupWithLedger(catalog: house.catalog)
    try backup.copy(to: target, overwrite: false)
    try FileManager.default.removeItem(atPath: target)
    try house.label("1", "happy")
    #expect(try backup.copy(to: target, overwrite: false)?.entries == 2)
    #expect(try Catalog.open(target, .readOnly).datasets().count == 1)
  }

  @Test("What a killed backup left is removed, what somebody else called *.partial is not")
  func leftovers() throws {
    let house = try CorrectedHouse()
    try house.label("0", "sad")
    let files = FileManager.default
    let target = house.house.path("copy.db")
    for name in ["copy.db.partial", "copy.ledger.db.partial"] {
      try Data("mine".utf8).write(to: URL(fileURLWithPath: house.house.path(name)))
    }
    let left = house.house.path(DraftName.make(.backup))
    try files.createDirectory(atPath: left, withIntermediateDirectories: true)
    try Data(count: 10).write(to: URL(fileURLWithPath: left + "/catalog.db"))
    try BackupWithLedger(catalog: house.catalog).copy(to: target, overwrite: false)
    for name in ["copy.db.partial", "copy.ledger.db.partial"] {
      #expect(try String(contentsOfFile: house.house.path(name), encoding: .utf8) == "mine")
    }
    let names = try files.contentsOfDirectory(atPath: house.house.folder.path)
    #expect(!names.contains { $0.hasPrefix(".assay-") }, "\(names)")
  }

  @Test("Of six at once to one file one makes it and the others are refused; forced all make it")
  func atOnce() async throws {
    let house = try CorrectedHouse()
    try house.label("0", "sad")
    for round in 0..<4 {
      let target = house.house.path("copy\(round).db")
      for force in [false, true] {
        let (path, catalog) = (target, house.catalog.path)
        let outcomes = try await withThrowingTaskGroup(of: StoreError?.self) { group in
          for _ in 0..<6 {
            group.addTask {
              do {
                try BackupWithLedger(catalog: Catalog.open(catalog, .readOnly))
                  .copy(to: path, overwrite: force)
                return nil
              } catch let error as StoreError {
                return error
              }
            }
          }
          return try await group.reduce(into: [StoreError?]()) { $0.append($1) }
        }
        let refused = outcomes.compactMap(\.self)
        #expect(refused == Array(repeating: .fileExists(path: target), count: force ? 0 : 5))
        #expect(try Catalog.open(target, .readOnly).datasets().count == 1)
        let ledger = try Ledger.open(house.house.path("copy\(round).ledger.db"), .readOnly)
        #expect(try ledger.verify().firstBad == nil)
      }
    }
  }

  @Test("A link, a device and a file that is in use are not overwritten")
  func special() throws {
    let house = try CorrectedHouse()
    let backup = BackupWithLedger(catalog: house.catalog)
    let link = house.house.path("link.db")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: house.house.path("none.db"))
    #expect(throws: StoreError.fileExists(path: link)) {
      try backup.copy(to: link, overwrite: false)
    }
    #expect(throws: StoreError.self) { try backup.copy(to: link, overwrite: true) }
    let used = house.house.path("used.db")
    try backup.copy(to: used, overwrite: false)
    let other = try Catalog.open(used, .readWrite)
    try other.write("using it") { try $0.execute(sql: "CREATE TABLE t (x ANY) STRICT") }
    let error = #expect(throws: StoreError.self) { try backup.copy(to: used, overwrite: true) }
    #expect(error?.description.contains("used.db-wal exists beside it") == true)
    withExtendedLifetime(other) {}
  }
}
