import AssayCore
import AssayTestSupport
import Foundation
import Testing

/// Decisions from the command line: made on the validation split, checked on the test split.
@Suite("assay decide")
struct DecideCommandTests {
  /// A sample and its prediction.
  private struct Row {
    var truth: Int
    var scores: [Double]
    var isValidation: Bool
    var predicted: Int { scores.indices.max { scores[$0] < scores[$1] } ?? 0 }
  }

  /// The classes of FER-2013; the last one is hardly ever predicted.
  private static let names = ["angry", "disgust", "fear", "happy", "sad", "surprise", "neutral"]

  /// 1,000 samples, half of them of each split, with calibrated predictions.
  private static let rows: [Row] = {
    var random = SplitMix64(seed: 11)
    func unit() -> Double { Double(random.next() >> 11) * 0x1p-53 }
    return (0..<1_000).map { index in
      let predicted = index % 83 == 0 ? 6 : [0, 3, 4, 5][Int(unit() * 4)]
      let confidence = 0.5 + 0.49 * unit().squareRoot()
      let truth = unit() < confidence ? predicted : (predicted + 1) % 6
      let rest = (1 - confidence) / 6
      let scores = (0..<7).map { $0 == predicted ? confidence : rest }
      return Row(truth: truth, scores: scores, isValidation: index % 2 == 0)
    }
  }()

  private static func predictions(_ classes: [String] = names) -> String {
    (["sample," + classes.joined(separator: ",")]
      + rows.enumerated().map { index, row in
        "\(index)," + row.scores.map { "\($0)" }.joined(separator: ",")
      }).joined(separator: "\n") + "\n"
  }

  private func world() throws -> Program {
    let program = try Program()
    let lines = Self.rows.enumerated().map { index, row in
      "\(row.truth),\(index % 251) 2 3 4,\(row.isValidation ? "PublicTest" : "PrivateTest")"
    }
    try program.folder.write(
      "faces.csv", (["emotion,pixels,Usage"] + lines).joined(separator: "\n") + "\n")
    try program.folder.write("r1.csv", Self.predictions())
    try check(program.run("import", "faces.csv", "--name", "faces"))
    try check(program.run("predictions", "import", "r1.csv", "--name", "r1", "--in", "faces"))
    return program
  }

  private func check(_ outcome: Program.Outcome) throws {
    try #require(outcome.status == 0, "\(outcome.stderr)")
  }

