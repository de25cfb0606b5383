import AssayCore
import AssayFormats
import AssayStore
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

@Suite("Importing archives")
struct ArchiveImportTests {
  private struct Place {
    let folder: TemporaryFolder
    var catalogPath: String { folder.path("assay.db") }

    init() throws { folder = try TemporaryFolder() }

    @discardableResult
    func run(
      _ source: String, as name: String, _ change: (inout ImportRequest) -> Void = { _ in }
    ) throws -> DatasetImport.Summary {
      var request = ImportRequest(source)
      request.name = name
      change(&request)
      return try DatasetImport(request).run(catalogPath: catalogPath, progress: NoProgress())
    }

    func catalog() throws -> Catalog { try Catalog.open(catalogPath, .readWrite) }

    /// Unpacks an archive of the fixtures into a folder.
    func unpack(_ archive: String, into name: String) throws {
      let source = PackageFolder.fixture("archives/\(archive)").path
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = [
        "python3", "-c", "import shutil, sys; shutil.unpack_archive(sys.argv[1], sys.argv[2])",
        source,
        folder.path(name),
      ]
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
  }

  private static func fixture(_ name: String) -> String {
    PackageFolder.fixture("archives/\(name)").path
  }

  /// The rows of an import, with a prefix taken off their keys.
  private static func rows(
    _ name: String, in catalog: Catalog, without prefix: String = ""
  ) throws -> [String] {
    let samples = try catalog.samples(in: catalog.resolve(name))
    let categories = try catalog.taxonomy(of: catalog.dataset(named: name).id).names
    return samples.map { sample in
      #expect(sample.key.hasPrefix(prefix) && sample.location == sample.key)
      let size = sample.size.map { "\($0)" } ?? "-"
      return "\(sample.key.dropFirst(prefix.count)) \(sample.split ?? "-") \(size) "
        + (sample.category.map { categories[$0] } ?? "-")
    }
  }

  @Test("An archive gives the same rows as the unpacked folder, for each way of packing")
  func imageFolder() throws {
    let place = try Place()
    let folder = try place.run(PackageFolder.fixture("image-folder/splits").path, as: "folder")
    let catalog = try place.catalog()
    let expected = try Self.rows("folder", in: catalog)
    #expect(expected.count == 3)
    for name in ["splits.zip", "splits-stored.zip", "splits.tar", "splits.tar.gz", "large.zip"] {
      let dataset = "a-" + name
      let summary = try place.run(Self.fixture(name), as: dataset)
      #expect(summary.detection.format == .imageFolder)
      #expect(summary.dataset.root == Self.fixture(name))
      #expect(summary.counts == folder.counts)
      #expect(try Self.rows(dataset, in: catalog) == expected)
      #expect(try place.run(Self.fixture(name), as: dataset).isAlreadyThere)
      // The images are read from the archive later.
      let samples = try catalog.samples(in: catalog.resolve(dataset))
      let rasters = try SampleImages(catalog: catalog, dataset: summary.dataset).rasters(
        of: samples)
      #expect(
        try rasters.map { try $0.get().width } == samples.map { try #require($0.size?.width) })
      let hashes = SampleContentHash(catalog: catalog, dataset: summary.dataset)
      let originals = SampleContentHash(catalog: catalog, dataset: folder.dataset)
      #expect(try samples.map(hashes.hash) == samples.map(originals.hash))
      #expect(try ImageFileCount(of: summary.dataset, in: catalog).found == 3)
    }
  }

  @Test("YOLO and COCO in the only folder of an archive are detected; keys have the full path")
  func topFolder() throws {
    let place = try Place()
    try place.run(PackageFolder.fixture("yolo/ultralytics").path, as: "yolo-folder")
    let yolo = try place.run(Self.fixture("yolo.zip"), as: "yolo-zip")
    let catalog = try place.catalog()
    #expect(yolo.detection.format == .yolo)
    let expected = try Self.rows("yolo-folder", in: catalog)
    #expect(try Self.rows("yolo-zip", in: catalog, without: "ultralytics/") == expected)
    #expect(try Annotations("yolo-zip", in: catalog) == Annotations("yolo-folder", in: catalog))
    try place.unpack("coco.tar", into: "unpacked")
    try place.run(place.folder.path("unpacked/tiny"), as: "coco-folder")
    for name in ["coco.tar", "coco-gnu.tar", "coco-members.tgz"] {
      let coco = try place.run(Self.fixture(name), as: name)
      #expect(coco.detection.format == .coco)
      #expect(coco.lists?.imagesFound == 3)
      #expect(
        try Self.rows(name, in: catalog, without: "tiny/")
          == Self.rows("coco-folder", in: catalog))
      #expect(try Annotations(name, in: catalog) == Annotations("coco-folder", in: catalog))
    }
  }

