import AssayCore
import AssayTestSupport
import Foundation
import Testing

import AssayCommands

@Suite("assay evaluate")
struct EvaluateCommandTests {
  private static let fixtures = PackageFolder.fixture("metrics/evaluate").path

  @Test("Text: the answer first, then classes, scores, and where the details are")
  func text() throws {
    let world = try EvaluateWorld()
    let outcome = try world.run("evaluate", "r1", "--no-intervals")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(
      outcome.stdout.hasPrefix(
        """
        r1 (on faces)
        accuracy 0.750, n = 8
        baseline 0.375: always “happy”

        class  n  precision  recall     F1
        angry  2      0.500   0.500  0.500
        happy  3      0.750   1.000  0.857
        sad    3      1.000   0.667  0.800

        score
        """.split(separator: "score\n")[0]), "\(outcome.stdout)")
    #expect(outcome.stdout.contains("stored as r1@default\n"))
    #expect(outcome.stderr.isEmpty)
  }

  @Test("An evaluation of a part says so, and leads to its own report")
  func part() throws {
    let world = try EvaluateWorld()
    let text = try world.run(
      "evaluate", "r1", "--no-intervals", "--where", "label = happy", "--as", "h", "--by", "split"
    ).stdout
    #expect(text.hasPrefix("r1@h (on faces where label = happy)\n"), "\(text)")
    #expect(text.hasSuffix("assay report r1@h --out DIR\n"))
    #expect(!text.contains("95 %"))
  }

  @Test("Slices by class have no macro F1, for they hold one true class; others have it")
  func slices() throws {
    let world = try EvaluateWorld()
    let byClass = try world.run("evaluate", "r1", "--by", "category", "--no-intervals").stdout
    #expect(byClass.contains("\ncategory  n  accuracy\n"), "\(byClass)")
    let bySplit = try world.run("evaluate", "r1", "--by", "split", "--no-intervals").stdout
    #expect(bySplit.contains("accuracy  macro F1\n"), "\(bySplit)")
  }

  @Test("Intervals stand in brackets behind their number")
  func intervals() throws {
    let world = try EvaluateWorld()
    let text = try world.run("evaluate", "r1").stdout
    // Wilson for 6 of 8.
    #expect(text.contains("accuracy 0.750 [0.409, 0.929], n = 8"))
    #expect(text.contains("note: no CI for pooled metrics below 50 samples (8)"))
  }

  @Test("No line is longer than a narrow terminal", arguments: [60, 80])
  func width(_ columns: Int) throws {
    let world = try EvaluateWorld()
    let outcome = try world.program.run(
      [
        "evaluate", "--gt", Self.fixtures + "/faces.truth.csv", "--dt",
        Self.fixtures + "/faces.scores.csv", "--intervals", "--accept", "0.3",
      ], environment: ["COLUMNS": "\(columns)"])
    for line in outcome.stdout.split(separator: "\n") {
      #expect(line.count <= columns, "\(line)")
    }
  }

  @Test("JSON has plain numbers under their keys, and what is kept gives them again")
  func json() throws {
    let world = try EvaluateWorld()
    let outcome = try world.run(
      "evaluate", "r1", "--json", "--accept", "0.55", "--margin", "0.2", "--by", "split")
    let json = try outcome.json()
    #expect(json["run"]?.text == "r1")
    #expect(json["evaluation"]?.text == "default")
    #expect(json["n"]?.double == 8)
    #expect(json["classes"] == ["angry", "happy", "sad"])
    #expect(json["confusion"] == [[1, 1, 0], [0, 3, 0], [1, 0, 2]])
    #expect(json["accuracy"]?.double == 0.75)
    #expect(json["baseline_class"]?.text == "happy")
    #expect(json["support"] == [2, 3, 3])
    // Confidences of at least 0.55: samples 1, 2, 4, 6, 7, all right.
    #expect(json["answered"]?.double == 0.625)
    #expect(json["answered_accuracy"]?.double == 1)
    #expect(json["intervals"]?["accuracy"]?.elements?.count == 2)
    #expect(json["intervals"]?["kappa"] == .null)
    let slices = try #require(json["slices"]?.elements)
    #expect(slices.map { $0["value"]?.text } == ["test", "train"])
    #expect(slices.map { $0["accuracy"]?.double } == [0.75, 0.75])

    let kept = try world.run("sql", "SELECT count(*) AS n FROM tally", "--json").json()
    #expect(kept["rows"]?.elements?.first?["n"]?.double == 8)
    let again = try world.run("evaluate", "r1@default", "--json").json()
    #expect(again["accuracy"] == json["accuracy"])
    #expect(again["log_loss"] == json["log_loss"])
  }

  @Test("Evaluations of a run stand side by side under their names")
  func names() throws {
    let world = try EvaluateWorld()
    try world.run("evaluate", "r1")
    let test = try world.run(
      "evaluate", "r1", "--as", "test", "--where", "split = test", "--json"
    ).json()
    #expect(test["evaluation"]?.text == "test")
    #expect(test["n"]?.double == 4)
    let names = try world.run("sql", "SELECT name FROM evaluation ORDER BY id", "--json").json()
    #expect(names["rows"]?.elements?.map { $0["name"]?.text } == ["default", "test"])
    #expect(try world.run("evaluate", "r1@test", "--json").json()["n"]?.double == 4)
  }

  @Test("Files are evaluated without a catalog")
  func files() throws {
    let program = try Program()
    let outcome = try program.run(
      "evaluate", "--gt", Self.fixtures + "/undefined.truth.csv", "--dt",
      Self.fixtures + "/undefined.scores.csv", "--task", "classification", "--json",
      "--zero-division", "0")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let golden = try JSONValue(
      parsing: String(contentsOfFile: Self.fixtures + "/undefined.json", encoding: .utf8))
    let json = try outcome.json()
    for key in ["n", "classes", "confusion", "precision", "recall", "f1", "support", "accuracy"] {
      #expect(json[key] == golden[key], "\(key)")
    }
    #expect(!program.folder.has("assay.db"))
  }

  @Test(
    "An impossible evaluation is a one-sentence error, with status 2",
    arguments: [
      (["evaluate", "r9"], "unknown run “r9”"),
      (["evaluate", "r1@nothing"], "no evaluation “nothing”"),
      (["evaluate", "r1", "--where", "split = "], "^"),
      (["evaluate", "r1", "--where", "width > 100"], "leaves nothing to evaluate"),
      (["evaluate", "r1", "--by", "splat"], "did you mean split?"),
      (["evaluate", "r1", "--as", "a/b"], "invalid name"),
    ])
  func errors(_ arguments: [String], _ message: String) throws {
    let world = try EvaluateWorld()
    let outcome = try world.program.run(arguments + ["--db", world.path])
    #expect(outcome.status == 2, "\(outcome.stdout)")
    #expect(outcome.stderr.contains(message), "\(outcome.stderr)")
    #expect(outcome.stdout.isEmpty)
  }

  @Test(
    "A command line that means nothing is status 64",
    arguments: [
      ["evaluate"], ["evaluate", "r1", "--gt", "a", "--dt", "b"], ["evaluate", "--gt", "a"],
      ["evaluate", "r1", "--accept", "1.5"],
      ["evaluate", "--gt", "a", "--dt", "b", "--where", "split = test"],
    ])
  func usage(_ arguments: [String]) throws {
    #expect(try Program().run(arguments).status == 64)
  }
}
