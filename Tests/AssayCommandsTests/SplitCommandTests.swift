import AssayCore
import Foundation
import Testing

@Suite("assay split")
struct SplitCommandTests {
  @Test("Parts are made once, and can be counted")
  func parts() throws {
    let program = try Program()
    let rows = (0..<50).map { "\($0 % 7),1 2 3 4,\($0 < 40 ? "Training" : "PublicTest")\n" }
    try program.folder.write("faces.csv", "emotion,pixels,Usage\n" + rows.joined())
    #expect(try program.run("import", "faces.csv").status == 0)
    let outcome = try program.run(
      "split", "faces", "--parts", "fit=0.8,held=0.2", "--from", "train", "--seed", "42", "--json")
    #expect(outcome.status == 0)
    let parts = try outcome.json()["parts"]?.elements ?? []
    #expect(parts.map { $0["count"]?.double } == [32, 8])
    let count = try program.run("query", "--in", "faces/held", "--count", "--json").json()
    #expect(count["count"]?.double == 8)
    let again = try program.run("split", "faces", "--parts", "fit=0.5,more=0.5")
    #expect(again.status == 2)
    #expect(again.stderr.contains("already has a part “fit”"))
  }

  @Test("The text shows each class in each part")
  func text() throws {
    let catalog = try CommandCatalog.four()
    let program = try Program()
    let outcome = try program.run(
      "split", "faces", "--parts", "a=0.5,b=0.5", "--stratify", "--db", catalog.path)
    #expect(outcome.status == 0)
    #expect(outcome.stdout.hasPrefix("split faces into a, b, stratified by class, seed 42\n"))
    #expect(outcome.stdout.contains("happy     1  1    2"))
    #expect(outcome.stdout.contains("all       2  2    4"))
  }

  @Test("Shares that do not add up are a mistake of usage")
  func usage() throws {
    let outcome = try Program().run("split", "faces", "--parts", "a=0.5,b=0.4")
    #expect(outcome.status == 64)
    #expect(outcome.stderr.contains("do not add up to 1"))
  }
}
