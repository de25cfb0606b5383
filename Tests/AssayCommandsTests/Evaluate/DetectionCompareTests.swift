import AssayCore
import Testing

import AssayCommands

@Suite("assay compare of detectors")
struct DetectionCompareTests {
  /// Two images; cats at 1 and 2, a dog at 3; `old` finds the first cat and detects the second as a
  /// dog, `new` finds the second cat, and the first one with a low score.
  private func world() throws -> Program {
    let program = try Program()
    try program.folder.write(
      "truth.json",
      """
      {"images":[{"id":7,"width":100,"height":100,"file_name":"a.png"},
      {"id":3,"width":100,"height":100,"file_name":"b.png"}],
      "categories":[{"id":9,"name":"dog"},{"id":2,"name":"cat"}],
      "annotations":[
      {"id":1,"image_id":7,"category_id":2,"bbox":[10,10,20,20],"area":400,"iscrowd":0},
      {"id":2,"image_id":7,"category_id":2,"bbox":[60,10,20,20],"area":400,"iscrowd":0},
      {"id":3,"image_id":7,"category_id":9,"bbox":[10,60,20,20],"area":400,"iscrowd":0}]}
      """)
    try program.folder.write(
      "old.json",
      """
      [{"image_id":7,"category_id":2,"bbox":[10,10,20,20],"score":0.9},
      {"image_id":7,"category_id":9,"bbox":[60,10,20,20],"score":0.8}]
      """)
    try program.folder.write(
      "new.json",
      """
      [{"image_id":7,"category_id":2,"bbox":[10,10,20,20],"score":0.1},
      {"image_id":7,"category_id":2,"bbox":[60,10,20,20],"score":0.7},
      {"image_id":3,"category_id":9,"bbox":[40,40,20,20],"score":0.5}]
      """)
    for arguments in [
      ["import", "truth.json:coco", "--name", "set"],
      ["predictions", "import", "old.json", "--name", "old", "--in", "set"],
      ["predictions", "import", "new.json", "--name", "new", "--in", "set"],
    ] {
      let outcome = try program.run(arguments)
      #expect(outcome.status == 0, "\(arguments): \(outcome.stderr)")
    }
    return program
  }

  @Test("Text: AP, regressions and improvements, ΔAP50 per error type, and the classes")
  func text() throws {
    let program = try world()
    let outcome = try program.run("compare", "old", "new")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.hasPrefix("old → new on 2 images, boxes\nAP "))
    #expect(
      outcome.stdout.contains(
        "of 3 objects (IoU 0.5, score ≥ 0.3) regressions 1, improvements 1, found by both 0, "))
    // The cats: 51 of 101 recalls, then all.
    #expect(outcome.stdout.contains("cat    2  0.505  1.000  +0.495"), "\(outcome.stdout)")
    #expect(outcome.stdout.contains("regressions  annotation  class  A           B"))
    #expect(outcome.stdout.contains("a.png                 1  cat    found 0.90  score 0.10"))
    #expect(outcome.stdout.contains("a.png                  2  cat    dog 0.80  found 0.70"))
    let narrow = try program.run(["compare", "old", "new"], environment: ["COLUMNS": "60"])
    for line in narrow.stdout.split(separator: "\n") { #expect(line.count <= 60, "\(line)") }
  }

  @Test("The numbers are written on request; images that are missing are left out")
  func files() throws {
    let program = try world()
    let outcome = try program.run("compare", "old", "new", "--out", "diff")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let written = try JSONValue(parsing: program.folder.read("diff/compare.json"))
    #expect(written["task"]?.text == "detection")
    #expect(written["regressions"]?.elements?.first?["source_id"]?.double == 1)
    let json = try program.run("compare", "old", "new", "--json", "--iou", "0.75").json()
    #expect(json["working"]?["iou"]?.double == 0.75)
    #expect(json["files"]?.elements?.isEmpty == true)
    #expect(!program.folder.has("diff/regressions.png"))
  }

  @Test("Evaluations with different settings are not compared")
  func otherwise() throws {
    let program = try world()
    for arguments in [
      ["evaluate", "old", "--iou", "0.75", "--as", "strict"], ["evaluate", "new", "--as", "x"],
    ] {
      let outcome = try program.run(arguments)
      #expect(outcome.status == 0, "\(arguments): \(outcome.stderr)")
    }
    let outcome = try program.run("compare", "old@strict", "new@x")
    #expect(outcome.status == 2)
    #expect(outcome.stderr.contains("were evaluated differently (--iou 0.75 and 0.5)"))
    let both = try program.run("compare", "old@strict", "new")
    #expect(both.status == 0, "\(both.stderr)")
    #expect(both.stdout.contains("note: new is evaluated with the settings of old@strict"))
  }
}
