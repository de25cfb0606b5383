import AssayCore
import Foundation
import Testing

import AssayCommands

/// Results with the corrected ground truth; the corrections are also made by the program.
@Suite("--corrected in evaluate, compare, gate and report")
struct CorrectedResultsTests {
  /// Eight faces and two runs, with two labels corrected and one face left out.
  ///
  /// r1 is wrong about 0 and 5: with 0 corrected to happy it is right, with 5 corrected to happy it
  /// is still wrong.
  private func world() throws -> EvaluateWorld {
    let world = try EvaluateWorld()
    for arguments in [
      ["--sample", "faces:0", "--label", "happy"], ["--sample", "faces:5", "--label", "happy"],
      ["--sample", "faces:7", "--reject", "two faces"],
    ] {
      let outcome = try world.program.run(
        ["corrections", "add", "--author", "anna", "--db", world.path] + arguments)
      try #require(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    }
    return world
  }

  @Test("Without --corrected the numbers are those of the import, and that is said")
  func notUsed() throws {
    let world = try world()
    let outcome = try world.run("evaluate", "r1", "--no-intervals")
    #expect(outcome.stdout.contains("accuracy 0.750, n = 8"))
    #expect(
      outcome.stderr == "3 corrections exist, not used (--corrected uses them)\n",
      "\(outcome.stderr)")
    let json = try world.run("evaluate", "r1", "--json").json()
    #expect(json["corrections"]?["exist"] == 3 && json["corrections"]?["used"] == false)
    #expect(json["effect"] == nil)
  }

