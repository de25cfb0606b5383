import AssayCore
import AssayImaging
import AssayStore
import AssayTestSupport
import AssayWorkflows
import Foundation
import Testing

@Suite("Decisions of pipelines", .openVINO)
struct PipelineDecisionTests {
  /// A program with the models of ``Program/addShapesModels()``, and the dataset `set` of 12 images, one of which has
  /// the label `dark`; a run of the pipeline `p.yaml` over it is `objects`, its labels are `moods`.
  private func labeled() throws -> Program {
    let program = try Program()
    try program.addShapesModels()
    let images = try ["0.png", "1.png"].map { name in
      try Data(
        contentsOf: PackageFolder.fixture("detect/shapes/val").appending(path: name))
    }
    for index in 0..<12 {
      let label = index == 11 ? "dark" : "bright"
      try program.folder.write("set/val/\(label)/\(index).png", Array(images[index % 2]))
    }
    try program.folder.write(
      "p.yaml",
      Array("name: p\nsteps:\n  - detect: boxes\n    min-score: 0.35\n  - classify: tiny\n".utf8))
    try run(program, "import", "set", "--name", "set")
    try run(
      program, "pipeline", "run", "p.yaml", "set", "--name", "objects", "--labels", "moods")
    return program
  }

  @discardableResult
  private func run(_ program: Program, _ arguments: String...) throws -> Program.Outcome {
    let outcome = try program.run(arguments)
    try #require(outcome.status == 0, "\(arguments): \(outcome.stderr)")
    return outcome
  }

  /// The attributes of the objects of a run that have a label.
  private func objects(_ program: Program, _ name: String) throws -> [JSONValue] {
    try run(program, "predictions", "export", name, "--format", "coco", "--out", name + ".json")
    let all = try JSONValue(parsing: try program.folder.read(name + ".json")).elements ?? []
    return all.compactMap { $0["attributes"] }.filter { $0["label"] != nil }
  }

  /// Makes a decision on the labels whose threshold lies among the scores of the objects.
  private func decide(_ program: Program) throws -> Double {
    try run(
      program, "decide", "moods", "--risk", "0.6", "--confidence", "0.8", "--per", "all", "--out",
      "made.yaml")
    let scores = try objects(program, "objects").compactMap { $0["score"]?.double }.sorted()
    try #require(scores.count > 4 && scores.first != scores.last)
    let threshold = scores[scores.count / 2]
    let made = try program.folder.read("made.yaml")
    let changed = made.replacing(/threshold: [0-9.]+/, with: "threshold: \(threshold)")
    #expect(changed != made)
    try program.folder.write("labels.yaml", Array(changed.utf8))
    return threshold
  }

  @Test("A decision on labels marks each object, and is that of the run of labels")
  func labels() throws {
    let program = try labeled()
    let threshold = try decide(program)
    let arguments = [
      "pipeline", "run", "p.yaml", "set", "--decision", "labels.yaml", "--name", "sure", "--labels",
      "sure-moods", "--json",
    ]
    let outcome = try program.run(arguments)
    try #require(outcome.status == 0, "\(outcome.stderr)")
    let marked = try objects(program, "sure")
    let accepted = marked.filter { $0["label_accepted"] == .bool(true) }.count
    #expect(0 < accepted && accepted < marked.count)
    #expect(
      marked.allSatisfy {
        $0["label_accepted"] == .bool(($0["score"]?.double ?? 0) >= threshold)
      })
    let decision = try outcome.json()["decision"]
    #expect(decision?["accepted"]?.whole == accepted)
    #expect(decision?["predictions"]?.whole == marked.count)
    let query = try program.run(
      "query", "run(sure).objects(label_accepted = false) > 0", "--in", "set", "--json")
    #expect(query.status == 0, "\(query.stderr)")

