import AssayCore
import AssayFormats
import AssayStore
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

@Suite("Importing a dataset")
struct DatasetImportTests {
  /// A folder with the path of a catalog in it, removed with the value.
  private struct Place {
    private let temporary: TemporaryFolder
    var path: String { temporary.path }
    var catalogPath: String { path + "/assay.db" }

    init() throws { temporary = try TemporaryFolder() }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
      try temporary.write(name, text)
      return temporary.path(name)
    }

    func run(
      _ source: String, _ change: (inout ImportRequest) -> Void = { _ in }
    ) throws -> DatasetImport.Summary {
      var request = ImportRequest(source)
      change(&request)
      return try DatasetImport(request).run(catalogPath: catalogPath, progress: NoProgress())
    }

    var hasCatalog: Bool { FileManager.default.fileExists(atPath: catalogPath) }
    func catalog() throws -> Catalog { try Catalog.open(catalogPath, .readWrite) }
  }

  static let fixtures = PackageFolder.url("Tests/Fixtures").path

  static let rows = "emotion,pixels,Usage\n3,1 2 3 4,Training\n4,5 6 7 8,PrivateTest\n"

  @Test("A FER file becomes samples with pixels, labels and splits, and is told by split and class")
  func fer() throws {
    let place = try Place()
    let summary = try place.run(Self.fixtures + "/fer/fer2013.csv.gz")
    #expect(summary.dataset.name == "fer2013")
    #expect(summary.dataset.format == .fer)
    #expect((summary.dataset.read, summary.dataset.accepted) == (5, 5))
    #expect((summary.added, summary.kept, summary.retired) == (5, 0, 0))
    // The fixture's emotions are 0 1 3 6 0 with two Training, PublicTest, PrivateTest and Training.
    #expect(summary.counts.splits == ["train", "validation", "test"])
    #expect(summary.counts.classes == FERImporter.classes)
    #expect(
      summary.counts.samples == [
        [2, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 1, 0],
      ])
    #expect(summary.issueCounts.isEmpty)
    let catalog = try place.catalog()
    let samples = try catalog.samples(in: catalog.resolve("fer2013/train"))
    #expect(samples.map(\.key) == ["0", "1", "4"])
    #expect(try catalog.taxonomy(of: summary.dataset.id).names == FERImporter.classes)
  }

  @Test("Discovered classes are stored in their final order")
  func discovered() throws {
    let place = try Place()
    let summary = try place.run(Self.fixtures + "/pixel-csv/text_labels.csv")
    #expect(summary.counts.classes == ["cat", "dog"])
    #expect(summary.counts.samples == [[1, 2, 0]])
    let catalog = try place.catalog()
    #expect(try catalog.taxonomy(of: summary.dataset.id).names == ["cat", "dog"])
    #expect(try catalog.samples(in: catalog.resolve("text_labels")).map(\.category) == [1, 0, 1])
  }

  @Test("The same input again is already imported; with other statements it is not")
  func again() throws {
    let place = try Place()
    let path = try place.write("f.csv", Self.rows)
    #expect(try !place.run(path).isAlreadyThere)
    let again = try place.run(path)
    #expect(again.isAlreadyThere)
    #expect(again.dataset.importVersion == 1)
    #expect(try place.run(path) { $0.replace = true }.isAlreadyThere)
    #expect(throws: StoreError.nameTaken(.dataset, "f")) {
      try place.run(path) { $0.split = "train" }
    }
    #expect(try !place.run(path) { $0.name = "other" }.isAlreadyThere)
  }

  @Test("A changed input needs --replace, which keeps the samples of the same keys")
  func replace() throws {
    let place = try Place()
    let path = try place.write("f.csv", Self.rows)
    let first = try place.run(path)
    try place.write("f.csv", "emotion,pixels,Usage\n3,1 2 3 4,Training\n")
    #expect(throws: StoreError.nameTaken(.dataset, "f")) { try place.run(path) }
    let second = try place.run(path) { $0.replace = true }
    #expect((second.added, second.kept, second.retired) == (0, 1, 1))
    #expect(second.dataset.id == first.dataset.id)
    #expect(second.dataset.importVersion == 2)
  }

  @Test("A folder is the same input as long as its names, sizes and times are")
  func folder() throws {
    let place = try Place()
    let source = place.path + "/images"
    try FileManager.default.copyItem(atPath: Self.fixtures + "/image-folder/splits", toPath: source)
    #expect(try place.run(source).dataset.samples == 3)
    #expect(try place.run(source).isAlreadyThere)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
      ofItemAtPath: source + "/val/dog/2.jpg")
    #expect(throws: StoreError.nameTaken(.dataset, "images")) { try place.run(source) }
    #expect(try place.run(source) { $0.replace = true }.kept == 3)
  }

  @Test("Strict refuses on any issue, with all of them, and leaves nothing")
  func strict() throws {
    let place = try Place()
    let path = try place.write("f.csv", Self.rows + "9,1 2 3 4,Training\n3,1 2 3 4,Odd\n")
    let refused = #expect(throws: ImportRefused.self) { try place.run(path) { $0.strict = true } }
    #expect(refused?.issues.map(\.kind) == [.unknownLabel, .unknownSplit])
    #expect((refused?.read, refused?.rejected) == (4, 1))
    #expect(!place.hasCatalog)
    let lenient = try place.run(path)
    #expect(lenient.issueCounts.map(\.kind) == [.unknownLabel, .unknownSplit])
    #expect(lenient.dataset.issues == 2)
    #expect(lenient.dataset.read == lenient.dataset.accepted + lenient.dataset.rejected)
  }

  @Test("Where no record is right nothing is imported, and the first issues are told")
  func nothingAccepted() throws {
    let place = try Place()
    let path = try place.write("f.csv", "emotion,pixels\n9,1 2 3 4\n8,1 2 3 4\n")
    let error = #expect(throws: ImportError.self) { try place.run(path) }
    let text = "\(try #require(error))"
    #expect(text.contains("all 2 records of f.csv, read as fer, are invalid"))
    #expect(text.contains("f.csv:2: unknown label '9'"))
    #expect(!place.hasCatalog)
  }

  @Test("What cannot be imported leaves no catalog behind")
  func refused() throws {
    let place = try Place()
    #expect(throws: FormatError.emptyFile("e.csv")) { try place.run(place.write("e.csv", "")) }
    #expect(throws: FormatError.self) { try place.run(place.write("t.txt", "hello\n")) }
    #expect(throws: SourceError.self) { try place.run(place.path + "/nowhere") }
    let good = try place.write("f.csv", Self.rows)
    #expect(throws: StoreError.badName("a b")) { try place.run(good) { $0.name = "a b" } }
    #expect(throws: ImportError.badSplit("a/b")) { try place.run(good) { $0.split = "a/b" } }
    #expect(throws: ImportError.noName(source: "-.csv")) {
      try place.run(place.write("-.csv", Self.rows))
    }
    #expect(!place.hasCatalog)
  }
}