  @Test("With it the evaluation is a separate one, and the corrections' effect is reported")
  func used() throws {
    let world = try world()
    _ = try world.run("evaluate", "r1", "--no-intervals")
    let outcome = try world.run("evaluate", "r1", "--corrected", "--no-intervals")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.hasPrefix("r1@corrected (on faces)\n"), "\(outcome.stdout)")
    // Of the seven in both ground truths, five were right, now six.
    #expect(
      outcome.stdout.contains(
        "these 3 corrections (3 samples of this run) changed accuracy from 0.714 to 0.857; 1 sample left out"
      ), "\(outcome.stdout)")
    #expect(outcome.stdout.contains("stored as r1@corrected\n"))
    #expect(outcome.stdout.contains("left out: 1 sample excluded by users (7)"))
    #expect(
      outcome.stderr == "3 corrections to 3 samples used (entry 3); 1 sample left out\n",
      "\(outcome.stderr)")
    let json = try world.run("evaluate", "r1", "--corrected", "--json").json()
    #expect(json["n"] == 7 && json["effect"]?["left_out"] == ["7"])
    #expect(json["corrections"]?["entry"] == 3 && json["corrections"]?["used"] == true)
    #expect(json["effect"]?["scores"]?["accuracy"]?["before"]?.double != nil)
    // Stored evaluations with either ground truth are kept.
    let imported = try world.run("evaluate", "r1@default", "--json").json()
    #expect(imported["accuracy"]?.double == 0.75 && imported["n"] == 8)
    let kept = try world.run("evaluate", "r1@corrected", "--json").json()
    #expect(kept["accuracy"] == json["accuracy"] && kept["n"] == 7)
  }

  @Test("--at goes by an earlier entry, under a name that says so")
  func at() throws {
    let world = try world()
    let json = try world.run("evaluate", "r1", "--corrected", "--at", "1", "--json").json()
    #expect(json["evaluation"]?.text == "corrected-1" && json["n"] == 8)
    let outcome = try world.run("evaluate", "r1", "--corrected", "--at", "9")
    #expect(outcome.status == 2 && outcome.stderr.contains("entry 9"), "\(outcome.stderr)")
    let usage = try world.run("evaluate", "r1", "--at", "1")
    #expect(usage.status == 64)
  }

  @Test("An evaluation with stored ground truth does not use another one")
  func kept() throws {
    let world = try world()
    _ = try world.run("evaluate", "r1")
    let outcome = try world.run("evaluate", "r1@default", "--corrected")
    #expect(outcome.status == 2)
    #expect(
      outcome.stderr.hasPrefix("error: r1@default is stored with the imported ground truth"),
      "\(outcome.stderr)"
    )
  }

  @Test("Files have no corrections")
  func files() throws {
    let world = try world()
    let outcome = try world.run("evaluate", "--gt", "a.csv", "--dt", "b.csv", "--corrected")
    #expect(outcome.status == 64 && outcome.stderr.contains("--corrected needs a run"))
  }

  @Test("Runs are compared and gated against the corrected ground truth")
  func compareAndGate() throws {
    let world = try world()
    let json = try world.run("compare", "r1", "r2", "--corrected", "--json").json()
    #expect(json["n"] == 7 && json["corrections"]?["used"] == true, "\(json.text())")
    let plain = try world.run("compare", "r1", "r2")
    #expect(plain.stderr.contains("3 corrections exist, not used"))
    let value = try #require(
      try world.run("evaluate", "r1", "--corrected", "--json").json()["accuracy"]?.double)
    let gate = try world.run(
      "gate", "r1", "accuracy = \(value) and accuracy >= base - 1", "--base", "r1@corrected",
      "--corrected")
    #expect(gate.status == 0, "\(gate.stdout)\(gate.stderr)")
    #expect(!gate.stdout.contains("note: "))
    // Sample 7 is left out of the corrected ground truth.
    let mixed = try world.run(
      "gate", "r1", "accuracy >= base - 1", "--base", "r1@corrected", "--json")
    #expect(mixed.status == 2)
    #expect(
      mixed.stderr.contains("7 in both, 1 only in r1, 0 only in r1@corrected"), "\(mixed.stderr)")
    #expect(try mixed.json()["error"]?.text?.contains("different samples") == true)
    let without = try world.run(
      "gate", "r1", "accuracy >= base - 1", "--base", "r1@corrected", "--where", "key != \"7\"")
    #expect(without.status == 0, "\(without.stderr)")
    #expect(
      without.stdout.contains(
        "note: r1 is evaluated against the imported ground truth, the base r1@corrected against"),
      "\(without.stdout)")
    let other = try world.run("compare", "r1@corrected", "r2")
    #expect(
      other.status == 2 && other.stderr.contains("corrected up to entry 3"), "\(other.stderr)")
  }

  @Test("A report states which ground truth it uses, on the page and in its other files")
  func report() throws {
    let world = try world()
    let outcome = try world.run("report", "r1", "--corrected", "--out", "o")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let page = try world.program.folder.read("o/report.html")
    #expect(
      page.contains(
        "Evaluated against the ground truth corrected up to entry 3 of the ledger: 3 corrections"))
    #expect(page.contains("the labels as corrected up to entry 3 of the ledger"))
    #expect(page.contains("1 sample excluded by users (7)"))
    let plain = try world.run("report", "r1", "--out", "p")
    #expect(plain.stdout.contains("note: 3 corrections exist, not used"), "\(plain.stdout)")
    let imported = try world.program.folder.read("p/report.html")
    #expect(imported.contains("the labels as imported") && imported.contains("3 exist, not used"))
    #expect(!imported.contains("Evaluated against the ground truth corrected"))
    _ = try world.run("evaluate", "r1", "--corrected")
    _ = try world.run("report", "r1@corrected", "--out", "q")
    let kept = try world.program.folder.read("q/report.html")
    #expect(kept.contains("stored with the evaluation, corrected up to entry 3 of the ledger"))
    #expect(
      kept.contains("Evaluated against the ground truth corrected up to entry 3 of the ledger"))
  }

  @Test("A catalog without corrections does not mention them")
  func none() throws {
    let world = try EvaluateWorld()
    let outcome = try world.run("evaluate", "r1", "--corrected", "--no-intervals")
    #expect(outcome.status == 0 && outcome.stdout.contains("accuracy 0.750, n = 8"))
    #expect(outcome.stdout.contains("no correction applies to a sample of this run"))
  }
}
