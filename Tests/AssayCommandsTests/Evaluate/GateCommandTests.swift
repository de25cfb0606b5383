import AssayCore
import Testing

import AssayCommands

@Suite("assay gate")
struct GateCommandTests {
  @Test("Bounds that hold are status 0, one that does not is status 1, each with its value")
  func passAndFail() throws {
    let world = try EvaluateWorld()
    let passed = try world.run("gate", "r1", "accuracy >= 0.75 and recall(happy) >= 0.9")
    #expect(passed.status == 0, "\(passed.stderr)")
    #expect(
      passed.stdout == """
        passed: r1: all 2 checks passed

          pass  accuracy >= 0.75
                value 0.75, threshold 0.75
          pass  recall(happy) >= 0.9
                value 1, threshold 0.9

        """)
    let failed = try world.run("gate", "r1", "accuracy >= 0.75 and recall(angry) > 0.5")
    #expect(failed.status == 1)
    #expect(failed.stdout.hasPrefix("failed: r1: 1 of 2 checks failed\n"))
    #expect(failed.stdout.contains("FAIL  recall(angry) > 0.5\n        value 0.5, threshold 0.5\n"))
  }

  @Test("JSON says the same")
  func json() throws {
    let world = try EvaluateWorld()
    let outcome = try world.run("gate", "r1", "n >= 9", "--json")
    #expect(outcome.status == 1)
    let json = try outcome.json()
    #expect(json["passed"] == .bool(false))
    #expect(json["checks"]?.elements?.first?["value"]?.double == 8)
    #expect(json["checks"]?.elements?.first?["threshold"]?.double == 9)
  }

  @Test("The base is another run, or what evaluate --json wrote")
  func base() throws {
    let world = try EvaluateWorld()
    #expect(
      try world.run("gate", "r1", "accuracy >= base - 0.005", "--base", "r2").status == 0)
    #expect(try world.run("gate", "r2", "accuracy >= base - 0.1", "--base", "r1").status == 1)
    // A base run that no check uses would be a check that cannot fail.
    let unused = try world.run("gate", "r1", "accuracy >= 0.1", "--base", "nothing")
    #expect(unused.status == 2)
    #expect(unused.stderr.contains("--base nothing has no effect"))
    let json = try world.run("evaluate", "r1", "--json").stdout
    try world.program.folder.write("base.json", json)
    #expect(try world.run("gate", "r2", "accuracy >= base", "--base", "base.json").status == 1)
    let none = try world.run("gate", "r2", "accuracy >= base")
    #expect(none.status == 2)
    #expect(none.stderr.contains("--base RUN"))
  }

  @Test("An unknown key is status 2, with a suggestion and the place")
  func unknownKey() throws {
    let outcome = try EvaluateWorld().run("gate", "r1", "n > 1 and acuracy >= 0.5")
    #expect(outcome.status == 2)
    #expect(outcome.stderr.contains("did you mean “accuracy”?"))
    #expect(outcome.stderr.contains("\n            ^"))
  }

  @Test("A base over part of the samples is refused; compare uses the samples of both alone")
  func otherSamples() throws {
    let world = try EvaluateWorld()
    let part = try world.run("evaluate", "r2", "--where", "split = train", "--as", "part", "--json")
    try #require(part.status == 0, "\(part.stderr)")
    try world.program.folder.write("part.json", part.stdout)
    let difference = "4 in both, 4 only in r1, 0 only in"
    for base in ["r2@part", "part.json"] {
      let refused = try world.run("gate", "r1", "accuracy >= base - 1", "--base", base)
      #expect(refused.status == 2 && refused.stdout.isEmpty, "\(refused.stdout)")
      #expect(refused.stderr.contains("\(difference) \(base)"), "\(refused.stderr)")
      let same = try world.run(
        "gate", "r1", "accuracy >= base - 1", "--base", base, "--where", "split = train")
      #expect(same.status == 0 && !same.stdout.contains("note: "), "\(same.stdout)\(same.stderr)")
    }
    let json = try world.run("gate", "r1", "accuracy >= base - 1", "--base", "r2@part", "--json")
    #expect(try json.json()["error"]?.text?.contains(difference) == true)
    _ = try world.run("evaluate", "r1", "--where", "split = train", "--as", "part")
    let mixed = try world.run("compare", "r1", "r2@part", "--json").json()
    let shared = try world.run("compare", "r1@part", "r2@part", "--json").json()
    #expect(mixed["n"] == 4)
    #expect(mixed["differences"] != nil && mixed["differences"] == shared["differences"])
  }
}
