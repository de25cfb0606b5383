import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("LVIS")
struct LVISImporterTests {
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]

  @Test("Images are found by the end of their URL; lists of images and facts of classes are kept")
  func small() throws {
    let tree = FileTree(fixture: "lvis/small")
    #expect(try FormatDetector.detect(tree).format == .lvis)
    let found = try COCOCollected(tree, ImportOptions(checksImages: true), as: .lvis)
    #expect(
      found.samples == ["train2017/000000391895.png", "val2017/000000522418.png"])
    #expect(found.splits == ["val", "val"])
    #expect(found.ids == [.integer(391895), .integer(522418)])
    #expect(found.run.lists?.imagesFound == 2)
    #expect(
      found.fields == [
        #"{"neg_category_ids":[2],"not_exhaustive_category_ids":[3]}"#,
        #"{"neg_category_ids":[],"not_exhaustive_category_ids":[]}"#,
      ])
    #expect(found.categories.map(\.name) == ["aerosol_can", "air_conditioner", "zebra"])
    #expect(
      found.categories[0].attributes
        == #"{"def":"the definition of aerosol_can","frequency":"c","image_count":3,"#
        + #""instance_count":4,"synonyms":["aerosol_can","spray_can"],"synset":"aerosol_can.n.01"}"#
    )
    #expect(found.regions.map(\.category) == ["zebra", "aerosol_can", "zebra"])
    #expect(found.regions.map(\.area) == [6, 8, 4])
    #expect(found.regions[0].box == Box(x: 1, y: 1, width: 3, height: 2))
    #expect(found.regions.allSatisfy { !$0.isCrowd })
    // LVIS has no 'iscrowd'; its lists are the only issue.
    #expect(found.issues.map(\.kind) == [.unsupportedField])
    #expect(found.issues[0].message.hasPrefix("2 images list the classes"))
    #expect(found.isBalanced)
    #expect(
      try COCOCollected(
        tree, ImportOptions(workers: 3, blockBytes: 16, checksImages: true), as: .lvis) == found)
  }

  private static func file(_ image: String) -> [UInt8] {
    Array(
      (#"{"annotations":[{"id":1,"image_id":1,"category_id":1,"bbox":[1,1,2,2],"area":4,"#
        + #""segmentation":[[1,1,3,1,3,3,1,3]]}],"categories":[{"id":1,"name":"a"}],"#
        + #""images":[{"id":1,"width":9,"height":9,\#(image)}]}"#).utf8)
  }

  @Test("LVIS v0.5 names files with a prefix that COCO 2017's lack, and URLs may be odd")
  func names() throws {
    let lists = #","neg_category_ids":[],"not_exhaustive_category_ids":[]"#
    for (image, key) in [
      (
        #""file_name":"COCO_train2014_000000001.jpg","coco_url":"http://x/train2017/000000001.jpg""#,
        "train2017/000000001.jpg"
      ),
      (#""file_name":"val/2.jpg""#, "val/2.jpg"), (#""coco_url":"3.jpg""#, "3.jpg"),
    ] {
      let tree = MemoryTree(
        folder: ["lvis_v0.5_train.json": Self.file(image + lists), key: Self.jpeg])
      #expect(try FormatDetector.detect(tree).format == .lvis)
      let found = try COCOCollected(tree, as: .lvis)
      #expect(found.samples == [key] && found.splits == ["train"])
      #expect(found.run.lists?.imagesFound == 1 && found.regions.count == 1)
    }
    let outside = try COCOCollected(
      MemoryTree(Self.file(#""coco_url":"http://x/../..""#), name: "a.json"), as: .lvis)
    #expect(outside.samples.isEmpty && outside.isBalanced)
    #expect(outside.issues.contains { $0.kind == .outsideRoot })
  }

  @Test("Long files that list annotations first are recognized by their first image")
  func long() throws {
    let annotation =
      #"{"id":1,"image_id":1,"category_id":1,"bbox":[1,1,2,2],"area":4,"segmentation":[]},"#
    let text = String(decoding: Self.file(#""coco_url":"http://x/val2017/1.jpg""#), as: UTF8.self)
      .replacing(
        #""annotations":["#, with: #""annotations":["# + String(repeating: annotation, count: 2000))
    let tree = MemoryTree(text, name: "a.json")
    #expect(try FormatDetector.detect(tree).format == .lvis)
    #expect(try COCOCollected(tree, as: .lvis).regions.count == 2001)
    let plain = text.replacing("coco_url", with: "file_name")
    #expect(try FormatDetector.detect(MemoryTree(plain, name: "a.json")).format == .coco)
  }

  @Test("Beside COCO's instances, LVIS is named and not read")
  func besideCOCO() throws {
    let instances = SmallCOCO.file(
      images: #"{"id":5,"width":10,"height":5,"file_name":"1.jpg"}"#,
      annotations: SmallCOCO.annotation())
    let tree = MemoryTree(
      folder: [
        "annotations/instances_val2017.json": Array(instances.utf8), "val2017/1.jpg": Self.jpeg,
        "annotations/lvis_v1_val.json": Self.file(
          #""coco_url":"http://x/val2017/1.jpg","neg_category_ids":[]"#),
      ])
    #expect(try FormatDetector.detect(tree).format == .coco)
    let found = try COCOCollected(tree)
    #expect(found.regions.count == 1)
    let issue = try #require(found.issues.first { $0.kind == .unsupportedFile })
    #expect(issue.message.contains("assay import PATH:lvis"))
    let lvis = try COCOCollected(tree, as: .lvis)
    #expect(lvis.samples == ["val2017/1.jpg"] && lvis.regions.count == 1)
    #expect(lvis.issues.contains { $0.location.file == "annotations/instances_val2017.json" })
    #expect(throws: FormatError.self) { try COCOCollected(FileTree(fixture: "lvis/small")) }
  }
}
