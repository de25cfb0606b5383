import AssayCore
import AssayStore
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

@Suite("Importing WebDataset's shards")
struct WebDatasetImportTests {
  @Test("Images are read from the shards later, and the same shards are already imported")
  func shards() throws {
    let folder = try TemporaryFolder()
    let source = PackageFolder.fixture("webdataset/numbers").path
    let catalogPath = folder.path("assay.db")
    let summary = try DatasetImport(ImportRequest(source)).run(
      catalogPath: catalogPath, progress: NoProgress())
    #expect((summary.dataset.read, summary.dataset.accepted) == (7, 4))
    #expect(summary.dataset.format == .webDataset)
    #expect(
      try DatasetImport(ImportRequest(source)).run(catalogPath: catalogPath, progress: NoProgress())
        .isAlreadyThere)
    let catalog = try Catalog.open(catalogPath, .readWrite)
    let samples = try catalog.samples(in: catalog.resolve("numbers"))
    let images = SampleImages(catalog: catalog, dataset: summary.dataset)
    for (sample, raster) in zip(samples, try images.rasters(of: samples)) {
      #expect(try raster.get().width == sample.size?.width)
    }
    #expect(try ImageFileCount(of: summary.dataset, in: catalog).found == 4)
    let hashes = SampleContentHash(catalog: catalog, dataset: summary.dataset)
    let png = try Data(
      contentsOf: PackageFolder.fixture("image-folder/splits/train/cat/1.png"))
    #expect(try hashes.hash(of: samples[0]) == ContentHash.of(Array(png)))
    var outside = samples[0]
    outside.location = "../../webdataset/one.tar/1.png"
    #expect(throws: SampleImageError.self) { try images.rasters(of: [outside])[0].get() }
  }

  @Test("One tar archive of samples is imported as webdataset, its images are in it")
  func one() throws {
    let folder = try TemporaryFolder()
    let source = PackageFolder.fixture("webdataset/one.tar").path
    let summary = try DatasetImport(ImportRequest(source)).run(
      catalogPath: folder.path("assay.db"), progress: NoProgress())
    #expect(summary.dataset.name == "one")
    #expect(summary.dataset.format == .webDataset)
    let catalog = try Catalog.open(folder.path("assay.db"), .readOnly)
    let samples = try catalog.samples(in: catalog.resolve("one"))
    #expect(samples.map(\.key) == ["1.png", "2.png", "3.input.png"])
    let images = SampleImages(catalog: catalog, dataset: summary.dataset)
    for raster in try images.rasters(of: samples) {
      #expect(throws: Never.self) { try raster.get() }
    }
  }
}
