import AssayCore
@testable import AssayFormats
import AssayTestSupport
import Testing

@Suite("Label Studio exports")
struct LabelStudioImporterTests {
  @Test("Regions of all kinds in pixels; the last submitted annotation counts")
  func export() throws {
    let tree = FileTree(fixture: "label-studio/export")
    #expect(try FormatDetector.detect(tree).format == .labelStudio)
    let found = try CollectedObjects(tree, as: .labelStudio)
    #expect(found.keys == ["images/0a1b2c3d-a.png", "images/b.png", "images/d.png"])
    #expect(
      found.names == ["ball", "cat", "dog", "eye", "sky", "unlabeled"] && found.isBalanced)
    let first = found.samples[0].objects
    #expect(first.map(\.label) == ["dog", "cat", "cat", "sky", "eye", "ball", "unlabeled"])
    #expect(first[0].box == Box(x: 2, y: 2, width: 10, height: 4) && first[0].polygons.isEmpty)
    #expect(
      first[0].attributes
        == #"{"annotation_id":11,"completed_by":3,"origin":"manual","state":["wet"]}"#)
    // Rotated by 90 degrees about its top-left corner (10, 2): 4 wide and 2 high before.
    #expect(first[1].polygons == [[10, 2, 10, 6, 8, 6, 8, 2]])
    #expect(first[1].attributes?.contains(#""rotation":90.0,"score":0.75"#) == true)
    #expect(first[2].polygons == [[0, 0, 10, 0, 10, 5]])
    #expect(first[3].area == 18 && first[3].box == Box(x: 3, y: 2, width: 6, height: 3))
    #expect(first[4].box == Box(x: 5, y: 5, width: 0, height: 0))
    #expect(first[5].box == Box(x: 8, y: 3, width: 4, height: 4))
    #expect(found.samples[1].objects.count == 1 && found.samples[2].objects.isEmpty)
    #expect(
      found.places == [
        "missingLabel warning project-1.json#/0/annotations/0/result/6",
        "duplicateID error project-1.json#/1/annotations",
        "missingLabel error project-1.json#/2/annotations",
      ])
    #expect(
      found.issues[1].message
        == "1 of the 3 annotations of the task was cancelled and is left out, with 3 regions")
    let others = found.samples[1].others
    #expect(others.mapValues { $0.map(\.label) } == ["1": ["dog", "cat"]])
    #expect(others["1"]?[1].polygons == [[10, 2, 10, 6, 8, 6, 8, 2]])
    #expect(found.samples[0].others.isEmpty && found.samples[2].others.isEmpty)
    #expect(
      found.run.notes.contains {
        $0.hasPrefix(
          "1 image has several annotations: those submitted last are the labels, and 2 labels and regions"
        )
      })
    #expect(
      found.run.notes.contains(
        "predictions in the tasks, which are not read: 1 (first in project-1.json)"))
  }

  @Test("Brush masks have the pixels that label-studio-converter decodes")
  func brush() throws {
    struct Case: Decodable {
      var width: Int
      var height: Int
      var rle: [UInt8]
      var pixels: String
    }
    let cases: [Case] = try GoldenJSON.decode("label-studio/brush.json")
    #expect(cases.count == 60)
    for (number, example) in cases.enumerated() {
      let size = ImageSize(width: example.width, height: example.height)
      let mask = try LabelStudioRLE.mask(example.rle, size: size)
      let pixels = mask.raster(inside: 1).elements.map { $0 == 1 ? "1" : "0" }.joined()
      #expect(pixels == example.pixels, "case \(number)")
      #expect(throws: LabelStudioRLE.Problem.self) {
        try LabelStudioRLE.mask(
          example.rle, size: ImageSize(width: example.width + 1, height: example.height))
      }
      for count in 0..<min(8, example.rle.count) {
        #expect(throws: LabelStudioRLE.Problem.short) {
          try LabelStudioRLE.mask(Array(example.rle[..<count]), size: size)
        }
      }
    }
  }

  @Test("JSON_MIN, alone, with its images in another folder")
  func minimal() throws {
    let tree = FileTree(fixture: "label-studio/export-min.json")
    #expect(try FormatDetector.detect(tree).format == .labelStudio)
    let images = try MemoryTree(pngs: ["a.png"], texts: [:])
    let found = try CollectedObjects(tree, as: .labelStudio, ImportOptions(images: images))
    #expect(found.keys == ["a.png"] && found.places.isEmpty && found.isBalanced)
    #expect(found.objects.map(\.label) == ["dog", "sky"] && found.objects[1].area == 18)
    #expect(found.objects[0].attributes == #"{"annotation_id":11,"completed_by":3}"#)
  }

  /// Two images; the first was annotated by 1 and later by 2, the second by 2 alone.
  private static func people() throws -> MemoryTree {
    func annotation(_ id: Int, _ person: String, _ label: String, _ hour: Int) -> String {
      #"{"id": \#(id), "completed_by": \#(person), "created_at": "2026-01-01T0\#(hour):00:00Z", "result": ["#
        + #"{"type": "choices", "from_name": "c", "id": "r", "value": {"choices": ["\#(label)"]}}]}"#
    }
    let first =
      annotation(1, #"{"id": 1, "email": "ann@x.org"}"#, "cat", 1) + ","
      + annotation(2, "2", "dog", 2)
    return try MemoryTree(
      pngs: ["a.png", "b.png"],
      texts: [
        "x.json": #"[{"id": 1, "data": {"image": "a.png"}, "annotations": [\#(first)]}, "#
          + #"{"id": 2, "data": {"image": "b.png"}, "annotations": [\#(annotation(3, "2", "owl", 3))]}]"#
      ])
  }

  @Test(
    "The annotations of a chosen annotator are the labels; an unknown one is refused with the list")
  func annotator() throws {
    let tree = try Self.people()
    func labels(_ annotator: String?) throws -> ([String?], [String]) {
      var options = ImportOptions()
      options.annotator = annotator
      let found = try Collected(tree, as: .labelStudio, options)
      return (found.labels, found.run.notes)
    }
    #expect(try labels(nil).0 == ["dog", "owl"])
    let (same, note) = try labels("2")
    #expect(same == ["dog", "owl"])
    #expect(note.count == 1 && note[0].contains("those of 2 are the labels where there are any"))
    for name in ["1", "ann@x.org"] {
      let (found, notes) = try labels(name)
      #expect(found == ["cat", "owl"])
      #expect(
        notes.contains {
          $0.hasPrefix("images that \(name) did not annotate") && $0.contains(": 1 ")
        })
    }
    let error = #expect(throws: FormatError.self) { try labels("bob") }
    #expect("\(try #require(error))" == "unknown annotator “bob”; annotators: 1 (ann@x.org), 2")
  }

  @Test("Entries of JSON_MIN for one image are annotations of several people")
  func minimalOfSeveral() throws {
    func entry(_ id: Int, _ person: Int, _ label: String, _ hour: Int) -> String {
      #"{"id": 1, "image": "a.png", "annotation_id": \#(id), "annotator": \#(person), "lead_time": 1, "#
        + #""created_at": "2026-01-01T0\#(hour):00:00Z", "choice": "\#(label)"}"#
    }
    let list = [entry(1, 1, "cat", 3), entry(2, 2, "dog", 1), entry(3, 2, "owl", 2)]
    let tree = try MemoryTree(
      pngs: ["a.png"], texts: ["x.json": "[" + list.joined(separator: ", ") + "]"])
    for (name, label) in [(nil, "cat"), ("1", "cat"), ("2", "owl")] {
      var options = ImportOptions()
      options.annotator = name
      let found = try Collected(tree, as: .labelStudio, options)
      #expect(found.labels == [label] && found.isBalanced && found.kinds == [.duplicateID])
      #expect(found.issues[0].severity == .warning)
      #expect(found.run.lists?.annotationsRead == 3)
    }
  }

  @Test("Single choices are classes of images")
  func choices() throws {
    let images = try MemoryTree(pngs: ["a.png", "b.png"], texts: [:])
    let found = try Collected(
      detecting: FileTree(fixture: "label-studio/classes.json"), ImportOptions(images: images))
    #expect(found.labels == ["cat", "dog"] && found.classes == ["cat", "dog"])
    #expect(found.issues.isEmpty)
  }

  @Test("Choices beside regions, and several of them, are tags; a single one is the class, too")
  func tags() throws {
    func choice(_ labels: String, _ control: String, _ id: String) -> String {
      #"{"type": "choices", "from_name": "\#(control)", "to_name": "image", "id": "\#(id)", "#
        + #""value": {"choices": [\#(labels)]}}"#
    }
    let box = Self.region(
      #""x": 10, "y": 10, "width": 10, "height": 10, "rectanglelabels": ["a"]"#)
    func read(_ results: String) throws -> CollectedShapes {
      let found = try CollectedShapes(detecting: Self.tree(results))
      #expect(found.issues.isEmpty && found.isBalanced)
      return found
    }
    let one = try read(box + "," + choice(#""wet""#, "state", "s"))
    #expect(one.samples.map(\.label) == ["wet"] && one.shapes.map(\.kind) == [.box])
    #expect(one.run.lists?.annotationsRead == 2)
    let two = try read(box + "," + choice(#""wet", "dark""#, "state", "s"))
    #expect(two.samples.map(\.label) == [nil])
    #expect(two.shapes.map(\.label) == ["a", "wet", "dark"])
    #expect(two.shapes.map(\.kind) == [.box, .tag, .tag])
    #expect(two.run.lists?.annotationsRead == 3 && two.run.lists?.annotationsKept == 3)
    #expect(two.run.notes.contains { $0.hasPrefix("2 labels of images are kept beside regions") })
    let controls = try read(
      choice(#""wet""#, "state", "s") + "," + choice(#""dark""#, "light", "t"))
    #expect(
      controls.shapes.map(\.attributes) == [#"{"from_name":"state"}"#, #"{"from_name":"light"}"#])
  }

  @Test(
    "The names of images",
    arguments: [
      (
        "/data/upload/1/0a1b2c3d-a%20b.png",
        ["0a1b2c3d-a b.png", "upload/1/0a1b2c3d-a b.png", "a b.png"]
      ),
      ("/data/local-files/?d=dir/a%20b.png", ["dir/a b.png"]),
      ("s3://bucket/dir/a.png", ["dir/a.png"]),
      ("https://host:80/dir/a.png?x=1#y", ["dir/a.png"]), ("dir/a.png", ["dir/a.png"]),
      ("http://host", []), ("/", []),
    ])
  func names(text: String, names: [String]) { #expect(LabelStudioName.path(of: text) == names) }

  private static func tree(_ results: String, more: String = "") throws -> MemoryTree {
    try MemoryTree(
      pngs: ["a.png"],
      texts: [
        "x.json": #"[{"id": 1, "data": {"image": "a.png"}, "annotations": "#
          + #"[{"id": 1, "result": [\#(results)]}\#(more)]}]"#
      ])
  }

  private static func region(_ value: String, type: String = "rectanglelabels") -> String {
    #"{"type": "\#(type)", "id": "r", "original_width": 20, "original_height": 10, "value": {\#(value)}}"#
  }

  @Test(
    "Every result that cannot be read is an issue with its pointer",
    arguments: [
      (region(#""x": 1, "rectanglelabels": ["a"]"#), "missingField error", "/value"),
      (
        region(#""x": "1", "y": 1, "width": 1, "height": 1, "rectanglelabels": ["a"]"#),
        "badField error", "/value"
      ),
      (
        region(#""x": NaN, "y": 1, "width": 1, "height": 1, "rectanglelabels": ["a"]"#),
        "badShape error", "/value"
      ),
      (
        region(#""x": 1, "y": 1, "width": -1, "height": 1, "rectanglelabels": ["a"]"#),
        "badShape error", ""
      ),
      (
        region(#""points": 3, "polygonlabels": ["a"]"#, type: "polygonlabels"), "badField error",
        "/value"
      ),
      (
        region(#""rle": [1, 2], "brushlabels": ["a"]"#, type: "brushlabels"), "badShape error",
        "/value"
      ),
      (
        region(#""rle": [1, 256], "brushlabels": ["a"]"#, type: "brushlabels"), "badShape error",
        "/value"
      ),
      (
        region(#""rle": [0, 0, 0, 4, 0, 0, 0, 0], "brushlabels": ["a"]"#, type: "brushlabels"),
        "maskSize error", "/value"
      ),
      (region(#""brushlabels": ["a"]"#, type: "brushlabels"), "unsupportedField error", "/value"),
      (region(#""labels": ["a"]"#, type: "videorectangle"), "unsupportedField error", ""),
      (#"{"type": "choices", "value": {"choices": []}}"#, "missingLabel error", ""),
      (#"{"type": "choices", "value": {"choices": [3]}}"#, "badField error", ""),
      (#"{"type": "relation", "from_id": "r", "to_id": "s"}"#, "unsupportedField error", ""),
      ("3", "badField error", ""), (#"{"id": "s"}"#, "badField error", ""),
    ])
  func odd(result: String, kind: String, pointer: String) throws {
    let good = Self.region(
      #""x": 10, "y": 10, "width": 10, "height": 10, "rectanglelabels": ["a"]"#
    )
    .replacing(#""r""#, with: #""good""#)
    let found = try CollectedObjects(detecting: Self.tree("\(good), \(result)"))
    #expect(found.places == ["\(kind) x.json#/0/annotations/0/result/1\(pointer)"])
    #expect(found.objects.map(\.box) == [Box(x: 2, y: 1, width: 2, height: 1)])
    #expect(found.isBalanced)
  }

  @Test(
    "A task without a usable annotation is left out",
    arguments: [
      (#""annotations": []"#, "missingLabel error x.json#/0/annotations"),
      (#""annotations": 3"#, "badField error x.json#/0/annotations"),
      (#""predictions": []"#, "missingField error x.json#/0"),
      (#""annotations": [{"id": 1}]"#, "missingField error x.json#/0/annotations/0/result"),
      (#""annotations": [{"result": {}}]"#, "badField error x.json#/0/annotations/0/result"),
      (#""annotations": [7]"#, "badField error x.json#/0/annotations/0"),
    ])
  func tasks(member: String, place: String) throws {
    let tree = try MemoryTree(
      pngs: ["a.png"], texts: ["x.json": #"[{"id": 1, "data": {"image": "a.png"}, \#(member)}]"#])
    let found = try CollectedObjects(detecting: tree)
    #expect(found.keys.isEmpty && found.places == [place] && found.isBalanced)
  }

  @Test("Labels and texts of a region in results of their own belong to the region")
  func further() throws {
    let results = [
      Self.region(#""x": 10, "y": 10, "width": 10, "height": 10"#, type: "rectangle"),
      #"{"type": "labels", "id": "r", "value": {"labels": ["car"]}}"#,
      #"{"type": "textarea", "id": "r", "from_name": "plate", "value": {"text": ["AB 12"]}}"#,
      #"{"type": "choices", "id": "r", "from_name": "state", "value": {"choices": ["wet"]}}"#,
    ].joined(separator: ",")
    let found = try CollectedObjects(detecting: Self.tree(results))
    #expect(found.places.isEmpty && found.objects.map(\.label) == ["car"])
    #expect(
      found.objects[0].attributes
        == #"{"annotation_id":1,"plate":{"text":["AB 12"]},"state":["wet"]}"#)
  }

  @Test("Only Label Studio's fixtures are taken")
  func others() throws {
    #expect(
      try ForeignFixtures.taken(by: LabelStudioImporter()) == [
        "label-studio/export", "label-studio/export-min.json", "label-studio/classes.json",
      ])
  }

  @Test("Damaged files are imported in part or refused")
  func damage() throws {
    let run = try JSONDamage(
      format: .labelStudio, fixtures: ["label-studio/export", "label-studio/export-min.json"]
    ).run(seed: 33)
    #expect(run.imported > run.rounds / 8 && run.objects > run.rounds / 8)
  }
}
