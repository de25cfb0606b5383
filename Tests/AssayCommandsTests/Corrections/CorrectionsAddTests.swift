import AssayCore
import AssayImaging
import Foundation
import Testing

@Suite("assay corrections add and undo")
struct CorrectionsAddTests {
  private let world: CorrectedProgram

  init() throws { world = try CorrectedProgram() }

  @Test("A label is corrected, reported, shown and undone")
  func label() throws {
    let added = try world.corrections("add", "--sample", "faces:0", "--label", "sad")
    #expect(added.status == 0)
    #expect(added.stdout == "entry 1: faces:0 happy → sad; by anna ($ASSAY_AUTHOR)\n")
    let shown = try world.json("show", "faces:0")
    #expect(shown["label"] == "sad")
    #expect(shown["status"] == "done")
    #expect(shown["changes"]?["label"] == ["before": "happy", "after": "sad"])
    let other = try world.corrections("undo", "--last", author: "ben")
    #expect(other.status == 2)
    #expect(other.stderr.contains("nothing to undo by ben"))
    let undone = try world.corrections("undo", "--last")
    #expect(
      undone.stdout == "entry 2: faces:0 undo of entry 1, sad → happy; by anna ($ASSAY_AUTHOR)\n")
    #expect(try world.corrections("undo", "1").stderr.contains("entry 1 is already undone"))
    let redone = try world.corrections("redo", "--last", "--author", "anna")
    #expect(redone.stdout == "entry 3: faces:0 redo of entry 1, happy → sad; by anna\n")
    #expect(
      try world.corrections("undo", "9").stderr.contains("there is no entry 9; the last one is 3"))
  }

  @Test("A mask becomes the region of its class, under keys with blanks and colons")
  func mask() throws {
    try world.mask("m.png", "##....", "#.....", "......", ".....#")
    let added = try world.json(
      "add", "--sample", "street:sub dir/b:c.png", "--mask", "m.png", "--category", "car")
    #expect(added["key"] == "sub dir/b:c.png")
    let region = try #require(added["changes"]?["regions"]?.elements?.first)
    #expect(region["added"] == 1 && region["removed"] == 1)
    // 3 pixels of 5 are in both.
    #expect(region["iou"] == 0.6)
    let objects = try #require(
      try world.json("show", "street:sub dir/b:c.png")["objects"]?.elements)
    #expect(objects.map { $0["object"] } == ["101", "@1"])
    let moved = try world.corrections(
      "add", "--sample", "street:sub dir/b:c.png", "--object", "@1", "--label", "road")
    #expect(moved.stdout.contains("object car → road"))
    try world.corrections("add", "--sample", "street:sub dir/b:c.png", "--remove", "101")
    #expect(
      try world.json("show", "street:sub dir/b:c.png")["objects"]?.elements?.count == 1)
    let gone = try world.corrections(
      "add", "--sample", "street:sub dir/b:c.png", "--remove", "101")
    #expect(gone.stderr.contains("has no object 101; it has @1"))
  }

  @Test(
    "A mask file keeps its pixels and makes few objects; --min-part drops small parts and says so")
  func smallParts() throws {
    try world.mask("parts.png", "####..", "####..", "####.#", "......")
    try world.mask("specks.png", "####.#", "####..", "####.#", "......")
    let both = try world.json(
      "add", "--sample", "street:a.png", "--mask", "specks.png", "--category", "road")
    #expect(both["dropped"] == ["parts": 0, "pixels": 0])
    let whole = try world.json("show", "street:a.png")
    #expect(whole["objects"]?.elements?.filter { $0["category"] == "road" }.count == 2)
    let dropped = try world.corrections(
      "add", "--sample", "street:sub dir/b:c.png", "--mask", "parts.png", "--category", "road",
      "--min-part", "0.1")
    #expect(dropped.stdout.contains("1 small part dropped (1 pixel); --min-part 0 keeps them"))
    let refused = try world.corrections(
      "add", "--sample", "street:a.png", "--min-part", "0.1", "--accept")
    #expect(refused.stderr.contains("--min-part needs"))
    let share = try world.corrections(
      "add", "--sample", "street:a.png", "--mask", "parts.png", "--min-part", "2")
    #expect(share.stderr.contains("0 to 1"))
    let lost = try world.corrections("add", "--sample", "street:a.png", "--drop-masks", "--accept")
    #expect(lost.stderr.contains("--drop-masks needs --take"))
  }

  @Test("Impossible corrections are rejected with the next step, and a typo leaves no ledger")
  func refusals() throws {
    try world.mask("small.png", "#.", "..")
    try world.mask("empty.png", "......", "......", "......", "......")
    try world.folder.write("gray.png", try graded())
    func refusal(_ arguments: String...) throws -> String {
      let outcome = try world.program.run(
        ["corrections", "add"] + arguments, environment: ["USER": "anna"])
      #expect(outcome.status == 2 || outcome.status == 64)
      return outcome.stderr
    }
    #expect(try refusal("--sample", "faces:77", "--label", "sad").contains("no sample “77”"))
    #expect(try refusal("--sample", "face:1", "--label", "sad").contains("faces"))
    #expect(!world.folder.has("assay.ledger.db"))
    #expect(
      try refusal("--sample", "street:c.png", "--accept").contains("did you mean")
    )
    #expect(
      try refusal("--sample", "faces:1", "--label", "sat").contains("did you mean “sad”?"))
    #expect(
      try refusal("--sample", "street:a.png", "--mask", "small.png", "--category", "car")
        .contains("the mask is 2×2, the image 6×4"))
    #expect(
      try refusal("--sample", "street:a.png", "--mask", "gray.png", "--category", "car")
        .contains("different values"))
    #expect(
      try refusal("--sample", "street:a.png", "--mask", "small.png").contains(
        "--category: car, road"))
    #expect(
      try refusal("--sample", "street:a.png", "--mask", "empty.png", "--category", "car")
        .contains("--empty"))
    #expect(
      try refusal("--sample", "street:a.png", "--mask", "no.png", "--category", "car").contains(
        "no.png"))
    #expect(
      try refusal("--sample", "street:a.png", "--label", "car").contains("regions and no labels"))
    #expect(try refusal("--sample", "street").contains("DATASET:KEY"))
    #expect(
      try refusal("--sample", "faces:1", "--label", "sad", "--accept").contains(
        "only one is allowed"))
    #expect(try refusal("--sample", "faces:1").contains("--label, --mask"))
    let empty = try world.corrections(
      "add", "--sample", "street:a.png", "--mask", "empty.png", "--category", "car", "--empty")
    #expect(empty.stdout.contains("car −4 px"))
    let nowhere = try world.program.run(
      "corrections", "add", "--sample", "faces:1", "--accept", "--db", "none.db")
    #expect(nowhere.stderr.contains("no catalog at none.db"))
    #expect(!world.folder.has("none.ledger.db"))
  }

  private func graded() throws -> [UInt8] {
    let raster = try #require(
      Raster(width: 6, height: 4, elements: (0..<24).map { UInt8($0 * 10) }))
    return try ImageCodec.encodePNG(raster)
  }

  @Test("Reject, bad, unsure, accept and note say what they are and leave out or take back in")
  func verdicts() throws {
    let rejected = try world.corrections("add", "--sample", "faces:1", "--reject", "two faces")
    #expect(rejected.stdout.contains("left out: two faces"))
    #expect(try world.json("show", "faces:1")["left_out"] == "two faces")
    let accepted = try world.corrections("add", "--sample", "faces:1", "--accept")
    #expect(accepted.stdout.contains("included again"))
    try world.corrections("add", "--sample", "faces:2", "--unsure", "--note", "masked")
    #expect(try world.json("show", "faces:2")["status"] == "unsure")
    #expect(try world.json("show", "faces:2")["note"] == "masked")
    try world.corrections("add", "--sample", "faces:3", "--note", "only words")
    #expect(try world.json("show", "faces:3")["status"] == "open")
    try world.corrections("add", "--sample", "faces:4", "--bad")
    let list = try world.json("ls")
    #expect(list["left_out"] == 1)
    #expect(list["samples"] == 4)
    // Excluding, including again and excluding another one; the rest changed nothing.
    #expect(list["corrections"] == 3)
  }

  @Test("A table of labels is saved whole or not at all, and once")
  func table() throws {
    try world.folder.write("bad.csv", "key,label\n0,sad\n1,sat\n9,sad\n0,happy\n")
    let refused = try world.corrections("add", "--from", "bad.csv", "--in", "faces")
    #expect(refused.status == 2)
    #expect(refused.stderr.contains("bad.csv:4: “faces” has no sample “9”"))
    #expect(refused.stderr.contains("bad.csv:5: 0 is listed twice"))
    try world.folder.write("worse.csv", "key,label\n0,sad\n1,sat\n")
    let unknown = try world.corrections("add", "--from", "worse.csv", "--in", "faces")
    #expect(unknown.stderr.contains("worse.csv:3: “faces” has no class “sat”; did you mean “sad”?"))
    #expect(unknown.stderr.contains("nothing was saved"))
    try world.folder.write(
      "good.csv", "label,key,note\nsad,0,\n\"sad\",1,\"a \"\"b\"\"\"\nneutral,4,\n")
    let saved = try world.corrections("add", "--from", "good.csv", "--in", "faces")
    #expect(
      saved.stdout == """
        2 corrections to 2 samples saved (entries 1 to 2); by anna ($ASSAY_AUTHOR)
        1 line equals the ground truth already

        """)
    #expect(try world.json("show", "faces:1")["note"] == "a \"b\"")
    let again = try world.json("add", "--from", "good.csv", "--in", "faces")
    #expect(again["already"] == 3 && again["saved"] == 0 && again["notes"] == 0)
    #expect(try world.json("ls")["entries"] == 2)
    for (text, told) in [
      ("", "the file is empty"), ("key\n", "key and label"), ("key,lable\n", "“lable”"),
      ("key,label\n1\n", "found 1"), ("key,label\n1,\n", "expected a label, a mask"),
    ] {
      try world.folder.write("odd.csv", text)
      let outcome = try world.corrections("add", "--from", "odd.csv", "--in", "faces")
      #expect(outcome.status == 2)
      #expect(outcome.stderr.contains(told), "\(outcome.stderr)")
    }
  }

  @Test("Lines that equal the ground truth are not corrections; their new notes are saved once")
  func unchangedLines() throws {
    // The label of face 0 is happy, as imported.
    try world.folder.write("same.csv", "key,label\n0,happy\n")
    let same = try world.json("add", "--from", "same.csv", "--in", "faces")
    #expect(same["saved"] == 0 && same["already"] == 1 && same["samples"] == 0)
    let text = try world.corrections("add", "--from", "same.csv", "--in", "faces")
    #expect(text.stdout == "nothing to save\n1 line equals the ground truth already\n")
    try world.folder.write("noted.csv", "key,label,note\n0,happy,checked\n1,sad,\"by ear\"\n")
    let first = try world.corrections("add", "--from", "noted.csv", "--in", "faces")
    #expect(
      first.stdout.hasPrefix("1 correction to 1 sample and 1 note saved (entries 1 to 2)"))
    #expect(try world.json("show", "faces:0")["note"] == "checked")
    for _ in 1...2 {
      let again = try world.json("add", "--from", "noted.csv", "--in", "faces")
      #expect(again["saved"] == 0 && again["notes"] == 0 && again["already"] == 2)
    }
    #expect(try world.json("ls")["entries"] == 2)
    #expect(try world.json("ls")["corrections"] == 1)
  }

  @Test("The same file of masks with notes again saves nothing, also for a sample that is left out")
  func repeatedMasks() throws {
    try world.mask("m/car.png", "......", "..##..", "......", "......", inside: 1)
    try world.folder.write("m/list.csv", "key,mask,category,note\na.png,car.png,car,round\n")
    let first = try world.json("add", "--from", "m/list.csv", "--in", "street")
    #expect(first["saved"] == 1)
    try world.corrections("add", "--sample", "street:a.png", "--reject", "blurred")
    let again = try world.json("add", "--from", "m/list.csv", "--in", "street")
    #expect(again["saved"] == 0 && again["notes"] == 0 && again["already"] == 1)
  }

  @Test("A table of masks reads files next to it, with several classes per sample")
  func masks() throws {
    try world.mask("m/car.png", "......", "..##..", "......", "......", inside: 1)
    try world.mask("m/road.png", "......", "......", "......", "######")
    try world.folder.write(
      "m/list.csv",
      "key,mask,category\na.png,car.png,car\na.png,road.png,road\nsub dir/b:c.png,road.png,road\n")
    let saved = try world.json("add", "--from", "m/list.csv", "--in", "street")
    #expect(saved["saved"] == 3 && saved["samples"] == 2 && saved["conflicts"] == 0)
    let changes = try world.json("show", "street:a.png")["changes"]?["regions"]?.elements
    #expect(changes?.map { $0["added"] } == [2, 6])
  }
}
