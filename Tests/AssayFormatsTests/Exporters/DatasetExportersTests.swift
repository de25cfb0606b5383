import AssayCore
import Testing

@testable import AssayFormats

@Suite("Writers of datasets")
struct DatasetExportersTests {
  /// Two splits, two classes, and an image of 8×4 with a label, a box, a polygon and a mask.
  private static let dataset: ExportDataset = {
    var dataset = ExportDataset(
      name: "set", classes: [Category(name: "a & \"b\""), Category(name: "c,d")],
      splits: [
        .init(name: "train", folder: "train", images: 1), .init(name: nil, folder: "", images: 1),
      ])
    dataset.attributes = ["occluded", "color"]
    return dataset
  }()

  private static func image(_ format: ExportFormat) throws -> ExportImage {
    let writer = DatasetExporters.exporter(for: format, nil, dataset)
    let folder = writer.imageFolder(split: 0, label: nil)
    var image = ExportImage(
      number: 0, path: (folder.isEmpty ? "" : folder + "/") + "x y.jpg", split: 0,
      size: ImageSize(width: 8, height: 4))
    image.labels = [1]
    var box = ExportObject(
      category: 0, shape: .box, box: Box(x: 1, y: 0.5, width: 2.25, height: 3))
    box.attributes = [.init("color", "red"), .init("occluded", true)]
    let polygon = ExportObject(
      category: 1, shape: .polygons([[0, 0, 4, 0, 4, 2]]), box: Box(x: 0, y: 0, width: 4, height: 2)
    )
    let mask = try Mask(size: ImageSize(width: 8, height: 4), runs: [5, 2, 2, 2, 21])
    let region = ExportObject(
      category: 1, shape: .mask(mask), box: Box(x: 1, y: 1, width: 2, height: 2))
    image.objects = [box, polygon, region]
    var losses = ExportLosses()
    let fitted = ExportFitting(writer.capabilities).fit(image, &losses)
    return try #require(fitted)
  }