  /// The annotations of a dataset, as SQL gives them.
  private struct Annotations: Equatable {
    var rows: [String]

    init(_ name: String, in catalog: Catalog) throws {
      let id = try catalog.dataset(named: name).id
      rows = try catalog.sql(
        """
        SELECT c.name, a.ordinal, a.shape, a.sourceId, a.area, a.x, a.y, a.width, a.height,
          hex(g.bytes)
        FROM sample s JOIN annotation a ON a.sample = s.id JOIN category c ON c.id = a.category
          LEFT JOIN geometry g ON g.id = a.geometry
        WHERE s.dataset = \(id) ORDER BY s.key, a.ordinal
        """
      ).rows.map { "\($0)" }
      #expect(!rows.isEmpty)
    }
  }

  @Test("A folder or table in an archive is a source by its path; a single table needs none")
  func inner() throws {
    let place = try Place()
    let train = try place.run(
      Self.fixture("splits.zip") + "/train", as: "train"
    ) { $0.format = .imageFolder }
    let catalog = try place.catalog()
    #expect(train.dataset.root == Self.fixture("splits.zip"))
    #expect(
      try catalog.samples(in: catalog.resolve("train")).map(\.key) == [
        "train/cat/1.png", "train/dog/1.png",
      ])
    let fer = try place.run(Self.fixture("fer.zip"), as: "fer")
    #expect(fer.detection.format == .fer)
    #expect(try catalog.samples(in: catalog.resolve("fer")).map(\.key) == ["0", "1"])
    #expect(try place.run(Self.fixture("fer.zip"), as: "fer").isAlreadyThere)
    #expect(throws: ArchiveError.missing(entry: "nothing", archive: "fer.zip")) {
      try place.run(Self.fixture("fer.zip") + "/nothing", as: "no")
    }
  }

  @Test("Entries that are left out are issues of the dataset")
  func issues() throws {
    let place = try Place()
    let error = #expect(throws: (any Error).self) {
      try place.run(Self.fixture("odd.zip"), as: "odd")
    }
    #expect("\(try #require(error))".contains("9 entries that cannot be read (../outside.txt"))
  }

  @Test("A dataset moves between a folder and an archive with relink")
  func relink() throws {
    let place = try Place()
    try place.unpack("splits.tar", into: "unpacked")
    try place.run(place.folder.path("unpacked"), as: "set")
    let catalog = try place.catalog()
    let archive = Self.fixture("splits-stored.zip")
    let there = try Relinker(catalog: catalog).relink("set", to: archive)
    #expect((there.root, there.found) == (archive, 3))
    let dataset = try catalog.dataset(named: "set")
    #expect(dataset.isSingleFile)
    let samples = try catalog.samples(in: catalog.resolve("set"))
    for raster in try SampleImages(catalog: catalog, dataset: dataset).rasters(of: samples) {
      #expect(throws: Never.self) { try raster.get() }
    }
    let back = try Relinker(catalog: catalog).relink("set", to: place.folder.path("unpacked"))
    #expect(back.found == 3)
    #expect(try !catalog.dataset(named: "set").isSingleFile)
  }

  @Test("A changed archive is listed again; a missing one suggests relink")
  func changed() throws {
    let place = try Place()
    let path = place.folder.path("x.zip")
    let files = FileManager.default
    try files.copyItem(atPath: Self.fixture("splits.zip"), toPath: path)
    let summary = try place.run(path, as: "set")
    let catalog = try place.catalog()
    let samples = try catalog.samples(in: catalog.resolve("set"))
    let images = SampleImages(catalog: catalog, dataset: summary.dataset)
    #expect(throws: Never.self) { try images.rasters(of: samples)[0].get() }
    try files.removeItem(atPath: path)
    try files.copyItem(atPath: Self.fixture("yolo.zip"), toPath: path)
    #expect(throws: SampleImageError.self) { try images.rasters(of: samples)[0].get() }
    try files.removeItem(atPath: path)
    let error = #expect(throws: SampleImageError.self) {
      try images.rasters(of: samples)[0].get()
    }
    #expect("\(try #require(error))".contains("assay relink set"))
  }
}
