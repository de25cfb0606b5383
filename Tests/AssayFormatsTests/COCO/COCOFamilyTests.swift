import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

/// The kinds of annotations of COCO besides instances: the fixtures are written by Datumaro 1.13.12
/// (`Tests/Fixtures/datumaro/make.py`).
@Suite("Kinds of COCO's annotations")
struct COCOFamilyTests {
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]

  private static func read(_ name: String) throws -> COCOCollected {
    let tree = FileTree(fixture: "coco/family/coco_\(name)")
    #expect(try FormatDetector.detect(tree).format == .coco)
    let found = try COCOCollected(tree, ImportOptions(checksImages: true))
    #expect(found.isBalanced)
    #expect(found.run.lists?.imagesFound == found.samples.count)
    #expect(
      try COCOCollected(tree, ImportOptions(workers: 3, blockBytes: 16, checksImages: true))
        == found)
    return found
  }

  @Test("Panoptic: one mask per segment, with its class, crowd, id, area and box")
  func panoptic() throws {
    let found = try Self.read("panoptic")
    #expect(found.samples == ["images/train/a.png", "images/val/b.png"])
    #expect(found.splits == ["train", "val"])
    #expect(found.categories.map(\.name) == ["cat", "dog", "road/side"])
    #expect(found.categories.map(\.supercategory) == ["animal", "animal", nil])
    #expect(found.categories.allSatisfy { $0.attributes == #"{"isthing":0}"# })
    let size = ImageSize(width: 10, height: 5)
    #expect(
      found.regions == [
        COCOCollected.Region(
          key: "images/train/a.png", category: "cat", ordinal: 0, shape: .mask, isCrowd: false,
          area: 20, box: Box(x: 0, y: 0, width: 4, height: 5), id: .integer(7),
          geometry: .mask(Mask(0, 0, 4, 5, in: size))),
        COCOCollected.Region(
          key: "images/train/a.png", category: "road/side", ordinal: 1, shape: .mask, isCrowd: true,
          area: 12, box: Box(x: 5, y: 1, width: 3, height: 4), id: .integer(300),
          geometry: .mask(Mask(5, 1, 3, 4, in: size))),
        COCOCollected.Region(
          key: "images/val/b.png", category: "dog", ordinal: 0, shape: .mask, isCrowd: false,
          area: 6, box: Box(x: 1, y: 2, width: 2, height: 3), id: .integer(70000),
          geometry: .mask(Mask(1, 2, 2, 3, in: ImageSize(width: 5, height: 10)))),
      ])
    #expect(found.issues == [])
  }

  @Test("Captions: of the whole image, with the text as a field")
  func captions() throws {
    let found = try Self.read("captions")
    #expect(found.issues == [])
    #expect(found.categories == [Category(name: "caption")])
    #expect(found.regions.map(\.attributes) == [#"{"caption":"first"}"#, #"{"caption":"second"}"#])
    #expect(found.regions.map(\.shape) == [.tag, .tag])
    #expect(found.regions.map(\.ordinal) == [0, 1])
    #expect(found.regions[0].box == nil && found.regions[0].geometry == nil)
    #expect(found.regions[0].area == nil)
  }

  @Test("Images without annotations, and stuff as run lengths")
  func others() throws {
    let images = try Self.read("image_info")
    #expect(images.issues == [] && images.regions.isEmpty && images.categories.isEmpty)
    #expect(images.splits == ["train", "val"])
    let stuff = try Self.read("stuff")
    #expect(stuff.issues == [])
    #expect(stuff.regions.map(\.category) == ["cat", "road/side", "dog"])
    #expect(stuff.regions.map(\.area) == [20, 12, 6])
    #expect(stuff.regions.map(\.shape) == [.mask, .mask, .mask])
  }

  @Test("Keypoints: their names and skeleton are fields of the class")
  func keypoints() throws {
    let found = try Self.read("person_keypoints")
    #expect(
      found.categories[0].attributes == #"{"keypoints":["nose","tail"],"skeleton":[[1,2]]}"#)
    #expect(
      found.regions.map(\.attributes) == [
        #"{"keypoints":[2.0,3.0,2,4.0,5.0,1],"num_keypoints":2}"#
      ])
    #expect(found.issues.allSatisfy { $0.kind == .unsupportedField || $0.kind == .missingField })
  }

  /// A file with one image and one annotation.
  private static func json(_ fields: String, category: String = #""id":1,"name":"a""#) -> [UInt8] {
    Array(
      (#"{"images":[{"id":1,"file_name":"1.jpg","width":9,"height":9}],"categories":[{"#
        + category + #"}],"annotations":[{"id":1,"image_id":1,"# + fields + "}]}").utf8)
  }

  private static let box = #""category_id":1,"bbox":[1,1,2,2],"area":4,"iscrowd":0"#

  @Test(
    "One kind of annotations is read, and the command for each other file is named",
    arguments: [
      (["instances", "captions", "stuff", "panoptic", "labels", "image_info"], "instances"),
      (["person_keypoints", "captions", "stuff", "image_info"], "person_keypoints"),
      (["stuff", "captions", "image_info"], "stuff"), (["captions", "image_info"], "captions"),
      (["captions", "labels"], "captions"),
    ])
  func choice(kinds: [String], taken: String) throws {
    var files = ["val/1.jpg": Self.jpeg]
    for kind in kinds {
      files["annotations/\(kind)_val.json"] =
        switch kind {
        case "captions": Self.json(#""caption":"x""#)
        case "labels": Self.json(#""category_id":1"#)
        case "panoptic": Self.json(#""file_name":"1.png","segments_info":[]"#)
        case "image_info": Array(#"{"images":[{"id":1,"file_name":"1.jpg"}]}"#.utf8)
        default: Self.json(Self.box)
        }
    }
    let tree = MemoryTree(folder: files)
    #expect(try FormatDetector.detect(tree).format == .coco)
    let found = try COCOCollected(tree)
    #expect(found.samples == ["val/1.jpg"])
    let left = found.issues.filter { $0.kind == .unsupportedFile }
    #expect(
      Set(left.map(\.location.file))
        == Set(kinds.filter { $0 != taken }.map { "annotations/\($0)_val.json" }))
    for issue in left {
      #expect(issue.message.contains("assay import PATH/\(issue.location.file) --images PATH"))
    }
    // Each of the others is imported alone.
    for kind in kinds where kind != "panoptic" {
      let alone = MemoryTree(files["annotations/\(kind)_val.json"] ?? [], name: "\(kind)_val.json")
      let format = try FormatDetector.detect(alone).format
      #expect(format == (kind == "labels" ? .cocoLabels : .coco))
      let found = try COCOCollected(alone, ImportOptions(images: tree), as: format)
      #expect(found.samples == ["val/1.jpg"] && found.splits == ["val"])
      #expect(found.isBalanced)
    }
  }

  @Test("Names of files do not decide against their annotations")
  func names() throws {
    // makesense.ai writes labels_NAME.json with boxes.
    for name in ["labels_my-project.json", "captions_val.json", "panoptic_val.json"] {
      let tree = MemoryTree(folder: ["1.jpg": Self.jpeg, name: Self.json(Self.box)])
      #expect(try FormatDetector.detect(tree).format == .coco)
      #expect(try COCOCollected(tree).regions.map(\.shape) == [.box])
    }
    let regions = Self.json(Self.box + #","caption":"a cup""#)
    let found = try COCOCollected(MemoryTree(regions, name: "x.json"))
    #expect(found.regions.map(\.shape) == [.box])
    #expect(found.regions.map(\.attributes) == [#"{"caption":"a cup"}"#])
  }

  @Test("Odd captions are kept, and each is an issue")
  func oddCaptions() throws {
    let annotations = [
      #"{"id":1,"image_id":1,"caption":"a"}"#, #"{"id":2,"image_id":1,"caption":7}"#,
      #"{"id":3,"image_id":9,"caption":"a"}"#, #"{"id":4,"image_id":1}"#, "5",
      #"{"id":6,"image_id":1,"caption":"b","bbox":[1,1,2,2],"area":4,"iscrowd":0}"#,
      #"{"id":7,"image_id":2,"caption":"c","category_id":4}"#,
    ]
    let text =
      #"{"images":[{"id":1,"file_name":"1.jpg","width":9,"height":9},{"id":2,"file_name":"2.jpg"}],"#
      + #""categories":[{"id":4,"name":"title"}],"annotations":[\#(annotations.joined(separator: ","))]}"#
    let found = try COCOCollected(MemoryTree(text, name: "captions_val.json"))
    #expect(found.regions.map(\.ordinal) == [0, 1, 3, 5, 6])
    #expect(
      found.regions.map(\.category) == ["caption", "caption", "caption", "caption", "title"])
    #expect(found.regions.map(\.shape) == [.tag, .tag, .tag, .box, .tag])
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 7)
    let places = found.odd.map { "\($0.kind) \($0.severity) \($0.location.pointer ?? "")" }
    #expect(places.contains("missingField warning /annotations/1/caption"))
    #expect(places.contains("unknownReference error /annotations/2/image_id"))
    #expect(places.contains("missingField warning /annotations/3/caption"))
    #expect(places.contains("badField error /annotations/4"))
  }

  @Test("Further fields of a class that differ between files are an issue")
  func classFields() throws {
    let found = try COCOCollected(
      MemoryTree(
        folder: [
          "train/_annotations.coco.json": Self.json(
            Self.box, category: #""id":1,"name":"a","color":"red""#),
          "valid/_annotations.coco.json": Self.json(
            Self.box, category: #""id":1,"name":"a","color":"blue""#),
          "train/1.jpg": Self.jpeg, "valid/1.jpg": Self.jpeg,
        ]))
    #expect(found.categories.map(\.attributes) == [#"{"color":"red"}"#])
    let issue = try #require(found.issues.first { $0.message.contains("further fields differ") })
    #expect(issue.location.pointer == "/categories/0" && issue.severity == .warning)
  }

  @Test("Objects365: folders of names that do not exist are left out, names with a slash are kept")
  func objects365() throws {
    let names = ["images/v1/patch8/1.jpg", "images/v2/patch9/1.jpg", "images/v2/patch9/2.jpg"]
    let images = names.enumerated().map { place, name in
      #"{"id":\#(place + 1),"file_name":"\#(name)","width":9,"height":9}"#
    }
    let text =
      #"{"images":[\#(images.joined(separator: ","))],"#
      + #""categories":[{"id":365,"name":"Cabinet/shelf"}],"annotations":["#
      + #"{"id":9,"image_id":2,"category_id":365,"bbox":[1,1,2,2],"area":4,"iscrowd":0,"isfake":0}]}"#
    let tree = MemoryTree(
      folder: [
        "annotations/zhiyuan_objv2_train.json": Array(text.utf8), "train/patch8/1.jpg": Self.jpeg,
        "train/patch9/1.jpg": Self.jpeg, "train/patch9/2.jpg": Self.jpeg,
      ])
    let found = try COCOCollected(tree)
    #expect(
      found.samples == ["train/patch8/1.jpg", "train/patch9/1.jpg", "train/patch9/2.jpg"])
    #expect(found.splits == ["train", "train", "train"])
    #expect(found.regions.map(\.key) == ["train/patch9/1.jpg"])
    #expect(found.regions.map(\.category) == ["Cabinet/shelf"])
    #expect(found.regions.map(\.attributes) == [#"{"isfake":0}"#])
    #expect(found.issues.contains { $0.message.hasPrefix("the first 2 folders of the file names") })
    // A name alone is not enough: 1.jpg of another folder is another image.
    let other = MemoryTree(
      folder: ["x.json": Array(text.utf8), "other/1.jpg": Self.jpeg, "other/2.jpg": Self.jpeg])
    #expect(try COCOCollected(other).run.lists?.imagesFound == 0)
  }

  @Test("CrowdHuman's .odgt is recognized and refused")
  func crowdHuman() throws {
    let line = #"{"ID": "1", "gtboxes": [{"tag": "person", "fbox": [1, 2, 3, 4]}]}"#
    let error = #expect(throws: FormatError.self) {
      try FormatDetector.detect(MemoryTree(line + "\n" + line, name: "annotation_val.odgt"))
    }
    #expect(error?.description.contains("CrowdHuman") == true)
  }

  @Test(
    "Datumaro's trees of each kind are read",
    .outsideData("formats/coco_dataset", twin: "COCOFamilyTests.panoptic"),
    arguments: [
      ("coco_captions", 3), ("coco_image_info", 0), ("coco_panoptic", 2), ("coco_stuff", 2),
      ("coco", 3),
    ])
  func realTrees(name: String, regions: Int) throws {
    let tree = FileTree(outside: "formats/coco_dataset/\(name)")
    #expect(try FormatDetector.detect(tree).format == .coco)
    let found = try COCOCollected(tree)
    #expect(found.samples == ["images/train/a.jpg", "images/val/b.jpg"])
    #expect(found.splits == ["train", "val"])
    #expect(found.sizes == [ImageSize(width: 10, height: 5), ImageSize(width: 5, height: 10)])
    #expect(found.run.lists?.imagesFound == 2)
    #expect(found.regions.count == regions)
    #expect(found.isBalanced)
    switch name {
    case "coco_captions":
      #expect(
        found.regions.map(\.attributes) == [
          #"{"caption":"hello"}"#, #"{"caption":"world"}"#, #"{"caption":"text"}"#,
        ])
      #expect(found.issues == [])
    case "coco_panoptic":
      // The map of a.jpg has another size than the image.
      #expect(found.issues.map(\.kind) == [.maskSize])
      #expect(found.regions.map(\.id) == [.integer(7), .integer(20)])
      #expect(found.regions.map(\.isCrowd) == [false, true])
      let size = ImageSize(width: 5, height: 10)
      #expect(
        found.regions.map(\.geometry) == [
          .mask(Mask(0, 0, 2, 10, in: size)), .mask(Mask(2, 0, 2, 10, in: size)),
        ])
      #expect(found.regions[1].box == Box(x: 2, y: 0, width: 1, height: 9))
      #expect(found.categories.map(\.attributes) == [#"{"isthing":0}"#, #"{"isthing":0}"#])
    case "coco_stuff":
      #expect(found.regions.map(\.shape) == [.mask, .mask])
      #expect(found.regions.map(\.area) == [20, 20])
    case "coco":
      #expect(found.issues.count { $0.kind == .unsupportedFile } == 12)
      #expect(found.regions.map(\.shape) == [.box, .polygon, .mask])
    default: #expect(found.issues == [] && found.categories.isEmpty)
    }
  }
}
