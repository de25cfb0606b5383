import AssayCore
import Foundation
import Testing

@Suite("Thresholds of classes on the command line")
struct MultiLabelThresholdTests {
  private static let data = GoldenFile.data
  private static let anna = ["ASSAY_AUTHOR": "anna"]

  private static func numbers(_ json: JSONValue?) -> [Double?] {
    json?.elements?.map(\.double) ?? []
  }

  @Test("Thresholds of a file are evaluated, kept, and read by compare, gate and report")
  func file() throws {
    let program = try Program.withScenes()
    try program.folder.write("t.csv", "class,threshold\nsky,0.7\nwater,0.3\n")
    let made = try program.run("evaluate", "m1", "--thresholds", "t.csv", "--json")
    try #require(made.status == 0, "\(made.stderr)")
    let json = try made.json()
    let classes = json["classes"]?.elements?.compactMap(\.text) ?? []
    let expected = classes.map { ["sky": 0.7, "water": 0.3][$0] ?? 0.5 }
    #expect(Self.numbers(json["thresholds"]) == expected)
    let name = try #require(json["evaluation"]?.text ?? json["name"]?.text)
    #expect(name.hasPrefix("thresholds-"), "\(name)")

    // Each class has the same values as in an evaluation that uses its threshold for all classes.
    for (place, threshold) in expected.enumerated() {
      let single = try program.run("evaluate", "m1", "--threshold", "\(threshold)", "--json").json()
      for key in ["precision", "recall", "f1"] {
        #expect(Self.numbers(json[key])[place] == Self.numbers(single[key])[place])
      }
    }
    let kept = try program.run("evaluate", "m1@\(name)", "--json").json()
    for key in ["micro_f1", "thresholds", "counts", "subset_accuracy"] {
      #expect(kept[key] == json[key], "\(key)")
    }
    let f1 = try #require(json["micro_f1"]?.double)
    let gate = try program.run("gate", "m1@\(name)", "micro_f1 >= \(f1) and micro_f1 <= \(f1)")
    #expect(gate.status == 0 && gate.stdout.contains("thresholds of m1@\(name)"), "\(gate.stdout)")
    let compared = try program.run("compare", "m1", "m1@\(name)", "--json").json()
    #expect(Self.numbers(compared["thresholds"]?["a"]) == classes.map { _ in 0.5 })
    #expect(Self.numbers(compared["thresholds"]?["b"]) == expected)
    #expect(compared["more_wrong"]?.elements != nil && compared["regressions"] == nil)
    let text = try program.run("compare", "m1", "m1@\(name)").stdout
    #expect(text.contains("thresholds: A 0.5, B one per class (t.csv)"), "\(text)")
    let report = try program.run("report", "m1@\(name)", "--out", "o")
    try #require(report.status == 0, "\(report.stderr)")
    let page = try String(contentsOfFile: program.folder.path + "/o/report.html", encoding: .utf8)
    #expect(page.contains("from t.csv"))

    try program.folder.write("wrong.csv", "class,threshold\nskye,0.7\n")
    let wrong = try program.run("evaluate", "m1", "--thresholds", "wrong.csv")
    #expect(wrong.status == 2 && wrong.stderr.contains("did you mean “sky”"), "\(wrong.stderr)")
    try program.folder.write("high.csv", "class,threshold\nsky,1.7\n")
    let high = try program.run("evaluate", "m1", "--thresholds", "high.csv")
    #expect(high.status == 2 && high.stderr.contains("high.csv:2"), "\(high.stderr)")
  }

  @Test("The best thresholds of one split are used on the other; samples in both are said")
  func best() throws {
    let program = try Program.withScenes()
    let chosen = try program.run(
      "evaluate", "m1", "--where", "split = train", "--as", "train", "--json")
    try #require(chosen.status == 0, "\(chosen.stderr)")
    let best = Self.numbers(try chosen.json()["best_threshold"]).map { $0 ?? 0.5 }
    let other = try program.run(
      "evaluate", "m1", "--where", "split != train", "--thresholds-from", "m1@train", "--json"
    ).json()
    #expect(Self.numbers(other["thresholds"]) == best)
    func notes(_ json: JSONValue) -> String {
      (json["notes"]?.elements?.compactMap(\.text) ?? []).joined(separator: "\n")
    }
    #expect(!notes(other).contains("chosen: the scores"))
    let same = try program.run("evaluate", "m1", "--thresholds-from", "m1@train", "--json").json()
    #expect(notes(same).contains("also in m1@train"))
    // At their best thresholds the classes have the best F1.
    let again = try program.run(
      "evaluate", "m1", "--where", "split = train", "--thresholds-from", "m1@train", "--json"
    ).json()
    let (found, wanted) = (Self.numbers(again["f1"]), try Self.numbers(chosen.json()["best_f1"]))
    #expect(found.count == wanted.count && wanted.contains { $0 != nil })
    for (found, wanted) in zip(found, wanted) where wanted != nil { #expect(found == wanted) }
  }

  @Test("Query sheets, review and takes use the thresholds of the named evaluation")
  func others() throws {
    let program = try Program.withScenes()
    for threshold in ["0.3", "0.9"] {
      try #require(try program.run("evaluate", "m1", "--threshold", threshold).status == 0)
    }
    func sheet(_ run: String) throws -> Data {
      let name = run.replacing("@", with: "-") + ".png"
      let outcome = try program.run(
        "query", "--in", "scenes", "--run", run, "--show", name, "--limit", "12")
      try #require(outcome.status == 0, "\(outcome.stderr)")
      return try Data(contentsOf: URL(fileURLWithPath: program.folder.path + "/" + name))
    }
    #expect(try sheet("m1") != sheet("m1@threshold-0.3"))
    func first(_ run: String) throws -> [String] {
      let outcome = try program.run(
        "review", run, "--order", "uncertainty", "--list", "--json", environment: Self.anna)
      try #require(outcome.status == 0, "\(outcome.stderr)")
      return try outcome.json()["samples"]?.elements?.compactMap { $0["key"]?.text }
        ?? outcome.json()["items"]?.elements?.compactMap { $0["key"]?.text } ?? []
    }
    let (usual, high) = (try first("m1"), try first("m1@threshold-0.9"))
    #expect(!usual.isEmpty && usual != high)
  }
}
