import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("COCO's labels of whole images")
struct COCOLabelsImporterTests {
  @Test("An image has a set of labels, and each JSON is a split")
  func family() throws {
    let tree = FileTree(fixture: "coco-labels/family")
    #expect(try FormatDetector.detect(tree).format == .cocoLabels)
    let found = try COCOCollected(tree, as: .cocoLabels)
    #expect(found.samples == ["images/train/a.png", "images/train/b.png", "images/val/c.png"])
    #expect(found.splits == ["train", "train", "val"])
    #expect(found.labels == [["dog", "cat"], [], ["road/side"]])
    #expect(found.categories.map(\.name) == ["cat", "dog", "road/side"])
    #expect(found.issues == [] && found.regions.isEmpty)
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 3)
    #expect(DatasetFormat.cocoLabels.isMultiLabel && !DatasetFormat.cocoLabels.hasRegions)
    #expect(
      try COCOCollected(tree, ImportOptions(workers: 3, blockBytes: 16), as: .cocoLabels) == found)
  }

  @Test(
    "Datumaro's own tree is read",
    .outsideData("formats/coco_dataset/coco_labels", twin: "COCOLabelsImporterTests.family"))
  func realTree() throws {
    let tree = FileTree(outside: "formats/coco_dataset/coco_labels")
    #expect(try FormatDetector.detect(tree).format == .cocoLabels)
    let found = try COCOCollected(tree, as: .cocoLabels)
    #expect(found.samples == ["images/train/a.jpg", "images/val/b.jpg"])
    #expect(found.labels == [["b"], ["a", "b"]])
    #expect(found.issues == [] && found.isBalanced)
  }

  @Test("Odd labels are kept once or left out, and each is an issue")
  func odd() throws {
    let annotations = [
      #"{"id":1,"image_id":1,"category_id":1}"#, #"{"id":2,"image_id":1,"category_id":1}"#,
      #"{"id":3,"image_id":1,"category_id":9}"#, #"{"id":4,"image_id":8,"category_id":1}"#,
      #"{"id":5,"image_id":2,"category_id":1}"#, #"{"id":6,"image_id":"1","category_id":"2"}"#,
      #"{"id":7,"image_id":3,"category_id":2,"score":0.5}"#, "8", #"{"id":9,"category_id":1}"#,
      #"{"id":10,"image_id":3,"category_id":1}"#,
    ]
    let text =
      #"{"images":[{"id":1,"file_name":"1.jpg","width":9,"height":9},"#
      + #"{"id":2,"file_name":"../2.jpg","width":9,"height":9},"#
      + #"{"id":3,"file_name":"3.jpg","width":9,"height":9}],"#
      + #""categories":[{"id":1,"name":"a"},{"id":2,"name":"b"}],"#
      + #""annotations":[\#(annotations.joined(separator: ","))]}"#
    let found = try COCOCollected(MemoryTree(text, name: "labels_val.json"), as: .cocoLabels)
    #expect(found.samples == ["1.jpg", "3.jpg"])
    #expect(found.labels == [["a", "b"], ["b", "a"]])
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 10)
    #expect(
      Set(found.odd.map { "\($0.kind) \($0.severity) \($0.location.pointer ?? "")" }) == [
        "duplicateID warning /annotations/1", "unknownReference error /annotations/2/category_id",
        "unknownReference error /annotations/3/image_id", "unknownReference error /annotations/4",
        "outsideRoot error /images/1/file_name", "unsupportedField warning /annotations/6",
        "badField error /annotations/7", "unknownReference error /annotations/8/image_id",
        "badField warning /annotations/5/category_id", "badField warning /annotations/5/image_id",
      ])
  }

  @Test("Boxes among labels are an issue; among the first 16 annotations they make it instances")
  func someBoxes() throws {
    let images = (1...17).map { #"{"id":\#($0),"file_name":"\#($0).jpg","width":9,"height":9}"# }
    for place in [3, 16] {
      let annotations = (1...17).map { number in
        #"{"id":\#(number),"image_id":\#(number),"category_id":1"#
          + (number == place + 1 ? #","bbox":[1,1,2,2],"area":4,"iscrowd":0}"# : "}")
      }
      let text =
        #"{"images":[\#(images.joined(separator: ","))],"categories":[{"id":1,"name":"a"}],"#
        + #""annotations":[\#(annotations.joined(separator: ","))]}"#
      let tree = MemoryTree(text, name: "x.json")
      guard place == 16 else {
        #expect(try FormatDetector.detect(tree).format == .coco)
        continue
      }
      #expect(try FormatDetector.detect(tree).format == .cocoLabels)
      let found = try COCOCollected(tree, as: .cocoLabels)
      #expect(found.labels.allSatisfy { $0 == ["a"] })
      #expect(found.odd.map(\.location.pointer) == ["/annotations/16"])
      #expect(found.odd[0].message.contains("PATH:coco"))
    }
  }

  @Test("A file with boxes is not read as labels, and the error says how to import it")
  func boxes() throws {
    let text = SmallCOCO.file(annotations: SmallCOCO.annotation())
    let tree = MemoryTree(text, name: "x.json")
    let error = #expect(throws: FormatError.self) { try COCOCollected(tree, as: .cocoLabels) }
    #expect(error?.description.contains("holds instances") == true)
    #expect(error?.description.contains("without :coco-labels") == true)
    let labels = FileTree(fixture: "coco-labels/family")
    let other = #expect(throws: FormatError.self) { try COCOCollected(labels) }
    #expect(other?.description.contains("labels of whole images") == true)
    #expect(throws: FormatError.unusedOption("--classes", format: .cocoLabels)) {
      try COCOCollected(labels, ImportOptions(classes: ["a"]), as: .cocoLabels)
    }
  }
}
