import AssayCore
import AssayTestSupport
import Foundation
import Testing

@Suite("assay predictions combine")
struct CombineCommandTests {
  private struct Means: Decodable {
    /// By run, sample and class.
    var rows: [[[Double]]]
    var weights: [Double]
    var mean: [[Double]]
  }

  /// A program with 20 images of three classes and three runs with seeded scores.
  private func program(_ means: Means) throws -> Program {
    let program = try Program()
    let classes = ["a", "b", "c"]
    try program.folder.write(
      "d.csv", "label,pixels\n" + (0..<20).map { "\(classes[$0 % 3]),1 2 3 \($0)\n" }.joined())
    #expect(try program.run("import", "d.csv:pixel-csv", "--name", "d").status == 0)
    for (number, rows) in means.rows.enumerated() {
      // The classes of the second run have another order.
      let order = number == 1 ? [2, 0, 1] : [0, 1, 2]
      var text = "sample," + order.map { classes[$0] }.joined(separator: ",") + "\n"
      for (sample, row) in rows.enumerated() where number < 2 || sample != 7 {
        text += "\(sample)," + order.map { "\(row[$0])" }.joined(separator: ",") + "\n"
      }
      try program.folder.write("r\(number).csv", text)
      let imported = try program.run(
        "predictions", "import", "r\(number).csv", "--name", "r\(number)", "--in", "d")
      #expect(imported.status == 0, "\(imported.stderr)")
    }
    return program
  }

  private func means() throws -> Means {
    try JSONDecoder().decode(
      Means.self, from: Data(contentsOf: PackageFolder.fixture("ensembles/means.json")))
  }

  @Test("The weighted mean is NumPy's, rounded once; the run says what it is made of")
  func mean() throws {
    let means = try means()
    let program = try program(means)
    let combined = try program.run(
      "predictions", "combine", "r0", "r1", "r2", "--name", "e", "--weights", "1,2,0.5", "--json")
    try #require(combined.status == 0, "\(combined.stderr)")
    let json = try combined.json()
    #expect(json["n"]?.whole == 19 && json["left_out"]?.whole == 1)
    _ = try program.run("predictions", "export", "e", "--out", "e.csv")
    let lines = try program.folder.read("e.csv").split(separator: "\n").map(String.init)
    #expect(lines[0] == "sample,a,b,c")
    for line in lines.dropFirst() {
      let fields = line.split(separator: ",").map(String.init)
      let sample = try #require(Int(fields[0]))
      #expect(fields.dropFirst().map { Float($0) } == means.mean[sample].map { Float($0) })
    }
    let evaluated = try program.run("evaluate", "e")
    #expect(evaluated.status == 0, "\(evaluated.stderr)")
    let settings = try program.run(
      "sql",
      "SELECT settings->>'method', settings->>'$.combined[1].weight' FROM run WHERE name = 'e'",
      "--json"
    ).stdout
    #expect(settings.contains("mean") && settings.contains("2"))
    let again = try program.run(
      "predictions", "combine", "r0", "r1", "r2", "--name", "e", "--weights", "1,2,0.5")
    #expect(again.stdout.contains("already combined"))
  }

