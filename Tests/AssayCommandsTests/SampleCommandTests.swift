import AssayCore
import Testing

@Suite("assay sample")
struct SampleCommandTests {
  @Test("A sample is a view that other commands take, and is removed with its list")
  func view() throws {
    let program = try Program.withScenes()
    let outcome = try program.run(
      "sample", "scenes", "50%", "--stratify", "--save", "half", "--json")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let json = try outcome.json()
    #expect(json["stratified_by"] == "rarest class" && json["seed"] == "42")
    let total = try #require(json["total"]?.double)
    #expect(json["samples"]?.double == (total / 2).rounded())
    let count = try program.run("query", "--in", "half", "--count", "--json").json()
    #expect(count["count"] == json["samples"])
    #expect(try program.run("stats", "half").status == 0)
    let evaluated = try program.run("evaluate", "m1", "--where", "part(half) = half", "--json")
    #expect(evaluated.status == 0, "\(evaluated.stderr)")
    #expect(try program.run("rm", "view", "half").status == 0)
    #expect(try program.run("query", "part = half", "--in", "scenes").status == 2)
  }

  @Test("Mistakes of usage, and sizes that the view does not have, are named")
  func mistakes() throws {
    let program = try Program.withScenes()
    for arguments in [
      ["scenes"], ["scenes", "0"], ["scenes", "3", "--per-class", "2"], ["scenes", "1.5"],
      ["scenes", "--per-class", "2", "--stratify"], ["scenes", "3", "--group-by", "("],
    ] {
      let outcome = try program.run(["sample"] + arguments + ["--save", "x"])
      #expect(outcome.status == 64, "\(arguments)")
    }
    let large = try program.run("sample", "scenes", "100000", "--save", "x")
    #expect(large.status == 2 && large.stderr.contains("fewer than 100000"))
    let rare = try program.run("sample", "scenes", "--per-class", "1000", "--save", "x")
    #expect(rare.status == 2 && rare.stderr.contains("--per-class"))
    #expect(try program.run("sample", "scenes", "2", "--save", "scenes").status == 2)
  }
}
