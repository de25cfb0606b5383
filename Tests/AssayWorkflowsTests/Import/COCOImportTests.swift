import AssayCore
import AssayFormats
import AssayImaging
import AssayStore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayWorkflows

@Suite("Importing COCO")
struct COCOImportTests {
  private struct Place {
    private let temporary: TemporaryFolder
    var path: String { temporary.path }
    var catalogPath: String { path + "/assay.db" }

    init() throws { temporary = try TemporaryFolder() }

    func write(_ name: String, _ bytes: [UInt8]) throws { try temporary.write(name, bytes) }

    func move(_ name: String, to other: String) throws {
      try FileManager.default.moveItem(atPath: path + "/" + name, toPath: path + "/" + other)
    }

    func run(
      _ source: String, _ change: (inout ImportRequest) -> Void = { _ in }
    ) throws -> DatasetImport.Summary {
      var request = ImportRequest(path + "/" + source)
      change(&request)
      return try DatasetImport(request).run(catalogPath: catalogPath, progress: NoProgress())
    }

    func catalog() throws -> Catalog { try Catalog.open(catalogPath, .readWrite) }
  }

  private static let json = """
    {"images":[{"id":5,"width":3,"height":2,"file_name":"a.png"}],"info":{},"licenses":[],
    "annotations":[{"id":1,"image_id":5,"category_id":1,"bbox":[0,0,2,1],"area":2,"iscrowd":0,
    "segmentation":[[0,0,2,0,2,1,0,1]]}],"categories":[{"id":1,"name":"cat"}]}
    """

  private static func png() throws -> [UInt8] {
    let raster = try #require(
      Raster(width: 3, height: 2, channels: 1, elements: [1, 2, 3, 4, 5, 6] as [UInt8]))
    return try ImageCodec.encodePNG(raster)
  }

  @Test("A JSON alone finds its images beside it, or where --images says; the same again is there")
  func alone() throws {
    let place = try Place()
    try place.write("instances_val2017.json", Array(Self.json.utf8))
    try place.write("elsewhere/a.png", Self.png())
    let first = try place.run("instances_val2017.json")
    #expect(first.dataset.name == "instances_val2017")
    #expect(first.lists?.imagesFound == 0)
    #expect(first.issueCounts.map(\.kind) == [.missingImage])
    let found = try place.run("instances_val2017.json") {
      $0.images = place.path + "/elsewhere"
      $0.replace = true
    }
    #expect(found.lists?.imagesFound == 1)
    #expect((found.kept, found.added) == (1, 0))
    #expect(found.dataset.root.hasSuffix("/elsewhere"))
    #expect(
      try place.run("instances_val2017.json") { $0.images = place.path + "/elsewhere" }
        .isAlreadyThere)
    // With an additional image next to them, the input is different.
    try place.write("elsewhere/b.png", Self.png())
    #expect(
      try !place.run("instances_val2017.json") {
        $0.images = place.path + "/elsewhere"
        $0.replace = true
      }.isAlreadyThere)
    try place.move("elsewhere", to: "val2017")
    let beside = try place.run("instances_val2017.json") { $0.name = "beside" }
    #expect(beside.lists?.imagesFound == 1)
    #expect(beside.counts.areRegions)
    #expect(beside.counts.samples == [[1, 0]])
  }

  @Test("After images moved, relink finds them from their folder, above it and below it")
  func relink() throws {
    let place = try Place()
    try place.write("set/annotations/instances_val2017.json", Array(Self.json.utf8))
    try place.write("set/val2017/a.png", Self.png())
    let dataset = try place.run("set").dataset
    let catalog = try place.catalog()
    let sample = try #require(try catalog.samples(in: catalog.resolve("set")).first)
    #expect(sample.key == "val2017/a.png")
    #expect(try ImageFileCount(of: dataset, in: catalog).found == 1)
    try FileManager.default.createDirectory(
      atPath: place.path + "/new/deep", withIntermediateDirectories: true)
    try place.move("set/val2017", to: "new/deep/val2017")
    #expect(try ImageFileCount(of: dataset, in: catalog).found == 0)
    for folder in ["new", "new/deep", "new/deep/val2017"] {
      let relinked = try Relinker(catalog: catalog).relink("set", to: place.path + "/" + folder)
      #expect((relinked.files, relinked.found) == (1, 1), "\(folder)")
      #expect(relinked.root.hasSuffix("/new/deep"))
      let rasters = try SampleImages(
        catalog: catalog, dataset: catalog.dataset(named: "set")
      ).rasters(of: [sample])
      #expect(try rasters.first?.get().elements == [1, 2, 3, 4, 5, 6])
    }
    #expect(throws: RelinkError.self) {
      try Relinker(catalog: catalog).relink("set", to: place.path + "/set")
    }
  }

  @Test("A picture is given in the frame whose size the source states; where both fit, oriented")
  func frames() throws {
    // 6 × 2 as stored, 2 × 6 as displayed (EXIF orientation 6).
    let turned = Array(
      try Data(
        contentsOf: PackageFolder.fixture("image-folder/classes/dog/turned.jpeg")))
    func width(_ frame: ImageSize?) throws -> Int {
      try SampleImages.decode(turned, in: frame).width
    }
    #expect(try width(ImageSize(width: 6, height: 2)) == 6)
    #expect(try width(ImageSize(width: 2, height: 6)) == 2)
    #expect(try width(ImageSize(width: 9, height: 9)) == 2)
    #expect(try width(nil) == 2)
  }

  @Test("A file is given away only if its annotations follow the orientation that it states")
  func files() throws {
    let place = try Place()
    let turned = Array(
      try Data(
        contentsOf: PackageFolder.fixture("image-folder/classes/dog/turned.jpeg")))
    try place.write("set/dog/turned.jpeg", turned)
    let summary = try place.run("set")
    let catalog = try place.catalog()
    var sample = try #require(try catalog.samples(in: catalog.resolve("set")).first)
    let images = SampleImages(catalog: catalog, dataset: summary.dataset)
    #expect(sample.size == ImageSize(width: 2, height: 6))
    #expect(images.file(of: sample)?.hasSuffix("/set/dog/turned.jpeg") == true)
    let flipped = SampleImages(catalog: catalog, dataset: summary.dataset, isFlipped: true)
    #expect(flipped.file(of: sample) == nil)
    sample.size = ImageSize(width: 6, height: 2)
    #expect(images.file(of: sample) == nil)
    sample.location = nil
    #expect(images.file(of: sample) == nil)
  }

  @Test("Options that a format has no use for are refused")
  func options() throws {
    let place = try Place()
    try place.write("cat/a.png", Self.png())
    try place.write("x.json", Array(Self.json.utf8))
    #expect(throws: FormatError.unusedOption("--images", format: .imageFolder)) {
      try place.run("cat") { $0.images = place.path }
    }
    #expect(throws: FormatError.unusedOption("--check-images", format: .imageFolder)) {
      try place.run("cat") { $0.checksImages = true }
    }
    #expect(throws: ImportError.imagesAreNoFolder(place.path + "/x.json")) {
      try place.run("x.json") { $0.images = place.path + "/x.json" }
    }
  }
}
