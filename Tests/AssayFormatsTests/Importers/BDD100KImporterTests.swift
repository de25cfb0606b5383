import AssayCore
@testable import AssayFormats
import AssayTestSupport
import Testing

@Suite("BDD100K datasets")
struct BDD100KImporterTests {
  @Test("The release: lists of images, splits, attributes of images, inclusive corners")
  func release() throws {
    let tree = FileTree(fixture: "bdd100k/release")
    #expect(try FormatDetector.detect(tree).format == .bdd100k)
    let found = try CollectedShapes(tree, as: .bdd100k)
    #expect(
      found.keys == [
        "images/100k/train/a.png", "images/100k/train/b.png", "images/100k/val/c.png",
        "images/100k/val/d.png",
      ])
    #expect(found.splits == ["train", "train", "val", "val"])
    #expect(found.names == ["car", "pedestrian", "traffic light"] && found.isBalanced)
    let first = found.samples[0].regions
    // x2 = 9.5 and y2 = 6 are inside: 9.5 - 2.5 + 1 wide, 6 - 1 + 1 high.
    #expect(first[0].box == Box(x: 2.5, y: 1, width: 8, height: 6) && first[0].kind == .box)
    #expect(first[0].attributes == #"{"occluded":false,"trafficLightColor":"NA","truncated":true}"#)
    #expect(found.samples[1].regions.map(\.isCrowd) == [true])
    #expect(found.places == ["missingField warning labels/det_20/det_val.json#/0"])
    #expect(found.run.lists?.annotationsRead == 5 && found.run.notes.isEmpty)
    #expect(
      try Self.fields(tree)[0]
        == #"{"scene":"city street","timeofday":"daytime","timestamp":10000,"weather":"clear"}"#)
  }

  /// The attributes of the images.
  private static func fields(_ tree: some SourceTree) throws -> [String?] {
    var found: [String?] = []
    _ = try BDD100KImporter().run(tree, ImportOptions()) { batch in
      found += batch.samples.map(\.attributes)
    }
    return found
  }

  @Test("A JSON per image: boxes, drivable areas and lanes")
  func older() throws {
    let tree = FileTree(fixture: "bdd100k/older")
    #expect(try FormatDetector.detect(tree).format == .bdd100k)
    let found = try CollectedShapes(tree, as: .bdd100k)
    #expect(found.keys == ["images/100k/train/a.png", "images/100k/val/b.png"])
    #expect(found.splits == ["train", "val"] && found.places.isEmpty && found.isBalanced)
    let first = found.samples[0].regions
    #expect(first.map(\.label) == ["car", "area/drivable", "lane/single white"])
    #expect(first.map(\.kind) == [.box, .polygon, .polyline])
    #expect(first[0].box == Box(x: 2, y: 1, width: 8, height: 6))
    #expect(first[1].points == [[0, 10, 0, 6, 8, 6, 8, 10]] && first[1].area == 32)
    #expect(first[2].points == [[1, 9, 10, 2]])
    #expect(first[2].attributes == #"{"direction":"parallel","style":"solid"}"#)
    #expect(try Self.fields(tree)[1]?.contains(#""timeofday":"night""#) == true)
  }

  @Test("Frames of a video: tracks, and images in a folder per video")
  func tracks() throws {
    let tree = FileTree(fixture: "bdd100k/track")
    let found = try CollectedShapes(detecting: tree)
    #expect(
      found.keys == ["images/track/val/v1/v1-0000001.png", "images/track/val/v1/v1-0000002.png"])
    #expect(found.splits == ["val", "val"] && found.places.isEmpty)
    #expect(
      found.shapes.map(\.attributes)
        == [0, 1].map {
          #"{"crowd":false,"frame":\#($0),"occluded":false,"track":"00048705","truncated":false}"#
        })
    #expect(try Self.fields(tree)[1] == #"{"frameIndex":1,"videoName":"v1"}"#)
  }

  @Test("A Scalabel object: declared classes, polygons, curves, run lengths, graphs")
  func scalabel() throws {
    let tree = FileTree(fixture: "bdd100k/scalabel")
    let found = try CollectedShapes(detecting: tree)
    #expect(found.names == ["pedestrian", "rider", "car", "truck", "lane"])
    #expect(found.classes.map(\.supercategory) == ["human", "human", "vehicle", "vehicle", nil])
    let first = found.samples[0].regions
    #expect(first.map(\.kind) == [.polygon, .polyline, .mask, .points])
    #expect(first[0].points == [[0, 0, 4, 0, 4, 4, 0, 4], [6, 0, 8, 0, 8, 2]])
    #expect(first[0].box == Box(x: 0, y: 0, width: 8, height: 4))
    #expect(first[0].attributes == #"{"manualShape":true,"score":0.5}"#)
    // The middle of the curve from (0, 0) by (0, 8) and (8, 8) to (8, 0) is (4, 6).
    let line = first[1].points[0]
    #expect(line.count == 2 * 18 && Array(line[16..<18]) == [4, 6])
    #expect(Array(line.suffix(4)) == [8, 0, 10, 0])
    #expect(first[1].attributes?.contains(#""types":"LCCCL""#) == true)
    #expect(first[2].area == 18 && first[2].box == Box(x: 3, y: 2, width: 6, height: 3))
    #expect(first[3].points == [[3, 4, 5, 6]])
    #expect(found.places == ["unsupportedField error dataset.json#/frames/0/labels/4"])
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 5)
  }

  @Test("A list alone, with its images in another folder")
  func alone() throws {
    let tree = FileTree(fixture: "bdd100k/alone.json")
    #expect(try FormatDetector.detect(tree).format == .bdd100k)
    #expect(try BDD100KImporter().someImageNames(in: tree) == ["a.png", "b.png"])
    let images = FileTree(fixture: "bdd100k/release/images")
    let found = try CollectedShapes(tree, as: .bdd100k, ImportOptions(images: images))
    #expect(found.keys == ["100k/train/a.png", "100k/train/b.png"])
    #expect(found.splits == ["train", "train"])
  }

  @Test("Images that do not exist belong in the release's folder; long lists are read in parts")
  func missing() throws {
    let frames = (0..<8000).map { number in
      #"{"name": "\#(number).jpg", "attributes": {"weather": "clear", "scene": "x", "timeofday": "y"}, "#
        + #""labels": [{"id": "1", "category": "car", "box2d": {"x1": 1, "y1": 2, "x2": 3, "y2": 4}}]}"#
    }
    let config = #""config": {"categories": [{"name": "bus"}, {"name": "car"}]}"#
    let text = #"{"frames": [\#(frames.joined(separator: ","))], \#(config)}"#
    let tree = MemoryTree(folder: ["x/labels/det_20/det_v2_val_release.json": Array(text.utf8)])
    let found = try CollectedShapes(detecting: tree)
    #expect(text.utf8.count > 1 << 20 && found.samples.count == 8000)
    #expect(found.keys[0] == "x/images/100k/val/0.jpg" && found.splits.allSatisfy { $0 == "val" })
    #expect(found.names == ["bus", "car"] && found.kinds == [.missingImage])
  }

  private static func tree(_ labels: String, more: String = "") throws -> MemoryTree {
    let good = #"{"category": "car", "box2d": {"x1": 0, "y1": 0, "x2": 3, "y2": 3}}"#
    return try MemoryTree(
      pngs: ["a.png", "b.png"],
      texts: [
        "x.json":
          #"[{"name": "b.png", "labels": [\#(good)]}, {"name": "a.png"\#(more), "labels": \#(labels)}]"#
      ])
  }

  private static func label(_ shape: String) -> String { #"{"category": "car", \#(shape)}"# }

  @Test(
    "Every label that cannot be read is an issue with its pointer",
    arguments: [
      ("3", "badField error", ""), (#"{"box2d": {}}"#, "missingLabel error", ""),
      (#"{"category": 4, "box2d": {}}"#, "badField error", ""),
      (label(#""box2d": {"x1": 1, "y1": 1, "x2": 2}"#), "badField error", "/box2d"),
      (label(#""box2d": {"x1": NaN, "y1": 1, "x2": 2, "y2": 2}"#), "badShape error", "/box2d"),
      (label(#""box2d": {"x1": 4, "y1": 1, "x2": 2, "y2": 2}"#), "badShape error", "/box2d"),
      (label(#""box2d": {"x1": 1, "y1": 1, "x2": 1e9, "y2": 2}"#), "badShape error", ""),
      (label(#""box2d": null, "poly2d": []"#), "missingField error", ""),
      (label(#""box3d": {}"#), "unsupportedField error", ""),
      (label(#""graph": {"nodes": [{"location": [1, 2, 3]}]}"#), "unsupportedField error", ""),
      (label(#""poly2d": 3"#), "badField error", "/poly2d"),
      (label(#""poly2d": [[1, 2, "X"]]"#), "badField error", "/poly2d"),
      (label(#""poly2d": [[1, 2, "L"], [3]]"#), "badField error", "/poly2d"),
      (label(#""poly2d": [{"vertices": [[1, 2], [3, 4]], "closed": true}]"#), "badShape error", ""),
      (
        label(
          #""poly2d": [{"vertices": [[1, 2], [3, 4], [5, 6]], "closed": true}, {"vertices": [[1, 2], [3, 4]], "closed": false}]"#
        ), "badShape error", "/poly2d"
      ),
      (label(#""rle": {"counts": [1], "size": [10, 20]}"#), "badField error", "/rle"),
      (label(#""rle": {"counts": "0", "size": [20, 10]}"#), "maskSize error", "/rle/size"),
      (label(#""rle": {"counts": "0", "size": [10, 20]}"#), "badShape error", "/rle/counts"),
    ])
  func odd(label: String, kind: String, pointer: String) throws {
    let good = Self.label(#""box2d": {"x1": 0, "y1": 0, "x2": 3, "y2": 3}"#)
    let found = try CollectedShapes(detecting: Self.tree("[\(good), \(label)]"))
    #expect(found.places == ["\(kind) x.json#/1/labels/1\(pointer)"])
    #expect(found.samples[0].regions.map(\.box) == [Box(x: 0, y: 0, width: 4, height: 4)])
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 3)
  }

  @Test(
    "What is kept by a rule is a warning",
    arguments: [
      (
        #""poly2d": [{"vertices": [[1, 2], [3, 4], [5, 2]], "types": "LL", "closed": true}]"#,
        "badField", "/poly2d/0/types"
      ),
      (#""poly2d": [[1, 2, "L"], [3, 4, "C"], [5, 2, "L"]], "closed": true"#, "none", ""),
      (
        #""poly2d": [{"vertices": [[1, 2], [3, 4], [5, 2]], "types": "LLC", "closed": false}]"#,
        "badShape", "/poly2d"
      ),
      (
        #""box2d": 3, "poly2d": [{"vertices": [[1, 2], [3, 4], [5, 2]], "closed": true}]"#,
        "badField", "/box2d"
      ),
      (
        #""attributes": 3, "box2d": {"x1": 0, "y1": 0, "x2": 3, "y2": 3}"#, "badField",
        "/attributes"
      ),
    ])
  func kept(members: String, kind: String, pointer: String) throws {
    let found = try CollectedShapes(detecting: Self.tree("[\(Self.label(members))]"))
    #expect(found.samples[0].regions.count == 1 && found.isBalanced)
    #expect(
      found.places == (kind == "none" ? [] : ["\(kind) warning x.json#/1/labels/0\(pointer)"]))
  }

  @Test("Images whose labels are no list, or that leave the source, are left out")
  func images() throws {
    let bad = try CollectedShapes(detecting: Self.tree("{}"))
    #expect(bad.keys == ["b.png"] && bad.places == ["badField error x.json#/1/labels"])
    let twice = try CollectedShapes(detecting: Self.tree("[]", more: #", "name": "b.png""#))
    #expect(twice.keys == ["b.png"] && twice.kinds.contains(.duplicateID))
    let outside = try CollectedShapes(detecting: Self.tree("[]", more: #", "name": "../../x.png""#))
    #expect(outside.keys == ["b.png"])
    #expect(outside.places.contains("outsideRoot error x.json#/1"))
    let older = try MemoryTree(
      pngs: ["a.png"],
      texts: [
        "a.json":
          #"{"name": "a", "frames": [{"timestamp": 1, "objects": []}, {"objects": [{}, {}]}]}"#
      ])
    let several = try CollectedShapes(detecting: older)
    #expect(several.keys == ["a.png"] && several.run.lists?.annotationsRead == 2)
    #expect(several.places == ["unsupportedField error a.json#/frames"])
  }

  @Test("Masks in labels/ and several sets of labels are named, not lost")
  func companions() throws {
    let list = #"[{"name": "a.png", "labels": [{"category": "a", "poly2d": []}]}]"#
    let tree = try MemoryTree(
      pngs: ["images/10k/train/a.png", "labels/sem_seg/masks/train/a.png"],
      texts: [
        "labels/sem_seg/polygons/sem_seg_train.json": list,
        "labels/ins_seg/polygons/ins_seg_train.json": list,
      ])
    let error = #expect(throws: FormatError.self) { try FormatDetector.detect(tree) }
    let text = try #require(error?.description)
    #expect(text.contains("labels/sem_seg/masks/train/a.png"))
    #expect(text.contains("labels/ins_seg/polygons, labels/sem_seg/polygons are 2 sets of labels"))
  }

  @Test("A curve that ends where a closed part begins")
  func closed() {
    let (points, isBroken) = BDD100KPolygons.points(
      [0, 0, 8, 0, 8, 8, 0, 8], Array("LLCC".utf8), isClosed: true)
    #expect(!isBroken && points.count == 2 * (2 + 15))
    #expect(points.prefix(4) == [0, 0, 8, 0])
    let open = BDD100KPolygons.points(
      [0, 0, 8, 0, 8, 8, 0, 8], Array("LLCC".utf8), isClosed: false)
    #expect(open.isBroken && open.points == [0, 0, 8, 0, 8, 8, 0, 8])
  }

  @Test("Only BDD100K's fixtures are taken")
  func others() throws {
    let fixtures = ["release", "older", "track", "scalabel", "alone.json"].map { "bdd100k/\($0)" }
    #expect(try ForeignFixtures.taken(by: BDD100KImporter()) == fixtures)
  }

  @Test("Damaged files are imported in part or refused")
  func damage() throws {
    let run = try JSONDamage(
      format: .bdd100k,
      fixtures: ["bdd100k/release", "bdd100k/older", "bdd100k/track", "bdd100k/scalabel"]
    ).run(seed: 35)
    #expect(run.imported > run.rounds / 8 && run.objects > run.rounds / 8)
  }
}