  private static func row(_ format: ExportFormat, section: Int = 0) throws -> String {
    let writer = DatasetExporters.exporter(for: format, nil, dataset)
    let bytes =
      writer.tables.isEmpty || format == .voc
      ? try writer.bytes(ofImage: image(format))
      : try writer.rows(image(format), table: 0, section: section)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("Pascal VOC: whole pixels from 1, both corners inside")
  func voc() throws {
    let text = try Self.row(.voc)
    #expect(text.contains("<name>a &amp; &quot;b&quot;</name>"))
    #expect(
      text.contains(
        "<bndbox><xmin>2</xmin><ymin>2</ymin><xmax>3</xmax><ymax>4</ymax></bndbox>"), "\(text)")
    #expect(text.contains("<occluded>1</occluded>"))
    #expect(text.contains("<width>8</width><height>4</height>"))
    let writer = DatasetExporters.exporter(for: .voc, nil, Self.dataset)
    #expect(writer.tables.map(\.path) == ["ImageSets/Main/train.txt"])
    #expect(
      try String(decoding: writer.rows(Self.image(.voc), table: 0, section: 0), as: UTF8.self)
        == "x y\n")
  }

  @Test("YOLO: polygons, or boxes, relative to the image")
  func yolo() throws {
    var losses = ExportLosses()
    let writer = DatasetExporters.exporter(for: .yolo, .detect, Self.dataset)
    let source = try Self.image(.coco)
    let fitted = ExportFitting(writer.capabilities).fit(source, &losses)
    let image = try #require(fitted)
    #expect(
      try String(decoding: writer.bytes(ofImage: image), as: UTF8.self) == """
        0 0.265625 0.5 0.28125 0.75
        1 0.25 0.25 0.5 0.5
        1 0.25 0.5 0.25 0.5

        """)
    #expect(losses.list.map(\.kind) == [.polygonsAsBoxes, .masksAsBoxes, .attributes])
    #expect(losses.attributes == ["color": 1, "occluded": 1])
  }

  @Test("Create ML: centers in pixels")
  func createML() throws {
    let row = try JSONValue(parsing: Self.row(.createML))
    let first = row["annotations"]?.elements?.first
    #expect(row["image"]?.text == "x y.jpg" && first?["label"]?.text == "a & \"b\"")
    let center = try #require(first?["coordinates"])
    #expect(["x", "y", "width", "height"].map { center[$0]?.double } == [2.125, 2, 2.25, 3])
  }

  @Test("CSV: a row per object")
  func csv() throws {
    #expect(
      try Self.row(.csv) == """
        images/train/x y.jpg,train,"a & ""b\""",1,0.5,3.25,3.5
        images/train/x y.jpg,train,"c,d",0,0,4,2
        images/train/x y.jpg,train,"c,d",1,1,3,3

        """)
  }

  @Test("CVAT: boxes, polygons, masks in runs of their box, and attributes")
  func cvat() throws {
    let text = try Self.row(.cvat)
    #expect(text.contains("name=\"train/x y.jpg\" subset=\"train\" width=\"8\" height=\"4\""))
    #expect(
      text.contains(
        "occluded=\"1\" source=\"manual\" z_order=\"0\" xtl=\"1\" ytl=\"0.5\" xbr=\"3.25\" ybr=\"3.5\""
      ))
    #expect(text.contains("<attribute name=\"color\">red</attribute>"))
    #expect(text.contains("points=\"0,0;4,0;4,2\""))
    #expect(text.contains("rle=\"0, 4\" left=\"1\" top=\"1\" width=\"2\" height=\"2\""))
  }

  @Test("Label Studio: percent, and brush runs of its own bit stream")
  func labelStudio() throws {
    let task = try JSONValue(parsing: Self.row(.labelStudio))
    #expect(task["data"]?["split"]?.text == "train")
    let results = try #require(task["annotations"]?.elements?.first?["result"]?.elements)
    #expect(
      results.map { $0["type"]?.text } == [
        "choices", "rectanglelabels", "polygonlabels", "brushlabels",
      ])
    #expect(
      results[1]["value"]?["x"]?.double == 12.5 && results[1]["value"]?["height"]?.double == 75)
    let runs = results[3]["value"]?["rle"]?.elements ?? []
    let bytes = runs.compactMap(\.double).map { UInt8($0) }
    let values = try #require(Self.decoded(bytes))
    let mask = try Mask(size: ImageSize(width: 8, height: 4), runs: [5, 2, 2, 2, 21])
    let expected = mask.raster().elements.flatMap { [$0, $0, $0, $0] }
    #expect(values == expected)
  }

  /// Reads Label Studio's run lengths, as its converter does.
  private static func decoded(_ bytes: [UInt8]) -> [UInt8]? {
    var place = 0
    func read(_ count: Int) -> Int {
      var value = 0
      for _ in 0..<count {
        let byte = place / 8 < bytes.count ? bytes[place / 8] : 0
        value = value << 1 | Int(byte >> UInt8(7 - place % 8) & 1)
        place += 1
      }
      return value
    }
    let count = read(32)
    let bits = read(5) + 1
    let lengths = (0..<4).map { _ in read(4) + 1 }
    var values: [UInt8] = []
    while values.count < count, place < bytes.count * 8 {
      let isRun = read(1) == 1
      let length = read(lengths[read(2)]) + 1
      if isRun {
        values += [UInt8](repeating: UInt8(read(bits)), count: length)
      } else {
        for _ in 0..<length { values.append(UInt8(read(bits))) }
      }
    }
    return values.count == count ? values : nil
  }

  @Test("Datumaro and Hugging Face: the fields that their readers expect")
  func jsons() throws {
    let item = try JSONValue(parsing: Self.row(.datumaro))
    let annotations = try #require(item["annotations"]?.elements)
    #expect(annotations.map { $0["type"]?.text } == ["label", "bbox", "polygon", "mask"])
    #expect(annotations[1]["attributes"]?["color"]?.text == "red")
    #expect(item["image"]?["size"] == [4, 8] && item["id"]?.text == "x y")
    let row = try JSONValue(parsing: Self.row(.hfImageFolder))
    #expect(row["file_name"]?.text == "x y.jpg")
    #expect(
      row["objects"]?["categories"]?.elements?.compactMap(\.text) == ["a & \"b\"", "c,d", "c,d"])
  }

  @Test("Parts are joined without area; a rotated box is the smallest around its corners")
  func outlines() {
    let joined = ExportOutlines.joined([[0, 0, 2, 0, 2, 2, 0, 2], [4, 0, 6, 0, 6, 2, 4, 2]])
    let size = ImageSize(width: 8, height: 4)
    #expect(joined.count == 20)
    #expect(Mask(polygons: [joined], size: size).area == 8)
    let box = ExportOutlines.rotatedBox(around: [[2, 0, 4, 2, 2, 4, 0, 2, 2, 2]])
    #expect(box.count == 8)
    let sides = stride(from: 0, to: 8, by: 2).map { place -> Double in
      let (dx, dy) = (box[place] - box[(place + 2) % 8], box[place + 1] - box[(place + 3) % 8])
      return dx * dx + dy * dy
    }
    #expect(sides.allSatisfy { abs($0 - 8) < 1e-9 })
  }

  @Test("Every writer has a fitting format, and folders have different names for different classes")
  func names() {
    var can = ExportCapabilities()
    can.classNames = .folders
    let classes = ["a/b", "a_b", "A_b", "c"].map { Category(name: $0) }
    #expect(can.names(of: classes) == ["a_b", "a_b-2", "A_b-3", "c"])
    for format in ExportFormat.allCases {
      #expect(!DatasetExporters.capabilities(of: format).shapes.contains(.label))
    }
    can.splits = .known(["train", "val"])
    #expect(can.split("val2017") == "val" && can.split("training") == "train")
    #expect(can.split("fold 3") == nil)
  }
}
