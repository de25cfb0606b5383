import AssayCore
import AssayTestSupport
import Foundation
import Testing

@Suite("assay plan predict and assay predict --plan", .openVINO)
struct PlanTests {
  /// A world with the plan `p` of its run, whose catalog is hidden afterwards.
  private func planned(_ input: ShardWorld.Input = .labels) throws -> ShardWorld {
    let world = try ShardWorld(input)
    try plan(world, ["d", "--model", "m"] + input.options)
    return world
  }

  private func plan(_ world: ShardWorld, _ arguments: [String]) throws {
    let outcome = try world.program.run(["plan", "predict", "--out", "p"] + arguments)
    try #require(outcome.status == 0, "\(outcome.stderr)")
  }

  private func hideCatalog(_ world: ShardWorld) throws {
    try move("assay.db", "hidden.db", world)
  }

  private func move(_ from: String, _ to: String, _ world: ShardWorld) throws {
    try FileManager.default.moveItem(
      atPath: world.program.folder.path(from), toPath: world.program.folder.path(to))
  }

  private func predict(
    _ world: ShardWorld, _ shard: String = "1/2", out: String = "parts", _ more: [String] = []
  ) throws -> Program.Outcome {
    try world.program.run(["predict", "--plan", "p", "--shard", shard, "--out", out] + more)
  }

  /// The hashes of parts without what the time of their making changes: the time in the row of the run,
  /// and SQLite's counters of transactions, whose number depends on it.
  private func hashes(_ world: ShardWorld, _ folder: String, of count: Int) throws -> [String] {
    try world.program.folder.write(
      "hashes.py",
      """
      import hashlib, os, sqlite3, sys
      for path in sys.argv[1:]:
          data = open(path, "rb").read()
          open("copy.db", "wb").write(data[:data.rindex(b"\\nassay part sha256 ")])
          base = sqlite3.connect("copy.db", isolation_level=None)
          base.execute("UPDATE run SET createdAt = '2026-01-01T00:00:00Z'")
          base.execute("VACUUM")
          base.close()
          data = bytearray(open("copy.db", "rb").read())
          for place in (24, 40, 92): data[place:place + 4] = bytes(4)
          print(hashlib.sha256(data).hexdigest())
          os.remove("copy.db")
      """)
    let files = (1...count).map { "\(folder)/part-\($0)-of-\(count).db" }.joined(separator: " ")
    let outcome = try world.program.shell("python3 hashes.py \(files)")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    return outcome.stdout.split(separator: "\n").map(String.init)
  }

  @Test(
    "Parts made without a catalog are those that are made with it, byte for byte",
    arguments: ShardWorld.Input.allCases)
  func same(input: ShardWorld.Input) throws {
    let world = try planned(input)
    try world.predictAll(3, input.options)
    try hideCatalog(world)
    for number in 1...3 {
      let outcome = try predict(world, "\(number)/3", out: "planned", ["--json"])
      try #require(outcome.status == 0, "\(outcome.stderr)")
      #expect(try outcome.json()["status"]?.text == "new")
    }
    #expect(!world.program.folder.has("assay.db"))
    let made = try hashes(world, "planned", of: 3)
    #expect(made.count == 3 && Set(made).count == 3)
    #expect(try made == hashes(world, "parts", of: 3))
    try move("hidden.db", "assay.db", world)
    let merged = try world.run("merge", "planned", "--name", "r", "--json").json()
    #expect(merged["parts"]?.double == 3)
    // Parts of both ways are one run.
    try FileManager.default.removeItem(
      atPath: world.program.folder.path("planned/part-2-of-3.db"))
    try FileManager.default.copyItem(
      atPath: world.program.folder.path("parts/part-2-of-3.db"),
      toPath: world.program.folder.path("planned/part-2-of-3.db"))
    try world.run("merge", "planned", "--name", "r2")
    #expect(try world.rows("r2") == world.rows("r"))
  }

