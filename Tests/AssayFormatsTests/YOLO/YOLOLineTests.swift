import AssayCore
import AssayFormats
import Testing

@Suite("Lines of YOLO labels")
struct YOLOLineTests {
  private static let data = "train: images\nnames: [a, b, c]\n"

  /// A line that is left out, and the issue.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var kind: IssueKind
    var says: String

    init(_ line: String, _ kind: IssueKind, _ says: String) {
      (testDescription, self.kind, self.says) = (line, kind, says)
    }
  }

  private static let cases = [
    Case("0 0.5 0.5 0.1", .fieldCount, "the line has 4 fields, expected 5"),
    Case("0", .fieldCount, "1 field,"),
    Case("0 .1 .1 .5 .1 .5 .5 .1", .fieldCount, "8 fields"),
    Case("0,0.5,0.5,0.1,0.1", .fieldCount, "separated by blanks instead of commas"),
    Case("0 0.5 0.5 nan 0.1", .badField, "field 4 is 'nan', expected a finite number"),
    Case("0 inf 0.5 0.1 0.1", .badField, "field 2 is 'inf'"),
    Case("0 0.5 0x1 0.1 0.1", .badField, "field 3 is '0x1'"),
    Case("0 0.5 1e999 0.1 0.1", .badField, "field 3 is '1e999'"),
    Case("cat 0.5 0.5 0.1 0.1", .unknownLabel, "the class is 'cat'"),
    Case("-1 0.5 0.5 0.1 0.1", .unknownLabel, "the class is '-1'"),
    Case("0.5 0.5 0.5 0.1 0.1", .unknownLabel, "the class is '0.5'"),
    Case("3 0.5 0.5 0.1 0.1", .unknownLabel, "class 3 is unknown: the classes are 0 to 2"),
    Case("1e30 0.5 0.5 0.1 0.1", .unknownLabel, "the class is '1e30'"),
    Case("0 0.5 1.02 0.1 0.1", .badShape, "1.02 is outside 0…1; YOLO's coordinates are relative"),
    Case("0 120 45 30 60", .badShape, "120.0 is outside"),
    Case("0 0.5 -0.02 0.1 0.1", .badShape, "-0.02 is outside"),
    Case("0 .1 .1 .5 .1 1.5 .5", .badShape, "1.5 is outside"),
    Case("0 0.5 0.5 0.1 0.1 1.57", .badField, "the sixth field is 1.57"),
    Case("0 0.5 0.5 0.1 -0.005", .badShape, "the box has a negative size"),
  ]

  @Test(
    "A line that has no certain meaning is left out, with its place and the reason",
    arguments: cases)
  func leftOut(line: Case) throws {
    let tree = try MemoryTree(
      lines: "1 0.5 0.5 0.2 0.2\n\n\(line.testDescription)\n", data: Self.data)
    let found = try CollectedObjects(tree)
    #expect(found.objects.map(\.label) == ["b"])
    #expect(found.places == ["\(line.kind) error labels/a.txt:3"])
    #expect(found.issues.first?.message.contains(line.says) == true, "\(found.issues)")
    #expect(found.issues.first?.sampleKey == "images/a.png")
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 2)
  }

  @Test("Numbers, blanks and line ends of every spelling are read")
  func spellings() throws {
    for text in [
      "1 0.5 0.5 0.2 0.2\n2 0.5 0.5 0.4 0.4", "1\t0.5  0.5 0.2 0.2 \r\n\r\n2 0.5 0.5 0.4 0.4\r\n",
      "\u{FEFF}1 .5 .5 2e-1 +0.2\r2 0.5 0.5 0.4 0.4\r",
      "1.0 0.5 0.5 0.2 0.2\n2.000000e+00 0.5 0.5 0.4 0.4\n",
    ] {
      let found = try CollectedObjects(MemoryTree(lines: text, data: Self.data))
      #expect(found.objects.map(\.label) == ["b", "c"] && found.issues.isEmpty, "\(text)")
      #expect(
        found.objects.map(\.box) == [
          Box(x: 4, y: 4, width: 2, height: 2), Box(x: 3, y: 3, width: 4, height: 4),
        ])
    }
  }

  @Test("The same line again counts once; a tolerance of 1 % and boxes without area are kept")
  func kept() throws {
    let lines = "0 0.5 0.5 1.01 1\n0 0.50 0.5 1.01 1.0\n1 0.5 0.5 0 0.2\n1 1 1 0.5 0.5\n"
    let found = try CollectedObjects(MemoryTree(lines: lines, data: Self.data))
    #expect(found.objects.map(\.label) == ["a", "b", "b"])
    #expect(
      found.places == [
        "duplicateID warning labels/a.txt:2", "badShape warning labels/a.txt:3",
        "badShape warning labels/a.txt:4",
      ])
    #expect(
      found.issues.map(\.message) == [
        "the line is the same as line 1; counted once",
        "the object (b): the box has no area; kept",
        "the object (b): it extends beyond its image of 10×10; kept, and clipped at the edge in "
          + "masks",
      ])
    #expect(found.run.lists?.annotationsRead == 4 && found.isBalanced)
  }

  @Test("Lines with a confidence look like predictions; the confidence is an attribute")
  func scored() throws {
    let tree = try MemoryTree(
      lines: "0 0.5 0.5 0.2 0.2 0.75\n1 0.5 0.5 0.2 0.2 1\n", data: Self.data)
    let found = try CollectedObjects(detecting: tree)
    #expect(
      found.objects.map(\.attributes) == [#"{"confidence":0.75}"#, #"{"confidence":1.0}"#])
    #expect(found.issues.isEmpty)
    #expect(
      found.run.notes == [
        "2 lines have a confidence (labels/a.txt:1), so the labels look like the predictions of a "
          + "model; the confidence is kept as an attribute"
      ])
  }

  @Test("Polygons that all have four points may be oriented boxes, and that is said")
  func quadrilaterals() throws {
    let square = "0 .1 .1 .5 .1 .5 .5 .1 .5\n"
    let found = try CollectedObjects(MemoryTree(lines: square, data: Self.data))
    #expect(found.run.notes.contains { $0.contains("oriented boxes (YOLO OBB)") })
    let mixed = try CollectedObjects(
      MemoryTree(lines: square + "0 .1 .1 .5 .1 .5 .5\n", data: Self.data))
    #expect(mixed.objects.count == 2 && mixed.run.notes.isEmpty && mixed.issues.isEmpty)
  }

  @Test("Lines of different forms are an issue with the first of each")
  func mixture() throws {
    let tree = try MemoryTree(
      images: ["images/a.png", "images/b.png"],
      texts: [
        "labels/b.txt": "0 0.5 0.5 0.2 0.2\n1 .1 .1 .5 .1 .5 .5\n",
        "labels/a.txt": "\n0 0.5 0.5 0.2 0.2 0.5\n", "data.yaml": Self.data,
      ])
    let found = try CollectedObjects(tree)
    #expect(found.objects.count == 3)
    #expect(found.places == ["fieldCount warning labels/a.txt:2"])
    #expect(
      found.issues[0].message
        == "the labels have lines of different forms: 1 box (5 fields), first labels/b.txt:1; "
        + "1 box with a confidence (6 fields), first labels/a.txt:2; 1 polygon (7 or more "
        + "fields), first labels/b.txt:2; each line is read by its own number of fields")
  }

  @Test("Without a visibility, keypoints count as visible; other numbers of fields are left out")
  func keypoints() throws {
    let data = "train: images\nnames: [a]\nkpt_shape: [2, 2]\n"
    let lines = "0 0.5 0.5 0.2 0.2 0.1 0.2 0.3 0.4\n0 0.5 0.5 0.2 0.2\n"
    let found = try CollectedObjects(MemoryTree(lines: lines, data: data))
    #expect(
      found.objects.map(\.attributes) == [
        #"{"keypoints":[1.0,2.0,2,3.0,4.0,2],"num_keypoints":2}"#
      ])
    #expect(found.kinds == [.fieldCount])
    #expect(found.issues[0].message.contains("expected 9 (class, box and 2 keypoints"))
    let odd = try CollectedObjects(
      MemoryTree(
        lines: "0 0.5 0.5 0.2 0.2 0.1 0.2 0.9\n", data: "train: images\nnc: 1\nkpt_shape: [1, 3]"))
    #expect(odd.kinds == [.badField])
    #expect(odd.objects[0].attributes == #"{"keypoints":[1.0,2.0,0.9],"num_keypoints":1}"#)
    // Without kpt_shape, a visibility is a coordinate that is too large.
    let without = try CollectedObjects(
      MemoryTree(lines: "0 .5 .5 .2 .2 .1 .2 2 .3 .4 2 .3 .4 2 .1 .1 0\n", data: Self.data))
    #expect(without.objects.isEmpty)
    #expect(without.issues[0].message.contains("keypoints need kpt_shape"))
  }

  @Test("An image whose label file is no text is left out")
  func binary() throws {
    let tree = try MemoryTree(
      images: ["images/a.png", "images/b.png"],
      texts: [
        "labels/a.txt": "0\u{0} 0.5 0.5 0.2 0.2\n", "labels/b.txt": "0 0.5 0.5 0.2 0.2\n",
        "data.yaml": Self.data,
      ])
    let found = try CollectedObjects(tree)
    #expect(found.keys == ["images/b.png"] && found.places == ["badUTF8 error labels/a.txt"])
    #expect(found.isBalanced)
  }

  @Test("Images that are missing, damaged or in another format are left out with their objects")
  func images() throws {
    let line = "0 0.5 0.5 0.2 0.2\n"
    var files = [
      "labels/a.txt": Array(line.utf8), "labels/b.txt": Array(line.utf8),
      "labels/c.txt": Array((line + line).utf8), "labels/d.txt": Array(line.utf8),
      "images/b.png": [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10], "images/d.webp": [1, 2, 3],
    ]
    let tree = try MemoryTree(images: ["images/a.png"], texts: [:])
    files["images/a.png"] = try tree.readAll("images/a.png", limit: 1 << 20)
    let found = try CollectedObjects(detecting: MemoryTree(folder: files))
    #expect(found.keys == ["images/a.png"])
    #expect(
      found.places == [
        "unreadableImage error images/b.png", "unsupportedFile error images/d.webp",
        "missingImage error labels/c.txt",
      ])
    #expect(
      found.issues.last?.message
        == "there is no image for this label file (c.jpg, .png, …); left out, with its 2 objects")
    #expect(found.run.lists?.annotationsRead == 5 && found.isBalanced)
  }
}