    // The run of labels has the decision, whoever made it: its own, and that of a file.
    let own = try run(program, "decide", "apply", "sure-moods", "--json").json()
    let named = try run(
      program, "decide", "apply", "sure-moods", "--decision", "labels.yaml", "--json"
    ).json()
    #expect(own["accepted"]?.whole == named["accepted"]?.whole)
    #expect(own["n"]?.whole == 12)
    #expect(try run(program, "evaluate", "sure-moods").status == 0)
    // One without is another run; the same command finds its own.
    #expect(try program.run(arguments).json()["status"]?.text == "already_done")
    let text = try run(
      program, "pipeline", "run", "p.yaml", "set", "--decision", "labels.yaml", "--name", "sure")
    #expect(text.stdout.contains("decision: accepts \(accepted) of \(marked.count); "))
  }

  @Test("Prediction sets are written out; an object with one class is accepted")
  func sets() throws {
    let program = try labeled()
    try run(
      program, "decide", "moods", "--risk", "0.3", "--method", "conformal", "--per", "all", "--out",
      "sets.yaml")
    try run(
      program, "pipeline", "run", "p.yaml", "set", "--decision", "sets.yaml", "--name", "sets")
    let marked = try objects(program, "sets")
    #expect(!marked.isEmpty)
    for object in marked {
      let set = try #require(object["label_set"]?.elements)
      #expect(object["label_accepted"] == .bool(set.count == 1))
    }
  }

  @Test("A decision on the objects is recorded like that of a detector")
  func ofObjects() throws {
    let program = try labeled()
    let shapes = PackageFolder.fixture("detect/shapes").path
    try run(program, "import", shapes + ":coco", "--name", "shapes")
    try run(program, "pipeline", "run", "p.yaml", "shapes", "--name", "first")
    try run(program, "evaluate", "first")
    try run(
      program, "decide", "first", "--risk", "0.9", "--confidence", "0.6", "--per", "class",
      "--split", "val",
      "--out", "objects.yaml")
    let outcome = try run(
      program, "pipeline", "run", "p.yaml", "shapes", "--decision", "objects.yaml", "--name",
      "second", "--json"
    ).json()
    let decision = outcome["decision"]
    // `decide apply` leaves out what matches a crowd.
    let applied = try run(
      program, "decide", "apply", "first", "--decision", "objects.yaml", "--json"
    ).json()
    #expect((decision?["accepted"]?.whole ?? -1) >= (applied["accepted"]?.whole ?? 0))
    let counted = try run(
      program, "sql", "--json",
      """
      SELECT count(*) AS n FROM detection d JOIN run r ON r.id = d.run
      JOIN runClass k ON k.run = r.id AND k.ordinal = d.class
      WHERE r.name = 'second' AND d.confidence >= r.settings ->> ('$.decision.accept.' || k.name)
      """
    ).json()
    let count = try #require(counted["rows"]?.elements?.first?["n"]?.whole)
    #expect(decision?["accepted"]?.whole == count)
    #expect((decision?["accepted"]?.whole ?? 0) > 0)
    try run(program, "query", "run(second).objects(accepted = true) > 0", "--in", "shapes")
  }

  @Test("Decisions of another pipeline, model or task are refused, and no run is made")
  func refusals() throws {
    let program = try labeled()
    _ = try decide(program)
    try program.folder.write(
      "q.yaml",
      Array(
        "name: p\nsteps:\n  - detect: boxes\n    min-score: 0.35\n  - classify: tiny\n    crop: {scale: 1.5}\n"
          .utf8))
    try program.folder.write("d.yaml", Array("name: p\nsteps:\n  - detect: boxes\n".utf8))
    for (pipeline, words) in [("q.yaml", "settings"), ("d.yaml", "gives no such predictions")] {
      let outcome = try program.run(
        "pipeline", "run", pipeline, "set", "--decision", "labels.yaml", "--name", "no")
      #expect(outcome.status == 2 && outcome.stderr.contains(words), "\(outcome.stderr)")
    }
    let missing = try program.run(
      "pipeline", "run", "p.yaml", "set", "--decision", "none.yaml", "--name", "no")
    #expect(missing.status != 0 && missing.stderr.contains("none.yaml"))
    let runs = try program.run("ls", "runs", "--json")
    #expect(!runs.stdout.contains("\"no\""))
  }

  @Test("Live marks the objects whose label the decision does not accept")
  func live() throws {
    let program = try labeled()
    let threshold = try decide(program)
    let catalog = try Catalog.open(program.folder.path + "/assay.db", .readWrite)
    let recognizer = try LiveRecognizer(
      pipeline: program.folder.path + "/p.yaml", models: nil,
      decision: program.folder.path + "/labels.yaml", in: catalog)
    let decision = try #require(recognizer.decision)
    let bytes = [UInt8](
      try Data(contentsOf: PackageFolder.fixture("detect/shapes/val").appending(path: "0.png")))
    let answer = try recognizer.answer(try ImageCodec.decode(bytes, as: .rgb8))
    let scores = try answer.objects.map { object in
      try object.attributes.flatMap { try JSONValue(parsing: $0)["score"]?.double } ?? .nan
    }
    #expect(!scores.isEmpty)
    let accepted = decision.accepted(answer)
    #expect(accepted == scores.indices.filter { scores[$0] >= threshold })
    let isUnsure = answer.objects.indices.contains {
      !accepted.contains($0) && answer.objects[$0].confidence >= 0.3
    }
    let doubt = decision.doubt(answer, accepted: accepted)
    #expect((doubt != nil) == isUnsure)
    if let doubt { #expect(doubt.hasPrefix("not accepted: bright 0.")) }
    // An answer without a single accepted label.
    #expect(decision.doubt(answer, accepted: [])?.hasPrefix("not accepted: bright 0.") == true)
  }
}
