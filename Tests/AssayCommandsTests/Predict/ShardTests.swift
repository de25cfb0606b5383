import AssayCore
import AssayTestSupport
import Foundation
import Testing

@Suite("assay predict --shard and assay merge", .openVINO)
struct ShardTests {
  @Test(
    "Merged parts are the run of one machine: rows, evaluation and report",
    arguments: ShardWorld.Input.allCases)
  func same(input: ShardWorld.Input) throws {
    var world = try ShardWorld(input)
    // The times of the run and the evaluation are in the report.
    world.environment = [RecordTime.variable: "1767225600"]
    // A catalog that only its owner may write is read as well.
    try FileManager.default.copyItem(
      atPath: world.program.folder.path("assay.db"), toPath: world.program.folder.path("whole.db"))
    let before = try Data(contentsOf: world.program.folder.url.appending(path: "assay.db"))
    try world.predictAll(4, input.options)
    #expect(try Data(contentsOf: world.program.folder.url.appending(path: "assay.db")) == before)
    let whole = try world.program.run(
      ["predict", "d", "--model", "m", "--name", "r", "--db", "whole.db"] + input.options,
      environment: world.environment)
    try #require(whole.status == 0, "\(whole.stderr)")
    let unmerged = try world.run("evaluate", "parts", "--json")
    #expect(try Data(contentsOf: world.program.folder.url.appending(path: "assay.db")) == before)
    let text = try world.run("evaluate", "parts").stdout
    #expect(text.hasSuffix("next: assay merge parts --name RUN\n"), "\(text)")
    let merged = try world.run("merge", "parts", "--name", "r", "--json").json()
    #expect(merged["parts"]?.double == 4)
    let rows = try world.rows("r", db: "whole.db")
    #expect(rows.count > 11)
    #expect(try world.rows("r") == rows)
    let evaluations = try ["assay.db", "whole.db"].map {
      try world.run("evaluate", "r", "--json", "--db", $0).stdout
    }
    #expect(evaluations[0] == evaluations[1])
    let names = ["\"run\": \"parts\"", "\"evaluation\": null"]
    let same = unmerged.stdout.replacing(names[0], with: "\"run\": \"r\"")
      .replacing(names[1], with: "\"evaluation\": \"default\"")
    #expect(same == evaluations[0])
    for db in ["assay.db", "whole.db"] {
      try world.run("report", "r@default", "--out", "report-\(db)", "--db", db)
    }
    let files = try FileManager.default.subpathsOfDirectory(
      atPath: world.program.folder.path("report-assay.db")
    ).sorted()
    #expect(files.count > 1)
    for file in files {
      let pages = ["assay.db", "whole.db"].map {
        FileManager.default.contents(atPath: world.program.folder.path("report-\($0)/\(file)"))
      }
      let texts = pages.map { $0.map { String(decoding: $0, as: UTF8.self) } }
      if file == "index.html" || file.hasSuffix("report.html") {
        #expect(texts[0]?.contains("2026-01-01T00:00:00Z") == true)
      }
      let neutral = texts.map { $0?.replacing("whole.db", with: "assay.db") }
      #expect(neutral[0] == neutral[1], "\(file)")
    }
  }

  @Test("Parts are evaluated with corrections, filters and slices as the merged run is")
  func corrected() throws {
    let world = try ShardWorld(.labels)
    try world.predictAll(2)
    try world.run(
      "corrections", "add", "--sample", "d:bright/1.png", "--label", "dark", "--author", "bea")
    try world.run("merge", "parts", "--name", "r")
    for options in [["--corrected"], ["--where", "label = 'bright'"], ["--by", "category"]] {
      let (parts, run) = (
        try world.program.run(["evaluate", "parts", "--json"] + options),
        try world.program.run(["evaluate", "r", "--json"] + options)
      )
      #expect(parts.status == 0 && run.status == 0, "\(parts.stderr)\(run.stderr)")
      // The first lines name the run and the stored evaluation.
      let lines = [parts, run].map { $0.stdout.split(separator: "\n").dropFirst(3) }
      #expect(lines[0] == lines[1], "\(options)")
    }
    let other = try world.program.run("evaluate", "parts", "--as", "x")
    #expect(other.status == 64 || other.status == 2)
    // A run of the same name as the folder comes first, unless the path has a slash.
    try world.run("predict", "d", "--model", "m", "--name", "parts", "--flip")
    #expect(try world.run("evaluate", "parts").stdout.contains("stored as parts@default"))
    #expect(try !world.run("evaluate", "./parts").stdout.contains("stored as"))
  }

