import AssayCore
import Foundation
import Testing

/// Tests corrections of boxes and fields with the program, to the exported file.
@Suite("assay corrections add --box and --set")
struct BoxCorrectionTests {
  private let world: CorrectedProgram

  init() throws {
    world = try CorrectedProgram()
    let truth: JSONValue = [
      "images": [["id": 1, "file_name": "a.png", "width": 6, "height": 4]],
      "categories": [["id": 1, "name": "car"], ["id": 2, "name": "road"]],
      "annotations": [
        [
          "id": 7, "image_id": 1, "category_id": 1, "iscrowd": 0, "area": 4, "bbox": [0, 0, 2, 2],
          "occluded": false,
        ]
      ],
    ]
    try world.folder.write(
      "boxes/a.png", try Data(contentsOf: URL(filePath: world.folder.path("street/a.png"))))
    try world.folder.write("boxes.json", Array(truth.text().utf8))
    let imported = try world.program.run(
      "import", "boxes.json:coco", "--name", "boxes", "--images", "boxes")
    try #require(imported.status == 0, "\(imported.stderr)")
  }

  @Test("A box is moved, a new one added, a field set, and the export has them")
  func boxes() throws {
    let moved = try world.corrections(
      "add", "--sample", "boxes:a.png", "--object", "7", "--box", "1,0.5,3.25,2")
    #expect(moved.status == 0, "\(moved.stderr)")
    let added = try world.json(
      "add", "--sample", "boxes:a.png", "--category", "road", "--box", "4,2,2,2")
    #expect(added["changes"]?["objects"]?["added"] == 1)
    let set = try world.corrections(
      "add", "--sample", "boxes:a.png", "--object", "7", "--set", "occluded=true", "--set",
      "pose=left")
    // Boxes are counted as boxes: pixels of a box mean nothing.
    #expect(moved.stdout.contains("boxes:a.png car 1 box changed; by"), "\(moved.stdout)")
    #expect(set.stdout.contains("car 1 box changed"), "\(set.stdout)")
    let words = try world.corrections("show", "boxes:a.png").stdout
    #expect(words.contains("car 1 box changed, road +1 box") && !words.contains(" px"), "\(words)")
    let undone = try world.corrections("undo", "2").stdout
    #expect(undone.contains("undo of entry 2, road −1 box"), "\(undone)")
    _ = try world.corrections("redo", "2")
    let out = try world.program.run(
      "export", "boxes", "--to", "coco", "--out", "out", "--corrected")
    try #require(out.status == 0, "\(out.stderr)")
    let json = try JSONValue(parsing: world.folder.read("out/annotations/instances.json"))
    let annotations = try #require(json["annotations"]?.elements)
    #expect(annotations.map { $0["bbox"] } == [[1, 0.5, 3.25, 2], [4, 2, 2, 2]])
    #expect(annotations.map { $0["area"]?.double } == [6.5, 4])
    #expect(annotations[0]["occluded"] == true && annotations[0]["pose"] == "left")
  }

  @Test("The same box again is nothing to save")
  func same() throws {
    let first = try world.corrections(
      "add", "--sample", "boxes:a.png", "--object", "7", "--box", "0,0,2,2")
    #expect(first.stdout.hasPrefix("nothing to save"))
  }

  @Test("A field leaves the sample open, as a person has not decided it; a box does not")
  func fieldsLeaveOpen() throws {
    func status() throws -> JSONValue? { try world.json("show", "boxes:a.png")["status"] }
    _ = try world.corrections(
      "add", "--sample", "boxes:a.png", "--object", "7", "--set", "occluded=true")
    #expect(try status() == "started")
    _ = try world.corrections(
      "add", "--sample", "boxes:a.png", "--object", "7", "--box", "1,1,2,2")
    #expect(try status() == "done")
  }

  @Test("Wrong boxes and options are refused with what is expected")
  func refusals() throws {
    func refused(_ arguments: String..., status: Int32 = 64) throws -> String {
      let outcome = try world.program.run(
        ["corrections", "add", "--sample", "boxes:a.png"] + arguments,
        environment: ["ASSAY_AUTHOR": "anna"])
      #expect(outcome.status == status, "\(arguments)")
      return outcome.stderr
    }
    for text in ["1,2,3", "a,b,c,d", "1,2,-3,4", "1,2,nan,4", ""] {
      #expect(try refused("--box", text, "--category", "car").contains("x,y,width,height"))
    }
    #expect(
      try refused("--box", "9,9,2,2", "--object", "7", status: 2)
        .contains("no part inside the image"))
    #expect(try refused("--set", "a=1").contains("--set needs --object"))
    #expect(try refused("--object", "7", "--set", "=1").contains("name=value"))
    #expect(
      try refused("--box", "0,0,1,1", "--object", "9", status: 2)
        .contains("has no object 9; it has 7"))
    #expect(
      try world.corrections(
        "add", "--sample", "street:a.png", "--object", "100", "--box", "0,0,1,1"
      ).stderr.contains("is a mask, whose box follows from its shape"))
  }
}
