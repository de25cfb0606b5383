import AssayCore
import AssayFormats
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

@Suite("Converting to masks and panoptic segments")
struct MaskConversionTests {
  private func convert(
    _ source: String, to format: ExportFormat, _ folder: String
  ) throws -> ConversionSummary {
    var request = ConversionRequest(
      sources: [ImportRequest(source)], export: DatasetExportRequest(format), folder: folder)
    request.verifies = true
    return try DatasetConversion(request, version: "test").run(progress: NoProgress())
  }

  /// A folder in CamVid's layout: one image with the values of two classes and two void ones.
  private func camVid(_ folder: TemporaryFolder) throws {
    let image = Raster<UInt8>(repeating: 9, width: 4, height: 1, channels: 1)
    var mask = image
    for (place, value) in [0, 1, 2, 3].enumerated() { mask.elements[place] = UInt8(value) }
    try folder.write("source/train/a.png", ImageCodec.encodePNG(image))
    try folder.write("source/trainannot/a.png", ImageCodec.encodePNG(mask))
    try folder.write("source/codes.txt", "void\nroad\nignore\nsky\n")
  }

  @Test("Void classes become one, the value 255, and masks are recognized by their own list")
  func voids() throws {
    let folder = try TemporaryFolder()
    try camVid(folder)
    let summary = try convert(folder.path("source:camvid"), to: .masks, folder.path("out"))
    #expect(summary.lost == 0, "\(summary.export.verification?.differences ?? [])")
    #expect(summary.export.survey.losses.counts[.voidClasses] == 2)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("out/masks/train/a.png")))
    #expect(try ImageCodec.decode(Array(bytes), as: .stored).elements == [255, 1, 255, 2])
    #expect(try folder.read("out/classes.txt") == "background\nroad\nsky\n")
    let again = try convert(folder.path("out"), to: .masks, folder.path("again"))
    #expect(again.imports[0].detection.format == .masks)
    let kinds = again.export.survey.losses.list.map(\.kind)
    #expect(again.lost == 0 && kinds == [.classIDs], "\(kinds)")
    let masks = try ["out", "again"].map {
      try Data(contentsOf: URL(fileURLWithPath: folder.path("\($0)/masks/train/a.png")))
    }
    #expect(masks[0] == masks[1])
  }

  @Test(
    "Images whose file has another size than their annotations are left out of masks, with a count")
  func otherSizes() throws {
    let folder = try TemporaryFolder()
    let picture = try ImageCodec.encodePNG(
      Raster<UInt8>(repeating: 9, width: 4, height: 3, channels: 1))
    for name in ["a", "b"] { try folder.write("source/images/\(name).png", picture) }
    try folder.write(
      "source/annotations/instances.json",
      """
      {"images":[{"id":1,"file_name":"a.png","width":4,"height":3},
      {"id":2,"file_name":"b.png","width":8,"height":6}],"annotations":[
      {"id":1,"image_id":1,"category_id":1,"iscrowd":0,"area":4,"bbox":[1,1,2,2],
      "segmentation":[[1,1,3,1,3,3,1,3]]},
      {"id":2,"image_id":2,"category_id":1,"iscrowd":0,"area":4,"bbox":[1,1,2,2],
      "segmentation":[[1,1,3,1,3,3,1,3]]}],"categories":[{"id":1,"name":"cat"}]}
      """)
    let summary = try convert(folder.path("source:coco"), to: .masks, folder.path("out"))
    #expect(summary.lost == 0, "\(summary.export.verification?.differences ?? [])")
    #expect(summary.export.survey.losses.counts[.imagesWithoutSize] == 1)
    #expect(summary.export.survey.expected.images == 1)
  }

