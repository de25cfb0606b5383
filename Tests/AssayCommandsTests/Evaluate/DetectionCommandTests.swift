import AssayCore
import Testing

import AssayCommands

@Suite("assay predictions, evaluate and gate of objects")
struct DetectionCommandTests {
  /// Two images; a has two cats and a dog; one cat is found and the other is detected as a dog.
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
      "results.json",
      """
      [{"image_id":7,"category_id":2,"bbox":[10,10,20,20],"score":0.9},
      {"image_id":7,"category_id":9,"bbox":[60,10,20,20],"score":0.8},
      {"image_id":99,"category_id":9,"bbox":[60,10,20,20],"score":0.8},
      {"image_id":7,"category_id":2,"bbox":[10,11,20,20],"score":0.2},
      {"image_id":3,"category_id":2,"bbox":[40,40,20,20],"score":0.25}]
      """)
    let imported = try program.run("import", "truth.json:coco", "--name", "set")
    #expect(imported.status == 0, "\(imported.stderr)")
    return program
  }

  private func withRun() throws -> Program {
    let program = try world()
    let made = try program.run(
      "predictions", "import", "results.json", "--name", "r", "--in", "set")
    #expect(made.status == 0, "\(made.stderr)")
    return program
  }

  @Test("An import reports what it stored, what it left out, and what looks wrong")
  func imported() throws {
    let program = try world()
    let outcome = try program.run(
      "predictions", "import", "results.json", "--name", "r", "--in", "set")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let text = outcome.stdout
    #expect(text.hasPrefix("4 detections of 2 images imported into the run r\n"), "\(text)")
    #expect(text.contains("per image: median 2, max 3; scores 0.2 to 0.9\n"))
    #expect(text.contains("1 result of an unknown image: left out"))
    #expect(text.contains("warning: the lowest score is 0.2"))
    #expect(text.hasSuffix("next: assay evaluate r\n"))
    let json = try program.run(
      "predictions", "import", "results.json", "--name", "r", "--in", "set", "--json"
    ).json()
    #expect(json["imported"] == .bool(false) && json["detections"]?.double == 4)
    #expect(json["health"]?["unknown_images"]?.elements?.map(\.double) == [99])
    let refused = try program.run(
      "predictions", "import", "results.json", "--name", "q", "--in", "set", "--ignore-missing")
    #expect(refused.status != 0)
  }

  @Test("Text: COCO metrics, ΔAP50 per error type, the classes, and the IoU and score they use")
  func text() throws {
    let outcome = try withRun().run("evaluate", "r")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let text = outcome.stdout
    // Cat: 51 of 101 recalls; dog: 0.
    #expect(text.hasPrefix("r (on set)\nAP 0.252, n = 2\n"), "\(text)")
    #expect(text.contains("\n3 objects of 2 classes, 4 detections, overlap of boxes\n"))
    #expect(text.contains("\nAPl        –  0.50…0.95  large"))
    #expect(text.contains("\nclass"))
    #expect(
      text.contains(
        "\nat IoU 0.5 and score ≥ 0.3: precision 0.500, recall 0.333, F1 0.400\n"))
    #expect(text.contains("stored as r@default\n"))
    #expect(text.contains("next: assay report r --out DIR\n"))
    #expect(text.contains("next: assay query 'run(r).false_positives > 0' --in set"))
    // A slice by category consists of images: its AP is not that of the category.
    let parts = try withRun().run("evaluate", "r", "--by", "category")
    #expect(parts.stdout.contains("\nimages with  n "), "\(parts.stdout)")
  }

  @Test("JSON has the keys of the reference and those of the errors; stored, they are the same")
  func json() throws {
    let program = try withRun()
    let outcome = try program.run("evaluate", "r", "--json", "--samples", "rows.csv")
    let json = try outcome.json()
    #expect(json["task"]?.text == "detection" && json["iou_type"]?.text == "bbox")
    #expect(json["stats"]?["APl"] == .null && json["n"]?.double == 2)
    #expect(json["per_category_ap"]?["dog"]?.double == 0)
    #expect(json["classes"]?.elements?.compactMap(\.text) == ["cat", "dog"])
    #expect(json["error_counts"]?["background"]?.double == 1)
    // From 0.3 on: one cat found, one cat detected as dog, one dog missed. Rows ground truth,
    // background last.
    let confusion = json["confusion"]?.elements?.map { $0.elements?.map(\.double) }
    #expect(confusion == [[1, 1, 0], [0, 0, 1], [0, 0, 0]])
    let stored = try program.run("evaluate", "r@default", "--json").json()
    for key in [
      "stats", "per_category_ap", "error_counts", "confusion", "classification_error_cost",
    ] {
      #expect(stored[key] == json[key], "\(key)")
    }
    #expect(try program.folder.read("rows.csv").contains("\na.png,3,2,1,1,2,0.5,"))
  }

  @Test("A catalog's numbers are those of the two files, and an export's those of the import")
  func files() throws {
    let program = try withRun()
    let run = try program.run("evaluate", "r", "--json").json()
    let files = try program.run(
      "evaluate", "--gt", "truth.json", "--dt", "results.json", "--json"
    ).json()
    #expect(files["stats"] == run["stats"] && run["stats"] != nil)
    #expect(files["per_category_ap"] == run["per_category_ap"])
    let exported = try program.run(
      "predictions", "export", "r", "--format", "coco", "--out", "out.json")
    let same = try program.run(
      "export", "r", "--to", "coco-results", "--out", "same.json", "--json")
    #expect(same.status == 0)
    #expect(try same.json()["file"]?.text == "same.json")
    #expect(try program.folder.read("same.json") == program.folder.read("out.json"))
    let refused = try program.run("export", "r", "--to", "coco-results", "--out", "same.json")
    #expect(refused.status == 2 && refused.stderr.contains("--force"), "\(refused.stderr)")
    #expect(exported.stdout == "4 detections (dog, cat) of 2 images written to out.json\n")
    let again = try program.run(
      "evaluate", "--gt", "truth.json", "--dt", "out.json", "--json"
    ).json()
    #expect(again["stats"] == run["stats"])
    let table = try program.run("predictions", "export", "r", "--out", "out.csv")
    #expect(table.status == 2 && table.stderr.contains("--format coco"), "\(table.stderr)")
  }

  @Test("A gate uses COCO's keys; evaluated files serve as the base")
  func gate() throws {
    let program = try withRun()
    let files = try program.run(
      "evaluate", "--gt", "truth.json", "--dt", "results.json", "--json")
    try program.folder.write("base.json", files.stdout)
    let gate = "AP >= base and per_category_ap(cat) > 0.5 and per_category_ap(cat) >= base"
    let passed = try program.run("gate", "r", gate, "--base", "base.json")
    #expect(passed.status == 0, "\(passed.stdout)\(passed.stderr)")
    #expect(passed.stdout.contains("note: the base base.json does not list its samples"))
    #expect(try program.run("gate", "r", "AP50 > 0.9").status == 1)
    let wrong = try program.run("gate", "r", "accuracy > 0.5")
    #expect(wrong.status == 2 && wrong.stderr.contains("AP50"), "\(wrong.stderr)")
    let foreign = try program.run("evaluate", "r", "--accept", "0.5")
    #expect(foreign.status == 2 && foreign.stderr.contains("objects"), "\(foreign.stderr)")
  }

  @Test("A gate refuses a base over part of the images; compare uses the images of both alone")
  func otherImages() throws {
    let program = try withRun()
    let part = try program.run(
      "evaluate", "r", "--where", "key = \"a.png\"", "--as", "part", "--json")
    try #require(part.status == 0, "\(part.stderr)")
    try program.folder.write("part.json", part.stdout)
    let difference = "1 in both, 1 only in r, 0 only in"
    for base in ["r@part", "part.json"] {
      let refused = try program.run("gate", "r", "AP >= base - 1", "--base", base)
      #expect(refused.status == 2 && refused.stdout.isEmpty, "\(refused.stdout)")
      #expect(refused.stderr.contains("\(difference) \(base)"), "\(refused.stderr)")
      let same = try program.run(
        "gate", "r", "AP >= base", "--base", base, "--where", "key = \"a.png\"")
      #expect(same.status == 0 && !same.stdout.contains("note: "), "\(same.stdout)\(same.stderr)")
    }
    let json = try program.run("gate", "r", "AP >= base - 1", "--base", "r@part", "--json")
    #expect(json.status == 2)
    #expect(try json.json()["error"]?.text?.contains(difference) == true)
    let mixed = try program.run("compare", "r", "r@part", "--json").json()
    let shared = try program.run("compare", "r@part", "r@part", "--json").json()
    #expect(mixed["n"] == 1)
    #expect(mixed["differences"] != nil && mixed["differences"] == shared["differences"])
    #expect(mixed["a"]?["scores"] == shared["a"]?["scores"])
  }
}
