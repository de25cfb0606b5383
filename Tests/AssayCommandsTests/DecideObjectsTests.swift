import AssayCore
import AssayTestSupport
import Foundation
import Testing

/// Decisions on sets of labels and on objects.
@Suite("assay decide for sets of labels and objects")
struct DecideObjectsTests {
  private func check(_ outcome: Program.Outcome) throws {
    try #require(outcome.status == 0, "\(outcome.stderr)")
  }

  /// The parts of a table of numbers after its header.
  private func table(_ name: String) throws -> [String: [String]] {
    let text = try String(contentsOfFile: GoldenFile.data + "/" + name, encoding: .utf8)
    let rows = text.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",").map(String.init)
    }
    return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], Array($0.dropFirst())) })
  }

  @Test("Labels have a threshold each, whose counts are those of the files")
  func labels() throws {
    let program = try Program.withScenes()
    let made = try program.run(
      "decide", "m1", "--where", "key like \"*\"", "--per", "class", "--risk", "0.5", "--out",
      "d.yaml",
      "--json")
    try check(made)
    let json = try made.json()
    #expect(json["task"]?.text == "multilabel" && json["n"]?.whole == 60)
    let truth = try table("scenes/labels.csv")
    let scores = try table("m1.csv")
    let applied = try program.run("decide", "apply", "m1", "--decision", "d.yaml", "--json").json()
    let parts = try #require(applied["classes"]?.elements)
    var chosen = 0
    for (place, rule) in try #require(json["thresholds"]?.elements).enumerated() {
      guard let threshold = rule["threshold"]?.double.map({ Float($0) }) else {
        #expect(rule["reason"]?.text?.isEmpty == false)
        #expect(parts[place]["accepted"]?.whole == 0)
        continue
      }
      chosen += 1
      let accepted = scores.filter { (Float($0.value[place]) ?? 0) >= threshold }
      let errors = accepted.count { truth[$0.key]?[place + 1] == "0" }
      #expect(rule["accepted"]?.whole == accepted.count && rule["errors"]?.whole == errors)
      #expect(parts[place]["accepted"]?.whole == accepted.count)
      #expect(parts[place]["errors"]?.whole == errors)
    }
    #expect(chosen > 0, "\(made.stdout)")
    let one = try program.run("decide", "m1", "--where", "key like \"*\"")
    #expect(one.status == 2 && one.stderr.contains("use --per class"), "\(one)")
    let sets = try program.run(
      "decide", "m1", "--where", "key like \"*\"", "--per", "class", "--method", "conformal")
    #expect(sets.status == 2 && sets.stderr.contains("is for classification"), "\(sets)")
    let (accepted, all) = (
      applied["accepted"]?.double ?? .nan, applied["predictions"]?.double ?? .nan
    )
    let gate = try program.run(
      "gate", "m1", "coverage >= 0.01 and selective_risk <= 1", "--decision", "d.yaml", "--json")
    try check(gate)
    let terms = try #require(try gate.json()["checks"]?.elements)
    #expect(terms[0]["value"]?.double == accepted / all, "\(gate.stdout)")
    #expect(terms[1]["value"]?.double == (applied["errors"]?.double ?? .nan) / accepted)
    let plain = try program.run("evaluate", "m1", "--json").json()
    #expect(plain["coverage"] == .null)
  }

  /// 60 images with a cat each; the detections of odd images are elsewhere at lower scores, and one of
  /// each tenth image is on a crowd.
  private func street() throws -> Program {
    let program = try Program()
    let images = (1...60).map {
      "{\"id\":\($0),\"width\":100,\"height\":100,\"file_name\":\"\($0).png\"}"
    }
    var annotations: [String] = []
    var results: [String] = []
    for id in 1...60 {
      annotations.append(
        "{\"id\":\(id),\"image_id\":\(id),\"category_id\":2,\"bbox\":[10,10,20,20],\"area\":400,\"iscrowd\":0}"
      )
      let isWrong = id % 2 == 1
      results.append(
        "{\"image_id\":\(id),\"category_id\":2,\"bbox\":[10,10,20,20],\"score\":0.9}")
      if isWrong {
        results.append(
          "{\"image_id\":\(id),\"category_id\":2,\"bbox\":[60,60,20,20],\"score\":0.5}")
      }
      if id % 10 == 0 {
        annotations.append(
          "{\"id\":\(100 + id),\"image_id\":\(id),\"category_id\":2,\"bbox\":[50,0,40,40],\"area\":1600,\"iscrowd\":1,\"segmentation\":{\"size\":[100,100],\"counts\":[5000,4000,1000]}}"
        )
        results.append(
          "{\"image_id\":\(id),\"category_id\":2,\"bbox\":[55,5,20,20],\"score\":0.7}")
      }
    }
    try program.folder.write(
      "truth.json",
      """
      {"images":[\(images.joined(separator: ","))],"annotations":[\(annotations.joined(separator: ","))],
      "categories":[{"id":9,"name":"dog"},{"id":2,"name":"cat"}]}
      """)
    try program.folder.write("results.json", "[\(results.joined(separator: ","))]")
    try check(program.run("import", "truth.json:coco", "--name", "set"))
    try check(
      program.run("predictions", "import", "results.json", "--name", "r", "--in", "set"))
    return program
  }

  @Test("Detections are right if they match an object; those of crowds are left out")
  func objects() throws {
    let program = try street()
    let arguments = ["decide", "r", "--where", "width > 0", "--per", "class", "--out", "d.yaml"]
    let made = try program.run(arguments + ["--json"])
    try check(made)
    let json = try made.json()
    let rules = try #require(json["thresholds"]?.elements)
    let cat = try #require(rules.first { $0["class"]?.text == "cat" })
    // 60 are right at 0.9, 30 wrong at 0.5; below 0.5 the risk is 1/3.
    #expect(cat["n"]?.whole == 90 && cat["accepted"]?.whole == 60 && cat["errors"]?.whole == 0)
    #expect(cat["threshold"]?.double == 0.51)
    let notes = json["notes"]?.elements?.compactMap(\.text).joined(separator: "; ") ?? ""
    #expect(notes.contains("left out: 6 detections of crowds"), "\(notes)")
    #expect(json["promise"]?.text?.contains("taken as independent") == true)
    let applied = try program.run("decide", "apply", "r", "--decision", "d.yaml", "--json").json()
    #expect(applied["accepted"]?.whole == 60 && applied["errors"]?.whole == 0)
    #expect(applied["n"]?.whole == 60)
    let gate = try program.run(
      "gate", "r", "coverage >= 0.5 and selective_risk <= 0", "--decision", "d.yaml", "--json")
    try check(gate)
    let terms = try #require(try gate.json()["checks"]?.elements)
    #expect(terms[0]["value"]?.double == 60.0 / 90 && terms[1]["value"]?.double == 0)
    let one = try program.run("decide", "r", "--where", "width > 0")
    #expect(one.status == 2 && one.stderr.contains("use --per class"), "\(one)")
  }
}
