import AssayCore
import AssayStore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayWorkflows

@Suite("Images in files of archives")
struct NestedImagesTests {
  private let folder: TemporaryFolder
  private var catalogPath: String { folder.path("assay.db") }

  init() throws { folder = try TemporaryFolder() }

  /// Packs a folder of the fixtures, below a folder `outer`, with Python.
  private func pack(_ fixture: String, _ format: String, as name: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      """
      import os, shutil, sys
      source, format, target, work = sys.argv[1:]
      shutil.copytree(source, work + "/outer")
      print(shutil.make_archive(target, format, work, "outer"), end="")
      """, PackageFolder.fixture(fixture).path, format, folder.path(name), folder.path(name + "-w"),
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return String(decoding: text, as: UTF8.self)
  }

  @discardableResult
  private func run(
    _ source: String, as name: String, replace: Bool = false
  ) throws -> DatasetImport.Summary {
    var request = ImportRequest(source)
    request.name = name
    request.replace = replace
    return try DatasetImport(request).run(catalogPath: catalogPath, progress: NoProgress())
  }

  /// The rows of an import, without a prefix of their keys, and the hashes of their images.
  private func rows(_ name: String, without prefix: String = "") throws -> [String] {
    let catalog = try Catalog.open(catalogPath, .readOnly)
    let dataset = try catalog.dataset(named: name)
    let names = try catalog.taxonomy(of: dataset.id).names
    let samples = try catalog.samples(in: catalog.resolve(name))
    let images = SampleImages(catalog: catalog, dataset: dataset)
    let hashes = SampleContentHash(catalog: catalog, dataset: dataset)
    return try zip(samples, images.rasters(of: samples)).map { sample, raster in
      #expect(sample.key.hasPrefix(prefix) && sample.location == sample.key)
      #expect(try raster.get().width == sample.size?.width)
      return "\(sample.key.dropFirst(prefix.count)) \(sample.split ?? "-") "
        + "\(sample.category.map { names[$0] } ?? "-") \(try hashes.hash(of: sample) ?? "-")"
    }
  }

  @Test(
    "Parquet files, record files and shards in an archive give the rows of the unpacked folder",
    arguments: ["parquet/classes", "tfrecord/flowers", "webdataset/numbers"],
    ["zip", "tar", "gztar"])
  func archives(fixture: String, format: String) throws {
    let unpacked = try run(PackageFolder.fixture(fixture).path, as: "unpacked")
    let archive = try pack(fixture, format, as: "data")
    let packed = try run(archive, as: "packed")
    #expect(packed.dataset.format == unpacked.dataset.format)
    #expect(packed.dataset.root == archive && packed.dataset.isSingleFile)
    let expected = try rows("unpacked")
    #expect(expected.count > 3)
    #expect(try rows("packed", without: "outer/") == expected)
    #expect(try run(archive, as: "packed").isAlreadyThere)
    let catalog = try Catalog.open(catalogPath, .readWrite)
    let count = try ImageFileCount(of: packed.dataset, in: catalog)
    #expect(count.found == expected.count)
    // The archive and the folder replace each other.
    let source = PackageFolder.fixture(fixture).path
    let moved = try Relinker(catalog: catalog).relink("unpacked", to: archive)
    #expect((moved.root, moved.found) == (archive + "/outer", expected.count))
    #expect(try rows("unpacked") == expected)
    let back = try Relinker(catalog: catalog).relink("unpacked", to: source)
    #expect(back.root == source && back.found == expected.count)
    #expect(try rows("unpacked") == expected)
  }

  @Test("A file with images in an archive is a source by its path")
  func file() throws {
    let archive = try pack("parquet/polars", "zip", as: "data")
    let summary = try run(archive + "/outer/train.parquet", as: "one")
    #expect(summary.dataset.root == archive)
    #expect(try rows("one", without: "outer/train.parquet/").count == 4)
  }

  @Test("Samples of files in an archive are found on disk as the archive")
  func fileOnDisk() throws {
    let archive = try pack("parquet/classes", "zip", as: "data")
    let packed = try run(archive, as: "packed").dataset
    let catalog = try Catalog.open(catalogPath, .readOnly)
    let sample = try #require(try catalog.samples(in: catalog.resolve("packed")).first)
    #expect(DatasetRoot.file(try #require(sample.location), of: packed) == archive)
  }

  @Test("relink takes a folder of an archive, and finds a dataset deeper in one")
  func relink() throws {
    let images = try pack("image-folder/splits", "zip", as: "images")
    try run(images + "/outer", as: "set")
    let expected = try rows("set")
    let catalog = try Catalog.open(catalogPath, .readWrite)
    let relinker = Relinker(catalog: catalog)
    #expect(try relinker.relink("set", to: images + "/outer").root == images)
    #expect(try rows("set") == expected)
    // Two folders deep, given as a whole, and as the folder.
    let deep = folder.path("deep.zip")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      """
      import sys, zipfile
      source, target = zipfile.ZipFile(sys.argv[1]), zipfile.ZipFile(sys.argv[2], "w")
      for name in source.namelist():
        if not name.endswith("/"): target.writestr("backup/" + name, source.read(name))
      target.close()
      """, images, deep,
    ]
    try process.run()
    process.waitUntilExit()
    for place in [deep, deep + "/backup", deep + "/backup/outer"] {
      let found = try relinker.relink("set", to: place)
      #expect((found.root, found.found) == (deep + "/backup", expected.count))
      #expect(try catalog.dataset(named: "set").isSingleFile)
      #expect(try rows("set") == expected)
    }
    #expect(throws: RelinkError.self) { try relinker.relink("set", to: deep + "/nothing") }
    #expect(throws: SourceError.self) { try relinker.relink("set", to: deep + "no/backup") }
  }
}