  /// A COCO dataset of one pixel with a number of classes.
  private func classes(_ count: Int, _ folder: TemporaryFolder) throws -> String {
    let picture = try ImageCodec.encodePNG(
      Raster<UInt8>(repeating: 9, width: 1, height: 1, channels: 1))
    try folder.write("source/images/a.png", picture)
    let classes = (1...count).map { #"{"id":\#($0),"name":"c\#($0)"}"# }.joined(separator: ",")
    try folder.write(
      "source/annotations/instances.json",
      #"{"images":[{"id":1,"file_name":"a.png","width":1,"height":1}],"annotations":["#
        + #"{"id":1,"image_id":1,"category_id":\#(count),"iscrowd":0,"area":1,"bbox":[0,0,1,1]}],"#
        + #""categories":[\#(classes)]}"#)
    return folder.path("source:coco")
  }

  @Test("More classes than values are refused before anything is written")
  func tooMany() throws {
    let folder = try TemporaryFolder()
    let source = try classes(65_535, folder)
    #expect(throws: ExportError.tooManyCategories(65_535, limit: 65_534)) {
      try convert(source, to: .masks, folder.path("out"))
    }
    #expect(!folder.has("out"))
  }

  @Test(
    "254 classes fit into 8 bits, more into 16, which is noted",
    arguments: [(254, 8), (255, 16), (256, 16)])
  func depths(count: Int, bits: Int) throws {
    let folder = try TemporaryFolder()
    let summary = try convert(classes(count, folder), to: .masks, folder.path("out"))
    #expect(summary.lost == 0, "\(summary.export.verification?.differences ?? [])")
    let bytes = Array(try Data(contentsOf: folder.url.appending(path: "out/masks/a.png")))
    #expect(try ImageCodec.header(of: bytes).bitDepth == bits)
    #expect(try ImageCodec.decodeValues(bytes).elements == [UInt16(count)])
    #expect(summary.export.survey.notes.count == (bits == 16 ? 1 : 0))
    #expect(folder.has("out/label_colors.txt") == (bits == 8))
  }

  @Test("Masks of 16 bits are written as they were read, pixel for pixel")
  func wide() throws {
    let folder = try TemporaryFolder()
    let source = PackageFolder.fixture("masks/wide").path
    let summary = try convert(source, to: .masks, folder.path("out"))
    #expect(summary.lost == 0, "\(summary.export.verification?.differences ?? [])")
    #expect(summary.export.survey.losses.list.map(\.kind) == [.classIDs])
    #expect(
      summary.export.survey.notes == [
        "masks have 16 bits per value, with 65535 for void: 8 bits have values for 254 classes, and "
          + "there are 300"
      ])
    for name in ["train/a.png", "train/b.png"] {
      let values = try [source, folder.path("out")].map { root in
        let file = URL(fileURLWithPath: root).appending(path: "masks/\(name)")
        return try ImageCodec.decodeValues(Array(try Data(contentsOf: file)))
      }
      #expect(values[0] == values[1])
    }
    let lists = try [source, folder.path("out")].map {
      try String(contentsOfFile: $0 + "/classes.txt", encoding: .utf8)
    }
    #expect(lists[0] == lists[1])
  }

  @Test("Panoptic segments survive a second conversion unchanged: nothing more is announced")
  func panoptic() throws {
    let folder = try TemporaryFolder()
    var dataset = RandomDataset(seed: 8, folder: folder.url.appending(path: "source"))
    try dataset.write(keypoints: false)
    _ = try convert(folder.path("source:coco"), to: .cocoPanoptic, folder.path("first"))
    let again = try convert(folder.path("first"), to: .cocoPanoptic, folder.path("again"))
    #expect(again.imports[0].detection.format == .coco)
    #expect(again.lost == 0, "\(again.export.verification?.differences.prefix(5) ?? [])")
    let losses = again.export.survey.losses.counts
    #expect(losses.isEmpty, "\(losses)")
    for name in ["train", "val"] {
      let texts = try ["first", "again"].map {
        try folder.read("\($0)/annotations/panoptic_\(name).json")
          .replacing("source, written", with: "first, written")
      }
      #expect(texts[0] == texts[1])
    }
  }