  @Test("Runs that cannot be combined are refused with the reason, and leave nothing")
  func refused() throws {
    let program = try program(means())
    try program.folder.write("two.csv", "sample,a,b\n0,0.5,0.5\n")
    _ = try program.run(
      "predictions", "import", "two.csv", "--name", "two", "--in", "d", "--ignore-missing")
    try program.folder.write("l.csv", "sample,prediction\n0,a\n")
    _ = try program.run("predictions", "import", "l.csv", "--name", "l", "--in", "d")
    for (arguments, says) in [
      (["r0"], "at least two runs"), (["r0", "r0"], "named twice"),
      (["r0", "two"], "“c” only in “r0”"), (["r0", "l"], "no scores"),
      (["r0", "r1", "--weights", "1"], "expected 2 numbers"),
      (["r0", "r1", "--weights", "1,0"], "above 0"),
      (["r0", "r1", "--iou", "0.5"], "does not apply"),
      (["r0", "none"], "none"),
    ] {
      let outcome = try program.run(["predictions", "combine", "--name", "x"] + arguments)
      #expect(
        outcome.status == 2 && outcome.stderr.contains(says), "\(arguments): \(outcome.stderr)")
    }
    #expect(try !program.run("list", "runs").stdout.contains("x "))
  }

  @Test("Boxes of two runs are fused; a class that only one has stays")
  func boxes() throws {
    let program = try Program()
    func fixture(_ name: String) -> String {
      PackageFolder.fixture("outside-predictions/" + name).path
    }
    _ = try program.run(
      "import", fixture("boxes/instances.json"), "--images", fixture("boxes"), "--name", "b")
    for (name, file) in [("x", "coco-results.json"), ("y", "fiftyone.json")] {
      let imported = try program.run(
        "predictions", "import", fixture(file), "--name", name, "--in", "b")
      #expect(imported.status == 0, "\(imported.stderr)")
    }
    let combined = try program.run("predictions", "combine", "x", "y", "--name", "e")
    try #require(combined.status == 0, "\(combined.stderr)")
    // The same boxes twice: their means are the boxes, with the same scores.
    let (one, both) = (
      try program.run("evaluate", "x", "--json").json(),
      try program.run("evaluate", "e", "--json").json()
    )
    #expect(abs((one["AP50"]?.double ?? 0) - (both["AP50"]?.double ?? 1)) < 0.3)
    #expect(both["n"]?.whole == 4)
    #expect(try program.run("report", "e", "--out", "o").status == 0)
  }
}

@Suite("Evaluations of many classes in text")
struct ManyClassesTests {
  @Test("1,000 classes: the 10 worst and best, all with --all and in JSON")
  func extremes() throws {
    let program = try Program()
    var labels = "label,pixels\n"
    var scores = "sample," + (0..<1000).map { "c\($0)" }.joined(separator: ",") + "\n"
    for sample in 0..<60 {
      labels += "c\(sample % 40),1 2 3 \(sample)\n"
      var row = [String](repeating: "0", count: 1000)
      row[sample < 45 ? sample % 40 : 999] = "1"
      scores += "\(sample)," + row.joined(separator: ",") + "\n"
    }
    try program.folder.write("d.csv", labels)
    try program.folder.write("p.csv", scores)
    _ = try program.run("import", "d.csv:pixel-csv", "--name", "d")
    for name in ["r", "s"] {
      let imported = try program.run("predictions", "import", "p.csv", "--name", name, "--in", "d")
      #expect(imported.status == 0, "\(imported.stderr)")
    }
    let text = try program.run("evaluate", "r")
    #expect(text.status == 0, "\(text.stderr)")
    let lines = text.stdout.split(separator: "\n")
    #expect(lines.count < 70, "\(lines.count)")
    #expect(
      text.stdout.contains("the 10 worst and 10 best of 1000 classes by F1"), "\(text.stdout)")
    let all = try program.run("evaluate", "r", "--all")
    #expect(all.stdout.split(separator: "\n").count > 1000)
    let json = try program.run("evaluate", "r", "--json").json()
    #expect(json["classes"]?.elements?.count == 1000 && json["f1"]?.elements?.count == 1000)
    let compared = try program.run("compare", "r", "s")
    #expect(compared.status == 0, "\(compared.stderr)")
    #expect(compared.stdout.split(separator: "\n").count < 70)
    #expect(compared.stdout.contains("by difference of recall"))
  }

  @Test("30 classes are all listed, in their order")
  func few() throws {
    let program = try Program()
    let names = (0..<30).map { "c\($0)" }
    try program.folder.write("d.csv", "label,pixels\n" + names.map { "\($0),1 2 3 4\n" }.joined())
    try program.folder.write(
      "p.csv", "sample,prediction\n" + names.enumerated().map { "\($0),\($1)\n" }.joined())
    _ = try program.run("import", "d.csv:pixel-csv", "--name", "d")
    _ = try program.run("predictions", "import", "p.csv", "--name", "r", "--in", "d")
    let text = try program.run("evaluate", "r").stdout
    for name in names { #expect(text.contains("\n\(name) ")) }
    #expect(!text.contains("--all"))
  }
}
