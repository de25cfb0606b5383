import AssayCore
import AssayFormats
import AssayImaging
import AssayTestSupport
import Testing

/// Trees as tools and downloads lay them out that were imported wrong without a word, or without a way on.
@Suite("Exports of tools that look like something else")
struct ToolExportTests {
  private func refusal(_ tree: some SourceTree) throws -> String {
    do {
      _ = try FormatDetector.detect(tree)
      return ""
    } catch let error as FormatError {
      return "\(error)"
    }
  }

  private func tree(_ files: [String: String]) -> MemoryTree {
    MemoryTree(
      folder: files.mapValues { $0.isEmpty ? DatasetLayout.png : Array($0.utf8) })
  }

  // MARK: YOLO's keypoints

  /// A line of a box from 0.1 to 0.5 and points in it.
  private func pose(_ points: [(Double, Double)]) -> String {
    "0 0.3 0.3 0.4 0.4 " + points.map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }

  private static let places = [
    (0.12, 0.15), (0.45, 0.2), (0.3, 0.48), (0.2, 0.33), (0.41, 0.44),
  ]

  @Test("Several boxes with as many points each are keypoints if no data file says otherwise")
  func keypoints() throws {
    let line = pose(Self.places)
    let three = Dictionary(
      uniqueKeysWithValues: (0..<3).map { ("labels/\($0).txt", line + "\n") })
    let images = (0..<3).map { "images/\($0).png" }
    func import_(_ texts: [String: String]) throws -> CollectedObjects {
      try CollectedObjects(MemoryTree(images: images, texts: texts))
    }
    let error = #expect(throws: FormatError.self) { try import_(three) }
    let text = "\(try #require(error))"
    #expect(
      text.contains("all 3 lines like this one are probably the center and the size of a box"))
    #expect(
      text.contains("kpt_shape: [5, 2]") && text.contains("if they are polygons, one without it"))
    // A data file without kpt_shape says that they are polygons.
    let data = three.merging(["data.yaml": "path: .\ntrain: images\nnames: [a]\n"]) { $1 }
    #expect(try import_(data).objects.allSatisfy { $0.polygons.count == 1 })
    // Outlines of different lengths are outlines.
    var mixed = three
    mixed["labels/0.txt"] = pose(Array(Self.places.dropLast())) + "\n"
    #expect(try import_(mixed).objects.count == 3)
    // Points without a place are keypoints in one line already.
    let without = pose([(0, 0)] + Self.places + [(0, 0)]) + "\n"
    #expect(throws: FormatError.self) { try import_(["labels/0.txt": without]) }
  }

  @Test("An even number of fields that fits keypoints with visibility says so")
  func visibility() throws {
    let line = "0 0.3 0.3 0.4 0.4" + String(repeating: " 0.2 0.2 2", count: 17) + "\n"
    let found = try CollectedObjects(
      MemoryTree(images: ["images/a.png"], texts: ["labels/a.txt": line]))
    #expect(found.issues.first?.message.contains("need kpt_shape: [17, 3] in data.yaml") == true)
  }

  // MARK: Folders

  @Test(
    "Folders of a layout are no classes",
    arguments: [
      (["bounding_box_train/0001_c1.png", "bounding_box_test/0002_c1.png"], "Market-1501"),
      (
        ["DIV2K_train_HR/0001.png", "DIV2K_train_LR_bicubic/0001x2.png"],
        "are called as the two images"
      ),
      (
        ["trainA/1.png", "trainB/1.png", "testA/2.png", "testB/2.png"], "translate into each other"
      ),
      (["jpg/1.png", "jpg/2.png"], "part of a dataset's layout"),
      (["photos/1.png", "photos/2.png"], "part of a dataset's layout"),
      (
        ["task-1-annotation-2-by-1-tag-cat-0.png", "task-2-annotation-3-by-1-tag-dog-0.png"],
        "Label Studio"
      ),
    ])
  func folders(paths: [String], says: String) throws {
    let tree = tree(Dictionary(uniqueKeysWithValues: paths.map { ($0, "") }))
    let text = try refusal(tree)
    #expect(text.contains(says), "\(text)")
  }

  @Test("A single folder of another name is the class of all images, with a note")
  func oneFolder() throws {
    let tree = tree(["faces/1.png": "", "faces/2.png": ""])
    let run = try Collected(tree, as: .imageFolder)
    #expect(run.labels == ["faces", "faces"])
    #expect(run.run.notes.contains { $0.contains("the one class “faces”") })
    var options = ImportOptions()
    options.ignoresCompanions = true
    #expect(try Collected(tree, as: .imageFolder, options).labels == [nil, nil])
  }

  @Test(
    "Images named by their class stay without labels, with the commands that make labels of the names",
    arguments: [
      (["cat.0.png", "cat.1.png", "dog.0.png", "dog.17.png"], "one of 2 words (cat, dog)"),
      (
        [
          "train/great_pyrenees_1.png", "train/great_pyrenees_2.png", "train/Abyssinian_1.png",
          "train/Abyssinian_2.png", "test/1.png", "test/2.png",
        ], "4 of 6 names are one of 2 words (Abyssinian, great_pyrenees)"
      ),
      (["frame_1.png", "frame_2.png", "frame_3.png"], nil), (["a1.png", "b2.png"], nil),
      (["1.png", "2.png"], nil),
    ])
  func namedClasses(paths: [String], says: String?) throws {
    let run = try Collected(
      tree(Dictionary(uniqueKeysWithValues: paths.map { ($0, "") })), as: .imageFolder)
    #expect(run.labels.allSatisfy { $0 == nil })
    let note = run.run.notes.first { $0.contains("words") }
    #expect((note == nil) == (says == nil) && note?.contains(says ?? "") ?? true, "\(note ?? "")")
  }

  @Test("Folders called like splits are no classes where annotations are ignored")
  func splits() throws {
    var options = ImportOptions()
    options.ignoresCompanions = true
    let tree = tree(["cars_train/1.png": "", "cars_test/2.png": "", "devkit.json": "{}"])
    #expect(try Collected(tree, as: .imageFolder, options).labels == [nil, nil])
  }

  private static let noise = (0..<3 * 16 * 16).map { UInt8(truncatingIfNeeded: $0 * 77) }

  private func photo() throws -> [UInt8] {
    try ImageCodec.encodeJPEG(
      #require(Raster(width: 16, height: 16, channels: 3, elements: Self.noise)), quality: 90)
  }

  private func mask() throws -> [UInt8] {
    try ImageCodec.encodePNG(
      #require(Raster<UInt8>(width: 16, height: 16, elements: (0..<256).map { $0 < 99 ? 255 : 0 })))
  }

  @Test("Images and masks in folders of classes are no masks alone")
  func classes() throws {
    var files: [String: [UInt8]] = [:]
    for folder in ["COVID", "Normal"] {
      for number in 1...3 {
        files["\(folder)/images/\(number).jpg"] = try photo()
        files["\(folder)/masks/\(number).png"] = try mask()
      }
    }
    let text = try refusal(MemoryTree(folder: files))
    #expect(text.contains("the folders COVID, Normal can be classes of the images"), "\(text)")
  }

  @Test(
    "x_sat.jpg and x_mask.png are an image and its mask, which is left out where masks are ignored")
  func satellites() throws {
    let tree = MemoryTree(folder: [
      "1_sat.jpg": try photo(), "1_mask.png": try mask(), "2_sat.jpg": try photo(),
      "2_mask.png": try mask(),
    ])
    let text = try refusal(tree)
    #expect(
      text.contains(
        "2 .png files look like masks of the images beside them (1_mask.png of 1_sat.jpg"))
    var options = ImportOptions()
    options.ignoresCompanions = true
    #expect(try Collected(tree, as: .imageFolder, options).keys == ["1_sat.jpg", "2_sat.jpg"])
  }

  @Test("Folders of instances beside images are left out where masks are ignored")
  func instances() throws {
    let tree = MemoryTree(folder: [
      "set/images/1.jpg": try photo(), "set/instances/1.png": try mask(),
      "set/v2.0/panoptic/1.png": try mask(),
    ])
    var options = ImportOptions()
    options.ignoresCompanions = true
    #expect(try Collected(tree, as: .imageFolder, options).keys == ["set/images/1.jpg"])
  }

  // MARK: Lists and tables

  @Test("Places365's lists begin paths with a slash, and its categories name the numbers")
  func places365() throws {
    let tree = tree([
      "data_256/a/airfield/1.png": "", "data_256/b/bow_window/indoor/1.png": "",
      "val_256/v_1.png": "",
      "lists/places365_train_standard.txt": "/a/airfield/1.png 0\n/b/bow_window/indoor/1.png 1\n",
      "lists/places365_val.txt": "v_1.png 1\n",
      "lists/categories_places365.txt": "/a/airfield 0\n/b/bow_window/indoor 1\n",
    ])
    #expect(try FormatDetector.detect(tree).format == .imageNet)
    let found = try Collected(tree, as: .imageNet)
    #expect(found.classes == ["airfield", "bow_window/indoor"])
    #expect(found.labels == ["airfield", "bow_window/indoor", "bow_window/indoor"])
    // Nothing outside of the folder is looked at.
    let outside = self.tree([
      "a/1.png": "", "train.txt": "a/1.png 0\n/etc/1.png 1\n",
    ])
    #expect(try Collected(outside, as: .imageNet).kinds == [.outsideRoot])
  }

  @Test("Run lengths are no labels, and sample_submission.csv is no table of labels")
  func tables() throws {
    let text = try refusal(
      tree([
        "train/a.png": "", "train/b.png": "",
        "train.csv": "ImageId,EncodedPixels\na.png,1 3 10 5\nb.png,2 2 9 1\n",
        "sample_submission.csv": "ImageId,EncodedPixels\na.png,1 1\n",
      ]))
    #expect(text.contains("masks as run lengths (Kaggle's EncodedPixels)"), "\(text)")
    #expect(!text.contains("label=EncodedPixels") && !text.contains("sample_submission"), "\(text)")
  }

  @Test("Tags with blanks between them are proposed as sets of labels, and names need no suffix")
  func tags() throws {
    let table = "image_name,tags\na,clear primary\nb,haze\n"
    let text = try refusal(tree(["jpg/a.png": "", "jpg/b.png": "", "train.csv": table]))
    #expect(text.contains("train.csv:multilabel-csv --label-separator space"), "\(text)")
    let images = tree(["a.png": "", "b.png": ""])
    let found = try Collected(
      MemoryTree(table), as: .multiLabelCSV, ImportOptions(images: images, labelSeparator: .space))
    #expect(found.classes.sorted() == ["clear", "haze", "primary"])
    #expect(found.kinds.isEmpty)
  }

  @Test("The images of one table can be in two folders, each in one of them")
  func spread() throws {
    let table = "image_id,dx\na,nv\nb,bkl\nc,nv\n"
    func find(_ files: [String]) throws -> Collected {
      try Collected(
        MemoryTree(table), as: .csv,
        ImportOptions(
          images: tree(Dictionary(uniqueKeysWithValues: files.map { ($0, "") })),
          columns: try BoxTableColumns(parsing: "image=image_id,label=dx")))
    }
    let found = try find(["part_1/a.png", "part_1/b.png", "part_2/c.png"])
    #expect(found.keys == ["part_1/a.png", "part_1/b.png", "part_2/c.png"])
    #expect(found.labels == ["nv", "bkl", "nv"])
    // Folders of other names can be classes.
    #expect(try find(["cat/a.png", "cat/b.png", "dog/c.png"]).kinds == [.missingImage])
    // An image that is in both folders could be either.
    let error = #expect(throws: FormatError.self) {
      try find(["part_1/a.png", "part_1/b.png", "part_2/a.png", "part_2/b.png"])
    }
    #expect("\(try #require(error))".contains("name the folder with --images"))
  }

  @Test("Label Studio's VOC counts from 0, as its converter writes it")
  func labelStudio() throws {
    let object =
      "<object><name>cat</name><bndbox><xmin>1</xmin><ymin>0</ymin><xmax>3</xmax>"
      + "<ymax>2</ymax></bndbox></object>"
    func box(_ owner: String) throws -> Box? {
      let xml =
        "<annotation><filename>a.png</filename>\(owner)<size><width>3</width>"
        + "<height>2</height></size>\(object)</annotation>"
      return try CollectedObjects(
        MemoryTree(images: ["images/a.png"], texts: ["Annotations/a.xml": xml]), as: .voc
      ).objects.first?.box
    }
    #expect(
      try box("<owner><name>Label Studio</name></owner>") == Box(x: 1, y: 0, width: 2, height: 2))
    #expect(try box("<owner><name>me</name></owner>")?.x == 0)
  }

  @Test(
    "Exports of services are named with the export that is imported",
    arguments: [
      (
        "a.jsonl", "{\"image\": \"1.png\", \"prefix\": \"<OD>\", \"suffix\": \"cat<loc_1>\"}",
        "PaliGemma"
      ),
      (
        "a.jsonl",
        "{\"messages\": [{\"role\": \"user\", \"content\": [{\"type\": \"image_url\", \"image_url\": {}}]}]}",
        "OpenAI"
      ),
      ("a.ndjson", "{\"data_row\": {\"id\": \"x\"}, \"projects\": {}}", "Labelbox"),
      ("a.jsonl", "{\"imageGcsUri\": \"gs://b/1.png\", \"boundingBoxAnnotations\": []}", "Vertex"),
      (
        "metadata.json", "{\"_id\": {\"$oid\": \"65\"}, \"name\": \"x\", \"sample_fields\": []}",
        "FiftyOne"
      ),
      ("labels.json", "{\"classes\": [\"cat\"], \"labels\": {\"1\": 0}}", "FiftyOne"),
      (
        "a.json",
        "{\"version\": \"2.0\", \"schema_ref\": \"x\", \"item\": {}, \"annotations\": []}", "Darwin"
      ),
      ("a.geojson", "{\"type\": \"FeatureCollection\", \"features\": []}", "GeoJSON"),
    ])
  func services(file: String, text: String, says: String) throws {
    let found = try refusal(tree(["pictures/1.png": "", "pictures/2.png": "", file: text]))
    #expect(found.contains(says), "\(found)")
  }
}
