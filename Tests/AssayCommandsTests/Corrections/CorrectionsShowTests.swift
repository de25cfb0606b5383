import AssayCore
import AssayImaging
import AssayStore
import Foundation
import Testing

@Suite("assay corrections ls and show")
struct CorrectionsShowTests {
  private let world: CorrectedProgram

  init() throws { world = try CorrectedProgram() }

  @Test("Before there is a correction both say so")
  func nothing() throws {
    #expect(try world.corrections("ls").stdout.hasPrefix("no corrections yet"))
    #expect(try world.json("ls")["corrections"] == 0)
    for arguments in [["show", "faces:1"], ["undo", "--last"]] {
      let outcome = try world.program.run(["corrections"] + arguments)
      #expect(outcome.status == 2)
      #expect(outcome.stderr.contains("no corrections yet"))
    }
    #expect(!world.folder.has("assay.ledger.db"))
  }

  @Test("The list counts by sample, person and day; filters narrow it")
  func list() throws {
    try world.corrections("add", "--sample", "faces:0", "--label", "sad")
    try world.corrections("add", "--sample", "faces:1", "--label", "sad", author: "ben")
    try world.corrections("add", "--sample", "faces:1", "--label", "happy", author: "ben")
    let list = try world.json("ls")
    #expect(list["corrections"] == 3 && list["entries"] == 3 && list["samples"] == 2)
    let authors = try #require(list["authors"]?.elements)
    #expect(authors.map { $0["author"] } == ["ben", "anna"])
    #expect(authors.map { $0["corrections"] } == [2, 1])
    #expect(list["days"]?.elements?.count == 1)
    #expect(list["list"]?.elements?.first?["key"] == "1")
    #expect(list["list"]?.elements?.first?["changes"] == ["neutral → happy"])
    #expect(try world.json("ls", "--author", "anna")["samples"] == 1)
    #expect(try world.json("ls", "--status", "left_out")["samples"] == 0)
    #expect(try world.json("ls", "--in", "street")["samples"] == 0)
    let text = try world.corrections("ls").stdout
    #expect(text.hasPrefix("3 corrections in 3 entries about 2 samples\n\nsample "))
    #expect(text.contains("faces:1  done"))
  }

  @Test("An image that changed and a sample that is gone are listed, not hidden")
  func issues() throws {
    try world.corrections("add", "--sample", "street:a.png", "--accept")
    try world.corrections("add", "--sample", "faces:1", "--label", "sad")
    try world.folder.write(
      "street/a.png", try ImageCodec.encodePNG(Raster(repeating: 200, width: 6, height: 4)))
    _ = try world.corrections("show", "street:a.png")
    #expect(try world.program.run("rm", "dataset", "faces").status == 0)
    let issues = try #require(try world.json("ls")["issues"]?.elements)
    #expect(Set(issues.compactMap { $0["kind"]?.text }) == ["imageChanged", "orphaned"])
    let shown = try world.corrections("show", "street:a.png").stdout
    #expect(shown.contains("not used: 1 entry made on another image"))
  }

  @Test("Before, after and difference of a mask are images in the colors of the design")
  func pictures() throws {
    try world.mask("m.png", "..####", "..####", "......", "......")
    try world.corrections(
      "add", "--sample", "street:a.png", "--mask", "m.png", "--category", "car")
    let shown = try world.json("show", "street:a.png", "--out", "pictures")
    #expect(
      shown["files"]
        == ["pictures/a-before.png", "pictures/a-after.png", "pictures/a-difference.png"])
    let bytes = try Data(
      contentsOf: URL(fileURLWithPath: world.folder.path + "/pictures/a-difference.png"))
    let picture = try ImageCodec.decode(Array(bytes), as: .rgb8)
    // 6 × 4 pixels enlarged 80 times; in the middle of pixel (0, 0) 35 % orange over gray 80, of
    // (4, 0) 35 % blue.
    #expect(picture.width == 480 && picture.height == 320)
    func color(_ x: Int, _ y: Int) -> [Int] {
      (0..<3).map { Int(picture[80 * x + 40, 80 * y + 40, $0]) }
    }
    func mixed(_ red: Double, _ green: Double, _ blue: Double) -> [Int] {
      [red, green, blue].map { Int((0.35 * $0 + 0.65 * 80).rounded()) }
    }
    func isNear(_ a: [Int], _ b: [Int]) -> Bool { zip(a, b).allSatisfy { abs($0 - $1) <= 2 } }
    #expect(isNear(color(0, 0), mixed(0xD5, 0x5E, 0x00)))
    #expect(isNear(color(4, 0), mixed(0x00, 0x72, 0xB2)))
    #expect(isNear(color(0, 3), [80, 80, 80]))
    let entry = try world.json("show", "1", "--out", "pictures")
    #expect(entry["files"]?.elements?.count == 3)
    #expect(world.folder.has("pictures/entry-1-before.png"))
  }

  @Test("A label's images show the labels; texts from the ledger cannot control the terminal")
  func labels() throws {
    let refused = try world.corrections(
      "add", "--sample", "faces:0", "--label", "sad", author: "an\u{1B}na")
    #expect(refused.status == 64)
    #expect(refused.stderr.contains("invalid author “an\\u{1b}na”"))
    try world.corrections(
      "add", "--sample", "faces:0", "--label", "sad", "--note", "\u{1B}[31mred")
    let shown = try world.corrections("show", "faces:0", "--out", "p")
    #expect(shown.status == 0)
    #expect(!shown.stdout.contains("\u{1B}"))
    #expect(shown.stdout.contains("note: \\u{1b}[31mred"))
    #expect(world.folder.has("p/0-difference.png"))
  }

  @Test("A conflict is reported with the next command, and resolved on the command line")
  func conflict() throws {
    try world.corrections("add", "--sample", "faces:0", "--label", "sad")
    let ledger = try Ledger.open(world.folder.path + "/assay.ledger.db", .readWrite)
    let first = try #require(try ledger.entry(sequence: 1))
    _ = try ledger.append(
      CorrectionDraft(
        uuid: "0f8fad5b-d9cb-469f-a165-70867728950e", sample: first.sample, target: .label,
        kind: .label, visit: "7c9e6679-7425-40de-944b-e07fc1f90ae7", parent: .sequence(0),
        payload: ["author": "ben", "category": "neutral"]))
    let shown = try world.corrections("show", "faces:0").stdout
    #expect(shown.contains("conflict: entry 2 by ben, made on the imported ground truth"))
    #expect(
      shown.contains(
        "next: assay corrections add --sample faces:0 --conflict 2 --keep this|head"), "\(shown)")
    #expect(try world.json("ls")["conflicts"] == 1)
    let undone = try world.corrections("undo", "1").stdout
    #expect(
      undone.contains("then: assay corrections add --sample faces:0 --conflict 2 --keep this|head"),
      "\(undone)")
    _ = try world.corrections("redo", "1")
    let kept = try world.corrections(
      "add", "--sample", "faces:0", "--conflict", "2", "--keep", "this")
    #expect(kept.stdout.contains("sad → neutral"))
    #expect(try world.json("show", "faces:0")["conflicts"] == [])
  }
}
