import AssayCore
import Testing

import AssayCommands

@Suite("assay compare")
struct CompareCommandTests {
  @Test("Text: what changed, whether by chance, and in which classes")
  func text() throws {
    let world = try EvaluateWorld()
    let outcome = try world.run("compare", "r1", "r2")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.hasPrefix("r1 → r2 on 8 samples\naccuracy 0.750 → 0.625: −0.125"))
    // One of three discordant: 2 · (1 + 3) / 8 = 1.
    #expect(
      outcome.stdout.contains(
        "regressions 2, improvements 1: not significant\n(McNemar p = 1.000, exact)"))
    let narrow = try world.program.run(
      ["compare", "r1", "r2", "--db", world.path], environment: ["COLUMNS": "60"])
    for line in narrow.stdout.split(separator: "\n") { #expect(line.count <= 60, "\(line)") }
  }

  @Test("JSON has the difference of every score, and each regression and improvement")
  func json() throws {
    let world = try EvaluateWorld()
    let json = try world.run("compare", "r1", "r2", "--json").json()
    #expect(json["a"]?.text == "r1")
    #expect(json["differences"]?["accuracy"]?["difference"]?.double == -0.125)
    #expect(json["regressions"]?.elements?.map { $0["key"]?.text } == ["1", "2"])
    #expect(json["improvements"]?.elements?.map { $0["key"]?.text } == ["0"])
    #expect(json["mcnemar"]?["regressions"]?.double == 2)
    #expect(json["mcnemar_by_class"]?.elements?.count == 3)
  }

  @Test("The numbers and images are written on request; no foreign file is overwritten")
  func files() throws {
    let world = try EvaluateWorld()
    let outcome = try world.run("compare", "r1", "r2", "--out", "diff", "--show", "both.png")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    for name in ["diff/compare.json", "diff/regressions.png", "diff/improvements.png", "both.png"] {
      #expect(world.program.folder.has(name), "\(name)")
      #expect(outcome.stdout.contains("written: \(name)\n"), "\(name)")
    }
    let written = try JSONValue(parsing: world.program.folder.read("diff/compare.json"))
    #expect(written["n"]?.double == 8)
    #expect(try world.run("compare", "r1", "r2", "--out", "diff").status == 0)
    try world.program.folder.write("mine.png", "mine")
    let refused = try world.run("compare", "r1", "r2", "--show", "mine.png")
    #expect(refused.status == 2)
    #expect(try world.program.folder.read("mine.png") == "mine")
  }

  @Test("An unknown run is status 2")
  func unknown() throws {
    let outcome = try EvaluateWorld().run("compare", "r1", "r3")
    #expect(outcome.status == 2)
    #expect(outcome.stderr.contains("unknown run “r3”"))
  }
}
