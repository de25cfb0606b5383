import AssayCore
import AssayImaging
import AssayTestSupport
import Testing

/// Trees as people have them, imported without naming the format.
@Suite("Common trees")
struct CommonTreesTests {
  private static func png(_ value: UInt8 = 9) throws -> [UInt8] {
    try ImageCodec.encodePNG(Raster<UInt8>(repeating: value, width: 8, height: 8))
  }

  /// A program with images and texts below `d`.
  private func program(_ images: [String], _ texts: [String: String] = [:]) throws -> Program {
    let program = try Program()
    for (place, path) in images.enumerated() {
      try program.folder.write("d/" + path, try Self.png(UInt8(place)))
    }
    for (path, text) in texts { try program.folder.write("d/" + path, text) }
    return program
  }

  private func rows(_ program: Program, _ sql: String) throws -> [String] {
    let outcome = try program.run("sql", "--json", sql)
    try #require(outcome.status == 0, "\(outcome.stderr)")
    return try (outcome.json()["rows"]?.elements ?? []).compactMap { $0["r"]?.text }
  }

  /// The annotations of the only dataset as `key class shape attributes`.
  private func annotations(_ program: Program) throws -> [String] {
    try rows(
      program,
      """
      SELECT s.key || ' ' || c.name || ' ' || a.shape || ifnull(' ' || a.attributes, '') AS r
      FROM annotation a JOIN sample s ON s.id = a.sample JOIN category c ON c.id = a.category
      ORDER BY s.key, a.ordinal
      """)
  }