  /// The thresholds of an output, by class.
  private func thresholds(_ json: JSONValue) throws -> [String: Float?] {
    var found: [String: Float?] = [:]
    for rule in try #require(json["thresholds"]?.elements) {
      found.updateValue(
        rule["threshold"]?.double.map { Float($0) }, forKey: rule["class"]?.text ?? "")
    }
    return found
  }

  /// The numbers of accepted predictions and of errors among them, counted here.
  private func accepted(
    _ rows: [Row], _ threshold: (Int) -> Float?
  ) -> (count: Int, errors: Int) {
    let accepted = rows.filter { row in
      threshold(row.predicted).map { Float(row.scores[row.predicted]) >= $0 } ?? false
    }
    return (accepted.count, accepted.count { $0.truth != $0.predicted })
  }

  @Test("One threshold: what is promised on val is counted on test, in evaluate and gate alike")
  func one() throws {
    let program = try world()
    let made = try program.run("decide", "r1", "--risk", "0.2", "--out", "d.yaml", "--json")
    try check(made)
    let json = try made.json()
    #expect(json["n"]?.whole == 500)
    #expect(json["where"]?.text == "split = val")
    let threshold = try #require(try thresholds(json)[""]?.flatMap(\.self))
    let rule = try #require(json["thresholds"]?.elements?.first)
    let own = accepted(Self.rows.filter(\.isValidation)) { _ in threshold }
    #expect(rule["accepted"]?.whole == own.count && rule["errors"]?.whole == own.errors)
    #expect(own.count > 100)
    #expect(try #require(rule["upper"]?.double) <= 0.2)

    let other = accepted(Self.rows.filter { !$0.isValidation }) { _ in threshold }
    let applied = try program.run(
      "decide", "apply", "r1", "--decision", "d.yaml", "--where", "split = test", "--json")
    try check(applied)
    let result = try applied.json()
    #expect(result["accepted"]?.whole == other.count && result["errors"]?.whole == other.errors)
    #expect(result["predictions"]?.whole == 500)
    let risk = Double(other.errors) / Double(other.count)
    #expect(result["selective_risk"]?.double == risk)
    let ends = try #require(result["interval"]?.elements)
    let interval = ends.compactMap(\.double)
    #expect(interval[0] < risk && risk < interval[1] && interval[0] <= 0.2)

    let expression = "coverage >= 0.2 and selective_risk <= 0.25"
    let gate = try program.run(
      "gate", "r1", expression, "--decision", "d.yaml", "--where", "split = test", "--json")
    #expect(gate.status == 0, "\(gate)")
    let checks = try #require(try gate.json()["checks"]?.elements)
    #expect(checks[0]["value"]?.double == Double(other.count) / 500)
    #expect(checks[1]["value"]?.double == risk)
    let failed = try program.run(
      "gate", "r1", "selective_risk <= 0.001", "--decision", "d.yaml", "--where", "split = test")
    #expect(failed.status == 1)
    let undefined = try program.run("gate", "r1", "coverage >= 0.2")
    #expect(undefined.status == 1 && undefined.stdout.contains("decision file"), "\(undefined)")
  }

  @Test(
    "A threshold per class: a class with too few predictions is never accepted, with the numbers")
  func perClass() throws {
    let program = try world()
    let arguments = ["decide", "r1", "--risk", "0.3", "--per", "class", "--out", "d.yaml"]
    let text = try program.run(arguments)
    try check(text)
    let few = Self.rows.count { $0.isValidation && $0.predicted == 6 }
    // ⌈ln(0.05 / 6 / 7) / ln(0.7)⌉ = 19
    #expect(
      text.stdout.replacing("\n", with: " ").contains(
        "neutral is never accepted: \(few) predictions; at least 19 without error are needed"),
      "\(text.stdout)")
    let json = try program.run(arguments + ["--json"]).json()
    let found = try thresholds(json)
    #expect(Set(found.keys) == Set(Self.names))
    #expect(found["neutral"] == .some(nil))
    let applied = try program.run(
      "decide", "apply", "r1", "--decision", "d.yaml", "--where", "split = test", "--json"
    ).json()
    let tests = Self.rows.filter { !$0.isValidation }
    let parts = try #require(applied["classes"]?.elements)
    for (place, part) in parts.enumerated() {
      let name = Self.names[place]
      #expect(part["class"]?.text == name)
      let own = accepted(tests.filter { $0.predicted == place }) { _ in found[name] ?? nil }
      #expect(part["accepted"]?.whole == own.count && part["errors"]?.whole == own.errors)
    }
    let whole = accepted(tests) { found[Self.names[$0]] ?? nil }
    #expect(applied["accepted"]?.whole == whole.count)
    let human = try program.run(
      "decide", "apply", "r1", "--decision", "d.yaml", "--where", "split = test")
    #expect(human.stdout.contains("never") == false && human.stdout.contains("neutral"))
    let same = try program.run(
      "decide", "apply", "r1", "--decision", "d.yaml", "--where", "split = val")
    #expect(same.stdout.contains("500 samples are among those that the decision"), "\(same.stdout)")
    #expect(!human.stdout.contains("was made on"), "\(human.stdout)")
    let gate = try program.run("gate", "r1", "coverage > 0", "--decision", "d.yaml", "--json")
    #expect(gate.stdout.contains("500 samples are among those"), "\(gate)")
  }

  @Test("Prediction sets: the coverage of the sets, per class too")
  func conformal() throws {
    let program = try world()
    let arguments = ["--method", "conformal", "--risk", "0.1", "--out", "c.yaml", "--json"]
    let made = try program.run(["decide", "r1"] + arguments)
    try check(made)
    let threshold = try #require(try thresholds(made.json())[""]?.flatMap(\.self))
    let own = Self.rows.filter(\.isValidation).map { Float($0.scores[$0.truth]) }.sorted(by: >)
    // The ⌈501 · 0.9⌉-th of 500.
    #expect(threshold == own[450])
    let applied = try program.run(
      "decide", "apply", "r1", "--decision", "c.yaml", "--where", "split = test", "--json"
    ).json()
    let tests = Self.rows.filter { !$0.isValidation }
    let covered = tests.count { Float($0.scores[$0.truth]) >= threshold }
    #expect(applied["errors"]?.whole == 500 - covered)
    let members = tests.reduce(0) { $0 + $1.scores.count { Float($0) >= threshold } }
    #expect(applied["mean_set_size"]?.double == Double(members) / 500)

    let mondrian = try program.run(["decide", "r1", "--per", "class"] + arguments).json()
    let rules = try #require(mondrian["thresholds"]?.elements)
    #expect(rules[6]["reason"]?.text?.contains("every set has this class") == true, "\(rules[6])")
    #expect(rules[6]["threshold"]?.double == 0)
    let gate = try program.run("gate", "r1", "coverage >= 0.1", "--decision", "c.yaml")
    #expect(gate.status == 2 && gate.stderr.contains("prediction sets"))
  }

  @Test("Wrong arguments and files of others are refused with the reason")
  func refusals() throws {
    let program = try world()
    let cases: [([String], Int32, String)] = [
      (["decide", "r1", "--risk", "0"], 64, "--risk is 0.0"),
      (["decide", "r1", "--confidence", "1"], 64, "--confidence is 1.0"),
      (["decide", "r1", "--method", "conformal", "--confidence", "0.9"], 64, "marginal coverage"),
      (["decide", "r1", "--split", "val", "--where", "true"], 64, "not both"),
      (["decide", "r1", "--split", "train"], 2, "has no split “train”"),
      (["decide", "apply", "r1"], 2, "without a decision"),
      (["decide", "apply", "r1", "--decision", "none.yaml"], 2, "none.yaml"),
      (["decide", "apply", "r1", "--decision", "r1.csv"], 2, "r1.csv"),
    ]
    for (arguments, status, message) in cases {
      let outcome = try program.run(arguments)
      #expect(outcome.status == status, "\(arguments) \(outcome)")
      #expect(outcome.stderr.contains(message), "\(arguments) \(outcome.stderr)")
    }
    try check(program.run("decide", "r1", "--risk", "0.2", "--out", "d.yaml"))
    let text = try program.folder.read("d.yaml")
    try program.folder.write(
      "model.yaml",
      text.replacing(
        "settings:",
        with: "model: other\nmodel-hash: \(String(repeating: "ab", count: 32))\nsettings:"))
    let other = try program.run("decide", "apply", "r1", "--decision", "model.yaml")
    #expect(other.status == 2 && other.stderr.contains("the model other (SHA-256 abab"), "\(other)")
    #expect(other.stderr.contains("imported predictions"))
    try program.folder.write("classes.yaml", text.replacing("\"neutral\"", with: "\"calm\""))
    let classes = try program.run("gate", "r1", "coverage >= 0", "--decision", "classes.yaml")
    #expect(classes.status == 2 && classes.stderr.contains("only in the file: calm"), "\(classes)")
    let unused = try program.run("gate", "r1", "accuracy >= 0", "--decision", "d.yaml")
    #expect(unused.status == 2 && unused.stderr.contains("does not use coverage"), "\(unused)")
    try program.folder.write("mine.txt", "mine")
    let kept = try program.run("decide", "r1", "--risk", "0.2", "--out", "mine.txt")
    #expect(kept.status == 2, "\(kept)")
    #expect(try program.folder.read("mine.txt") == "mine")
  }

  @Test("A model's run keeps its decision, and another model refuses it", .openVINO)
  func predict() throws {
    let program = try Program()
    let rows = (0..<120).map { index in
      let isBright = index % 2 == 0
      return "\(isBright ? "bright" : "dark"),\(isBright ? 200 : 10) 9 80 \(index)"
    }
    try program.folder.write("squares.csv", (["label,pixels"] + rows).joined(separator: "\n"))
    try program.folder.write("m.yaml", ModelCommandTests.manifest)
    try check(program.run("import", "squares.csv:pixel-csv", "--name", "squares"))
    let model = ModelCommandTests.models + "/tiny.onnx"
    try check(program.run("model", "add", model, "--manifest", "m.yaml", "--name", "t"))
    try check(program.run("predict", "squares", "--model", "t", "--name", "r1"))
    let accuracy = try #require(
      try program.run("evaluate", "r1", "--json").json()["accuracy"]?.double)
    let risk = "\(min(0.9, 1 - accuracy + 0.2))"
    try check(
      program.run("decide", "r1", "--where", "width > 0", "--risk", risk, "--out", "d.yaml"))
    let predict = ["predict", "squares", "--model", "t", "--decision", "d.yaml", "--name", "r2"]
    try check(program.run(predict))
    #expect(try program.run(predict + ["--json"]).json()["status"]?.text == "already_done")
    let evaluated = try program.run("evaluate", "r2", "--json").json()
    let applied = try program.run("decide", "apply", "r2", "--json").json()
    let coverage = try #require(evaluated["coverage"]?.double)
    #expect(coverage > 0 && applied["coverage"]?.double == coverage)
    #expect(applied["selective_risk"] == evaluated["selective_risk"])
    #expect(
      evaluated["notes"]?.elements?.contains { $0.text?.contains("decision from r1") == true }
        == true)
    let text = try program.run("evaluate", "r2")
    #expect(text.stdout.contains("coverage") && text.stdout.contains("selective_risk"))
    #expect(try program.run("gate", "r2", "coverage > 0").status == 0)
    func found(_ expression: String) throws -> Int? {
      try program.run("query", expression, "--in", "squares", "--json").json()["count"]?.whole
    }
    let accepted = try found("run(r2).accepted = true")
    #expect(accepted == applied["accepted"]?.whole)
    #expect(try found("run(r2).accepted = false") == accepted.map { 120 - $0 })
    #expect(
      try found("run(r2).accepted = true and run(r2).correct = false") == applied["errors"]?.whole)
    let without = try program.run("query", "run(r1).accepted = true", "--in", "squares")
    #expect(without.status == 2 && without.stderr.contains("without a decision"), "\(without)")
    #expect(try program.run("evaluate", "r1", "--json").json()["coverage"] == .null)

    let flipped = try program.run(
      "predict", "squares", "--model", "t", "--decision", "d.yaml", "--name", "r3", "--flip")
    #expect(flipped.status == 2 && flipped.stderr.contains("other scores"), "\(flipped)")
    let yaml = try program.folder.read("d.yaml")
    let hash = try #require(yaml.firstMatch(of: #/model-hash: ([0-9a-f]{64})/#)?.output.1)
    try program.folder.write(
      "other.yaml", yaml.replacing(hash, with: String(repeating: "0", count: 64)))
    let other = try program.run(
      "predict", "squares", "--model", "t", "--decision", "other.yaml", "--name", "r3")
    #expect(other.status == 2 && other.stderr.contains("its promise does not"), "\(other)")
    #expect(try program.run("ls", "runs").stdout.contains("r3") == false)
  }

  @Test("Unlabeled samples have a coverage and no risk")
  func unlabeled() throws {
    let program = try world()
    try check(program.run("decide", "r1", "--risk", "0.2", "--out", "d.yaml"))
    try program.folder.write(
      "plain.csv",
      (["pixels"] + (0..<200).map { "\($0) 2 3 4" }).joined(separator: "\n") + "\n")
    try check(program.run("import", "plain.csv:pixel-csv", "--name", "plain"))
    let lines = Self.predictions().split(separator: "\n").prefix(201)
    try program.folder.write("r2.csv", lines.joined(separator: "\n") + "\n")
    try check(program.run("predictions", "import", "r2.csv", "--name", "r2", "--in", "plain"))
    let applied = try program.run("decide", "apply", "r2", "--decision", "d.yaml", "--json")
    try check(applied)
    let json = try applied.json()
    #expect(json["n"]?.whole == 200 && json["labeled"]?.whole == 0)
    #expect(json["selective_risk"] == .null && json["interval"] == .null)
    #expect(try #require(json["coverage"]?.double) > 0)
    let text = try program.run("decide", "apply", "r2", "--decision", "d.yaml")
    #expect(text.stdout.contains("only the coverage is known"), "\(text.stdout)")
  }
}