  @Test("A plan has a part of a view, with its settings; a shard can be empty")
  func view() throws {
    let world = try ShardWorld(.labels)
    try world.run("view", "save", "dark", "--in", "d", "--where", "label = 'dark'")
    try plan(world, ["dark", "--model", "m", "--flip", "--limit", "3", "--ignore-missing"])
    let command = ["dark", "--model", "m", "--flip", "--limit", "3", "--ignore-missing"]
    for number in 1...4 {
      let whole = try world.program.run(
        ["predict", "--shard", "\(number)/4", "--out", "parts"] + command)
      try #require(whole.status == 0, "\(whole.stderr)")
    }
    try hideCatalog(world)
    for number in 1...4 { #expect(try predict(world, "\(number)/4", out: "planned").status == 0) }
    #expect(try hashes(world, "planned", of: 4) == hashes(world, "parts", of: 4))
  }

  @Test("Images that the catalog has are in the plan")
  func embedded() throws {
    let world = try ShardWorld(.labels)
    let rows = (0..<9).map { "\($0 % 2),\($0 * 20) 30 \(250 - $0) 70" }
    try world.program.folder.write(
      "tiny.csv", (["label,pixels"] + rows).joined(separator: "\n") + "\n")
    try world.run("import", "tiny.csv", "--name", "t")
    let outcome = try world.run(
      "plan", "predict", "t", "--model", "m", "--ignore-missing", "--out", "p", "--json")
    let json = try outcome.json()
    #expect(json["samples"]?.double == 9 && json["embedded"]?.double == 9)
    #expect(json["roots"] == [])
    for number in 1...2 {
      try world.run(
        "predict", "t", "--model", "m", "--ignore-missing", "--shard", "\(number)/2", "--out",
        "parts")
    }
    try hideCatalog(world)
    try FileManager.default.removeItem(atPath: world.program.folder.path("tiny.csv"))
    for number in 1...2 { #expect(try predict(world, "\(number)/2", out: "planned").status == 0) }
    #expect(try hashes(world, "planned", of: 2) == hashes(world, "parts", of: 2))
  }

  @Test("A damaged plan, and what is none, is refused")
  func damaged() throws {
    let world = try planned()
    let path = world.program.folder.path("p")
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    var changed = whole
    changed[whole.count / 2] ^= 1
    for (data, words) in [
      (whole.dropLast(1), "its end is missing"), (whole.prefix(5000), "its end is missing"),
      (Data(), "its end is missing"), (changed, "damaged"),
      (whole.prefix(100) + Data(count: 4000) + whole.dropFirst(4100), "damaged"),
    ] {
      try data.write(to: URL(fileURLWithPath: path))
      let outcome = try predict(world)
      #expect(outcome.status == 2)
      #expect(
        outcome.stderr.contains(words) && outcome.stderr.contains("copy it again"),
        "\(outcome.stderr)")
    }
    #expect(!world.program.folder.has("parts"))
    try FileManager.default.removeItem(atPath: path)
    #expect(try predict(world).stderr.contains("assay plan predict VIEW --model M --out FILE"))
    let catalog = try world.program.run(
      "predict", "--plan", "assay.db", "--shard", "1/2", "--out", "parts")
    #expect(catalog.status == 2 && catalog.stderr.contains("is no plan"))
    // A plan is no catalog and no part.
    try whole.write(to: URL(fileURLWithPath: path))
    #expect(try world.program.run("ls", "--db", "p").stderr.contains("not an assay catalog"))
    try world.program.folder.write("parts/part-1-of-2.db", whole)
    #expect(try world.program.run("merge", "parts", "--name", "r").status == 2)
  }

  /// Changes a plan with SQL and seals it again.
  private func change(_ world: ShardWorld, _ sql: String) throws {
    try world.program.folder.write(
      "change.py",
      """
      import hashlib, sqlite3, sys
      mark = b"\\nassay plan sha256 "
      data = open("p", "rb").read()
      open("p", "wb").write(data[:data.rindex(mark)])
      base = sqlite3.connect("p")
      base.executescript(sys.argv[1])
      base.close()
      data = open("p", "rb").read()
      open("p", "wb").write(data + mark + hashlib.sha256(data).hexdigest().encode() + b"\\n")
      """)
    let outcome = try world.program.shell("python3 change.py \"\(sql)\"")
    try #require(outcome.status == 0, "\(outcome.stderr)")
  }

  @Test(
    "A plan of another version of assay is refused with the command that makes it again",
    arguments: [
      "UPDATE plan SET facts = replace(facts, '0.1.0', '0.0.9');",
      "DELETE FROM grdb_migrations WHERE rowid = (SELECT max(rowid) FROM grdb_migrations);",
    ])
  func version(sql: String) throws {
    let world = try planned()
    try change(world, sql)
    let outcome = try predict(world)
    #expect(outcome.status == 2)
    #expect(
      outcome.stderr.contains("was made by assay 0.")
        && outcome.stderr.contains("assay plan predict d --model m --out p --force"),
      "\(outcome.stderr)")
    try world.run("plan", "predict", "d", "--model", "m", "--out", "p", "--force")
    #expect(try predict(world).status == 0)
  }

