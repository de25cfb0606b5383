import AssayCore
import Foundation
import Testing

/// Tests the way of corrections to an exported file and back into the catalog.
@Suite("An export with corrections is imported over its dataset")
struct CorrectedImportTests {
  private let world: CorrectedProgram

  init() throws {
    world = try CorrectedProgram()
    let truth: JSONValue = [
      "images": [["id": 1, "file_name": "a.png", "width": 6, "height": 4]],
      "categories": [["id": 1, "name": "car"], ["id": 2, "name": "road"]],
      "annotations": [
        ["id": 7, "image_id": 1, "category_id": 1, "iscrowd": 0, "area": 4, "bbox": [0, 0, 2, 2]]
      ],
    ]
    try world.folder.write(
      "boxes/a.png", try Data(contentsOf: URL(filePath: world.folder.path("street/a.png"))))
    try world.folder.write("boxes.json", Array(truth.text().utf8))
    try importBoxes("boxes.json:coco")
    try world.corrections("add", "--sample", "boxes:a.png", "--object", "7", "--box", "1,0,2,2")
    try world.corrections(
      "add", "--sample", "boxes:a.png", "--category", "road", "--box", "4,2,2,2")
  }

  @discardableResult
  private func importBoxes(_ source: String, _ more: String...) throws -> String {
    let imported = try world.program.run(
      ["import", source, "--name", "boxes", "--images", "boxes"] + more)
    try #require(imported.status == 0, "\(imported.stderr)")
    return imported.stdout + imported.stderr
  }

  /// The boxes of the current ground truth, by an export with corrections.
  private func boxes(_ name: String, of dataset: String = "boxes") throws -> [JSONValue?] {
    let out = try world.program.run(
      "export", dataset, "--to", "coco", "--out", name, "--corrected")
    try #require(out.status == 0, "\(out.stderr)")
    let json = try JSONValue(parsing: world.folder.read("\(name)/annotations/instances.json"))
    return try #require(json["annotations"]?.elements).map { $0["bbox"] }
  }

  @Test("Added objects are there once, and further corrections count")
  func once() throws {
    #expect(try boxes("out") == [[1, 0, 2, 2], [4, 2, 2, 2]])
    let said = try importBoxes("out/annotations/instances.json:coco", "--replace")
    #expect(said.contains("include the corrections up to entry 2 of the ledger"), "\(said)")
    #expect(try boxes("again") == [[1, 0, 2, 2], [4, 2, 2, 2]])
    let shown = try world.corrections("show", "boxes:a.png")
    #expect(shown.stdout.contains("imported"), "\(shown.stdout)")
    let undone = try world.corrections("undo", "2")
    #expect(undone.status == 2)
    #expect(undone.stderr.contains("entry 2 is part of the imported annotations"))
    let last = try world.corrections("undo", "--last")
    #expect(last.status != 0 && last.stderr.contains("nothing to undo"), "\(last.stderr)")
    // The export gave the added box the number 8.
    let moved = try world.corrections(
      "add", "--sample", "boxes:a.png", "--object", "8", "--box", "4,2,1,1")
    try #require(moved.status == 0, "\(moved.stderr)")
    #expect(try boxes("moved") == [[1, 0, 2, 2], [4, 2, 1, 1]])
    #expect(try world.corrections("undo", "--last").status == 0)
    #expect(try boxes("back") == [[1, 0, 2, 2], [4, 2, 2, 2]])
    // A second time, after another correction.
    try world.corrections("add", "--sample", "boxes:a.png", "--category", "car", "--box", "0,3,1,1")
    #expect(try boxes("more").count == 3)
    let more = try importBoxes("more/annotations/instances.json:coco", "--replace")
    #expect(more.contains("up to entry 5"), "\(more)")
    #expect(try boxes("third").count == 3)
    // The original again: the corrections apply to it as before.
    try importBoxes("boxes.json:coco", "--replace")
    #expect(try boxes("original").count == 3)
  }

  @Test("Without its manifest, an export is not known as such, and the import says what follows")
  func noManifest() throws {
    _ = try boxes("out")
    try FileManager.default.removeItem(atPath: world.folder.path("out/manifest.json"))
    let said = try importBoxes("out/annotations/instances.json:coco", "--replace")
    #expect(
      said.contains("the ledger's entries about 1 sample of boxes apply to the new"), "\(said)")
    #expect(said.contains("manifest.json"))
    #expect(try boxes("again").count == 3)
  }

  @Test("Masks with a new part are there once, too")
  func masks() throws {
    try world.mask("cars.png", "##...#", "##...#", "......", "......")
    let added = try world.corrections(
      "add", "--sample", "street:a.png", "--mask", "cars.png", "--category", "car")
    try #require(added.status == 0, "\(added.stderr)")
    let before = try boxes("masks", of: "street")
    #expect(before.count == 4)
    let imported = try world.program.run(
      "import", "masks/annotations/instances.json:coco", "--name", "street", "--images", "street",
      "--replace")
    try #require(imported.status == 0, "\(imported.stderr)")
    #expect(try boxes("again", of: "street") == before)
  }

  @Test("A dataset of another name has no corrections, and nothing is said")
  func otherName() throws {
    _ = try boxes("out")
    let imported = try world.program.run(
      "import", "out/annotations/instances.json:coco", "--name", "other", "--images", "boxes")
    try #require(imported.status == 0, "\(imported.stderr)")
    #expect(!(imported.stdout + imported.stderr).contains("ledger"))
    #expect(try boxes("other", of: "other").count == 2)
  }
}