  @Test("A merged run is found by predict, which tries failed samples again")
  func resumed() throws {
    let world = try ShardWorld(.labels)
    try world.predictAll(3)
    let merged = try world.run("merge", "parts", "--name", "r")
    #expect(merged.stdout.contains("1 sample could not be predicted"))
    #expect(merged.stdout.contains("assay predict d --model m --name r"))
    let again = try world.run("predict", "d", "--model", "m", "--json").json()
    #expect(again["run"]?.text == "r" && again["status"]?.text == "resumed")
    #expect(again["computed"]?.double == 1 && again["failed"]?.double == 1)
  }

  @Test("A part that is there is not made again; that of another run is refused")
  func present() throws {
    let world = try ShardWorld(.labels)
    let made = try world.predict("2/3", ["--json"]).json()
    #expect(made["status"]?.text == "new" && made["part"]?.text == "parts/part-2-of-3.db")
    #expect(made["shard"]?.double == 2 && made["shards"]?.double == 3)
    let path = world.program.folder.path("parts/part-2-of-3.db")
    let bytes = FileManager.default.contents(atPath: path)
    let again = try world.predict("2/3", ["--json"]).json()
    #expect(again["status"]?.text == "already_done" && again["computed"]?.double == 0)
    #expect(FileManager.default.contents(atPath: path) == bytes)
    let other = try world.predict("2/3", ["--flip"])
    #expect(
      other.status == 2 && other.stderr.contains("it differs in settings.flip)"), "\(other.stderr)")
    let fewer = try world.predict("2/3", ["--limit", "5"])
    #expect(fewer.status == 2 && fewer.stderr.contains("samples_sha256"), "\(fewer.stderr)")
    #expect(FileManager.default.contents(atPath: path) == bytes)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: world.program.folder.path("parts"))
    #expect(names == ["part-2-of-3.db"])
  }

  @Test("Options that do not fit a part are wrong usage")
  func usage() throws {
    let world = try ShardWorld(.labels)
    for (arguments, text) in [
      (["--shard", "1/2"], "need each other"), (["--out", "parts"], "need each other"),
      (["--shard", "0/2", "--out", "p"], "I from 1 to N"),
      (["--shard", "3/2", "--out", "p"], "I from 1 to N"),
      (["--shard", "1-2", "--out", "p"], "I from 1 to N"),
      (["--shard", "1/2", "--out", "p", "--name", "r"], "to assay merge"),
    ] {
      let outcome = try world.program.run(["predict", "d", "--model", "m"] + arguments)
      #expect(outcome.status == 64 && outcome.stderr.contains(text), "\(outcome.stderr)")
    }
    try world.predictAll(1)
    for arguments in [["--prefix-keys"], ["--map", "a,b=c"], ["--corrected"]] {
      let outcome = try world.program.run(["merge", "parts", "--name", "r"] + arguments)
      #expect(outcome.status == 64 && outcome.stderr.contains("only --name applies"))
    }
    let one = try world.program.run("merge", "d", "--name", "r")
    #expect(one.status == 64 && one.stderr.contains("one folder with the parts"))
  }

  @Test("More shards than samples, and shards without a readable image")
  func small() throws {
    let world = try ShardWorld(.labels, images: 5)
    try world.predictAll(7)
    let status = try world.run("status", "parts", "--json").json()
    #expect(status["complete"] == .bool(true) && status["failed"]?.double == 1)
    #expect(status["samples"]?.double == 5)
    #expect(try world.run("merge", "parts", "--name", "r", "--json").json()["n"]?.double == 5)
  }

  @Test("Missing, mixed and damaged parts are named with the command that makes them")
  func refused() throws {
    let world = try ShardWorld(.labels)
    let folder = world.program.folder
    func merged() throws -> Program.Outcome {
      let outcome = try world.program.run("merge", "parts", "--name", "r")
      let evaluated = try world.program.run("evaluate", "parts")
      #expect(evaluated.status == 2 && evaluated.stderr == outcome.stderr)
      #expect(try world.run("ls", "runs", "--json").json()["runs"]?.elements?.isEmpty == true)
      return outcome
    }
    try FileManager.default.createDirectory(
      atPath: folder.path("parts"), withIntermediateDirectories: true)
    let none = try merged()
    #expect(none.status == 2 && none.stderr.contains("parts has no parts of a run"))
    try world.predictAll(3)
    let path = folder.path("parts/part-2-of-3.db")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let command = "assay predict d --model m --shard 2/3 --out parts"

    try FileManager.default.removeItem(atPath: path)
    let missing = try merged()
    #expect(missing.status == 2)
    #expect(missing.stderr.contains("the shard 2/3 is missing: \(command)"), "\(missing.stderr)")

    // Cut at every place, and with one bit of each of many bytes changed.
    for length in [0, 1, 100, bytes.count / 2, bytes.count - 1] {
      try bytes.prefix(length).write(to: URL(fileURLWithPath: path))
      let cut = try merged()
      #expect(cut.status == 2, "\(length)")
      #expect(cut.stderr.contains("part-2-of-3.db is no part, or its end is missing"))
      #expect(cut.stderr.contains("remove it, then: \(command)"), "\(cut.stderr)")
    }
    // A named pipe, which nobody writes to, is not waited for.
    try FileManager.default.removeItem(atPath: path)
    #expect(mkfifo(path, 0o600) == 0)
    let pipe = try merged()
    #expect(pipe.status == 2 && pipe.stderr.contains("part-2-of-3.db is no part"))
    try FileManager.default.removeItem(atPath: path)
    for place in stride(from: 0, to: bytes.count, by: bytes.count / 15) {
      var changed = bytes
      changed[place] ^= 4
      try changed.write(to: URL(fileURLWithPath: path))
      let outcome = try merged()
      #expect(outcome.status == 2 && outcome.stderr.contains("part-2-of-3.db"), "\(place)")
      #expect(outcome.stderr.contains(command), "\(place): \(outcome.stderr)")
    }
    let again = try world.predict("2/3")
    #expect(again.status == 0 || again.stderr.contains("remove the file"), "\(again.stderr)")

    // A part of another setting, of another model, of another number of shards, under another name.
    try FileManager.default.removeItem(atPath: path)
    let flipped = try world.predict("2/3", ["--flip"])
    #expect(
      flipped.status == 2
        && flipped.stderr.contains(
          "has parts of another run: part-1-of-3.db, part-3-of-3.db (they differ in settings.flip)"),
      "\(flipped.stderr)")
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try world.predict("2/3", ["--flip"], out: "other").status == 0)
    try FileManager.default.copyItem(atPath: folder.path("other/part-2-of-3.db"), toPath: path)
    let mixed = try merged()
    #expect(
      mixed.stderr.contains("parts of another run: part-2-of-3.db: settings.flip true instead of"),
      "\(mixed.stderr)")
    let status = try world.run("status", "parts", "--json").json()
    #expect(
      status["done"]?.whole == 2 && status["shards"]?.whole == 3
        && status["complete"] == .bool(false))
    #expect(try world.run("status", "parts").stdout.hasPrefix("2 of 3 shards done"))
    try FileManager.default.removeItem(atPath: path)
    try world.run(
      "model", "add", ModelCommandTests.models + "/logits.onnx", "--manifest", "m.yaml", "--name",
      "n")
    let other = try world.program.run(
      "predict", "d", "--model", "n", "--shard", "2/3", "--out", "third")
    if other.status == 0 {
      try FileManager.default.copyItem(atPath: folder.path("third/part-2-of-3.db"), toPath: path)
      #expect(try merged().stderr.contains("model n instead of m"))
      try FileManager.default.removeItem(atPath: path)
    }
    try bytes.write(to: URL(fileURLWithPath: path))
    let divided = try world.predict("1/4")
    #expect(
      divided.status == 2 && divided.stderr.contains("differ in number of shards"),
      "\(divided.stderr)")
    #expect(try world.predict("1/4", out: "fourth").status == 0)
    try FileManager.default.copyItem(
      atPath: folder.path("fourth/part-1-of-4.db"), toPath: folder.path("parts/part-1-of-4.db"))
    let counts = try merged()
    #expect(
      counts.stderr.contains(
        "different numbers of shards: 3 of 3, 1 of 4; remove those of the other run: part-1-of-4.db"
      ),
      "\(counts.stderr)")
    try FileManager.default.removeItem(atPath: folder.path("parts/part-1-of-4.db"))
    try FileManager.default.copyItem(
      atPath: folder.path("parts/part-1-of-3.db"), toPath: folder.path("parts/part-2-of-4.db"))
    #expect(try merged().stderr.contains("part-2-of-4.db contains the shard 1/3"))
    try FileManager.default.removeItem(atPath: folder.path("parts/part-2-of-4.db"))
    try world.run("merge", "parts", "--name", "r")
  }

  @Test("Another catalog, whose samples or model are others, is refused")
  func otherCatalog() throws {
    let world = try ShardWorld(.labels)
    try world.predictAll(2)
    let other = try ShardWorld(.labels, images: 9)
    let db = other.program.folder.path("assay.db")
    for arguments in [["merge", "parts", "--name", "r"], ["evaluate", "parts"]] {
      let outcome = try world.program.run(arguments + ["--db", db])
      #expect(outcome.status == 2)
      #expect(outcome.stderr.contains("are not those of “d”"), "\(outcome.stderr)")
    }
    let third = try ShardWorld(.embeddings)
    let merged = try world.program.run(
      "merge", "parts", "--name", "r", "--db", third.program.folder.path("assay.db"))
    #expect(merged.status == 2 && merged.stderr.contains("no model “m” with the file"))
    // Without --db and without a catalog in the folder, parts are evaluated with their own.
    let elsewhere = try Program()
    let outcome = try elsewhere.run("evaluate", world.program.folder.path("parts"), "--json")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    // They are merged into it, too.
    let joined = try elsewhere.run("merge", world.program.folder.path("parts"), "--name", "r")
    #expect(joined.status == 0 && joined.stdout.contains("--db names it"), "\(joined.stderr)")
    #expect(!elsewhere.folder.has("assay.db"))
    #expect(try world.run("ls", "runs", "--json").json()["runs"]?.elements?.count == 1)
  }

  @Test("Status names what is done and what is missing")
  func status() throws {
    let world = try ShardWorld(.labels)
    for shard in ["1/4", "2/4", "4/4"] { #expect(try world.predict(shard).status == 0) }
    try world.program.folder.write("parts/.assay-0123456789abcdef.part", "cut")
    let json = try world.run("status", "parts", "--json").json()
    #expect(json["shards"]?.double == 4 && json["done"]?.double == 3)
    #expect(json["missing"] == [3] && json["complete"] == .bool(false))
    #expect(json["temporaries"]?.double == 1 && json["total"]?.double == 11)
    #expect(
      json["commands"] == ["assay predict d --model m --shard 3/4 --out parts"])
    let text = try world.run("status", "parts").stdout
    #expect(text.contains("3 of 4 shards done: m on d"), "\(text)")
    #expect(text.contains("the shard 3/4 is missing"))
    #expect(try world.predict("3/4").status == 0)
    let merged = try world.run("status", "parts").stdout
    #expect(merged.contains("next: assay merge parts --name RUN"))
    try world.run("merge", "parts", "--name", "r")
    // No task holds it.
    #expect(!world.program.folder.has("parts/.assay-0123456789abcdef.part"))
    #expect(try world.program.run("status", "none").status == 2)
  }
}
