import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

/// Trees that can be read in two ways, or whose annotations lie where the format does not have them: each is right,
/// refused with the next step, or told.
@Suite("Imports that could guess")
struct ImportGuessTests {
  private let program: Program
  private var folder: TemporaryFolder { program.folder }

  init() throws { program = try Program() }

  /// An image of 16 × 12 pixels.
  private static func picture(_ seed: Int) throws -> [UInt8] {
    try ImageCodec.encodePNG(
      try #require(
        Raster(
          width: 16, height: 12, channels: 3,
          elements: (0..<576).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ seed &* 31) })))
  }

  private func pictures(_ paths: String...) throws {
    for (seed, path) in paths.enumerated() { try folder.write(path, try Self.picture(seed)) }
  }

  private func importing(_ path: String, _ options: String...) throws -> Program.Outcome {
    try program.run(["import", path, "--name", "n", "--replace"] + options)
  }

  private func count(_ expression: String) throws -> Int? {
    try program.run("query", expression, "--in", "n", "--count", "--json").json()["count"]?.whole
  }

  // MARK: Lists of classes

  private func masks(_ names: String, values: [UInt8]) throws {
    try pictures("set/images/a.png")
    let pixels = (0..<192).map { values[$0 % values.count] }
    try folder.write(
      "set/masks/a.png",
      try ImageCodec.encodePNG(try #require(Raster(width: 16, height: 12, elements: pixels))))
    try folder.write("set/classes.txt", names)
  }

  @Test(
    "A list with void first, or background anywhere, names the values from 0",
    arguments: [
      ("void\ncat\ndog\n", ["cat": 64, "dog": 64]),
      ("unlabeled\ncat\ndog\n", ["cat": 64, "dog": 64]),
      ("cat\ndog\nbackground\n", ["cat": 64, "dog": 64]),
      ("0: bg\n1: cat\n2: dog\n", ["cat": 64, "dog": 64]),
    ])
  func fromZero(names: String, pixels: [String: Int]) throws {
    try masks(names, values: [0, 1, 2])
    let outcome = try importing("set")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    for (name, pixels) in pixels {
      #expect(try count("coverage(\(name)) = \(Double(pixels) / 192)") == 1, "\(name)")
    }
  }

  @Test("A list that fits from 0 and from 1 is a question, and one that fits only from 1 is noted")
  func fromOne() throws {
    for (names, values) in [
      ("no crack\ncrack\n", [0, 1]), ("water\nforest\nroad\ncity\n", [0, 1, 2, 3]),
    ]
      as [(String, [UInt8])]
    {
      try masks(names, values: values)
      let outcome = try importing("set")
      #expect(
        outcome.status == 2 && outcome.stderr.contains("write the value before each name"),
        "\(outcome.stderr)")
    }
    try masks("0 no crack\n1 crack\n", values: [0, 1])
    #expect(try importing("set").status == 0)
    #expect(try count("count(crack) > 0") == 1)
    try masks("cat\ndog\n", values: [0, 1, 2])
    let noted = try importing("set", "--json").json()["notes"]?.elements?.compactMap(\.text) ?? []
    #expect(
      noted.contains { $0.contains("its names are taken for the values 1, 2, …") }, "\(noted)")
    #expect(try count("count(dog) > 0") == 1)
  }

  @Test("Lists of YOLO's names may begin with their numbers; other numbers and commas are refused")
  func yoloNames() throws {
    try pictures("set/images/a.png")
    try folder.write("set/labels/a.txt", "0 0.5 0.5 0.2 0.2\n1 0.5 0.5 0.4 0.4\n")
    try folder.write("set/classes.txt", "0: cat\n1: dog\n")
    #expect(try importing("set").status == 0)
    #expect(try count("count(dog) > 0") == 1)
    for (names, says) in [("1 cat\n2 dog\n", "from 0"), ("cat,dog\n", "one name per line")] {
      try folder.write("set/classes.txt", names)
      let outcome = try importing("set")
      #expect(outcome.status == 2 && outcome.stderr.contains(says), "\(outcome.stderr)")
    }
  }

  // MARK: Labels

  @Test(
    "A 0 or 1 for each class is no list of classes",
    arguments: ["[0, 1, 0]", "[false, true]"])
  func flags(labels: String) throws {
    try pictures("set/a.png", "set/b.png")
    try folder.write(
      "set/metadata.jsonl",
      ["a", "b"].map { #"{"file_name": "\#($0).png", "labels": \#(labels)}"# }.joined(
        separator: "\n"))
    let outcome = try importing("set")
    #expect(
      outcome.status == 2 && outcome.stderr.contains("one for each class"), "\(outcome.stderr)")
  }

  @Test("A table with tags and a label is a question, with the command")
  func tags() throws {
    try pictures("set/a.png", "set/b.png")
    try folder.write("set/t.csv", "filepath,tags,label\na.png,train,cat\nb.png,train,dog\n")
    let outcome = try importing("set/t.csv")
    #expect(
      outcome.status == 2 && outcome.stderr.contains("--columns image=filepath,label=label"),
      "\(outcome.stderr)")
    #expect(try importing("set/t.csv", "--columns", "image=filepath,label=label").status == 0)
    #expect(try count("label = dog") == 1)
  }

  @Test("Pixels without a header whose label can be the first or the last column are a question")
  func lastLabel() throws {
    // The first pixel can look like a label, or not.
    for scale in [1, 13] {
      let rows = (0..<12).map { row in
        ((0..<64).map { "\(scale * (($0 * 5 + row * 3) % 17))" } + ["\(row % 10)"])
          .joined(separator: ",")
      }
      try folder.write("digits.csv", rows.joined(separator: "\n"))
      let outcome = try importing("digits.csv")
      #expect(
        outcome.status == 2 && outcome.stderr.contains("label,pixel0,pixel1,…"), "\(outcome.stderr)"
      )
    }
  }

  // MARK: Splits

  private func coco(_ image: String) -> String {
    #"{"images": [{"id": 1, "file_name": "\#(image)", "width": 16, "height": 12}], "#
      + #""categories": [{"id": 1, "name": "cat"}], "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "#
      + #""bbox": [1, 1, 5, 5], "area": 25, "iscrowd": 0}]}"#
  }

  private func voc(_ image: String, _ objects: String) -> String {
    "<annotation><filename>\(image)</filename><size><width>16</width><height>12</height><depth>3</depth></size>"
      + "\(objects)</annotation>"
  }

  private static let box =
    "<object><name>cat</name><bndbox><xmin>2</xmin><ymin>2</ymin><xmax>7</xmax><ymax>7</ymax></bndbox></object>"

  @Test(
    "Folders of splits that each hold an export name the splits",
    arguments: ["instances_v1", "annotations/instances_all", "coco_x_v2"])
  func cocoSplits(file: String) throws {
    for split in ["train", "val"] {
      try folder.write("set/\(split)/images/\(split).png", try Self.picture(split.count))
      try folder.write("set/\(split)/\(file).json", coco("\(split).png"))
    }
    let outcome = try importing("set")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    for split in ["train", "val"] {
      #expect(try count("split = \(split)") == 1, "\(file)")
    }
  }

  @Test(
    "The split default of CVAT and Datumaro gives way to the folder, and other contradictions are noted"
  )
  func vocSplits() throws {
    for (list, expected) in [("default", 1), ("train", 0)] {
      let root = "set-\(list)"
      for split in ["train", "val"] {
        try folder.write("\(root)/\(split)/JPEGImages/\(split).png", try Self.picture(split.count))
        try folder.write("\(root)/\(split)/Annotations/\(split).xml", voc("\(split).png", Self.box))
        try folder.write("\(root)/\(split)/ImageSets/Main/\(list).txt", "\(split)\n")
      }
      let outcome = try importing(root)
      try #require(outcome.status == 0, "\(outcome.stderr)")
      #expect((try count("split = val") ?? 0) == expected, "\(list)")
      #expect(
        outcome.stdout.contains("1 image lies in the folder of another split") == (expected == 0),
        "\(outcome.stdout)")
    }
  }

  @Test(
    "Annotations in folders of splits give the images their split, also by folders called train_images"
  )
  func annotationSplits() throws {
    for split in ["train", "val"] {
      try folder.write("a/images/\(split).png", try Self.picture(split.count))
      try folder.write("a/annotations/\(split)/\(split).xml", voc("\(split).png", Self.box))
      try folder.write("b/\(split)_images/\(split).png", try Self.picture(split.count))
      try folder.write("b/\(split)_annotations/\(split).xml", voc("\(split).png", Self.box))
    }
    for set in ["a", "b"] {
      let outcome = try importing(set)
      try #require(outcome.status == 0, "\(outcome.stderr)")
      #expect(try count("split = val") == 1, "\(set)")
    }
  }

  // MARK: Objects in other places

  @Test("Objects that are not in elements of their own are not left out in silence")
  func wrapped() throws {
    try pictures("set/JPEGImages/a.png", "set/JPEGImages/b.png")
    let wrapped = "<objects>\(Self.box)\(Self.box)</objects>"
    for name in ["a", "b"] {
      try folder.write("set/Annotations/\(name).xml", voc("\(name).png", wrapped))
    }
    let refused = try importing("set")
    #expect(
      refused.status == 2 && refused.stderr.contains("2 objects are in 'objects'"),
      "\(refused.stderr)")
    try folder.write("set/Annotations/b.xml", voc("b.png", Self.box))
    let mixed = try importing("set")
    #expect(mixed.status == 0)
    #expect(try program.run("issues", "n").stdout.contains("2 objects are in 'objects'"))
  }

  @Test("Boxes beside the labels of Hugging Face's metadata are an issue")
  func besideObjects() throws {
    try pictures("set/a.png", "set/b.png")
    try folder.write(
      "set/metadata.jsonl",
      ["a", "b"].map {
        #"{"file_name": "\#($0).png", "label": "cat", "bboxes": [[1, 1, 4, 4], [2, 2, 5, 5]]}"#
      }.joined(separator: "\n"))
    let refused = try importing("set")
    #expect(
      refused.status == 2 && refused.stderr.contains("“bboxes” of a.png is not in “objects”"),
      "\(refused.stderr)")
  }

  @Test("Boxes within the first pixel, and rotations, are noted whatever the format")
  func forms() throws {
    try pictures("set/a.png")
    let rows = (1..<5).map { "a.png,cat,0.1,0.1,0.\($0 + 2),0.5" }
    try folder.write("set/b.csv", "file,class,x,y,w,h\n" + rows.joined(separator: "\n") + "\n")
    let shares = try importing(
      "set/b.csv", "--columns", "image=file,label=class,boxwh=x:y:w:h", "--coordinates",
      "pixels")
    #expect(
      shares.status == 0 && shares.stdout.contains("all 4 boxes are within the first pixel"),
      "\(shares.stdout)\(shares.stderr)")
    try folder.write(
      "turned/a.json",
      coco("a.png").replacing(
        "\"iscrowd\": 0", with: "\"iscrowd\": 0, \"attributes\": {\"rotation\": 30.0}"))
    try folder.write("turned/a.png", try Self.picture(3))
    let turned = try importing("turned")
    #expect(turned.stdout.contains("1 box has a rotation"), "\(turned.stdout)\(turned.stderr)")
  }

  @Test("Classes whose names differ only in case or separators are told, single letters not")
  func similarClasses() throws {
    try pictures("set/Cat/1.png", "set/cat/2.png", "set/hot dog/3.png", "set/hot_dog/4.png")
    let told = try importing("set")
    let text = told.stdout.split { $0.isWhitespace }.joined(separator: " ")
    #expect(
      text.contains(
        "“Cat” and “cat”; “hot dog” and “hot_dog” differ only in case, blanks, underscores or hyphens"
      ) && text.contains("--map cat=Cat"), "\(text)\(told.stderr)")
    try pictures("letters/A/1.png", "letters/a/2.png")
    #expect(try !importing("letters").stdout.contains("differ only"))
  }

  @Test("Folders that systems and archivers leave are no classes")
  func systemFolders() throws {
    try pictures(
      "set/cat/1.png", "set/dog/2.png", "set/@eaDir/3.png", "set/__MACOSX/4.png",
      "set/dog/@eaDir/5.png")
    let found = try importing("set", "--json")
    #expect(try found.json()["dataset"]?["accepted"]?.whole == 2, "\(found.stderr)")
    #expect(try count("label = cat") == 1 && count("label = dog") == 1)
  }

  @Test("Versions of the same images beside each other are no classes")
  func versions() throws {
    for name in ["HR", "LR", "upsampled"] {
      for image in ["a", "b"] { try folder.write("set/\(name)/\(image).png", try Self.picture(5)) }
    }
    #expect(try importing("set").status == 2)
  }
}
