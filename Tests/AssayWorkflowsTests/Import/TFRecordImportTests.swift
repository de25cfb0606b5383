import AssayCore
import AssayFormats
import AssayStore
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

@Suite("Importing record files of TensorFlow")
struct TFRecordImportTests {
  @Test("Images are read from the records later; a moved folder is linked again")
  func later() throws {
    let folder = try TemporaryFolder()
    let source = folder.path("source")
    try FileManager.default.copyItem(
      at: PackageFolder.fixture("tfrecord/imagenet"), to: URL(fileURLWithPath: source))
    let catalogPath = folder.path("assay.db")
    let summary = try DatasetImport(ImportRequest(source)).run(
      catalogPath: catalogPath, progress: NoProgress())
    #expect((summary.dataset.read, summary.dataset.accepted) == (10, 10))
    #expect(summary.dataset.format == .tfRecord)
    let catalog = try Catalog.open(catalogPath, .readWrite)
    let samples = try catalog.samples(in: catalog.resolve("source"))
    let images = SampleImages(catalog: catalog, dataset: summary.dataset)
    for raster in try images.rasters(of: samples) {
      let raster = try raster.get()
      #expect(raster.width == 20 && raster.height == 10)
    }
    #expect(try ImageFileCount(of: summary.dataset, in: catalog).found == 10)
    let moved = folder.path("moved")
    try FileManager.default.moveItem(atPath: source, toPath: moved)
    let found = try Relinker(catalog: catalog).relink("source", to: moved)
    #expect((found.files, found.found) == (10, 10))
    let dataset = try catalog.dataset(named: "source")
    let linked = SampleImages(catalog: catalog, dataset: dataset)
    #expect(try linked.rasters(of: samples).allSatisfy { (try? $0.get()) != nil })
  }

  @Test("A single file is imported, and its images are in it")
  func single() throws {
    let folder = try TemporaryFolder()
    let source = PackageFolder.fixture("tfrecord/masks/val.tfrecord").path
    let summary = try DatasetImport(ImportRequest(source)).run(
      catalogPath: folder.path("assay.db"), progress: NoProgress())
    #expect(summary.dataset.name == "val" && summary.dataset.accepted == 2)
    let catalog = try Catalog.open(folder.path("assay.db"), .readOnly)
    let samples = try catalog.samples(in: catalog.resolve("val"))
    let images = SampleImages(catalog: catalog, dataset: summary.dataset)
    #expect(try images.rasters(of: samples).allSatisfy { (try? $0.get()) != nil })
  }
}
