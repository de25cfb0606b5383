import Foundation
import GRDB
import Testing

@testable import AssayStore

@Suite("The catalog's file")
struct CatalogFileTests {
  @Test("Opening what is not there names the path, and makes nothing")
  func missing() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "none-\(UUID()).db").path
    for access in [Catalog.Access.readOnly, .readWrite] {
      #expect(throws: StoreError.noCatalog(path: path)) { try Catalog.open(path, access) }
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("A link to nothing is refused with the reason, a link to a catalog is followed")
  func links() throws {
    let house = try TemporaryCatalog()
    let (none, link) = (house.path("none.db"), house.path("link.db"))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: none)
    for access in [Catalog.Access.create, .readOnly, .readWrite] {
      let error = #expect(throws: StoreError.self) { try Catalog.open(link, access) }
      #expect("\(try #require(error))".contains("a symbolic link to \(none), which does not exist"))
    }
    #expect(!FileManager.default.fileExists(atPath: none))
    let made = try Catalog.open(none, .create)
    try withExtendedLifetime(made) { _ = try Catalog.open(link, .readWrite) }
  }

  @Test("A folder, a text file and another program's database are no catalogs")
  func foreign() throws {
    let house = try TemporaryCatalog()
    #expect(throws: StoreError.cannotOpen(path: house.folder.path, reason: "it is a folder")) {
      try Catalog.open(house.folder.path, .create)
    }
    let text = house.path("notes.txt")
    try Data(repeating: 0x41, count: 5000).write(to: URL(fileURLWithPath: text))
    #expect(throws: StoreError.notACatalog(path: text)) { try Catalog.open(text, .create) }
    let other = house.path("other.db")
    try DatabaseQueue(path: other).write { try $0.execute(sql: "CREATE TABLE t (x)") }
    #expect(throws: StoreError.notACatalog(path: other)) { try Catalog.open(other, .readWrite) }
  }

  @Test("A new catalog has 16 KiB pages, a write-ahead log, synchronous=NORMAL and its mark")
  func settings() throws {
    let house = try TemporaryCatalog()
    let names = ["page_size", "journal_mode", "synchronous", "foreign_keys", "application_id"]
    #expect(
      try names.map { try pragma($0, of: house.catalog) }
        == ["16384", "wal", "1", "1", String(0x6173_7361)])
  }

  private func pragma(_ name: String, of catalog: Catalog) throws -> String? {
    try catalog.connection.inDatabase { try String.fetchOne($0, sql: "PRAGMA \(name)") }
  }

  @Test("After an import the file is in write-ahead mode again")
  func modeAfterImport() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    #expect(try pragma("journal_mode", of: house.catalog) == "wal")
    #expect(try pragma("synchronous", of: house.catalog) == "1")
    #expect(try pragma("foreign_keys", of: house.catalog) == "1")
    #expect(try pragma("integrity_check", of: house.catalog) == "ok")
  }

  @Test("A catalog of a later version is refused, not touched")
  func newer() throws {
    let house = try TemporaryCatalog()
    try house.catalog.connection.write { database in
      try database.execute(sql: "INSERT INTO grdb_migrations VALUES ('999 from the future')")
    }
    #expect(throws: StoreError.newerSchema(path: house.catalog.path)) {
      try Catalog.open(house.catalog.path, .readWrite)
    }
  }

  @Test("A write-protected catalog of an earlier version is refused", .enabled(if: geteuid() != 0))
  func older() throws {
    let house = try TemporaryCatalog()
    let path = house.catalog.path
    try house.catalog.connection.write { database in
      try database.execute(
        sql: "DELETE FROM grdb_migrations WHERE rowid = (SELECT max(rowid) FROM grdb_migrations)")
      _ = CatalogFile.setRollbackJournalIfAlone(database)
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    #expect(throws: StoreError.olderSchema(path: path)) { try Catalog.open(path, .readOnly) }
  }

  @Test(
    "A catalog of an earlier version is updated, which is known, or left as it is for tasks that only read"
  )
  func updated() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "old-\(UUID()).db").path
    defer { CatalogFile.remove(path) }
    let (last, before) = (Migrations.all.count - 1, Migrations.all.count - 2)
    let old = try DatabaseQueue(path: path)
    try old.inDatabase { _ = try Migrations.run($0, upTo: Migrations.all[before].name) }
    func count() throws -> Int? {
      try old.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM grdb_migrations") }
    }
    #expect(try count() == last)
    #expect(throws: StoreError.notUpdated(path: path)) { try Catalog.open(path, .unchanged) }
    #expect(try count() == last)
    #expect(try Catalog.open(path, .readOnly).isUpdated)
    #expect(try count() == last + 1)
    #expect(try !Catalog.open(path, .readOnly).isUpdated)
    let reader = try Catalog.open(path, .unchanged)
    #expect(!reader.isUpdated)
    #expect(throws: StoreError.self) { try reader.importFaces(sixFaces) }
  }

  @Test("A read-only catalog cannot be written")
  func readOnly() throws {
    let house = try TemporaryCatalog()
    let reader = try Catalog.open(house.catalog.path, .readOnly)
    #expect(try reader.datasets().isEmpty)
    #expect(throws: StoreError.self) { try reader.importFaces(sixFaces) }
    #expect(try house.catalog.datasets().isEmpty)
  }
}
