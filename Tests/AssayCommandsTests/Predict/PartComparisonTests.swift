import AssayCore
import AssayStore
import AssayTestSupport
import Foundation
import Testing

@Suite("assay compare of parts", .openVINO)
struct PartComparisonTests {
  /// Two runs in parts and merged: of the model, and of the same model with another scale of its input.
  private func world(_ input: ShardWorld.Input) throws -> ShardWorld {
    let world = try ShardWorld(input)
    let folder = world.program.folder
    let model = try #require(
      Catalog.open(folder.path("assay.db"), .readOnly).models().first { $0.name == "m" })
    let changed = model.manifest.replacing("scale: 1/255", with: "scale: 1/400")
      .replacing("scale: 1,", with: "scale: 0.6,")
    try #require(changed != model.manifest)
    try folder.write("other.yaml", changed)
    try world.run("model", "add", model.path, "--manifest", "other.yaml", "--name", "m2")
    for (model, out, run) in [("m", "one", "a"), ("m2", "two", "b")] {
      for number in 1...3 {
        let outcome = try world.program.run(
          ["predict", "d", "--model", model, "--shard", "\(number)/3", "--out", out] + input.options
        )
        try #require(outcome.status == 0, "\(outcome.stderr)")
      }
      try world.run("merge", out, "--name", run)
    }
    return world
  }

  @Test(
    "Two folders give the comparison of the merged runs, in numbers and pictures",
    arguments: [ShardWorld.Input.labels, .labelSets, .boxes, .maps])
  func same(_ input: ShardWorld.Input) throws {
    let world = try world(input)
    let parts = try world.program.run("compare", "one", "two", "--json", "--out", "p")
    let runs = try world.program.run("compare", "a", "b", "--json", "--out", "q")
    #expect(parts.status == 0 && runs.status == 0, "\(parts.stderr)\(runs.stderr)")
    let named = parts.stdout.replacing(#""one""#, with: #""a""#)
      .replacing(#""two""#, with: #""b""#).replacing(#""p/"#, with: #""q/"#)
      .replacing("left out of one:", with: "left out of a:")
      .replacing("left out of two:", with: "left out of b:")
    #expect(named == runs.stdout)
    let (one, two) = (world.program.folder.path("p"), world.program.folder.path("q"))
    let files = try FileManager.default.contentsOfDirectory(atPath: two).sorted()
    #expect(files.contains("compare.json"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: one).sorted() == files)
  }

  @Test("A folder beside a run, the same folder twice and a part that is missing are refused")
  func refused() throws {
    let world = try world(.labels)
    let mixed = try world.program.run("compare", "one", "b")
    #expect(mixed.status == 2 && mixed.stderr.contains("assay merge one --name NAME"))
    let twice = try world.program.run("compare", "one", "./one")
    #expect(twice.status == 2, "\(twice.stderr)")
    let parts = try FileManager.default.contentsOfDirectory(
      atPath: world.program.folder.path("two")
    ).filter { $0.hasSuffix(".db") }
    let part = try #require(parts.min())
    try FileManager.default.removeItem(atPath: world.program.folder.path("two/" + part))
    let missing = try world.program.run("compare", "one", "two")
    #expect(missing.status == 2 && missing.stderr.contains("two"), "\(missing.stderr)")
  }
}
