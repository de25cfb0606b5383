import AssayCore
import AssayFormats
import AssayTestSupport
import Foundation
import Testing

@Suite("Datumaro")
struct DatumaroImporterTests {
  @Test("Every type of annotation is what Datumaro reads; subsets are splits")
  func shapes() throws {
    let tree = FileTree(fixture: "datumaro/shapes")
    #expect(try FormatDetector.detect(tree).format == .datumaro)
    let found = try CollectedItems(tree)
    #expect(
      found.keys == [
        "images/train/a.png", "images/train/sub_b.png", "images/val/c.png", "images/val/d.png",
      ])
    #expect(found.samples.map(\.split) == ["train", "train", "val", "val"])
    #expect(found.samples.map(\.size?.width) == [20, 12, 6, 7])
    #expect(found.names == ["cat", "dog", "road/side", "caption"])
    #expect(found.classes.prefix(3).map(\.supercategory) == ["animal", "animal", nil])
    #expect(
      found.classes[0].attributes
        == #"{"color":[10,20,30],"keypoints":["nose","tail"],"skeleton":[[1,2]]}"#)
    #expect(found.issues == [])
    #expect(found.isOutcomeBalanced)
    #expect(found.run.lists?.annotationsRead == 11 && found.run.lists?.annotationsKept == 11)
    let a = found.samples[0].regions
    #expect(
      a.map(\.label) == ["cat", "dog", "road/side", "road/side", "cat", "caption", "dog"])
    #expect(
      a.map(\.kind) == [.box, .polygon, .mask, .polyline, .points, .tag, .polygon])
    #expect(a.map(\.id) == [7, 8, 9, 10, 11, 12, 13].map { SourceID.integer($0) })
    #expect(a[0].box == Box(x: 1, y: 2, width: 5, height: 4))
    #expect(a[0].attributes == #"{"group":3,"occluded":true,"track":5,"z_order":1}"#)
    #expect(a[1].geometry == .polygons([[1, 1, 9, 1, 9, 6, 1, 6]]))
    #expect(a[2].geometry == .mask(Mask(3, 4, 6, 5, in: ImageSize(width: 20, height: 10))))
    #expect(a[2].isCrowd && a[2].area == 30)
    #expect(a[3].geometry == .polylines([[0, 0, 5, 5, 10, 3]]))
    #expect(a[4].geometry == .points([2, 3]))
    #expect(
      a[4].attributes == #"{"group":3,"keypoints":[2.0,3.0,2,4.0,5.0,0],"num_keypoints":1}"#)
    #expect(a[5].geometry == nil && a[5].box == nil)
    #expect(a[5].attributes == #"{"caption":"a cat beside a road"}"#)
    // The ellipse of 8 times 6 pixels has an area of 37.7.
    #expect(a[6].box == Box(x: 4, y: 2, width: 8, height: 6))
    #expect((36...40).contains(a[6].area ?? 0))
    #expect(a[6].attributes == #"{"ellipse":[4.0,2.0,12.0,8.0]}"#)
    // The only label of an image is its class; of several, each is a tag.
    #expect(found.sampleLabels == [nil, "dog", nil, nil])
    #expect(found.samples[1].regions.map(\.kind) == [.box])
    #expect(found.samples[1].regions.map(\.ordinal) == [1])
    #expect(found.samples[2].regions.map(\.label) == ["cat", "road/side"])
    #expect(found.samples[2].regions.map(\.kind) == [.tag, .tag])
    #expect(found.samples[2].regions.map(\.attributes) == [#"{"score":0.5}"#, nil])
    #expect(found.run.notes.count == 2)
    #expect(found.run.notes[0].contains("lines or points; they are kept and not evaluated"))
    #expect(found.run.notes[1].hasPrefix("3 labels of images are kept beside regions"))
    #expect(try CollectedItems(tree, ImportOptions(workers: 3)) == found)
  }

  @Test("The golden of Datumaro itself has the same annotations")
  func golden() throws {
    let lines: [String] = try GoldenJSON.decode("datumaro/golden.json")
    let found = try CollectedItems(FileTree(fixture: "datumaro/shapes"))
    var own: [String] = []
    for (sample, label) in zip(found.samples, found.sampleLabels) {
      let start = "\(sample.split ?? "")|\(sample.key.split(separator: "/").last ?? "")|"
      if let label { own.append("\(start)label|\(label)") }
      for region in sample.regions {
        let box = region.box ?? Box(x: 0, y: 0, width: 0, height: 0)
        let numbers = [box.x, box.y, box.width, box.height].map { "\($0)" }.joined(separator: " ")
        let isCaption = region.attributes?.contains("caption") == true
        let isEllipse = region.attributes?.contains("ellipse") == true
        let line: String =
          switch region.kind {
          case .box: "bbox|\(region.label)|\(numbers)"
          case .polygon where isEllipse: "ellipse|\(region.label)"
          case .polygon: "polygon|\(region.label)|\(numbers)"
          case .mask: "mask|\(region.label)|\(Int(region.area ?? 0))"
          case .points: "points|\(region.label)"
          case .tag where isCaption: "caption|"
          case .tag: "label|\(region.label)"
          default: "polyline|\(region.label)|\(numbers)"
          }
        own.append(start + line)
      }
    }
    #expect(own.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } == lines)
  }

  private static func tree(_ items: [String], labels: String = #"{"name":"a","parent":""}"#) throws
    -> MemoryTree
  {
    try MemoryTree(
      masks: [:],
      photos: ["images/train/1.png": (10, 5), "images/train/2.png": (10, 5)],
      texts: [
        "annotations/train.json":
          #"{"dm_format_version":"1.0","categories":{"label":{"labels":[\#(labels)]}},"#
          + #""items":[\#(items.joined(separator: ","))]}"#
      ])
  }

  private static func item(_ annotations: [String], further: String = "") -> String {
    #"{"id":"1","image":{"path":"1.png","size":[5,10]},"#
      + #""annotations":[\#(annotations.joined(separator: ","))]\#(further)}"#
  }

  @Test("Odd annotations are kept or left out by a rule, and each is an issue")
  func oddAnnotations() throws {
    let annotations = [
      #"{"type":"bbox","label_id":0,"bbox":[1,1,2,2]}"#,
      #"{"type":"bbox","label_id":5,"bbox":[1,1,2,2]}"#,
      #"{"type":"bbox","label_id":null,"bbox":[1,1,2,2]}"#,
      #"{"type":"bbox","label_id":0,"bbox":[1,1,2]}"#,
      #"{"type":"bbox","label_id":0,"bbox":[1,1,-2,2]}"#,
      #"{"type":"bbox","label_id":"0","bbox":[1,1,2,2]}"#,
      #"{"type":"polygon","label_id":0,"points":[1,1,2,2]}"#,
      #"{"type":"polygon","label_id":0,"points":[1,1,2,2,"x",3]}"#,
      #"{"type":"mask","label_id":0,"rle":{"counts":"51","size":[2,3]}}"#,
      #"{"type":"mask","label_id":0,"rle":{"counts":"~~","size":[5,10]}}"#,
      #"{"type":"mask","label_id":0,"rle":{"counts":[1]}}"#, #"{"type":"cuboid_3d","label_id":0}"#,
      #"{"label_id":0}"#, "7", #"{"type":"points","label_id":0,"points":[1,1,2]}"#,
      #"{"type":"polyline","label_id":0,"points":[1,1]}"#,
      #"{"type":"cuboid_2d","label_id":0,"points":[[1,1],[2,2],[3,3]]}"#,
      #"{"type":"bbox","label_id":0,"bbox":[1,1,50,2],"attributes":{"group":"x","track_id":4},"group":2,"odd":[1]}"#,
    ]
    let found = try CollectedItems(
      Self.tree([Self.item(annotations, further: #","attr":[1]"#)]))
    #expect(found.isOutcomeBalanced)
    #expect(found.run.lists?.annotationsRead == 18 && found.run.lists?.annotationsKept == 4)
    #expect(found.names == ["a", "unlabeled"])
    #expect(
      found.samples[0].regions.last?.attributes
        == #"{"attribute_group":"x","group":2,"odd":[1],"track":4}"#)
    let start = "/items/0/annotations/"
    #expect(
      Set(found.issues.map { "\($0.kind) \($0.severity) \($0.location.pointer ?? "")" }) == [
        "badField warning /items/0/attr", "unknownReference error \(start)1/label_id",
        "missingLabel warning \(start)2/label_id", "badField error \(start)3/bbox",
        "badShape error \(start)4", "badField error \(start)5/label_id", "badShape error \(start)6",
        "badField error \(start)7/points", "maskSize error \(start)8/rle/size",
        "badShape error \(start)9/rle/counts", "badField error \(start)10/rle",
        "unsupportedField error \(start)11/type", "badField error \(start)12/type",
        "badField error \(start)13/type", "badShape error \(start)14", "badShape error \(start)15",
        "badShape warning \(start)17",
      ])
  }

  @Test("Items without a usable image are left out with their annotations")
  func oddItems() throws {
    let box = #"{"type":"bbox","label_id":0,"bbox":[1,1,2,2]}"#
    let list = #""annotations":[\#(box)]"#
    let found = try CollectedItems(
      Self.tree([
        Self.item([box]), Self.item([box]), #"{"id":"2",\#(list)}"#,
        #"{"id":"3","image":{"path":"../../../x.png"},\#(list)}"#,
        #"{"id":"4","video_frame":{"video_path":"v.mp4","frame_index":1},\#(list)}"#, "5",
        #"{"id":"6","image":{"path":"6.png","size":[5,10]},\#(list)}"#, #"{\#(list)}"#,
        #"{"id":"8","image":{"path":"8.png"},"annotations":[NaN]}"#,
      ]))
    #expect(found.keys == ["images/train/1.png", "images/train/2.png", "images/train/6.png"])
    #expect(found.isOutcomeBalanced && found.run.outcome.read == 9)
    #expect(found.run.lists?.annotationsRead == 7 && found.run.lists?.annotationsKept == 3)
    #expect(
      Set(found.issues.map { "\($0.kind) \($0.severity) \($0.location)" }) == [
        "duplicateID error annotations/train.json#/items/1",
        "outsideRoot error annotations/train.json#/items/3",
        "unsupportedFile error annotations/train.json#/items/4",
        "badField error annotations/train.json#/items/5",
        "missingImage warning images/train/6.png",
        "missingField error annotations/train.json#/items/7",
        "badField error annotations/train.json#/items/8",
      ])
  }

  @Test("Repeated and missing names of classes are issues, and fields that are not kept")
  func classes() throws {
    let labels =
      #"{"name":"a","parent":"x"},{"name":"a","parent":"y"},{"parent":""},"#
      + #"{"name":"b","attributes":["color"]}"#
    let tree = MemoryTree(
      folder: [
        "annotations/train.json": Array(
          (#"{"categories":{"label":{"labels":[\#(labels)],"label_groups":[{"name":"g"}],"#
            + #""attributes":["all"]}},"items":[{"id":"1","annotations":[],"image":{"path":"1.png","size":[2,2]}}]}"#)
            .utf8)
      ])
    let found = try CollectedItems(tree)
    #expect(found.names == ["a", "a (id 1)", "label 2", "b"])
    #expect(found.classes[3].attributes == #"{"attributes":["color"]}"#)
    #expect(
      found.issues.prefix(4).map { "\($0.kind) \($0.location.pointer ?? "")" } == [
        "duplicateID /categories/label/labels/1/name",
        "missingField /categories/label/labels/2/name",
        "unsupportedField /categories/label/label_groups",
        "unsupportedField /categories/label/attributes",
      ])
  }

  @Test("A single file, broken JSON and options that mean nothing are refused")
  func refused() throws {
    let text = #"{"dm_format_version":"1.0","categories":{},"items":[]}"#
    let error = #expect(throws: FormatError.self) {
      try FormatDetector.detect(MemoryTree(text, name: "train.json"))
    }
    #expect(error?.description.contains("annotations/ and images/") == true)
    let broken = MemoryTree(folder: ["annotations/train.json": Array(text.dropLast(4).utf8)])
    #expect(throws: FormatError.self) { try CollectedItems(broken) }
    let tree = FileTree(fixture: "datumaro/shapes")
    #expect(throws: FormatError.unusedOption("--classes", format: .datumaro)) {
      try CollectedItems(tree, ImportOptions(classes: ["a"]))
    }
    // Other objects with items are not Datumaro's.
    let other = MemoryTree(folder: ["menu.json": Array(#"{"items":[],"categories":["a"]}"#.utf8)])
    #expect(throws: FormatError.self) { try CollectedItems(other) }
  }
}