  @Test(
    "Folders of views of the same scenes are no classes",
    arguments: [
      ["rgb", "depth"], ["color", "depth_map"], ["fg", "alpha"], ["left", "right"],
      ["noisy", "clean"], ["visible", "infrared"], ["before", "after"], ["imgs", "edges"],
    ])
  func scenes(names: [String]) throws {
    let images = names.flatMap { name in ["train/\(name)/1.png", "train/\(name)/2.png"] }
    let found = try program(images).run("import", "d")
    #expect(
      found.status == 2 && found.stderr.contains("views of the same scenes"), "\(found.stderr)")
  }

  @Test("Folders with other names, or other files, are classes")
  func classes() throws {
    for images in [
      ["cat/1.png", "cat/2.png", "dog/1.png", "dog/2.png"],
      ["left/1.png", "left/2.png", "right/3.png", "right/4.png"],
      ["0/1.png", "0/2.png", "1/1.png", "1/2.png"],
    ] {
      let program = try program(images)
      let found = try program.run("import", "d")
      #expect(found.status == 0, "\(found.stderr)")
      #expect(try rows(program, "SELECT name AS r FROM category").count == 2)
    }
  }

  @Test("Lists name images without suffixes, beside folders of synsets and alone")
  func lists() throws {
    let official = try program(
      [
        "train/n01440764/n01440764_0.JPEG", "train/n02102040/n02102040_0.JPEG",
        "val/ILSVRC2012_val_00000001.JPEG", "val/ILSVRC2012_val_00000002.JPEG",
      ],
      [
        "val.txt": "ILSVRC2012_val_00000001 1\nILSVRC2012_val_00000002 0\n",
        "synsets.txt": "n01440764\nn02102040\n",
      ])
    let found = try official.run("import", "d", "--json")
    try #require(found.status == 0, "\(found.stderr)")
    #expect(try found.json()["dataset"]?["format"]?.text == "imagenet")
    #expect(
      try annotations(official).filter { $0.hasPrefix("val") } == [
        "val/ILSVRC2012_val_00000001.JPEG n02102040 label",
        "val/ILSVRC2012_val_00000002.JPEG n01440764 label",
      ])
    let datumaro = try program(
      ["images/1.jpg", "images/2.jpg"],
      ["train.txt": "1 0\n2 1\n", "synsets.txt": "label_0\nlabel_1\n"])
    let alone = try datumaro.run("import", "d", "--json")
    try #require(alone.status == 0, "\(alone.stderr)")
    #expect(
      try annotations(datumaro) == [
        "images/1.jpg label_0 label", "images/2.jpg label_1 label",
      ])
    // ILSVRC's own list has the number of the line behind the name.
    let numbers = (1...9).map { "v_\($0)" }
    let counted = try program(
      numbers.map { "images/\($0).jpg" },
      [
        "val.txt": numbers.enumerated().map { "\($1) \($0 + 1)\n" }.joined(),
        "synsets.txt": "a\nb\n",
      ])
    #expect(try counted.run("import", "d").status == 2)
    // Names that are no files make no list.
    let other = try program(["images/a.jpg", "images/b.jpg"], ["train.txt": "1 0\n2 1\n"])
    #expect(try other.run("import", "d").status == 2)
  }

  @Test("Files that are not part of the format are named")
  func unread() throws {
    let box = "0 0.5 0.5 0.5 0.5\n"
    let program = try program(
      ["images/1.png", "images/2.png"],
      [
        "labels/1.txt": box, "labels/2.txt": box, "data.yaml": "names: [cat]\ntrain: images\n",
        "faces.jsonl": #"{"image": "1.png", "box": [1, 2, 3, 4]}"#, "more.pkl": "x",
        "README.md": "x",
      ])
    let found = try program.run("import", "d")
    try #require(found.status == 0, "\(found.stderr)")
    #expect(
      found.stdout.contains("note: not part of yolo and not read: faces.jsonl, more.pkl"),
      "\(found.stdout)")
    let coco = """
      {"images": [{"id": 1, "file_name": "1.png", "width": 8, "height": 8}], "categories": [{"id": 1, "name": "cat"}],
       "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 1, 3, 3], "area": 9, "iscrowd": 0}]}
      """
    let beside = try self.program(
      ["images/1.png"],
      ["annotations/instances.json": coco, "faces.json": #"{"1.png": {"box": [1, 2, 3, 4]}}"#])
    let named = try beside.run("import", "d")
    #expect(
      named.stdout.contains("note: not part of coco and not read: faces.json"),
      "\(named.stdout)\(named.stderr)")
    let clean = try self.program(
      ["images/1.png"], ["labels/1.txt": box, "data.yaml": "names: [cat]\ntrain: images\n"])
    #expect(try !clean.run("import", "d").stdout.contains("not read"))
  }

  @Test("A CSV of objects is imported by the folder that convert wrote, with its splits")
  func ownTable() throws {
    let program = try Program()
    let converted = try program.run(
      "convert", PackageFolder.fixture("detect/shapes").path, "--to", "csv", "out", "--verify")
    try #require(converted.status == 0, "\(converted.stderr)")
    let found = try program.run("import", "out", "--name", "back")
    try #require(found.status == 0, "\(found.stderr)")
    #expect(!found.stdout.contains("not read"), "\(found.stdout)")
    let splits = try rows(program, "SELECT DISTINCT sourceSplit AS r FROM sample")
    #expect(splits == ["val"])
    let again = try program.run("convert", "out", "--to", "coco", "coco", "--verify")
    #expect(again.status == 0, "\(again.stderr)")
  }

  @Test("The region attribute of VIA that is called class is the class beside others")
  func via() throws {
    let region = """
      {"shape_attributes": {"name": "rect", "x": 1, "y": 1, "width": 3, "height": 3},
       "region_attributes": {"class": "cat", "occ": {"yes": true}, "note": "x"}}
      """
    let program = try program(
      ["1.png"],
      [
        "via.json": #"{"1.png9": {"filename": "1.png", "size": 9, "regions": ["# + region
          + "], \"file_attributes\": {}}}"
      ])
    let found = try program.run("import", "d")
    try #require(found.status == 0, "\(found.stderr)")
    #expect(found.stdout.contains("the class is the region attribute 'class'"))
    #expect(try annotations(program).first?.hasPrefix("1.png cat box") == true)
  }

  @Test("Metadata of Hugging Face with fields alone gives images with these fields")
  func fields() throws {
    let program = try program(
      ["train/1.png", "train/2.png"],
      ["train/metadata.csv": "file_name,additional_feature\n1.png,first\n2.png,second\n"])
    let found = try program.run("import", "d", "--json")
    try #require(found.status == 0, "\(found.stderr)")
    #expect(try found.json()["dataset"]?["format"]?.text == "hf-imagefolder")
    #expect(
      try rows(
        program, "SELECT attributes ->> 'additional_feature' AS r FROM sample ORDER BY key")
        == ["first", "second"])
  }

  @Test(
    "Label Studio's texts are captions, its ratings fields, and regions without a label unlabeled")
  func labelStudio() throws {
    let frame = #""original_width": 8, "original_height": 8, "to_name": "image""#
    let results = """
      {"type": "textarea", "from_name": "caption", "id": "a", \(frame), "value": {"text": ["a cat", "a mat"]}},
      {"type": "rating", "from_name": "quality", "id": "b", \(frame), "value": {"rating": 4}},
      {"type": "rectangle", "from_name": "r", "id": "c", \(frame),
       "value": {"x": 0, "y": 0, "width": 50, "height": 50, "rotation": 0}},
      {"type": "rectanglelabels", "from_name": "r", "id": "d", \(frame),
       "value": {"x": 0, "y": 0, "width": 25, "height": 50, "rotation": 0, "rectanglelabels": ["cat"]}}
      """
    let program = try program(
      ["1.png"],
      [
        "tasks.json":
          #"[{"id": 1, "data": {"image": "1.png"}, "annotations": [{"id": 2, "result": ["#
          + results + "]}]}]"
      ])
    let found = try program.run("import", "d")
    try #require(found.status == 0, "\(found.stderr)")
    let all = try annotations(program)
    #expect(all.count == 4, "\(all)")
    #expect(all.contains { $0.contains(" caption tag") && $0.contains("a cat") })
    #expect(all.contains { $0.contains(" caption tag") && $0.contains("a mat") })
    #expect(all.contains { $0.hasPrefix("1.png unlabeled box") })
    #expect(all.contains { $0.hasPrefix("1.png cat box") })
    #expect(found.stdout.contains("missingLabel"), "\(found.stdout)")
    #expect(
      try rows(
        program,
        "SELECT CAST(attributes ->> 'quality' AS TEXT) AS r FROM sample WHERE attributes ->> 'quality' = 4"
      ).count == 1)
  }
}
