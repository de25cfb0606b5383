import AssayCore
import AssayImaging
import AssayMetrics
import Foundation
import Testing

@testable import AssayReports

@Suite struct ReportPageTests {
  @Test("The same report gives the same bytes, whatever the number of workers")
  func deterministic() throws {
    let report = try SmallReport.report()
    let once = try report.render(workers: 1)
    #expect(try once == report.render(workers: 1))
    #expect(try once == report.render(workers: 3))
  }

  @Test("The sections come in the order of the issue, each in the contents")
  func order() throws {
    let html = try SmallReport.html(SmallReport.report())
    let ids = [
      "answer", "classes", "confusions", "matrix", "counts", "mistakes", "inputs", "means",
      "reliability", "risk", "provenance",
    ]
    let places = try ids.map { id in
      try #require(html.range(of: "<section id=\"\(id)\"")).lowerBound
    }
    #expect(places == places.sorted())
    for id in ids { #expect(html.contains("<a href=\"#\(id)\">")) }
  }

  @Test(
    "The head shows dataset, view, split, samples, date and gate, and leaves out what is unknown")
  func head() throws {
    var report = try SmallReport.report()
    report.facts = [
      FactGroup("Data", [.init("Dataset", "faces"), .init("Split", "test"), .init("View", "v")]),
      FactGroup("Run", [.init("Date", "2026-01-31T12:00:00Z")]),
      FactGroup("Gate", [.init("Gate", "failed: 1 of 2 checks passed", isPassed: false)]),
    ]
    let html = try SmallReport.html(report)
    let open = try #require(html.range(of: "<dl class=\"head\">"))
    let close = try #require(html[open.upperBound...].range(of: "</dl>"))
    let names = html[open.upperBound..<close.lowerBound].matches(of: #/<dt>([^<]*)<\/dt>/#)
    #expect(names.map(\.1) == ["Dataset", "View", "Split", "Date of the run", "Gate"])
    #expect(html.contains("<dd class=\"failed\">failed: 1 of 2"))
    #expect(html.contains("<dd>test</dd>"))
    report.facts = []
    #expect(try !SmallReport.html(report).contains("<dl class=\"head\">"))
  }

  @Test("The key of a sample is visible below its image")
  func keys() throws {
    var report = try SmallReport.report()
    report.mistakes[0].key = "a/<b>.png"
    let html = try SmallReport.html(report)
    #expect(html.contains("<span class=\"sample-key\">a/&lt;b&gt;.png</span></figcaption>"))
  }

  @Test("The ground truth used is stated under the headline if it is not the imported one")
  func truth() throws {
    var report = try SmallReport.report()
    let plain = try SmallReport.html(report)
    report.truth = "By the truth as <anna> corrected it."
    let html = try SmallReport.html(report)
    let line = "<p class=\"caption\">By the truth as &lt;anna&gt; corrected it.</p>\n"
    let place = try #require(html.range(of: line))
    #expect(html.replacing(line, with: "") == plain)
    let lead = try #require(html.range(of: "<p class=\"lead\">"))
    #expect(place.upperBound == lead.lowerBound)
  }

  @Test("Mean images of many classes stand in bands that fit a sheet of paper")
  func bands() throws {
    var report = try SmallReport.report()
    let first = try #require(report.means.first)
    report.means = (0..<11).map { index in
      var column = first
      column.name = "k\(index)"
      return column
    }
    // Eleven are split into 6 and 5.
    let tables = try SmallReport.html(report).split(separator: "<table class=\"means\">")
      .dropFirst()
      .map { $0.prefix(upTo: $0.range(of: "</table>")?.lowerBound ?? $0.endIndex) }
    #expect(tables.map { $0.count(of: "<th scope=\"col\">") } == [6, 5])
    #expect(tables.map { $0.count(of: "<img") } == [12, 10])
  }

  @Test("Nothing is fetched: every source is data, every address a place on the page")
  func selfContained() throws {
    let html = try SmallReport.html(SmallReport.report())
    for banned in ["http:", "https:", "//", "url(", "@import", "<link", "<iframe"] {
      // Base64 and hashes can contain any letters; comments of the script contain slashes.
      let text = html.replacing(#/data:image\/png;base64,[A-Za-z0-9+\/=]+/#, with: "")
        .replacing(#/<script>[\s\S]*<\/script>/#, with: "")
        .replacing(#/'sha256-[A-Za-z0-9+\/=]+'/#, with: "")
      #expect(!text.contains(banned), "\(banned)")
    }
    for match in html.matches(of: #/(?:src|href)="([^"]*)"/#) {
      let target = match.1
      #expect(target.hasPrefix("#") || target.hasPrefix("data:image/png;base64,"))
    }
  }

  @Test("Every link on the page has its target")
  func targets() throws {
    let html = try SmallReport.html(SmallReport.report())
    let ids = html.matches(of: #/ id="([^"]*)"/#).map { String($0.1) }
    #expect(ids.count == Set(ids).count)
    for match in html.matches(of: #/href="#([^"]*)"/#) { #expect(ids.contains(String(match.1))) }
  }

  @Test("The policy allows this page's own style and script, by their hashes, and nothing else")
  func policy() throws {
    let html = try SmallReport.html(SmallReport.report())
    let policy = try #require(
      html.firstMatch(of: #/http-equiv="Content-Security-Policy" content="([^"]*)"/#)
    ).1
    #expect(policy.hasPrefix("default-src 'none'; img-src data:;"))
    #expect(!policy.contains("unsafe"))
    for (tag, directive) in [("style", "style-src"), ("script", "script-src")] {
      let open = try #require(html.range(of: "<\(tag)>"))
      let close = try #require(html.range(of: "</\(tag)>"))
      let text = String(html[open.upperBound..<close.lowerBound])
      #expect(!text.isEmpty)
      #expect(policy.contains("\(directive) '\(ContentPolicy.source(text))'"))
    }
    // Either attribute would be blocked by the policy.
    #expect(!html.contains(" style=\""))
    #expect(html.firstMatch(of: #/ on[a-z]+="/#) == nil)
  }

  @Test("A known text has its known hash")
  func knownHash() {
    // printf 'alert(1)' | openssl dgst -sha256 -binary | base64
    #expect(
      ContentPolicy.source("alert(1)")
        == "sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=")
  }

  @Test(
    "Whatever a file says is text, never markup",
    arguments: [
      "<script>alert(1)</script>", "\"onmouseover=alert(1) x=\"", "'><img src=x>", "a & b",
      "\"\u{0301}><script>", "<\u{0338}script>", "{{title}} {{{style}}}", "\u{1F600}\u{202E}é",
    ])
  func escaping(name: String) throws {
    var report = try SmallReport.report(classes: [name, "dog", "owl"])
    report.run = name
    report.model = name
    report.view = name
    report.notes = [name]
    report.facts = [FactGroup(name, [.init(name, name)])]
    report.inputs?.recipe = name
    report.mistakes = report.mistakes.map { mistake in
      var mistake = mistake
      mistake.key = name
      return mistake
    }
    // Bytes, not characters: to the browser a quote is a quote regardless of a following accent.
    let page = try report.render().html
    func count(_ text: String) -> Int {
      let wanted = Array(text.utf8)
      return page.indices.dropLast(wanted.count - 1).count {
        page[$0] == wanted[0] && page[$0..<$0 + wanted.count].elementsEqual(wanted)
      }
    }
    #expect(count(name.markupEscaped) >= 20)
    if name.markupEscaped != name { #expect(count(name) == 0) }
    #expect(count("<script>") == 1)
    #expect(count("<img src=x>") == 0)
  }

  @Test("What is undefined is a dash on the page")
  func undefined() throws {
    let html = try SmallReport.html(SmallReport.report())
    // The owl was never predicted, so it has no precision.
    #expect(html.contains("<span class=\"number\">–</span>"))
    #expect(!html.lowercased().contains("nan<"))
  }

  @Test("A report without samples, pictures and inputs still says what it knows")
  func empty() throws {
    let tally = try ClassificationTally(classCount: 3)
    let scores = try ClassificationScores(tally, ScoringSettings(intervals: nil))
    let report = ClassificationReport(
      run: "r1", model: "tiny", view: "none", classes: ["cat", "dog", "owl"], scores: scores)
    let html = try SmallReport.html(report)
    #expect(html.contains("There is no labeled sample to evaluate."))
    #expect(html.contains("<span class=\"value\">–</span>"))
  }

  @Test("Scores of another number of classes are refused")
  func mismatch() throws {
    let report = try SmallReport.report(classes: ["cat", "dog"])
    #expect(throws: ReportError.mismatch(what: "scores", expected: 2, found: 3)) {
      try report.render()
    }
  }

  @Test("The charts are PNG files beside the page")
  func charts() throws {
    let charts = try SmallReport.report().render().charts
    #expect(
      charts.map(\.name) == [
        "answer.png", "confusion.png", "counts.png", "per-class.png", "reliability.png",
        "risk-coverage.png",
      ])
    for chart in charts { #expect(try ImageCodec.header(of: chart.png).size.width == 1_280) }
  }

  @Test("The worst confusions come first, in a sentence")
  func confusions() throws {
    // cat → dog twice of 4; then owl → cat (all of 1) before dog → cat (1 of 3).
    let html = try SmallReport.html(SmallReport.report())
    #expect(
      html.contains(
        "Most frequently, cat is predicted as dog (2 of 4), owl is predicted as cat (1 of 1), and dog is "
          + "predicted as cat (1 of 3). These are all errors."))
  }
}

extension Substring {
  /// Returns the number of occurrences of a text.
  fileprivate func count(of text: String) -> Int { ranges(of: text).count }
}
