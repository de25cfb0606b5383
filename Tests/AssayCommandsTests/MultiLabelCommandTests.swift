import AssayCore
import Foundation
import Testing

@Suite("Sets of labels on the command line")
struct MultiLabelCommandTests {
  private static let data = GoldenFile.data

  @Test(
    "Classes whose names look like those of pixels are labels, for the images have names",
    arguments: ["c0,c1,c2,c3", "class_0,class_1,class_2,class_3", "0,1,2,3"])
  func numberedClasses(names: String) throws {
    let program = try Program()
    for name in ["a.png", "b.png"] {
      try FileManager.default.copyItem(
        atPath: Self.data + "/scenes/00.png", toPath: program.folder.path + "/" + name)
    }
    try program.folder.write("l.csv", "image,\(names)\na.png,1,0,0,1\nb.png,0,1,1,0\n")
    let outcome = try program.run("import", "l.csv", "--name", "x")
    #expect(outcome.stdout.hasPrefix("imported x as multilabel-csv"), "\(outcome.stdout)")
  }

  @Test("A column label of 0 and 1 is not read as a class; the refusal names the format")
  func singleLabels() throws {
    let program = try Program()
    try program.folder.write("l.csv", "filename,label\na.png,0\nb.png,1\n")
    let outcome = try program.run("import", "l.csv")
    #expect(outcome.status == 2)
    #expect(outcome.stderr.contains("l.csv:multilabel-csv"), "\(outcome.stderr)")
  }

  @Test("A take of an evaluation takes what that predicts; a score outside 0 to 1 is refused")
  func take() throws {
    let program = try Program.withScenes()
    try #require(
      try program.run("evaluate", "m1", "--threshold", "0.3", "--samples", "s.csv").status == 0)
    let rows = try String(contentsOfFile: program.folder.path + "/s.csv", encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let row = try #require(rows.first { $0[0] == "22.png" })
    let environment = ["ASSAY_AUTHOR": "anna"]
    let taken = try program.run(
      "corrections", "add", "--sample", "scenes:22.png", "--take", "m1@threshold-0.3", "--json",
      environment: environment)
    #expect(taken.status == 0, "\(taken.stderr)")
    let shown = try program.run("corrections", "show", "scenes:22.png", "--json").json()
    let labels = shown["labels"]?.elements?.compactMap(\.text) ?? []
    #expect(labels == row[2].split(separator: "|").map(String.init).sorted())
    for score in ["nan", "inf", "2", "-1"] {
      let refused = try program.run(
        "corrections", "add", "--sample", "scenes:23.png", "--take", "m1", "--score=\(score)",
        environment: environment)
      #expect(refused.status == 64, "\(score)")
    }
  }

  @Test("What would save or write something else than was meant is refused")
  func refused() throws {
    let program = try Program.withScenes()
    let environment = ["ASSAY_AUTHOR": "anna"]
    let twice = try program.run(
      "corrections", "add", "--sample", "scenes:02.png", "--add-label", "sky", "--add-label",
      "water", environment: environment)
    #expect(twice.status == 64)
    for target in ["coco", "masks"] {
      let outcome = try program.run("export", "scenes", "--to", target, "--out", target)
      #expect(outcome.status == 2 && outcome.stderr.contains("has no regions"))
      #expect(!program.folder.has(target))
    }
    let single = try program.run(
      "predictions", "import", Self.data + "/m1.csv", "--name", "one", "--in", "scenes", "--task",
      "classification", "--normalize")
    try #require(single.status == 0, "\(single.stderr)")
    let taken = try program.run(
      "corrections", "add", "--sample", "scenes:04.png", "--take", "one", environment: environment)
    #expect(taken.status == 2 && taken.stderr.contains("has a set of labels"), "\(taken.stderr)")
  }
}
