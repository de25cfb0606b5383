import AssayCore
import AssayStore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayWorkflows

@Suite("Symbolic links in a folder")
struct DirectoryLinkTests {
  /// A folder with a dataset's folder `set` in it.
  private struct Folder {
    private let temporary: TemporaryFolder
    var path: String { temporary.path }

    init() throws {
      temporary = try TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: path + "/set", withIntermediateDirectories: true)
    }

    func write(_ name: String, _ bytes: Data = Data("x".utf8)) throws {
      try temporary.write(name, bytes)
    }

    func link(_ name: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: path + "/" + name, withDestinationPath: target)
    }

    func tree() throws -> DirectoryTree { try DirectoryTree(path + "/set") }
  }

  private static let png = DatasetImportTests.fixtures + "/image-folder/classes/cat/1.png"

  @Test("Links to files and folders below the root are followed")
  func inside() throws {
    let folder = try Folder()
    try folder.write("set/.store/1.png")
    try folder.write("set/all/cat/2.png")
    try folder.link("set/1.png", to: ".store/1.png")
    try folder.link("set/linked", to: "all/cat")
    try folder.link("set/again", to: "linked")
    let tree = try folder.tree()
    #expect(
      try tree.files().map(\.path) == [
        "1.png", "again/2.png", "all/cat/2.png", "linked/2.png",
      ])
    #expect(try tree.issues().isEmpty)
    #expect(try tree.readAll("again/2.png", limit: 9) == [120])
  }

  @Test("Cycles of links are cut, whether they lead to the root, above or beside")
  func cycles() throws {
    let folder = try Folder()
    try folder.write("set/a/1.png")
    try folder.write("set/b/2.png")
    try folder.link("set/a/root", to: "..")
    try folder.link("set/a/self", to: ".")
    try folder.link("set/a/other", to: "../b")
    try folder.link("set/b/back", to: "../a")
    try folder.link("set/loop", to: "loop")
    let tree = try folder.tree()
    let files = try tree.files().map(\.path)
    #expect(
      files == ["a/1.png", "a/other/2.png", "b/2.png", "b/back/1.png"])
    #expect(try tree.issues().map(\.kind) == [.brokenLink])
  }

  @Test("Links that leave the root or lead to nothing are issues, and are not read")
  func outside() throws {
    let folder = try Folder()
    try folder.write("secret/1.png")
    try folder.write("set-too/1.png")
    try folder.write("set/2.png")
    try folder.link("set/file.png", to: "../secret/1.png")
    try folder.link("set/folder", to: "../secret")
    try folder.link("set/near", to: folder.path + "/set-too")
    try folder.link("set/above", to: "..")
    try folder.link("set/gone.png", to: "nowhere.png")
    let tree = try folder.tree()
    #expect(try tree.files().map(\.path) == ["2.png"])
    let issues = try tree.issues()
    #expect(
      issues.map { "\($0.kind.rawValue) \($0.location.file)" } == [
        "outsideRoot above", "outsideRoot file.png", "outsideRoot folder",
        "brokenLink gone.png", "outsideRoot near",
      ])
    #expect(issues[1].message.contains("secret/1.png"))
    #expect(issues[1].message.contains("--follow-links"))
    for path in ["file.png", "folder/1.png", "near/1.png", "above/secret/1.png"] {
      #expect(throws: SourceError.self) { try tree.readAll(path, limit: 9) }
    }
  }

  @Test("Folders that link to each other many times end at the limit of files, not of time")
  func manyPaths() throws {
    let folder = try Folder()
    // Every level has two links to the next: 2^11 paths to one file, each of which is listed.
    for level in 0..<12 {
      try FileManager.default.createDirectory(
        atPath: folder.path + "/set/.d\(level)", withIntermediateDirectories: true)
    }
    for level in 0..<11 {
      for side in ["l", "r"] {
        try folder.link("set/.d\(level)/\(side)", to: "../.d\(level + 1)")
      }
    }
    try folder.write("set/.d11/1.png")
    try folder.link("set/start", to: ".d0")
    #expect(try folder.tree().files().count == 1 << 11)
  }

  @Test("Linked images are imported, shown and read later; what leaves the root is an issue")
  func imported() throws {
    let folder = try Folder()
    let png = try Data(contentsOf: URL(filePath: Self.png))
    try folder.write("set/.blobs/1", png)
    try folder.write("elsewhere/3.png", png)
    try FileManager.default.createDirectory(
      atPath: folder.path + "/set/cat", withIntermediateDirectories: true)
    try folder.link("set/cat/1.png", to: "../.blobs/1")
    try folder.link("set/dog", to: "cat")
    try folder.link("set/cat/3.png", to: "../../elsewhere/3.png")
    let catalogPath = folder.path + "/assay.db"
    let summary = try DatasetImport(ImportRequest(folder.path + "/set"))
      .run(catalogPath: catalogPath, progress: NoProgress())
    #expect(summary.dataset.accepted == 2)
    #expect(summary.issueCounts.map(\.kind) == [.outsideRoot])
    let catalog = try Catalog.open(catalogPath, .readOnly)
    let samples = try catalog.samples(in: catalog.resolve("set"))
    #expect(samples.map(\.key) == ["cat/1.png", "dog/1.png"])
    let images = SampleImages(catalog: catalog, dataset: summary.dataset)
    for raster in try images.rasters(of: samples) {
      #expect(throws: Never.self) { try raster.get() }
    }
    let file = try #require(DirectoryTree.resolve(folder.path)) + "/set/.blobs/1"
    #expect(samples.map { images.file(of: $0) } == [file, file])
    // A link that is redirected outside the root after the import is not followed.
    try FileManager.default.removeItem(atPath: folder.path + "/set/dog")
    try folder.link("set/dog", to: "../elsewhere")
    try folder.write("elsewhere/1.png", png)
    let later = try images.rasters(of: samples)
    #expect(throws: Never.self) { try later[0].get() }
    #expect(throws: SampleImageError.self) { try later[1].get() }
    #expect(images.file(of: samples[1]) == nil)
  }

  @Test("A second path of a listed COCO image, through a link, is not an unlisted image")
  func listedThroughLink() throws {
    let folder = try Folder()
    let png = try Data(contentsOf: URL(filePath: Self.png))
    for name in ["set/val/1.png", "set/val/2.png"] { try folder.write(name, png) }
    try folder.link("set/images", to: "val")
    let text = """
      {"images":[{"id":1,"file_name":"1.png"}],"annotations":[],"categories":[{"id":1,"name":"a"}]}
      """
    try folder.write("set/annotations/instances_val.json", Data(text.utf8))
    let summary = try DatasetImport(ImportRequest(folder.path + "/set:coco"))
      .run(catalogPath: folder.path + "/assay.db", progress: NoProgress())
    let catalog = try Catalog.open(folder.path + "/assay.db", .readOnly)
    let samples = try catalog.samples(in: catalog.resolve("set"))
    #expect(samples.count == 1)
    #expect(summary.notes.contains("1 image that no JSON file lists is left out"))
  }

  @Test("A folder of nothing but links that leave it says so")
  func onlyOutside() throws {
    let folder = try Folder()
    try folder.write("elsewhere/1.png", Data(contentsOf: URL(filePath: Self.png)))
    try folder.link("set/1.png", to: "../elsewhere/1.png")
    try folder.link("set/2.png", to: "../elsewhere/1.png")
    let error = #expect(throws: (any Error).self) {
      try DatasetImport(ImportRequest(folder.path + "/set"))
        .run(catalogPath: folder.path + "/assay.db", progress: NoProgress())
    }
    let text = "\(try #require(error))"
    #expect(text.contains("2 entries that cannot be read (1.png: the link points outside"))
    #expect(text.contains("--follow-links"))
  }

  @Test("--follow-links imports 60 linked images of another folder, and reads them later")
  func followed() throws {
    let folder = try Folder()
    let jpeg = try Data(
      contentsOf: PackageFolder.fixture("image-folder/splits/val/dog/2.jpg"))
    for place in 0..<60 {
      try folder.write("elsewhere/\(place).jpg", jpeg)
      try folder.link("set/\(place).jpg", to: folder.path + "/elsewhere/\(place).jpg")
    }
    let catalogPath = folder.path + "/assay.db"
    var request = ImportRequest(folder.path + "/set")
    request.followsLinks = true
    let summary = try DatasetImport(request).run(catalogPath: catalogPath, progress: NoProgress())
    #expect(summary.dataset.accepted == 60)
    #expect(summary.issueCounts.isEmpty)
    let again = try DatasetImport(request).run(catalogPath: catalogPath, progress: NoProgress())
    #expect(again.isAlreadyThere)
    let catalog = try Catalog.open(catalogPath, .readWrite)
    let samples = try catalog.samples(in: catalog.resolve("set"))
    let images = SampleImages(catalog: catalog, dataset: summary.dataset)
    for raster in try images.rasters(of: samples) {
      #expect(throws: Never.self) { try raster.get() }
    }
    let hash = SampleContentHash(catalog: catalog, dataset: summary.dataset)
    #expect(try hash.hash(of: samples[0]) == ContentHash.of(Array(jpeg)))
    #expect(try ImageFileCount(of: summary.dataset, in: catalog).found == 60)
    // A path that leaves the root without a link is not read, whatever the catalog says.
    var moved = samples[0]
    moved.location = "../elsewhere/0.jpg"
    #expect(throws: SampleImageError.self) { try images.rasters(of: [moved])[0].get() }
  }

  @Test("With --follow-links cycles end, also through folders above the root")
  func followedCycles() throws {
    let folder = try Folder()
    try folder.write("set/1.png")
    try folder.write("beside/2.png")
    try folder.link("set/above", to: "..")
    try folder.link("beside/back", to: "../set")
    let tree = try DirectoryTree(folder.path + "/set", followsLinks: true)
    #expect(
      try tree.files().map(\.path) == ["1.png", "above/beside/2.png"])
    #expect(try tree.issues().isEmpty)
  }
}
