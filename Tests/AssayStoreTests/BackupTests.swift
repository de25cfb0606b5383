import Foundation
import Testing

import AssayStore

@Suite("Backups")
struct BackupTests {
  @Test("A backup is a whole catalog of its own")
  func copy() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    let target = house.path("copy.db")
    try BackupWithLedger(catalog: house.catalog).copy(to: target, overwrite: false)
    try house.catalog.importFaces(sixFaces, as: "later")
    let copy = try Catalog.open(target, .readOnly)
    #expect(try copy.datasets().map(\.name) == ["faces"])
    #expect(try copy.keys() == ["0", "1", "2", "3", "4", "5"])
    #expect(try copy.sql("PRAGMA page_size").rows == [[.integer(16_384)]])
  }

  @Test("A file that exists is overwritten only where that was asked for")
  func exists() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    let target = house.path("copy.db")
    try Data("precious".utf8).write(to: URL(fileURLWithPath: target))
    #expect(throws: StoreError.fileExists(path: target)) {
      try BackupWithLedger(catalog: house.catalog).copy(to: target, overwrite: false)
    }
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")
    try BackupWithLedger(catalog: house.catalog).copy(to: target, overwrite: true)
    #expect(try Catalog.open(target, .readOnly).datasets().count == 1)
    #expect(!FileManager.default.fileExists(atPath: target + ".partial"))
  }

  @Test("A place that cannot be written is named")
  func nowhere() throws {
    let house = try TemporaryCatalog()
    let target = house.path("no/such/folder/copy.db")
    let error = #expect(throws: StoreError.self) {
      try BackupWithLedger(catalog: house.catalog).copy(to: target, overwrite: false)
    }
    #expect(error?.description.contains(target) == true)
  }
}
