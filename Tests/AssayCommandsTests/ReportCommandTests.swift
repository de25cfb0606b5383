import AssayCore
import Testing

import AssayCommands

@Suite("assay report")
struct ReportCommandTests {
  @Test("The page and its charts are written, and the page's path is the last line")
  func files() throws {
    let world = try EvaluateWorld()
    let outcome = try world.run("report", "r1")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.hasPrefix("r1: accuracy 0.750 ["))
    #expect(outcome.stdout.hasSuffix("\nReports/r1/report.html\n"))
    let html = try world.program.folder.read("Reports/r1/report.html")
    #expect(html.hasPrefix("<!doctype html>"))
    #expect(html.contains("6 of 8 samples are classified correctly"))
    for name in ["answer", "confusion", "counts", "per-class", "reliability", "risk-coverage"] {
      #expect(world.program.folder.has("Reports/r1/\(name).png"), "\(name)")
    }
  }

  @Test("The same run gives the same bytes, in a folder that assay may write again")
  func again() throws {
    let world = try EvaluateWorld()
    try world.run("report", "r1", "--out", "one")
    let first = try world.program.folder.read("one/report.html")
    #expect(try world.run("report", "r1", "--out", "one").status == 0)
    #expect(try world.program.folder.read("one/report.html") == first)
  }

  @Test("A page that assay did not write is left alone unless forced")
  func foreign() throws {
    let world = try EvaluateWorld()
    try world.program.folder.write("mine/report.html", "mine")
    let refused = try world.run("report", "r1", "--out", "mine")
    #expect(refused.status == 2)
    #expect(refused.stderr.contains("--force"))
    #expect(try world.program.folder.read("mine/report.html") == "mine")
    #expect(!world.program.folder.has("mine/answer.png"))
    #expect(try world.run("report", "r1", "--out", "mine", "--force").status == 0)
    #expect(try world.program.folder.read("mine/report.html") != "mine")
  }

  @Test("A chart's name that is taken stops everything before a file is written")
  func foreignChart() throws {
    let world = try EvaluateWorld()
    try world.program.folder.write("mine/counts.png", "mine")
    #expect(try world.run("report", "r1", "--out", "mine").status == 2)
    #expect(!world.program.folder.has("mine/report.html"))
  }

  @Test("Several runs get a folder each; JSON names every file")
  func several() throws {
    let world = try EvaluateWorld()
    let json = try world.run("report", "r1", "r2", "--each", "--out", "all", "--json").json()
    let reports = try #require(json["reports"]?.elements)
    #expect(
      reports.map { $0["path"]?.text } == ["all/r1/report.html", "all/r2/report.html"])
    #expect(reports.first?["n"]?.double == 8)
    #expect(reports.first?["accuracy"]?.double == 0.75)
    #expect(reports.first?["files"]?.elements?.count == 7)
    #expect(world.program.folder.has("all/r2/risk-coverage.png"))
  }

  @Test("Two runs give the comparison that assay compare prints, with the same numbers")
  func comparison() throws {
    let world = try EvaluateWorld()
    let outcome = try world.run("report", "r1", "r2", "--out", "c", "--json")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let page = try outcome.json()
    let compared = try world.run("compare", "r1", "r2", "--json").json()
    #expect(page["path"]?.text == "c/report.html")
    #expect(page["regressions"]?.double == compared["mcnemar"]?["regressions"]?.double)
    #expect(page["improvements"]?.double == compared["mcnemar"]?["improvements"]?.double)
    let html = try world.program.folder.read("c/report.html")
    let text = try world.run("compare", "r1", "r2", "--all").stdout
    // Every number of the scores and classes is on the page as it is printed.
    let numbers = text.matches(of: #/[+−][0-9]\.[0-9]{3}/#).map { String($0.0) }
    #expect(numbers.count > 5)
    for number in numbers { #expect(html.contains(number), "\(number)") }
    for id in ["answer", "classes", "regressions", "improvements", "table-0", "provenance"] {
      #expect(html.contains("<section id=\"\(id)\">"), "\(id)")
    }
  }

  @Test("The verdict of a gate is in the head; a comparison has none")
  func gate() throws {
    let world = try EvaluateWorld()
    let json = try world.run("report", "r1", "--gate", "accuracy >= 0.9", "--json").json()
    let report = try #require(json["reports"]?.elements?.first)
    #expect(report["gate"]?["passed"] == .bool(false))
    let html = try world.program.folder.read("Reports/r1/report.html")
    #expect(html.contains("<dd>failed: 0 of 1 check passed; accuracy &gt;= 0.9 is 0.75</dd>"))
    #expect(html.contains("<dd>failed: value 0.75, threshold 0.9</dd>"))
    #expect(try world.run("report", "r1", "r2", "--gate", "accuracy >= 0.9").status == 64)
    #expect(try world.run("report", "r1", "--base", "r2").status == 64)
  }

  @Test("A stored evaluation is reported with its own samples")
  func storedEvaluation() throws {
    let world = try EvaluateWorld()
    try world.run("evaluate", "r1", "--as", "late", "--where", "split = test")
    let outcome = try world.run("report", "r1@late")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.hasPrefix("r1@late: accuracy "), "\(outcome.stdout)")
    #expect(outcome.stdout.hasSuffix("\nReports/r1@late/report.html\n"))
    let html = try world.program.folder.read("Reports/r1@late/report.html")
    #expect(html.contains("Run r1, evaluation late"))
  }

  @Test("An unknown run is status 2, the same run twice 64; neither writes anything")
  func refused() throws {
    let world = try EvaluateWorld()
    let unknown = try world.run("report", "r9")
    #expect(unknown.status == 2)
    #expect(unknown.stderr.contains("unknown run “r9”"))
    #expect(try world.run("report", "r1", "r1").status == 64)
    #expect(!world.program.folder.has("Reports"))
  }
}
