import AssayCore
import AssayImaging
import AssayMetrics
import Foundation
import Testing

@testable import AssayReports

@Suite struct SegmentationReportTests {
  @Test("Mean IoU and mean Dice stand at the top, with how many samples were defined")
  func answer() throws {
    let html = try SmallMaskReport.html(SmallMaskReport.report())
    // (1/3 + 1) / 2 = 0.667, (1/2 + 1) / 2 = 0.750; the third pair is empty.
    #expect(html.contains("<span class=\"value\">0.667</span>"))
    #expect(html.contains("<span class=\"value\">0.750</span>"))
    #expect(html.contains("over 2 of 3 samples"))
    #expect(html.contains("On average, 0.667 of the pixels labeled"))
    #expect(html.contains("Dice\u{A0}=\u{A0}2"))
    #expect(html.contains("too few samples for a reliable CI"))
    // All pixels: 20 of 100, twice, and 0: 0.4 / 3.
    #expect(html.contains("all pixels “person”: 0.133"))
  }

  @Test("Predictions that are clearly too small or too large are called so")
  func lopsided() throws {
    func sentence(_ confusion: [Int]) throws -> String {
      var tally = SegmentationTally(labels: SegmentationLabels(foreground: "person"))
      try tally.add(SegmentedSample(confusion: confusion))
      let scores = try SegmentationScores(tally, ScoringSettings(intervals: nil))
      return try SmallMaskReport.html(
        SegmentationReport(
          run: "r", model: "m", view: "v", scores: scores,
          rows: [SegmentedRow(key: "a", scores: scores.samples[0])]))
    }
    // 60 of 100 wrong pixels missed: fn is row 1, column 0.
    #expect(
      try sentence([0, 40, 60, 10]).contains(
        "60\u{A0}% of wrong pixels are false negatives: the predictions tend to be too small"))
    #expect(
      try sentence([0, 75, 25, 10]).contains(
        "75\u{A0}% of wrong pixels are false positives: the predictions tend to be too large"))
    #expect(try sentence([0, 0, 0, 10]).contains("No errors: every pixel is correct."))
    #expect(
      try sentence([5, 5, 0, 0]).contains("the ground truth is empty, but the prediction is not"))
    #expect(try sentence([5, 0, 5, 0]).contains("In 1 sample no ground-truth pixel was found"))
  }

  @Test("The sections come in the order of the classification's report, each in the contents")
  func order() throws {
    let html = try SmallMaskReport.html(SmallMaskReport.report(copies: 20))
    let ids = [
      "answer", "classes", "worst", "samples", "spread", "sweep", "doubt", "table", "provenance",
    ]
    let places = try ids.map { id in
      try #require(html.range(of: "<section id=\"\(id)\""), "\(id)").lowerBound
    }
    #expect(places == places.sorted())
    for id in ids { #expect(html.contains("<a href=\"#\(id)\">")) }
  }

  @Test("What goes wrong is said in pixels and in samples")
  func worst() throws {
    let html = try SmallMaskReport.html(SmallMaskReport.report())
    // 10 pixels are missed, 10 are false positives.
    #expect(
      html.contains(
        "50\u{A0}% of wrong pixels are false negatives."))
    #expect(html.contains("The worst sample has an IoU of 0.333."))
    #expect(html.contains("IoU <b>0.333</b> Dice <b>0.500</b> <span class=\"quiet\">a0</span>"))
    #expect(html.contains("IoU <b>–</b> Dice <b>–</b>"))
  }

  @Test("The histogram, the curve and the signs are on the page and beside it as PNG")
  func charts() throws {
    let report = try SmallMaskReport.report(copies: 20)
    let rendered = try report.render()
    #expect(
      rendered.charts.map(\.name) == [
        "answer.png", "iou-histogram.png", "signs.png", "sweep.png",
      ])
    for chart in rendered.charts {
      #expect(try ImageCodec.header(of: chart.png).size.width == 1_280)
    }
    let html = String(decoding: rendered.html, as: UTF8.self)
    #expect(html.contains("The median IoU is 0.667; 20 of 40 samples are below 0.5."))
    #expect(html.contains("20 samples more have none"))
    #expect(
      html.contains(
        "The mean IoU is highest, 0.750, at a threshold of 0.5; the current one is 0.4 (0.500).")
    )
    #expect(html.contains("chosen on these samples"))
    // Uncertainty is 0 if the IoU is 1/3 and 1/4 if it is 1: the quarter of 40 with the highest
    // uncertainty has 1.
    #expect(html.contains("with the highest uncertainty have a mean IoU of 1.000"))
  }

  @Test("The table has the lowest IoU first, what is undefined last, and its numbers")
  func table() throws {
    let html = try SmallMaskReport.html(SmallMaskReport.report())
    let table = try #require(html.range(of: "<table class=\"sortable\">")).upperBound
    let rows = html[table...].split(separator: "<tr>").dropFirst(2).prefix(3).map(String.init)
    #expect(
      rows[0].hasPrefix("<th scope=\"row\">a0</th><td>0.333</td><td>0.500</td><td>0.500</td>"))
    #expect(rows[1].hasPrefix("<th scope=\"row\">a1</th><td>1.000</td>"))
    #expect(rows[2].hasPrefix("<th scope=\"row\">a2</th><td>–</td><td>–</td>"))
  }

  @Test("A long table is cut, and says where all rows are")
  func cut() throws {
    let html = try SmallMaskReport.html(SmallMaskReport.report(copies: 200))
    #expect(html.contains("The 500 of 600 samples with the lowest IoU"))
    #expect(html.contains("--samples"))
    let table = try #require(html.range(of: "<table class=\"sortable\">")).upperBound
    #expect(html[table...].ranges(of: "<th scope=\"row\">").count == 500)
  }

  @Test("Several classes have label maps with their key, a matrix in pixels and a row each")
  func severalClasses() throws {
    let html = try SmallMaskReport.html(SmallMaskReport.severalClasses())
    // Road 1/2, sky 1/2: mIoU 0.5; Dice 2/3 both.
    #expect(html.contains("<span class=\"value\">0.500</span>"))
    #expect(html.contains("<span class=\"value\">0.667</span>"))
    #expect(html.contains("over 2 classes"))
    #expect(
      html.contains("Most frequent by pixels: road is predicted as sky (0.500 of its pixels)."))
    #expect(html.contains("<section id=\"matrix\""))
    #expect(html.contains("road → sky: 1 pixel, 0.500 of all road"))
    #expect(html.contains("1 pixel is ignored: it has no ground truth."))
    #expect(html.contains("<span class=\"quiet\">ground truth</span>"))
    #expect(html.contains("<span class=\"quiet\">prediction</span>"))
    for color in [ClassColor.of(0), ClassColor.of(1), ClassColor.void.0] {
      #expect(html.contains("fill=\"\(color.css)\""))
    }
    // The baseline predicts road everywhere: 2 of 3 pixels, over two classes.
    #expect(html.contains("all pixels “road”: 0.333"))
    #expect(html.contains("Per class"))
  }

  @Test("The same report gives the same bytes, whatever the number of workers")
  func deterministic() throws {
    for report in [
      try SmallMaskReport.report(bootstrap: Bootstrap(draws: 50)),
      try SmallMaskReport.severalClasses(),
    ] {
      let once = try report.render(workers: 1)
      #expect(try once == report.render(workers: 3))
    }
  }

  @Test("Nothing is fetched, every link has its target, and ids are unique")
  func selfContained() throws {
    for report in [try SmallMaskReport.report(copies: 20), try SmallMaskReport.severalClasses()] {
      let html = try SmallMaskReport.html(report)
      let ids = html.matches(of: #/ id="([^"]*)"/#).map { String($0.1) }
      #expect(ids.count == Set(ids).count)
      for match in html.matches(of: #/(?:src|href)="([^"]*)"/#) {
        let target = match.1
        #expect(target.hasPrefix("#") || target.hasPrefix("data:image/"), "\(target)")
        if target.hasPrefix("#") { #expect(ids.contains(String(target.dropFirst())), "\(target)") }
      }
      #expect(!html.contains(" style=\""))
      #expect(!html.contains("url("))
      #expect(html.firstMatch(of: #/ on[a-z]+="/#) == nil)
    }
  }

  @Test(
    "Whatever a file says is text, never markup",
    arguments: [
      "<script>alert(1)</script>", "\"onmouseover=alert(1) x=\"", "'><img src=x>", "a & b",
    ])
  func escaping(name: String) throws {
    var report = try SmallMaskReport.report(name: name, key: name, copies: 20)
    report.run = name
    report.model = name
    report.view = name
    report.evaluation = name
    report.notes = [name]
    report.facts = [FactGroup(name, [.init(name, name)])]
    let several = try SmallMaskReport.severalClasses(names: [name, "sky"])
    for html in [try SmallMaskReport.html(report), try SmallMaskReport.html(several)] {
      #expect(html.ranges(of: name.markupEscaped).count >= 5)
      #expect(!html.contains(name))
      #expect(html.ranges(of: "<script>").count == 1)
    }
  }

  @Test("A report without samples says so; rows of another number are refused")
  func edges() throws {
    let scores = try SegmentationScores(
      SegmentationTally(labels: SegmentationLabels(foreground: "person")),
      ScoringSettings(intervals: nil))
    var report = SegmentationReport(run: "r", model: "m", view: "v", scores: scores, rows: [])
    let html = try SmallMaskReport.html(report)
    #expect(html.contains("There is no sample to evaluate."))
    #expect(html.contains("<span class=\"value\">–</span>"))
    report.rows = [SegmentedRow(key: "a", scores: SampleMaskScores())]
    #expect(throws: ReportError.mismatch(what: "table", expected: 0, found: 1)) {
      try report.render()
    }
  }

  @Test("Images beyond the page's limit are left out, from the first that does not fit")
  func limit() throws {
    let report = try SmallMaskReport.report()
    let all = try PageBuilder(workers: 1).samples(report.all, of: report)
    #expect(all.allSatisfy { $0 != nil })
    let none = try PageBuilder(workers: 1, byteLimit: 10).samples(report.all, of: report)
    #expect(none.count == 5 && none.allSatisfy { $0 == nil })
    let left = PageBuilder(workers: 1)
    _ = try left.samples(Array(report.all.prefix(1)), of: report)
    let one = PageBuilder(workers: 1, byteLimit: PictureLimits.bytes - left.bytesLeft)
    #expect(
      try one.samples(report.all, of: report).map { $0 != nil }
        == [true, false, false, false, false])
    #expect(one.bytesLeft == 0)
  }
}
