import AssayCore
import AssayTestSupport
import Foundation
import Testing

/// Decisions that are recorded with runs made in shards.
@Suite("assay predict --decision --shard", .openVINO)
struct DecisionShardTests {
  /// A catalog with the decision `d.yaml` on the model's predictions.
  private func decided() throws -> ShardWorld {
    let world = try ShardWorld(.labels, images: 24)
    try world.run("predict", "d", "--model", "m", "--name", "first")
    try world.run(
      "decide", "first", "--where", "width > 0", "--risk", "0.6", "--confidence", "0.5", "--out",
      "d.yaml")
    return world
  }

  /// The settings of a run, and its evaluation without names.
  private func facts(_ world: ShardWorld, _ run: String) throws -> [String] {
    let table = try world.program.run(
      "sql", "SELECT settings FROM run WHERE name = '\(run)'", "--json"
    ).json()
    let evaluated = try world.program.run("evaluate", run, "--json")
    try #require(evaluated.status == 0, "\(evaluated.stderr)")
    let numbers = try evaluated.json().members ?? []
    let named: Set = ["run", "evaluation"]
    return [
      try #require(table["rows"]?.elements?.first?["settings"]?.text),
      JSONValue.object(numbers.filter { !named.contains($0.name) }).text(),
    ]
  }

  @Test("Parts with a decision, from the catalog and from a plan, are the run with it")
  func shards() throws {
    let world = try decided()
    let decided = ["d", "--model", "m", "--decision", "d.yaml"]
    #expect(try world.program.run(["predict", "--name", "whole"] + decided).status == 0)
    let whole = try facts(world, "whole")
    #expect(whole[0].contains("assay-decision"))
    #expect(try JSONValue(parsing: whole[1])["coverage"]?.double != nil)

    for number in 1...2 {
      let made = try world.program.run(
        ["predict", "--shard", "\(number)/2", "--out", "parts"] + decided)
      try #require(made.status == 0, "\(made.stderr)")
    }
    let unmerged = try world.program.run("evaluate", "parts", "--json").json()
    #expect(unmerged["coverage"] == (try JSONValue(parsing: whole[1]))["coverage"])
    try world.run("merge", "parts", "--name", "merged")
    #expect(try facts(world, "merged") == whole)

    let planned = try world.program.run(["plan", "predict", "--out", "p"] + decided)
    try #require(planned.status == 0, "\(planned.stderr)")
    try FileManager.default.removeItem(atPath: world.program.folder.path("d.yaml"))
    for number in 1...2 {
      try world.run("predict", "--plan", "p", "--shard", "\(number)/2", "--out", "parts2")
    }
    try world.run("merge", "parts2", "--name", "planned")
    #expect(try facts(world, "planned") == whole)
    let twice = try world.program.run(
      "predict", "--plan", "p", "--shard", "1/2", "--out", "parts3", "--decision", "d.yaml")
    #expect(twice.status == 64, "\(twice.stderr)")
  }

  @Test("A decision of other settings is refused before a part or a plan is made")
  func otherSettings() throws {
    let world = try decided()
    for (command, out) in [(["predict", "--shard", "1/2"], "parts"), (["plan", "predict"], "p")] {
      let refused = try world.program.run(
        command + ["d", "--model", "m", "--flip", "--decision", "d.yaml", "--out", out])
      #expect(refused.status == 2 && refused.stderr.contains("was made for predictions"))
      #expect(!FileManager.default.fileExists(atPath: world.program.folder.path(out)))
    }
  }
}