  @Test(
    "A plan that was changed on purpose is refused, not trusted",
    arguments: [
      ("UPDATE plan SET facts = '{}';", "facts are missing"),
      ("DELETE FROM planSample WHERE rank = 0;", "samples are missing"),
      ("UPDATE plan SET facts = json_set(facts, '$.samples', 9000000000);", "samples are missing"),
      (
        "UPDATE plan SET facts = json_set(facts, '$.samples', 9000000000000000000);",
        "facts are missing"
      ),
      ("UPDATE plan SET facts = json_set(facts, '$.flip', json('true'));", "settings"),
      ("UPDATE plan SET facts = json_set(facts, '$.precision', 'f8');", "precision"),
      ("UPDATE sample SET width = -1, height = 5;", "the size of a sample"),
    ])
  func forged(sql: String, words: String) throws {
    let world = try planned()
    try change(world, sql)
    let outcome = try predict(world)
    #expect(outcome.status == 2)
    #expect(outcome.stderr.contains(words), "\(outcome.stderr)")
  }

  @Test("The file of the model can be elsewhere; a missing one and another one are refused")
  func model() throws {
    let world = try ShardWorld(.labels)
    let models = ModelCommandTests.models
    for (from, to) in [("tiny", "m.onnx"), ("embedded", "other.onnx")] {
      try FileManager.default.copyItem(
        atPath: "\(models)/\(from).onnx", toPath: world.program.folder.path(to))
    }
    try world.run("model", "add", "m.onnx", "--manifest", "m.yaml", "--name", "m2")
    try plan(world, ["d", "--model", "m2"])
    try world.run("predict", "d", "--model", "m2", "--shard", "1/2", "--out", "parts")
    try world.run("predict", "d", "--model", "m2", "--shard", "2/2", "--out", "parts")
    try hideCatalog(world)
    try move("m.onnx", "moved.onnx", world)
    let missing = try predict(world, out: "planned")
    #expect(missing.status == 2 && missing.stderr.contains("--model-file FILE"))
    #expect(missing.stderr.contains("m.onnx"))
    let other = try predict(world, out: "planned", ["--model-file", "other.onnx"])
    #expect(other.status == 2 && other.stderr.contains("is not the file of the model “m2”"))
    #expect(!world.program.folder.has("planned"))
    for number in 1...2 {
      let made = try predict(
        world, "\(number)/2", out: "planned", ["--model-file", "moved.onnx"])
      #expect(made.status == 0, "\(made.stderr)")
    }
    #expect(try hashes(world, "planned", of: 2) == hashes(world, "parts", of: 2))
  }

