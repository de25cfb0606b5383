import AssayCore
import Foundation
import Testing

import AssayCommands

@Suite("assay predictions")
struct PredictionsCommandTests {
  private func squares() throws -> Program {
    let program = try Program()
    try program.folder.write(
      "squares.csv", "label,pixels\nbright,1 2 3 4\ndark,5 6 7 8\nbright,9 9 9 9\n")
    let imported = try program.run("import", "squares.csv:pixel-csv", "--name", "squares")
    #expect(imported.status == 0, "\(imported.stderr)")
    try program.folder.write(
      "p.csv", "sample,bright,dark\n0,0.75,0.25\n1,0.1,0.9\n2,0.33333334,0.6666667\n")
    return program
  }

  @Test("A file becomes a run and the run the same file")
  func roundTrip() throws {
    let program = try squares()
    let imported = try program.run(
      "predictions", "import", "p.csv", "--name", "r", "--in", "squares", "--json")
    #expect(imported.status == 0, "\(imported.stderr)")
    #expect(try imported.json()["n"]?.double == 3)
    let exported = try program.run("predictions", "export", "r", "--out", "q.csv")
    #expect(exported.stdout == "3 predictions written to q.csv\n")
    #expect(try program.folder.read("q.csv") == program.folder.read("p.csv"))
  }

  @Test("Scores of several labels per image need --task multilabel, and export writes them back")
  func severalLabels() throws {
    let program = try squares()
    let text = "sample,bright,dark\n0,0.9,0.8\n1,0.0,0.0\n2,0.1,1.0\n"
    try program.folder.write("m.csv", text)
    let arguments = ["predictions", "import", "m.csv", "--name", "m", "--in", "squares"]
    let refused = try program.run(arguments)
    #expect(refused.status == 2 && refused.stderr.contains("--task multilabel"))
    let imported = try program.run(arguments + ["--task", "multilabel", "--json"])
    #expect(imported.status == 0, "\(imported.stderr)")
    #expect(try imported.json()["task"]?.text == "multilabel")
    _ = try program.run("predictions", "export", "m", "--out", "n.csv")
    #expect(try program.folder.read("n.csv") == text)
    try program.folder.write("r.json", "[]")
    let results = try program.run(
      "predictions", "import", "r.json", "--name", "r", "--in", "squares", "--task", "multilabel")
    #expect(results.status != 0 && results.stderr.contains("COCO results are detections"))
  }

  @Test("Without ground truth the next step is the report, which works")
  func unlabeled() throws {
    let program = try squares()
    let labeled = try program.run(
      "predictions", "import", "p.csv", "--name", "r", "--in", "squares")
    #expect(labeled.stdout.hasSuffix("next: assay evaluate r\n"))
    try program.folder.write("plain.csv", "pixels\n1 2 3 4\n5 6 7 8\n9 9 9 9\n")
    let imported = try program.run("import", "plain.csv:pixel-csv", "--name", "plain")
    #expect(imported.status == 0, "\(imported.stderr)")
    let plain = try program.run("predictions", "import", "p.csv", "--name", "q", "--in", "plain")
    #expect(
      plain.stdout.hasSuffix(
        "plain has no ground truth for classification: it cannot be evaluated against\n"
          + "next: assay report q\n"), "\(plain.stdout)")
    let report = try program.run("report", "q", "--out", "o")
    #expect(report.status == 0, "\(report.stderr)")
  }

  @Test("For the oracle the ground truth comes first; nothing is overwritten by default")
  func oracle() throws {
    let program = try squares()
    try program.run("predictions", "import", "p.csv", "--name", "r", "--in", "squares")
    let exported = try program.run(
      "predictions", "export", "r", "--for", "oracle", "--out", "o.csv", "--json")
    #expect(try exported.json()["rows"]?.double == 3)
    #expect(try program.folder.read("o.csv").hasPrefix("truth,bright,dark\nbright,0.75,0.25\n"))
    let again = try program.run("predictions", "export", "r", "--out", "o.csv")
    #expect(again.status == 2 && again.stderr.contains("--force"))
    #expect(
      try program.run("predictions", "export", "r", "--out", "o.csv", "--force").status == 0)
    #expect(try program.run("predictions", "export", "s", "--out", "s.csv").status == 2)
  }
}
