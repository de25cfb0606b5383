import AssayCore
import AssayImaging
import AssayMetrics
import Foundation
import Testing

@testable import AssayReports

@Suite struct MultiLabelReportTests {
  /// The text between the start of a section and its end.
  private func section(_ id: String, of html: String) throws -> String {
    let start = try #require(html.range(of: "<section id=\"\(id)\""), "\(id)").upperBound
    let end = try #require(html.range(of: "</section>", range: start..<html.endIndex)).lowerBound
    return String(html[start..<end])
  }

  @Test("mAP and micro F1 stand at the top, with the threshold and what it gives in words")
  func answer() throws {
    let html = try section("answer", of: SmallLabelReport.html(SmallLabelReport.report()))
    // AP: cat (1 + 2/3 + 3/4) / 3, dog (1/2 + 2/3) / 2, owl 1.
    #expect(html.contains("<span class=\"value\">0.796</span>"))
    // 2·4 / (2·4 + 4 + 2).
    #expect(html.contains("<span class=\"value\">0.571</span>"))
    #expect(html.contains("over 5 samples, 3 classes"))
    #expect(html.contains("at the threshold 0.5"))
    #expect(
      html.contains(
        "At the threshold 0.5, 2 of 5 samples get exactly their true classes. A sample has 1.20 labels on "
          + "average; 1.60 are predicted."))
    #expect(html.contains("subset accuracy</a></dt><dd><span class=\"number\">0.400"))
    #expect(html.contains("Hamming loss</a></dt><dd><span class=\"number\">0.400"))
    // (3/5 + 2/5 + 1/5) / 3.
    #expect(html.contains("same score for all: 0.400"))
    let plain = html.lowercased().replacing("confidence interval", with: "")
    #expect(!plain.contains("confidence"))
  }

  @Test("The sections come in their order, each in the contents")
  func order() throws {
    let html = try SmallLabelReport.html(SmallLabelReport.report())
    let ids = ["answer", "classes", "mistakes", "samples", "numbers", "provenance"]
    let places = try ids.map { id in
      try #require(html.range(of: "<section id=\"\(id)\""), "\(id)").lowerBound
    }
    #expect(places == places.sorted())
    for id in ids { #expect(html.contains("<a href=\"#\(id)\">")) }
    var report = try SmallLabelReport.report()
    report.inputs = try SmallReport.report().inputs
    #expect(try SmallLabelReport.html(report).contains("<section id=\"inputs\""))
  }

  @Test("Wrong labels are listed by class and in pairs, with what they are shares of")
  func mistakes() throws {
    let html = try section("mistakes", of: SmallLabelReport.html(SmallLabelReport.report()))
    #expect(
      html.contains(
        "Of 6 true labels, 2 are missed, most often cat (1). Of 8 predicted labels, 4 are added, most often "
          + "owl (2). When cat is missed, owl is added in 1 of 1 samples."))
    #expect(
      html.contains(
        "<span class=\"\">owl</span></th><td><span class=\"number\">0 of 1</span></td>"
          + "<td><span class=\"number\">2 of 4</span></td><td><span class=\"number\">0.000</span></td>"
          + "<td><span class=\"number\">0.500</span></td>"))
    // owl is a false positive in 2 of 5 samples.
    #expect(
      html.contains(
        "<span class=\"t\">dog</span></th><td><span class=\"p\">owl</span></td>"
          + "<td><span class=\"number\">1 of 1</span></td><td><span class=\"number\">1.000</span></td>"
          + "<td><span class=\"number\">0.400</span></td>"))
  }

  @Test("The worst samples say in words and signs what is added and missed")
  func samples() throws {
    let html = try section("samples", of: SmallLabelReport.html(SmallLabelReport.report()))
    #expect(html.contains("All 3 samples with a wrong label"))
    #expect(
      html.contains(
        "<figcaption>true: cat, dog<br><span class=\"p\">added + owl 0.60</span>"
          + "<br><span class=\"t\">missed − cat 0.30</span><span class=\"sample-key\">"))
    #expect(
      html.contains("alt=\"sample sample 2: true: owl; added dog 0.80, cat 0.60\""))
    #expect(html.matches(of: #/<img class="wrong"/#).count == 3)
  }

  @Test("A score next to the threshold does not read as the threshold; long lists are cut")
  func captions() throws {
    var report = try SmallLabelReport.report()
    report.pictures[0].scores[1] = 0.4996
    #expect(try SmallLabelReport.html(report).contains("missed − dog 0.4996</span>"))
    report.pictures[0].scores[1] = 0.496
    #expect(try SmallLabelReport.html(report).contains("missed − dog 0.496</span>"))
    let tally = try MultiLabelTally(classCount: 20)
    report = try SmallLabelReport.report(classes: (0..<20).map { "c\($0)" }, tally: tally)
    report.pictures = [
      .init(
        key: "a", raster: SmallReport.picture(1), labels: [], predicted: Array(0..<20),
        scores: (0..<20).map { 0.6 + Double($0) / 100 })
    ]
    let html = try SmallLabelReport.html(report)
    #expect(html.contains("added + c19 0.79, c18 0.78,") && html.contains("c12 0.72 and 12 more<"))
  }

  @Test(
    "The table of classes has counts, numbers and the best thresholds, and says how those were chosen"
  )
  func classes() throws {
    let html = try section("classes", of: SmallLabelReport.html(SmallLabelReport.report()))
    #expect(html.contains("<table class=\"sortable\">"))
    let row = try #require(html.range(of: "<th scope=\"row\">cat</th>"))
    // n, TP, FP, FN.
    #expect(
      html[row.upperBound...].hasPrefix(
        "<td>3</td><td><span class=\"number\">2</span></td><td><span class=\"number\">1</span></td>"
          + "<td><span class=\"number\">1</span></td>"))
    #expect(html.contains("<th scope=\"col\">best threshold</th>"))
    #expect(html.contains("the best F1 is optimistic"))
    #expect(html.contains("AP is highest for owl (1.000) and lowest for dog (0.583)."))
    #expect(!html.contains("<th scope=\"col\">threshold</th>"))
  }

  @Test("Thresholds that differ stand in the table of classes")
  func thresholds() throws {
    let html = try SmallLabelReport.html(SmallLabelReport.report(thresholds: [0.25, 0.5, 0.65]))
    #expect(html.contains("at the thresholds of the classes"))
    let table = try section("classes", of: html)
    #expect(table.contains("<th scope=\"col\">threshold</th>"))
    #expect(table.contains("<span class=\"number\">0.65</span>"))
  }

  @Test("All numbers are listed, those without value or interval with the reason")
  func numbers() throws {
    let html = try section(
      "numbers", of: SmallLabelReport.html(SmallLabelReport.report(intervals: Bootstrap())))
    let kinds = MetricKind.kinds(of: .multiLabel).filter { $0.facts.scope == .overall }
    for kind in kinds { #expect(html.contains("href=\"#term-\(kind.rawValue)\""), "\(kind)") }
    #expect(html.contains("5 samples; at least 50 are needed"))
    #expect(html.contains("1 sample has no class or all classes"))
    #expect(html.contains("<h3>Without a threshold</h3>"))
    #expect(html.contains("<h3>At the threshold 0.5</h3>"))
  }

  @Test("The same report gives the same bytes, whatever the number of workers")
  func deterministic() throws {
    let report = try SmallLabelReport.report()
    #expect(try report.render(workers: 1) == report.render(workers: 3))
  }

  @Test("Nothing is fetched, every link has its target, and ids are unique")
  func selfContained() throws {
    var report = try SmallLabelReport.report()
    report.inputs = try SmallReport.report().inputs
    let html = try SmallLabelReport.html(report)
    let ids = html.matches(of: #/ id="([^"]*)"/#).map { String($0.1) }
    #expect(ids.count == Set(ids).count)
    for match in html.matches(of: #/(?:src|href)="([^"]*)"/#) {
      let target = match.1
      #expect(target.hasPrefix("#") || target.hasPrefix("data:image/"), "\(target)")
      if target.hasPrefix("#") { #expect(ids.contains(String(target.dropFirst())), "\(target)") }
    }
    #expect(!html.contains(" style=\"") && !html.contains("url("))
    #expect(html.firstMatch(of: #/ on[a-z]+="/#) == nil)
  }

  @Test(
    "Whatever a file says is text, never markup",
    arguments: [
      "<script>alert(1)</script>", "\"onmouseover=alert(1) x=\"", "'><img src=x>", "a & b",
      "{{title}} {{{style}}}", "\"\u{0301}><script>",
    ])
  func escaping(name: String) throws {
    var report = try SmallLabelReport.report(classes: [name, "dog", name], key: name)
    report.run = name
    report.model = name
    report.view = name
    report.truth = name
    report.notes = [name]
    report.facts = [FactGroup(name, [.init(name, name)])]
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

  @Test("A report without samples says so")
  func empty() throws {
    let tally = try MultiLabelTally(classCount: 3)
    let html = try SmallLabelReport.html(SmallLabelReport.report(tally: tally))
    #expect(html.contains("There is no sample to evaluate."))
    #expect(html.contains("<span class=\"value\">–</span>"))
    #expect(!html.lowercased().contains("nan<") && !html.contains("<section id=\"mistakes\""))
  }

  @Test("Without a label in the ground truth mAP is undefined, with the reason")
  func noLabels() throws {
    var tally = try MultiLabelTally(classCount: 3)
    try tally.add(labelSets: [[], []], scores: [0.1, 0.2, 0.9, 0.1, 0.2, 0.3] as [Float])
    let html = try SmallLabelReport.html(SmallLabelReport.report(tally: tally))
    #expect(html.contains("No sample has a class in the ground truth"))
    #expect(html.contains("undefined: no sample has a class"))
    #expect(html.contains("3 classes do not occur in the ground truth, so they have no AP."))
    #expect(!html.contains("same score for all"))
    #expect(
      html.contains(
        "<figcaption>no true label<br><span class=\"p\">added + owl 0.90</span><span class=\"sample-key\">"
      ))
  }

  @Test("One class, and every prediction right")
  func oneClass() throws {
    var tally = try MultiLabelTally(classCount: 1)
    try tally.add(labelSets: [[0], [], [0]], scores: [0.9, 0.2, 0.5] as [Float])
    let html = try SmallLabelReport.html(SmallLabelReport.report(classes: ["cat"], tally: tally))
    #expect(html.contains("No errors: every sample gets exactly its true classes."))
    #expect(html.contains("AP is 1.000 for cat."))
    #expect(
      html.contains("over 3 samples, 1 class, with") || html.contains("over 3 samples, 1 class<"))
    #expect(!html.contains("<section id=\"samples\""))
  }

  @Test("Of 80 classes all are in the table, those with the lowest AP in the chart")
  func manyClasses() throws {
    let tally = try SmallLabelReport.random(classCount: 80, count: 400)
    let report = try SmallLabelReport.report(
      classes: (0..<80).map { "class \($0)" }, tally: tally)
    let html = try SmallLabelReport.html(report)
    let table = try section("classes", of: html)
    #expect(table.matches(of: #/<th scope="row">class \d+<\/th>/#).count == 80)
    #expect(
      table.contains(
        "The chart shows the 30 classes with the lowest AP; the table shows all classes."))
    #expect(
      html.contains("The 12 classes with the most wrong labels; all 80 classes are in the table"))
    #expect(try section("samples", of: html).matches(of: #/<img /#).count == PictureLimits.mistakes)
    let pairs = try section("mistakes", of: html).matches(of: #/<th scope="row"><span class="t">/#)
    #expect(pairs.count == PictureLimits.labelConfusions)
  }

  @Test("Scores of another number of classes are refused")
  func mismatch() throws {
    let report = try SmallLabelReport.report(classes: ["cat", "dog"])
    #expect(throws: ReportError.mismatch(what: "scores", expected: 2, found: 3)) {
      try report.render()
    }
  }

  @Test("Ordinals and scores that a class list does not have are shown as unknown")
  func unknownOrdinals() throws {
    var report = try SmallLabelReport.report()
    report.pictures[0].labels = [7]
    report.pictures[0].predicted = [-1]
    report.pictures[0].scores = []
    report.confusions = [LabelConfusion(missed: 9, added: -2, count: 1, total: 0)]
    let html = try SmallLabelReport.html(report)
    #expect(html.contains("true: ?<br><span class=\"p\">added + ?</span>"))
  }

  @Test("The charts are PNG files beside the page")
  func charts() throws {
    let charts = try SmallLabelReport.report().render().charts
    #expect(charts.map(\.name) == ["answer.png", "counts.png", "per-class.png"])
    for chart in charts { #expect(try ImageCodec.header(of: chart.png).size.width == 1_280) }
  }
}