  @Test("The images can be elsewhere; a shard without any image is refused")
  func images() throws {
    let world = try planned()
    try world.predictAll(2)
    try hideCatalog(world)
    try move("images", "moved", world)
    let missing = try predict(world, out: "planned")
    #expect(missing.status == 2)
    #expect(
      missing.stderr.contains("no image of “d” is where the plan says")
        && missing.stderr.contains("/images/") && missing.stderr.contains("--images PATH"),
      "\(missing.stderr)")
    try FileManager.default.createDirectory(
      atPath: world.program.folder.path("images"), withIntermediateDirectories: false)
    #expect(try predict(world, out: "planned").stderr.contains("no image of “d”"))
    for (value, words) in [
      (["--images", "none"], "--images"), (["--images", "moved", "--images", "moved"], "once"),
      (["--images", "images"], "no image of “d”"),
    ] {
      let refused = try predict(world, out: "planned", value)
      #expect(refused.status == 2 && refused.stderr.contains(words), "\(refused.stderr)")
    }
    #expect(!world.program.folder.has("planned"))
    for number in 1...2 {
      let made = try predict(world, "\(number)/2", out: "planned", ["--images", "moved"])
      #expect(made.status == 0, "\(made.stderr)")
    }
    #expect(try hashes(world, "planned", of: 2) == hashes(world, "parts", of: 2))
  }

  @Test("The sources of a merged dataset are named")
  func merged() throws {
    let world = try ShardWorld(.labels)
    try FileManager.default.copyItem(
      atPath: world.program.folder.path("images"), toPath: world.program.folder.path("second"))
    try world.run("import", "second:image-folder", "--name", "e")
    try world.run("merge", "d", "e", "--name", "all", "--prefix-keys")
    try plan(world, ["all", "--model", "m"])
    for number in 1...2 {
      try world.run("predict", "all", "--model", "m", "--shard", "\(number)/2", "--out", "parts")
    }
    try hideCatalog(world)
    try move("images", "moved1", world)
    try move("second", "moved2", world)
    #expect(try predict(world, out: "planned").stderr.contains("--images SOURCE=PATH"))
    let refused = try predict(world, out: "planned", ["--images", "moved1"])
    #expect(refused.status == 2 && refused.stderr.contains("one of its sources: d, e"))
    for number in 1...2 {
      let made = try predict(
        world, "\(number)/2", out: "planned", ["--images", "d=moved1", "--images", "e=moved2"])
      #expect(made.status == 0, "\(made.stderr)")
    }
    #expect(try hashes(world, "planned", of: 2) == hashes(world, "parts", of: 2))
  }

  @Test("Options that the plan has are wrong usage; a plan is not overwritten")
  func usage() throws {
    let world = try planned()
    for arguments in [
      ["d", "--shard", "1/2", "--out", "x", "--plan", "p"],
      ["--model", "m", "--shard", "1/2", "--out", "x", "--plan", "p"],
      ["--flip", "--shard", "1/2", "--out", "x", "--plan", "p"],
      ["--db", "a.db", "--shard", "1/2", "--out", "x", "--plan", "p"],
      ["--name", "r", "--shard", "1/2", "--out", "x", "--plan", "p"],
      ["--plan", "p"], ["--model", "m"], ["d"], ["d", "--model", "m", "--images", "x"],
      ["d", "--model", "m", "--model-file", "x"],
    ] {
      #expect(try world.program.run(["predict"] + arguments).status == 64, "\(arguments)")
    }
    let again = try world.program.run("plan", "predict", "d", "--model", "m", "--out", "p")
    #expect(again.status == 2 && again.stderr.contains("give --force"))
    let catalog = try world.program.run(
      "plan", "predict", "d", "--model", "m", "--out", "assay.db", "--force")
    #expect(catalog.status == 2 && catalog.stderr.contains("never overwritten"))
    let none = try world.program.run("plan", "predict", "d", "--model", "m", "--out", "no/p")
    #expect(none.status == 2 && none.stderr.contains("cannot be written"), "\(none.stderr)")
    #expect(
      try world.program.run("plan", "predict", "none", "--model", "m", "--out", "q").status == 2)
    #expect(!world.program.folder.has("q"))
  }

  @Test("The commands for missing shards use the plan")
  func status() throws {
    let world = try planned()
    try hideCatalog(world)
    _ = try predict(world, "2/3")
    let status = try world.run("status", "parts", "--plan", "p")
    #expect(status.stdout.contains("assay predict --plan p --shard 1/3 --out parts"))
  }
}
