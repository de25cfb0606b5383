import AssayCore
import Foundation
import Testing

/// A catalog with eight faces and a run, in a folder where the program runs.
struct ReviewProgram {
  let program: Program

  init() throws {
    program = try Program()
    let labels = ["angry", "happy", "happy", "sad", "sad", "happy", "sad", "angry"]
    let rows = labels.enumerated().map { "\($1),\($0) 2 3 4,train\n" }
    try program.folder.write("faces.csv", "label,pixels,split\n" + rows.joined())
    // Sample 5 is labeled happy and confidently predicted as sad.
    let scores = [
      "0.8,0.1,0.1", "0.1,0.8,0.1", "0.3,0.4,0.3", "0.1,0.2,0.7", "0.05,0.05,0.9", "0.02,0.03,0.95",
      "0.2,0.2,0.6", "0.5,0.2,0.3",
    ].enumerated().map { "\($0),\($1)\n" }
    try program.folder.write("r1.csv", "sample,angry,happy,sad\n" + scores.joined())
    try #require(program.run("import", "faces.csv", "--name", "faces").status == 0)
    try #require(
      program.run("predictions", "import", "r1.csv", "--in", "faces", "--name", "r1").status == 0)
  }

  func run(_ arguments: String...) throws -> Program.Outcome {
    try program.run(arguments, environment: ["TZ": "UTC"])
  }
}

@Suite("assay review")
struct ReviewCommandTests {
  @Test("The queue is shown with its order and reasons, and gone on with")
  func list() throws {
    let house = try ReviewProgram()
    let outcome = try house.run("review", "r1", "--list", "--rows", "3")
    #expect(outcome.status == 0)
    #expect(
      outcome.stdout == """
        review r1-uncertainty, new: 8 samples of r1, lowest confidence of r1 first (the smallest margin)
        8 left, 0 done

        #  key  label  score  why
        1  2    happy   0.90  happy (0.40) or angry (0.30)
        2  7    angry   0.80  angry (0.50) or sad (0.30)
        3  6    sad     0.60  sad (0.60) or angry (0.20)

        … and 5 more (--rows 0 lists all)

        """)
    let again = try house.run("review", "r1", "--list")
    #expect(again.stdout.hasPrefix("review r1-uncertainty, resumed: 8 samples"))
    #expect(!again.stdout.contains("more"))
  }

  @Test("As JSON it has everything, likely label errors first")
  func json() throws {
    let house = try ReviewProgram()
    let json = try house.run(
      "review", "faces", "--order", "disagreement", "--limit", "2", "--json"
    ).json()
    #expect(json["review"]?["name"] == "faces-disagreement")
    #expect(json["review"]?["order"] == "disagreement")
    #expect(json["review"]?["runs"] == ["r1"])
    #expect(json["review"]?["limit"] == 2)
    #expect(json["resumed"] == false)
    #expect(json["counts"]?["left"] == 2)
    #expect(
      json["remarks"] == ["the run over faces is r1", "1 possible label error according to r1"])
    let items = try #require(json["items"]?.elements)
    #expect(items.map { $0["key"] } == ["5", "2"])
    #expect(items[0]["reason"] == "label happy (p = 0.03), predicted sad (0.95)")
    #expect(items[0]["label"] == "happy")
    #expect(items[0]["status"] == "open")
  }

  @Test("A narrow terminal gets whole words and cut columns")
  func narrow() throws {
    let house = try ReviewProgram()
    let outcome = try house.program.run(
      ["review", "r1", "--list"], environment: ["COLUMNS": "40"])
    #expect(outcome.status == 0)
    #expect(outcome.stdout.split(separator: "\n").allSatisfy { $0.count <= 40 })
  }

  @Test(
    "Errors suggest what could be meant",
    arguments: [
      (["faecs"], 2, "unknown view, run or review “faecs”; did you mean “faces”?"),
      (["statsu"], 2, "did you mean “status”?"),
      (["--quiet", "status"], 64, "“status” comes before all options"),
      (["r1", "--order", "uncertain"], 64, "uncertainty"),
      (["r1", "--where", "lable = sad"], 2, "did you mean “label”?"),
      (["r1", "--limit", "0"], 64, "--limit must be 1 or more"),
      (["r1", "--rows", "5"], 64, "--rows needs --list"),
      (["r1", "--port", "70000"], 64, "--port must be in 1...65535"),
      (["r1", "--author", " "], 64, "--author NAME"),
      (["r1", "r2"], 2, "did you mean"),
    ])
  func mistakes(arguments: [String], status: Int32, message: String) throws {
    let house = try ReviewProgram()
    let outcome = try house.program.run(["review"] + arguments)
    #expect(outcome.status == status)
    #expect(outcome.stderr.contains(message), "\(outcome.stderr)")
    #expect(try house.run("review", "status", "--json").json()["reviews"] == [])
  }

  @Test("A missing catalog is reported")
  func noCatalog() throws {
    let outcome = try Program().run("review", "faces")
    #expect(outcome.status == 2)
    #expect(outcome.stderr.contains("no catalog at assay.db"))
  }

  @Test("Status lists all reviews, shows one, and says how to go on")
  func status() throws {
    let house = try ReviewProgram()
    #expect(
      try house.run("review", "status").stdout.hasPrefix("no review yet; `assay review VIEW`"))
    _ = try house.run("review", "r1", "--list")
    let one = try house.run("review", "status").stdout
    #expect(one.hasPrefix("review r1-uncertainty: 8 samples of r1"))
    #expect(one.hasSuffix("next: assay review r1-uncertainty --author NAME\n"))
    _ = try house.run("review", "faces", "--order", "random", "--list", "--name", "draw")
    let both = try house.run("review", "status").stdout
    #expect(both.contains("draw") && both.contains("r1-uncertainty"))
    let json = try house.run("review", "status", "draw", "--json").json()
    #expect(json["counts"]?["total"] == 8)
    #expect(json["time_zone"] != nil)
    #expect(json["server"] == .null)
    let unknown = try house.run("review", "status", "darw")
    #expect(unknown.status == 2)
    #expect(unknown.stderr.contains("unknown review “darw”; did you mean “draw”?"))
    #expect(try house.run("rm", "review", "draw").stdout == "removed review draw\n")
    #expect(try house.run("review", "status").stdout.hasPrefix("review r1-uncertainty"))
  }

  @Test("A link needs a server, and says how to start one")
  func noServer() throws {
    let house = try ReviewProgram()
    let outcome = try house.run("review", "link", "--author", "bea")
    #expect(outcome.status == 2)
    #expect(
      outcome.stderr.contains("no review server is running; start one with `assay review VIEW"))
    _ = try house.run("review", "r1", "--list")
    let kept = try house.run("review", "link", "--author", "bea")
    #expect(kept.stderr.contains("`assay review r1-uncertainty --author NAME`"))
    #expect(try house.run("review", "link").status == 64)
  }
}