@Suite struct LabelMistakesTests {
  @Test("The worst samples have the most wrong classes, of equally many the larger ranking loss")
  func worst() throws {
    let tally = try SmallLabelReport.tally()
    let mistakes = LabelMistakes(tally, try SmallLabelReport.thresholds(tally))
    // Two wrong classes each; ranking losses 1, 0 and 1/2 of samples 1, 2 and 3.
    #expect(mistakes.worst.map(\.index) == [1, 3, 2])
    #expect(mistakes.worst.map(\.evaluated.wrong) == [2, 2, 2])
    #expect(
      LabelMistakes(tally, try SmallLabelReport.thresholds(tally), samples: 1).worst.count == 1)
    #expect(LabelMistakes(tally, try SmallLabelReport.thresholds(tally), samples: 0).worst.isEmpty)
  }

  @Test("Pairs are counted as by a loop over all samples and classes", arguments: [3, 12, 1_000])
  func confusions(limit: Int) throws {
    let tally = try SmallLabelReport.random(classCount: 9, count: 300, seed: 5)
    let thresholds = try SmallLabelReport.thresholds(tally)
    var expected: [LabelConfusion] = []
    let evaluated = (0..<tally.count).map { tally.evaluated($0, thresholds) }
    for missed in 0..<9 {
      let those = evaluated.filter { $0.missed.contains(missed) }
      for added in 0..<9 {
        let count = those.count { $0.added.contains(added) }
        guard count > 0 else { continue }
        expected.append(
          LabelConfusion(missed: missed, added: added, count: count, total: those.count))
      }
    }
    expected.sort {
      if $0.count != $1.count { return $0.count > $1.count }
      if $0.share != $1.share { return $0.share > $1.share }
      return ($0.missed, $0.added) < ($1.missed, $1.added)
    }
    #expect(expected.count > 12)
    let found = LabelMistakes(tally, thresholds, confusions: limit).confusions
    #expect(found == Array(expected.prefix(limit)))
  }

  @Test("A tally without samples has no mistakes")
  func empty() throws {
    let tally = try MultiLabelTally(classCount: 2)
    let mistakes = LabelMistakes(tally, try SmallLabelReport.thresholds(tally))
    #expect(mistakes.worst.isEmpty && mistakes.confusions.isEmpty)
  }
}
