import AssayCore
import AssayFormats
import AssayStore
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

@Suite("Importing Parquet files with images")
struct ParquetImportTests {
  @Test("Images are read from the rows later, and the same files are already imported")
  func rows() throws {
    let folder = try TemporaryFolder()
    let source = PackageFolder.fixture("parquet/classes").path
    let catalogPath = folder.path("assay.db")
    let summary = try DatasetImport(ImportRequest(source)).run(
      catalogPath: catalogPath, progress: NoProgress())
    #expect((summary.dataset.read, summary.dataset.accepted) == (6, 6))
    #expect(summary.dataset.format == .parquet)
    #expect(
      try DatasetImport(ImportRequest(source)).run(catalogPath: catalogPath, progress: NoProgress())
        .isAlreadyThere)
    let catalog = try Catalog.open(catalogPath, .readWrite)
    let samples = try catalog.samples(in: catalog.resolve("classes"))
    let images = SampleImages(catalog: catalog, dataset: summary.dataset)
    for raster in try images.rasters(of: samples) {
      let raster = try raster.get()
      #expect(raster.width == 8 && raster.height == 6)
    }
    #expect(try ImageFileCount(of: summary.dataset, in: catalog).found == 6)
    var outside = samples[0]
    outside.location = "../boxes/data/train-00000-of-00001.parquet/image/000000.png"
    #expect(throws: SampleImageError.self) { try images.rasters(of: [outside])[0].get() }
  }

  @Test(
    "A second import does not read the images of the same files; a moved folder is linked again")
  func again() throws {
    let folder = try TemporaryFolder()
    let source = folder.path("source")
    try FileManager.default.copyItem(
      at: PackageFolder.fixture("parquet/classes"), to: URL(fileURLWithPath: source))
    for name in ["train-00000-of-00002", "train-00001-of-00002", "test-00000-of-00001"] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
        ofItemAtPath: "\(source)/data/\(name).parquet")
    }
    let catalogPath = folder.path("assay.db")
    var request = ImportRequest(source)
    _ = try DatasetImport(request).run(catalogPath: catalogPath, progress: NoProgress())
    request.replace = true
    request.split = "other"
    let second = try DatasetImport(request).run(catalogPath: catalogPath, progress: NoProgress())
    #expect(
      second.notes == ["6 images were not read again: their files have the same sizes and times"])
    #expect(second.kept == 6 && second.added == 0)
    let moved = folder.path("moved")
    try FileManager.default.moveItem(atPath: source, toPath: moved)
    let catalog = try Catalog.open(catalogPath, .readWrite)
    let found = try Relinker(catalog: catalog).relink("source", to: moved)
    #expect((found.files, found.found) == (6, 6))
    let dataset = try catalog.dataset(named: "source")
    let samples = try catalog.samples(in: catalog.resolve("source"))
    let images = SampleImages(catalog: catalog, dataset: dataset)
    #expect(try images.rasters(of: samples).allSatisfy { (try? $0.get()) != nil })
  }

  @Test("A single file is imported, and and its images are in it")
  func single() throws {
    let folder = try TemporaryFolder()
    let source = PackageFolder.fixture("parquet/polars/train.parquet").path
    let summary = try DatasetImport(ImportRequest(source)).run(
      catalogPath: folder.path("assay.db"), progress: NoProgress())
    #expect(summary.dataset.name == "train" && summary.dataset.accepted == 4)
    let catalog = try Catalog.open(folder.path("assay.db"), .readOnly)
    let samples = try catalog.samples(in: catalog.resolve("train"))
    #expect(samples.map(\.split) == ["train", "train", "train", "train"])
    let images = SampleImages(catalog: catalog, dataset: summary.dataset)
    #expect(try images.rasters(of: samples).allSatisfy { (try? $0.get()) != nil })
  }
}
