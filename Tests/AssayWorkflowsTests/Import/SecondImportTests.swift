import AssayCore
import AssayStore
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

@Suite("A second import of a changed folder")
struct SecondImportTests {
  private struct Place {
    let folder: TemporaryFolder

    init(_ fixture: String) throws {
      folder = try TemporaryFolder()
      try FileManager.default.copyItem(
        atPath: PackageFolder.fixture(fixture).path, toPath: folder.path("set"))
      let names = FileManager.default.subpaths(atPath: folder.path("set")) ?? []
      for name in names { try age("set/" + name) }
    }

    /// Sets a file's time to one that is long ago.
    func age(_ name: String, _ seconds: Double = 1_700_000_000) throws {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: folder.path(name))
    }

    func run(
      into catalog: String = "assay.db", replace: Bool = true
    ) throws -> DatasetImport.Summary {
      var request = ImportRequest(folder.path("set"))
      request.replace = replace
      return try DatasetImport(request).run(
        catalogPath: folder.path(catalog), progress: NoProgress())
    }

    /// The rows of the dataset, without ids.
    func rows(_ catalog: String = "assay.db") throws -> [String] {
      let catalog = try Catalog.open(folder.path(catalog), .readOnly)
      return try catalog.sql(
        """
        SELECT s.key, s.location, s.sourceSplit, s.width, s.height, s.fileSize, s.fileModified,
          c.name, a.ordinal, a.shape, a.area, a.x, a.y, a.width, a.height
        FROM sample s LEFT JOIN annotation a ON a.sample = s.id
          LEFT JOIN category c ON c.id = a.category
        WHERE s.retired = 0 ORDER BY s.key, a.ordinal
        """
      ).rows.map { "\($0)" }
    }
  }

  private static func reused(_ summary: DatasetImport.Summary) -> String? {
    summary.notes.first { $0.contains("not read again") }
  }

  @Test(
    "It reads new and changed images, and gives the rows of a first import",
    arguments: ["image-folder/splits", "yolo/ultralytics"])
  func changed(_ fixture: String) throws {
    let place = try Place(fixture)
    let first = try place.run(replace: false)
    #expect(Self.reused(first) == nil)
    let folder = fixture.hasPrefix("yolo") ? "set/images/train/" : "set/train/cat/"
    let png = try Data(
      contentsOf: PackageFolder.fixture("image-folder/splits/train/cat/1.png"))
    try place.folder.write(folder + "new.png", png)
    try place.age(folder + "new.png")
    let second = try place.run()
    let note = try #require(Self.reused(second))
    #expect(note.hasPrefix("\(first.dataset.accepted) image"))
    #expect(second.added == 1)
    #expect(second.kept == first.dataset.accepted)
    _ = try place.run(into: "fresh.db", replace: false)
    #expect(try place.rows() == place.rows("fresh.db"))
  }

  @Test("A file with another time or size is read again; so is one that was damaged")
  func readAgain() throws {
    let place = try Place("image-folder/splits")
    _ = try place.run(replace: false)
    // The same size in bytes and another image: only the time tells.
    try place.folder.write(
      "set/val/dog/2.jpg",
      Data(contentsOf: PackageFolder.fixture("image-folder/splits/train/dog/1.png")))
    try place.age("set/val/dog/2.jpg", 1_700_000_001)
    let second = try place.run()
    #expect(try #require(Self.reused(second)).hasPrefix("2 images"))
    _ = try place.run(into: "fresh.db", replace: false)
    #expect(try place.rows() == place.rows("fresh.db"))
    // Unchanged bytes under a changed path are a new file.
    try FileManager.default.moveItem(
      atPath: place.folder.path("set/val/dog/2.jpg"), toPath: place.folder.path("set/val/dog/3.jpg")
    )
    let third = try place.run()
    #expect(try #require(Self.reused(third)).hasPrefix("2 images"))
    #expect((third.added, third.retired) == (1, 1))
  }

  @Test("Files that changed just before the import are read again")
  func fresh() throws {
    let place = try Place("image-folder/splits")
    let png = try Data(
      contentsOf: PackageFolder.fixture("image-folder/splits/train/cat/1.png"))
    try place.folder.write("set/train/cat/now.png", png)
    _ = try place.run(replace: false)
    try place.folder.write("set/train/cat/other.png", png)
    #expect(try #require(Self.reused(place.run())).hasPrefix("3 images"))
  }
}
