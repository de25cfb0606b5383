import AssayCore
import AssayFormats
import Testing

@Suite("Several files of annotations about the same images")
struct SharedImagesTests {
  private static func coco(_ names: [String], category: String = "cat") -> String {
    let images = names.enumerated().map {
      #"{"id": \#($0.offset), "file_name": "\#($0.element)", "width": 10, "height": 10}"#
    }
    let boxes = names.indices.map {
      #"{"id": \#($0), "image_id": \#($0), "category_id": 1, "bbox": [1, 1, 4, 4], "area": 16, "iscrowd": 0}"#
    }
    return
      #"{"images": [\#(images.joined(separator: ", "))], "annotations": [\#(boxes.joined(separator: ", "))], "#
      + #""categories": [{"id": 1, "name": "\#(category)"}]}"#
  }

  private static func createML(_ names: [String]) -> String {
    let entries = names.map {
      #"{"image": "\#($0)", "annotations": [{"label": "cat", "coordinates": {"x": 5, "y": 5, "width": 4, "height": 4}}]}"#
    }
    return "[\(entries.joined(separator: ", "))]"
  }

  private static func cvat(_ names: [String]) -> String {
    let images = names.enumerated().map {
      #"<image id="\#($0.offset)" name="\#($0.element)" width="10" height="10"><box label="cat" xtl="1" "#
        + #"ytl="1" xbr="5" ybr="5" occluded="0"/></image>"#
    }
    return
      "<annotations><version>1.1</version><meta><task><labels><label><name>cat</name></label></labels></task>"
      + "</meta>\(images.joined())</annotations>"
  }

  private static func via(_ names: [String]) -> String {
    let entries = names.map {
      #""\#($0)1": {"filename": "\#($0)", "size": 1, "regions": [{"shape_attributes": {"name": "rect", "x": 1, "#
        + #""y": 1, "width": 4, "height": 4}, "region_attributes": {"kind": "cat"}}], "file_attributes": {}}"#
    }
    return "{\(entries.joined(separator: ", "))}"
  }

  private static func manifest(_ names: [String]) -> String {
    names.map {
      #"{"source-ref": "s3://bucket/\#($0)", "boxes": {"image_size": [{"width": 10, "height": 10, "depth": 3}], "#
        + #""annotations": [{"class_id": 0, "left": 1, "top": 1, "width": 4, "height": 4}]}, "boxes-metadata": "#
        + #"{"class-map": {"0": "cat"}, "type": "groundtruth/object-detection"}}"# + "\n"
    }.joined()
  }

  /// The text of the refusal of a folder.
  private func refusal(
    _ format: DatasetFormat, images: [String], _ texts: [String: String]
  ) throws -> String? {
    let tree = try MemoryTree(images: images, texts: texts)
    #expect(try FormatDetector.detect(tree).format == format)
    do {
      let found = try Collected(tree, as: format)
      #expect(found.isBalanced && found.samples.count == images.count)
      return nil
    } catch let error as FormatError {
      guard case .sharedImages = error else { throw error }
      return "\(error)"
    }
  }

  @Test("COCO files with common images are refused; the same names in two folders are two images")
  func coco() throws {
    let images = ["images/a.png", "images/b.png"]
    let both = ["annotations/instances_all.json": Self.coco(["a.png", "b.png"])]
    for (name, text) in [
      ("annotations/instances_train.json", Self.coco(["a.png"])),
      ("annotations/instances_val.json", Self.coco(["b.png"])),
      ("annotations/vest.json", Self.coco(["a.png", "b.png"], category: "vest")),
    ] {
      let text = try #require(
        try refusal(.coco, images: images, both.merging([name: text]) { $1 }))
      #expect(text.contains("annotations/instances_all.json and \(name) describe the same images"))
      #expect(text.contains("assay import PATH/\(name):coco --images PATH"))
    }
    let three = both.merging(
      [
        "annotations/instances_a.json": Self.coco(["c.png"]),
        "annotations/instances_train.json": Self.coco(["a.png"]),
      ]
    ) { $1 }
    let text = try #require(try refusal(.coco, images: images + ["images/c.png"], three))
    #expect(
      text.contains("that one of annotations/instances_a.json, annotations/instances_all.json does")
    )
    #expect(
      try refusal(
        .coco, images: ["train/a.png", "val/a.png"],
        [
          "annotations/instances_train.json": Self.coco(["a.png"]),
          "annotations/instances_val.json": Self.coco(["a.png"]),
        ]) == nil)
  }

  @Test("COCO files about images that are not there can be about different ones")
  func missing() throws {
    let tree = try MemoryTree(
      images: ["other/x.png"],
      texts: [
        "annotations/instances_train.json": Self.coco(["a.png"]),
        "annotations/instances_val.json": Self.coco(["a.png"]),
      ])
    #expect(try Collected(tree, as: .coco).samples.count == 2)
  }

  @Test("A file all of whose images another one has is refused; files that share some are not")
  func versions() throws {
    let images = ["a.png", "b.png", "c.png"]
    let writers: [(DatasetFormat, String, ([String]) -> String)] = [
      (.createML, ".json", Self.createML), (.via, ".json", Self.via), (.cvat, ".xml", Self.cvat),
      (.groundTruth, ".manifest", Self.manifest),
    ]
    for (format, suffix, write) in writers {
      let text = try #require(
        try refusal(
          format, images: images, ["all\(suffix)": write(images), "old\(suffix)": write(["b.png"])]),
        "\(format)")
      #expect(
        text.contains("all\(suffix) and old\(suffix) describe the same images ("), "\(text)")
      #expect(
        text.contains("assay import PATH/old\(suffix):\(format.rawValue)") == (format != .cvat),
        "\(text)")
      #expect(
        try refusal(
          format, images: images,
          [
            "first\(suffix)": write(["a.png", "b.png"]),
            "last\(suffix)": write(["b.png", "c.png"]),
          ]) == nil,
        "\(format)")
      #expect(
        try refusal(
          format, images: images,
          ["train\(suffix)": write(["a.png"]), "val\(suffix)": write(["b.png", "c.png"])]) == nil,
        "\(format)")
    }
  }
}
