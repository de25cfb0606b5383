import AssayCore
import AssayMetrics
import Testing

@testable import AssayReports

@Suite struct ComparisonReportTests {
  private func report(_ pairs: [(Double, Double)], isShare: Bool = true) -> ComparisonReport {
    let tile = ContactSheet.Tile(
      raster: SmallReport.picture(1), caption: ["cat → dog", "ground truth cat, a/1.png"],
      frame: .wrong, key: "a/1.png")
    var report = ComparisonReport(
      first: "r1", second: "r<2>", lines: ["accuracy 0.5 → 0.4"],
      regressions: .init(title: "regressions: only r1 is correct", count: 3, pictures: [tile]),
      improvements: .init(title: "improvements: only r<2> is correct", count: 0, pictures: []))
    report.regressions.query = SectionQuery(
      expression: "run(r1).correct = true", count: 3, command: "assay open r1")
    report.classes = .init(
      id: "classes", title: "Per class", columns: ["class", "B − A"], rows: [["cat", "+0.100"]])
    report.tables = [
      .init(
        id: "table-0", title: "Scores", columns: ["score", "A"], rows: [["accuracy", "0.500"]])
    ]
    report.scores = .init(
      name: "IoU", isShare: isShare, pairs: pairs.map { .init($0.0, $0.1) })
    return report
  }

  private func html(_ report: ComparisonReport) throws -> String {
    String(decoding: try report.render().html, as: UTF8.self)
  }

  private func dots(_ report: ComparisonReport) throws -> [(title: String?, ink: Ink)] {
    let scores = try #require(report.scores)
    let chart = PairedScatterChart(
      name: "s", title: "", summary: "", axes: ("A", "B"), scores: scores)
    return chart.figure(width: 720).marks.compactMap { mark in
      switch mark {
      case .dot(_, _, _, let fill): (nil, fill)
      case .group(let title, let marks):
        if case .dot(_, _, _, let fill)? = marks.first { (title, fill) } else { nil }
      default: nil
      }
    }
  }

  @Test(
    "The sections come in their order, each in the contents; the same value gives the same bytes")
  func order() throws {
    let report = report([(0.1, 0.2)])
    let html = try html(report)
    let ids = [
      "answer", "classes", "scatter", "regressions", "improvements", "table-0", "provenance",
    ]
    let places = try ids.map {
      try #require(html.range(of: "<section id=\"\($0)\""), "\($0)").lowerBound
    }
    #expect(places == places.sorted())
    for id in ids { #expect(html.contains("<a href=\"#\(id)\">")) }
    #expect(try report.render(workers: 1) == report.render(workers: 3))
    #expect(try report.render().charts.map(\.name) == ["scores.png"])
    #expect(!html.contains("r<2>") && html.contains("r&lt;2&gt;"))
  }

  @Test("The main difference is at the top with its interval, the lines are sentences below it")
  func main() throws {
    var report = report([])
    report.lines = ["8 samples", "regressions 3, improvements 0", "(McNemar p = 0.250)"]
    #expect(try !html(report).contains("class=\"answer\""))
    report.main = .init(
      name: "accuracy", first: 0.5, second: 0.375, value: -0.125,
      interval: Interval(low: -0.25, high: 0.125, method: .bootstrap), samples: 8)
    let html = try html(report)
    #expect(html.contains("<span class=\"value\">−0.125</span>"))
    #expect(html.contains("<span class=\"interval\">[−0.250, +0.125]</span>"))
    #expect(html.contains("accuracy 0.500 → 0.375, B − A over 8 samples, with its <a"))
    #expect(
      html.contains(
        "is not significant (the 95\u{A0}% CI includes 0). 8 samples. Regressions 3, improvements 0 (McNemar p = 0.250).</p>"
      ))
    report.main?.interval = Interval(low: -0.25, high: -0.0625, method: .bootstrap)
    #expect(
      try self.html(report).contains(
        "in accuracy: the difference is significant (the 95\u{A0}% CI excludes 0)."))
    report.main?.interval = nil
    #expect(try self.html(report).contains("there is no reliable CI of the difference"))
    for match in html.matches(of: #/href="#([^"]*)"/#) {
      #expect(html.contains("id=\"\(match.output.1)\""))
    }
  }

  @Test("A table of many classes scrolls in its own box, a photo is a JPEG")
  func large() throws {
    var report = report([(0.2, 0.3)])
    report.classes?.rows = (0..<30).map { ["class \($0)", "+0.100"] }
    #expect(try html(report).contains("<div class=\"scroll tall\">"))
    let photo = Raster<UInt8>(repeating: 9, width: 240, height: 160, channels: 3)
    report.improvements.pictures = [.init(raster: photo, caption: ["k"], key: "k")]
    #expect(try html(report).ranges(of: "src=\"data:image/jpeg;base64,").count == 1)
  }

  @Test("An image has its key in a line of its own, and the section its query")
  func images() throws {
    let html = try html(report([]))
    #expect(
      html.contains(
        "<span class=\"line\">cat → dog, ground truth cat</span><span class=\"sample-key\">a/1.png</span>"
      ))
    #expect(html.contains("1 of 3 are shown."))
    #expect(html.contains("None."))
    #expect(html.ranges(of: "<details class=\"query").count == 1)
    // Without scores of samples there is no chart.
    #expect(!html.contains("<section id=\"scatter\""))
  }

  @Test("The chart counts samples that are better, worse and equal; fewer errors are better")
  func changes() throws {
    let pairs = [(0.1, 0.2), (0.5, 0.1), (0.7, 0.7), (0.2, 0.9)]
    #expect(
      try html(report(pairs)).contains(
        "IoU of 4 samples: better in B for 2, worse for 1, equal for 1."))
    #expect(try dots(report(pairs)).map(\.ink) == [.truth, .prediction, .muted, .truth])
    let errors = report([(1, 0), (2, 3), (0, 0)], isShare: false)
    #expect(try html(errors).contains("better in B for 1, worse for 1, equal for 1."))
  }

  @Test(
    "Many samples, and whole numbers, are counted in squares that have all samples",
    arguments: [true, false])
  func squares(isShare: Bool) throws {
    var random = SplitMix64(seed: 1)
    let pairs = (0..<2_000).map { _ in
      isShare
        ? (Double.random(in: 0...1, using: &random), Double.random(in: 0...1, using: &random))
        : (
          Double(Int.random(in: 0...70, using: &random)),
          Double(Int.random(in: 0...70, using: &random))
        )
    }
    let dots = try dots(report(pairs + [(1, 1), (0, 0)], isShare: isShare))
    let counts = dots.compactMap { $0.title?.split(separator: " ").first.flatMap { Int($0) } }
    #expect(counts.reduce(0, +) == 2_002)
    #expect(dots.count <= 26 * 26)
  }
}
