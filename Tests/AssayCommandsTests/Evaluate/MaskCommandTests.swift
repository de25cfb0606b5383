import AssayCore
import Testing

import AssayCommands

@Suite("assay evaluate, compare and gate of masks")
struct MaskCommandTests {
  @Test("Text: means over samples and pooled, with intervals, then what to do next; 60 columns")
  func text() throws {
    let world = try MaskWorld()
    let outcome = try world.run("evaluate", "m1", columns: 60)
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let text = outcome.stdout
    // All samples have the same score, so that some intervals are points and others are missing.
    #expect(text.hasPrefix("m1 (on set)\nmean_iou 0.333"), "\(text)")
    #expect(text.contains("\nclass “person”, n = 60, defined in 60\n"))
    #expect(text.contains("\nboundary IoU    0.200"))
    #expect(text.contains("stored as m1@default\n"))
    #expect(text.contains("next: assay report m1 --out DIR\n"))
    #expect(text.contains("next: assay query 'run(m1).iou < 0.5' --in set"))
    for line in text.split(separator: "\n") where !line.hasPrefix("next: ") {
      #expect(line.count <= 61, "\(line)")
    }
    let found = try world.run("query", "run(m1).iou < 0.5", "--in", "set", "--count")
    #expect(found.stdout.contains("60"), "\(found.stdout)\(found.stderr)")
  }

  @Test("JSON has the keys that others rely on")
  func json() throws {
    let world = try MaskWorld()
    let json = try world.run("evaluate", "m1", "--json").json()
    #expect(json["mean_iou"]?.double == 8.0 / 24)
    #expect(json["mean_dice"]?.double == 0.5)
    #expect(json["iou"]?.double == 8.0 / 24)
    #expect(json["dice"]?.double == 0.5)
    #expect(json["n"]?.double == 60)
    #expect(json["defined"]?.double == 60)
    #expect(json["evaluation"]?.text == "default")
    #expect(json["intervals"]?["mean_iou"]?.elements?.count == 2)
  }

  @Test("A sweep is drawn, names the best threshold, and equals evaluations one by one")
  func sweep() throws {
    let world = try MaskWorld()
    let swept = try world.run("evaluate", "m1", "--sweep", "threshold=0.4..0.9:0.1", "--json")
      .json()
    let points = try #require(swept["sweep"]?.elements)
    #expect(points.compactMap { $0["threshold"]?.double } == [0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
    for point in points {
      let threshold = try #require(point["threshold"]?.double)
      let alone = try world.run("evaluate", "m1", "--threshold", "\(threshold)", "--json").json()
      for key in ["mean_iou", "mean_dice", "iou", "dice"] {
        #expect(point[key]?.double?.bitPattern == alone[key]?.double?.bitPattern, "\(key)")
      }
    }
    // From 0.6 to 0.8 the pixels next to the person are gone: 8/16. Ties are reported with the
    // lowest threshold.
    #expect(swept["best"]?["threshold"]?.double == 0.6)
    #expect(swept["best"]?["mean_iou"]?.double == 0.5)
    let text = try world.run("evaluate", "m1", "--sweep", "0.4..0.9:0.1").stdout
    #expect(text.contains("0.500      0.667  ▇▇▇▇▇▇▇▇▇▇ best"), "\(text)")
    #expect(text.contains("best threshold 0.6: mean_iou 0.500, chosen on these samples"))
    #expect(try world.run("evaluate", "m1", "--sweep", "0.4").status == 64)
  }

  @Test("A file with one row per sample; no foreign file is overwritten")
  func samples() throws {
    let world = try MaskWorld()
    let outcome = try world.run("evaluate", "m1", "--samples", "s.csv", "--no-boundary")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    // All 60 are defined in the evaluated metrics, and boundaries were not evaluated.
    #expect(!outcome.stdout.contains("defined, of "), "\(outcome.stdout)")
    let lines = try world.program.folder.read("s.csv").split(separator: "\n")
    #expect(lines.count == 61)
    #expect(lines[1].hasPrefix("0.png,0.3333333333333333,0.5,0.5,0.5,"))
    try world.program.folder.write("mine.csv", "mine")
    #expect(try world.run("evaluate", "m1", "--samples", "mine.csv").status == 2)
    #expect(try world.program.folder.read("mine.csv") == "mine")
  }

