import AssayCore
import Foundation
import GRDB
import Testing

import AssayStore

/// `kill -9` leaves the contents of the files at that moment: they are copied in the middle of an
/// import and opened elsewhere. The whole program is killed in the tests of the commands.
@Suite("A killed import")
struct KilledImportTests {
  /// About 12 MB, more than the page cache holds, so that pages have been written to the file by
  /// the end.
  private static let many: ImportedBatch = {
    var batch = ImportedBatch()
    let size = ImageSize(width: 48, height: 48)
    batch.pixels = Array(repeating: 7, count: size.area)
    batch.newCategories = [Category(name: "happy")]
    batch.samples = (0..<5_000).map {
      ImportedSample(key: String($0), size: size, category: 0, pixels: 0..<size.area)
    }
    return batch
  }()

  /// Imports, and copies the files once all batches are written but not committed.
  private func crash(_ house: TemporaryCatalog, replace: Bool) throws -> Catalog {
    struct Killed: Error {}
    let copy = house.path("copy.db")
    let draft = ImportDraft(
      name: replace ? "faces" : "more", format: .fer, root: "/x", isSingleFile: true,
      replace: replace)
    #expect(throws: Killed.self) {
      try house.catalog.importDataset(draft) { writer in
        try writer.write(Self.many)
        for suffix in ["", "-wal", "-journal"] {
          let file = house.catalog.path + suffix
          guard FileManager.default.fileExists(atPath: file) else { continue }
          try FileManager.default.copyItem(atPath: file, toPath: copy + suffix)
        }
        throw Killed()
      }
    }
    return try Catalog.open(copy, .readOnly)
  }

  private func check(_ catalog: Catalog) throws {
    #expect(try catalog.datasets().map(\.name) == ["faces"])
    #expect(try catalog.keys() == ["0", "1", "2", "3", "4", "5"])
    #expect(try catalog.sql("SELECT count(*) FROM pixels").rows == [[.integer(6)]])
    #expect(try catalog.sql("PRAGMA integrity_check").rows == [[.text("ok")]])
    #expect(try catalog.sql("PRAGMA foreign_key_check").rows.isEmpty)
  }

  @Test("It leaves the old state behind a rollback journal", arguments: [false, true])
  func rollbackJournal(replace: Bool) throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    let survivor = try crash(house, replace: replace)
    try check(survivor)
    try check(house.catalog)
  }

  @Test("It leaves the old state where another connection keeps the file in write-ahead mode")
  func writeAheadLog() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    let other = try Catalog.open(house.catalog.path, .readOnly)
    try check(other)
    let survivor = try crash(house, replace: false)
    try check(survivor)
    try check(other)
  }

  @Test("The first import leaves a catalog without datasets")
  func first() throws {
    let house = try TemporaryCatalog()
    let survivor = try crash(house, replace: false)
    #expect(try survivor.datasets().isEmpty)
    #expect(try survivor.sql("SELECT count(*) FROM pixels").rows == [[.integer(0)]])
    #expect(try survivor.sql("PRAGMA integrity_check").rows == [[.text("ok")]])
    #expect(try house.catalog.importFaces(sixFaces).added == 6)
  }

  @Test("The import can be run again")
  func again() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    _ = try crash(house, replace: false)
    #expect(try house.catalog.importFaces(sixFaces, as: "more").added == 6)
  }
}