  /// A COCO dataset of one image with the classes `road`, `car`, `sky` and `building, edifice`; the first
  /// is stuff by its own statement, the others state nothing.
  private func street(_ folder: TemporaryFolder) throws -> String {
    let picture = try ImageCodec.encodePNG(
      Raster<UInt8>(repeating: 9, width: 2, height: 1, channels: 1))
    try folder.write("street/images/a.png", picture)
    try folder.write(
      "street/annotations/instances.json",
      #"{"images":[{"id":1,"file_name":"a.png","width":2,"height":1}],"annotations":["#
        + #"{"id":1,"image_id":1,"category_id":2,"iscrowd":0,"area":1,"bbox":[0,0,1,1]}],"categories":["#
        + #"{"id":1,"name":"road","isthing":0},{"id":2,"name":"car"},{"id":3,"name":"sky"},"#
        + #"{"id":4,"name":"building, edifice"}]}"#)
    return folder.path("street:coco")
  }

  /// The `isthing` of each class of a panoptic conversion, and its notes.
  private func things(
    _ folder: TemporaryFolder, stuff: [String], _ change: (inout ClassChanges) -> Void = { _ in }
  ) throws -> (things: [String: Bool], notes: [String]) {
    var export = DatasetExportRequest(.cocoPanoptic)
    let isSet = export.setStuff(stuff)
    #expect(isSet)
    change(&export.changes)
    var request = ConversionRequest(
      sources: [ImportRequest(try street(folder))], export: export, folder: folder.path("out"))
    request.verifies = true
    let summary = try DatasetConversion(request, version: "test").run(progress: NoProgress())
    #expect(summary.lost == 0, "\(summary.export.verification?.differences ?? [])")
    let json = try JSONValue(parsing: folder.read("out/annotations/panoptic.json"))
    let classes = try #require(json["categories"]?.elements)
    return (
      Dictionary(
        uniqueKeysWithValues: classes.map { ($0["name"]?.text ?? "", $0["isthing"] == 1) }),
      summary.export.survey.notes
    )
  }

  @Test("Stuff is as the source or --stuff states; the rest are things and named")
  func stuff() throws {
    let folder = try TemporaryFolder()
    let plain = try things(folder, stuff: [])
    #expect(
      plain.things == ["road": false, "car": true, "sky": true, "building, edifice": true])
    #expect(plain.notes.count == 1 && plain.notes[0].contains(": car, sky, building, edifice ("))
    // One name with a comma, or two names.
    let stated = try things(folder, stuff: ["building, edifice", "sky,road"])
    #expect(
      stated.things == ["road": false, "car": true, "sky": false, "building, edifice": false])
    #expect(stated.notes[0].hasPrefix("1 class is written as things"))
    let renamed = try things(folder, stuff: ["heaven"]) {
      _ = $0.addMerge("sky=heaven", isRename: true)
    }
    #expect(renamed.things["heaven"] == false)
    // A class that is stuff in part states nothing.
    let merged = try things(folder, stuff: []) {
      _ = $0.addMerge("road,car=x", isRename: false)
    }
    #expect(merged.things["x"] == true && merged.notes[0].contains(": x, sky"))
  }

  @Test("An unknown stuff class is refused before anything is written")
  func unknownStuff() throws {
    let folder = try TemporaryFolder()
    let error = try #require(
      #expect(throws: ExportError.self) { try things(folder, stuff: ["sky,roads"]) })
    #expect("\(error)".contains("no class “roads”; did you mean “road”?"), "\(error)")
    #expect(!folder.has("out"))
    var masks = DatasetExportRequest(.masks)
    let isSet = masks.setStuff(["sky"])
    #expect(!isSet)
  }

  @Test("Numbers of objects that repeat in other images become new ids of COCO, with a count")
  func repeatedNumbers() throws {
    let folder = try TemporaryFolder()
    let fixture = PackageFolder.fixture("bdd100k/bitmasks-plain")
    for (name, split) in [("a", "train"), ("z", "train"), ("b", "val")] {
      for kind in ["images", "bitmasks"] {
        let bytes = try Data(contentsOf: fixture.appending(path: "\(kind)/train/a.png"))
        try folder.write("set/\(kind)/\(split)/\(name).png", Array(bytes))
      }
    }
    let repeated = try convert(folder.path("set"), to: .coco, folder.path("out"))
    #expect(repeated.lost == 0 && repeated.export.survey.losses.counts == [.objectIDs: 12])
    func ids(_ file: String) throws -> [JSONValue?] {
      let json = try JSONValue(parsing: folder.read("out/annotations/\(file).json"))
      return (json["annotations"]?.elements ?? []).map { $0["id"] }
    }
    #expect(try ids("instances_train") == (1...8).map { .integer($0) })
    // A number may be in several splits, which are files of their own.
    let unique = try convert(fixture.path, to: .coco, folder.path("out2"))
    #expect(unique.lost == 0 && unique.export.survey.losses.isEmpty)
  }
}