  @Test("Post-processing makes an evaluation of its own; the default stays")
  func settings() throws {
    let world = try MaskWorld()
    try world.run("evaluate", "m1")
    let cleaned = try world.run(
      "evaluate", "m1", "--threshold", "0.6", "--min-area", "9", "--by", "split")
    #expect(cleaned.stdout.hasPrefix("m1@threshold-0.6_min-area-9 (on set)"))
    #expect(cleaned.stdout.contains("--threshold 0.6 --min-area 9"))
    // The eight remaining pixels are too few.
    #expect(cleaned.stdout.contains("mean_iou 0.000"))
    #expect(cleaned.stdout.contains("train  40"))
    #expect(try world.run("evaluate", "m1@default", "--json").json()["iou"]?.double == 8.0 / 24)
    let changed = try world.run("evaluate", "m1@default", "--open", "1")
    #expect(changed.status == 2)
    #expect(changed.stderr.contains("the masks of m1@default are stored"))
  }

  @Test("Options of labels are refused for masks, and the other way round")
  func otherTask() throws {
    let masks = try MaskWorld().run("evaluate", "m1", "--accept", "0.5")
    #expect(masks.status == 2)
    #expect(masks.stderr.contains("--accept cannot be used with m1, which predicts masks"))
    let labels = try EvaluateWorld().run("evaluate", "r1", "--fill-holes")
    #expect(labels.status == 2)
    #expect(
      labels.stderr.contains("--fill-holes cannot be used with r1, which predicts one label"))
    #expect(try EvaluateWorld().run("evaluate", "r1", "--sweep", "0..1").status == 2)
    #expect(try MaskWorld().run("evaluate", "m1", "--threshold", "1.5").status == 64)
  }

  @Test("Compared: the difference with its interval, the largest gains by key")
  func compare() throws {
    let world = try MaskWorld()
    let outcome = try world.run("compare", "m1", "m2", columns: 60)
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(
      outcome.stdout.hasPrefix("m1 → m2 on 60 samples\nmean_iou 0.333 → 0.667: +0.333 [+0."))
    #expect(outcome.stdout.contains("IoU lower in 0, higher in 30, equal or undefined in 30"))
    #expect(outcome.stdout.contains("improvements (30)"))
    for line in outcome.stdout.split(separator: "\n") { #expect(line.count <= 61, "\(line)") }
    let json = try world.run("compare", "m2", "m1", "--json").json()
    #expect(json["regressions"]?.elements?.count == 30)
    #expect(json["regressions"]?.elements?.first?["key"]?.text == "0.png")
    #expect(json["differences"]?["class_iou"]?.elements?.count == 1)
  }

  @Test("A gate on masks fails with status 1, and rejects an unknown metric with status 2")
  func gate() throws {
    let world = try MaskWorld()
    #expect(try world.run("gate", "m2", "mean_iou >= 0.6").status == 0)
    let failed = try world.run(
      "gate", "m1", "mean_iou >= 0.7 and class_iou(person) >= base - 0.01", "--base", "m2")
    #expect(failed.status == 1)
    #expect(failed.stdout.hasPrefix("failed: m1: 2 of 2 checks failed"))
    #expect(try world.run("gate", "m1", "iou >= 0.5", "--threshold", "0.6").status == 0)
    let unknown = try world.run("gate", "m1", "mean_io >= 0.7")
    #expect(unknown.status == 2)
    #expect(unknown.stderr.contains("mean_iou"))
    let evaluation = try world.run("evaluate", "m2", "--json").stdout
    try world.program.folder.write("base.json", evaluation)
    #expect(try world.run("gate", "m1", "iou >= base", "--base", "base.json").status == 1)
  }

  @Test("A gate refuses a base over part of the samples; compare uses the samples of both alone")
  func otherSamples() throws {
    let world = try MaskWorld()
    let part = try world.run("evaluate", "m2", "--where", "split = val", "--as", "part", "--json")
    try #require(part.status == 0, "\(part.stderr)")
    try world.program.folder.write("part.json", part.stdout)
    let difference = "20 in both, 40 only in m1, 0 only in"
    for base in ["m2@part", "part.json"] {
      let refused = try world.run("gate", "m1", "mean_iou >= base - 1", "--base", base)
      #expect(refused.status == 2 && refused.stdout.isEmpty, "\(refused.stdout)")
      #expect(refused.stderr.contains("\(difference) \(base)"), "\(refused.stderr)")
      let same = try world.run(
        "gate", "m1", "mean_iou >= base - 1", "--base", base, "--where", "split = val")
      #expect(same.status == 0 && !same.stdout.contains("note: "), "\(same.stdout)\(same.stderr)")
    }
    let json = try world.run("gate", "m1", "mean_iou >= base - 1", "--base", "m2@part", "--json")
    #expect(try json.json()["error"]?.text?.contains(difference) == true)
    _ = try world.run("evaluate", "m1", "--where", "split = val", "--as", "part")
    let mixed = try world.run("compare", "m1", "m2@part", "--json").json()
    let shared = try world.run("compare", "m1@part", "m2@part", "--json").json()
    #expect(mixed["n"] == 20)
    #expect(mixed["differences"] != nil && mixed["differences"] == shared["differences"])
  }
}
