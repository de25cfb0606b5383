import AssayCore
import AssayFormats
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@Suite("CamVid")
struct CamVidImporterTests {
  private let index = FileTree(fixture: "camvid/index")
  private let colors = FileTree(fixture: "camvid/colors")

  @Test("Lists pair images and masks, and name the splits")
  func lists() throws {
    #expect(try FormatDetector.detect(index).format == .camVid)
    let found = try CollectedMasks(index, as: .camVid)
    #expect(found.keys == ["train/a.png", "train/b.png", "val/c.png", "val/unlisted.png"])
    #expect(found.samples.map(\.split) == ["train", "train", "val", "val"])
    #expect(found.samples.allSatisfy { $0.size == ImageSize(width: 4, height: 3) })
    #expect(found.names == Array(CamVidFacts.names) && found.classes.map(\.isVoid).last == true)
    #expect(found.classes.filter(\.isVoid).count == 1)
    #expect(found.classes[8].sourceID == .integer(8))
    // Rows: 0 0 0 0 · 1 1 5 5 · 3 3 3 11.
    #expect(
      found.areas("train/a.png") == ["sky": 4, "building": 2, "tree": 2, "road": 3, "void": 1])
    #expect(found.samples[0].regions[1].box == Box(x: 0, y: 1, width: 2, height: 1))
    #expect(found.samples[0].regions[1].area == 2)
    #expect(found.isBalanced)
  }

  @Test("What does not fit is an issue: a line, a size, a value, an image outside of the lists")
  func issues() throws {
    let found = try CollectedMasks(index, as: .camVid)
    let places = found.issues.map { "\($0.kind) \($0.location)" }
    #expect(
      places == [
        "missingImage train.txt:4", "unknownSplit val/unlisted.png",
        "maskValue trainannot/b.png", "maskSize trainannot/cut.png",
      ])
    // The value 12 in b.png is not a class: one void pixel.
    #expect(found.areas("train/b.png") == ["sky": 7, "car": 1, "road": 3, "void": 1])
    #expect(found.run.outcome.read == 6 && found.run.outcome.rejected == 2)
  }

  @Test("Colors with a label file are classes in its order; other colors are void")
  func colorMasks() throws {
    #expect(try FormatDetector.detect(colors).format == .camVid)
    let found = try CollectedMasks(colors, as: .camVid)
    #expect(found.names == ["Sky", "Car", "Void"])
    #expect(found.classes.map(\.isVoid) == [false, false, true])
    #expect(found.areas("701_StillsRaw_full/a.png") == ["Sky": 2, "Car": 1, "Void": 1])
    #expect(found.areas("701_StillsRaw_full/b.png") == ["Sky": 1, "Car": 2, "Void": 1])
    #expect(found.kinds == [.maskValue])
    #expect(found.samples.map(\.split) == [nil, nil])
  }

  @Test("Folders without lists pair by their names; --classes names the values from 0 on")
  func folders() throws {
    let tree = try MemoryTree(
      masks: ["test/x.png": [[9, 9]], "testannot/x.png": [[0, 1]]], photos: [:])
    #expect(try FormatDetector.detect(tree).format == .camVid)
    let found = try CollectedMasks(tree, as: .camVid, ImportOptions(classes: ["a", "b"]))
    #expect(found.names == ["a", "b"] && found.samples.map(\.split) == ["test"])
    #expect(found.areas("test/x.png") == ["a": 1, "b": 1])
  }

  @Test(
    "A label file without one right line is an issue, and CamVid's classes are not taken in silence",
    arguments: ["", "300 0 0 a\n", "-1 0 0 a\n"])
  func unusableList(text: String) throws {
    let tree = try MemoryTree(
      masks: ["train/x.png": [[9, 9]], "trainannot/x.png": [[0, 2]]], photos: [:],
      texts: ["label_colors.txt": text])
    let found = try CollectedMasks(tree, as: .camVid)
    #expect(found.kinds == [.badField])
    #expect(found.issues.first?.location.file == "label_colors.txt")
    let named = try CollectedMasks(tree, as: .masks)
    #expect(named.kinds == [.badField])
  }

  @Test("A folder of masks without images is refused")
  func nothing() throws {
    let tree = try MemoryTree(masks: ["trainannot/x.png": [[0, 1]]], photos: [:])
    #expect(throws: FormatError.self) { try CollectedMasks(tree, as: .camVid) }
  }

  @Test(
    "The real CamVid's pixels are numpy's counts",
    .outsideData("camvid", twin: "CamVidImporterTests.lists"))
  func realPixels() throws {
    let found = try CollectedMasks(detecting: FileTree(outside: "camvid"))
    let url = PackageFolder.fixture("camvid/goldens.json")
    let goldens = try JSONValue(parsing: String(contentsOf: url, encoding: .utf8))
    #expect(found.samples.count == 20 && found.issues.isEmpty)
    for sample in found.samples {
      let mask = sample.key.replacing("/", with: "annot/")
      let counts = try #require(goldens["counts"]?[mask]?.elements).map { Int($0.double ?? -1) }
      let areas = found.areas(sample.key)
      #expect(CamVidFacts.names.map { areas[$0] ?? 0 } == counts, "\(sample.key)")
    }
    #expect(Set(found.samples.map(\.split)) == ["train", "val"])
  }

  @Test(
    "Datumaro's CamVid in colors is read by CamVid's own 32 colors",
    .outsideData("formats/camvid_dataset", twin: "CamVidImporterTests.ownColors"))
  func datumaro() throws {
    let found = try CollectedMasks(detecting: FileTree(outside: "formats/camvid_dataset"))
    #expect(
      found.keys == [
        "test/0001TP_008550.png", "test/0001TP_008580.png", "train/0001TP_006690.png",
        "val/0016E5_07959.png",
      ])
    #expect(found.samples.map(\.split) == ["test", "test", "train", "val"])
    #expect(found.names.count == 32 && found.issues.isEmpty)
    #expect(found.samples.allSatisfy { $0.regions.reduce(0) { $0 + $1.mask.area } == 5 })
  }

  @Test("Masks in colors without a label file are read by CamVid's own 32 colors")
  func ownColors() throws {
    let photo = Raster<UInt8>(repeating: 9, width: 3, height: 1)
    // Sky, Road and Car of CamVid's label_colors.txt.
    let mask = Raster<UInt8>(
      width: 3, height: 1, channels: 3, elements: [128, 128, 128, 128, 64, 128, 64, 0, 128])
    let tree = MemoryTree(
      folder: [
        "train/x.png": try ImageCodec.encodePNG(photo),
        "trainannot/x.png": try ImageCodec.encodePNG(#require(mask)),
        "test/y.png": try ImageCodec.encodePNG(photo),
        "testannot/y.png": try ImageCodec.encodePNG(#require(mask)),
      ])
    let found = try CollectedMasks(detecting: tree)
    #expect(found.keys == ["test/y.png", "train/x.png"])
    #expect(found.samples.map(\.split) == ["test", "train"])
    #expect(found.names.count == 32 && found.issues.isEmpty)
    #expect(found.areas("train/x.png") == ["Sky": 1, "Road": 1, "Car": 1])
  }
}

enum CamVidFacts {
  static let names = [
    "sky", "building", "pole", "road", "pavement", "tree", "signsymbol", "fence", "car",
    "pedestrian", "bicyclist", "void",
  ]
}
