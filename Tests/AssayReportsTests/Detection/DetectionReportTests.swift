import AssayCore
import AssayImaging
import AssayMetrics
import Foundation
import Testing

@testable import AssayReports

@Suite struct DetectionReportTests {
  @Test("AP and AP50 stand at the top, with what is found and what is right in words")
  func answer() throws {
    let html = try SmallObjectReport.html(SmallObjectReport.report())
    #expect(html.contains("<span class=\"value\">0.300</span>"))
    #expect(html.contains("<span class=\"value\">0.600</span>"))
    #expect(html.contains("over 2 images, 6 objects of 3 classes"))
    // 3 of 6 objects, 3 of 5 detections.
    #expect(html.contains("3 of 6 objects are found (recall 0.500)"))
    #expect(html.contains("3 of 5 detections are correct (precision 0.600)"))
    #expect(html.contains("CI of AP is [0.250, 0.350]"))
  }

  @Test("The sections come in their order, each in the contents")
  func order() throws {
    let html = try SmallObjectReport.html(SmallObjectReport.report())
    let ids = [
      "answer", "classes", "worst", "curves", "sizes", "matrix", "reliability", "numbers",
      "provenance",
    ]
    let places = try ids.map { id in
      try #require(html.range(of: "<section id=\"\(id)\""), "\(id)").lowerBound
    }
    #expect(places == places.sorted())
    for id in ids { #expect(html.contains("<a href=\"#\(id)\">")) }
  }

  @Test("Where nothing is found no class, size or type of error is ranked above another")
  func nothing() throws {
    var report = try SmallObjectReport.report()
    for kind in report.scores.keys { report.scores[kind] = Score(0) }
    for place in report.classes.indices where report.classes[place].ap.value != nil {
      report.classes[place].ap = Score(0)
    }
    for place in report.errors.indices { report.errors[place].cost = Score(0) }
    let html = try SmallObjectReport.html(report)
    #expect(html.contains("AP is 0.000 for all 2 classes that occur."))
    #expect(html.contains("AP is 0.000 at every size."))
    #expect(html.contains("Fixing the errors of one type alone would not improve AP50"))
    #expect(!html.contains("and lowest for") && !html.contains("AP is highest"))
  }

  @Test("Error types are sorted by ΔAP50, those that occur with their errors")
  func errors() throws {
    let html = try SmallObjectReport.html(SmallObjectReport.report())
    #expect(
      html.contains(
        "The most important error type is missed objects: AP50 would be 0.110 higher without them; next are "
          + "classification errors (0.060) and background errors (0.020)."))
    let headings = html.matches(of: #/<h3>([A-Z][a-z ]+) <span class="quiet">([^<]*)</#).map {
      "\($0.1): \($0.2)"
    }
    #expect(
      headings == [
        "Missed objects: 2, ΔAP50 0.110", "Classification errors: 1, ΔAP50 0.060",
        "Background errors: 3, ΔAP50 0.020",
      ])
    #expect(
      html.contains(
        "<span class=\"t\">cat</span> → <span class=\"p\">dog</span> <b>0.93</b> <span class=\"quiet\">"
          + "IoU 0.81 · 7.jpg</span>"))
    #expect(html.contains("aria-label=\"sample 7.jpg: dog, not found\""))
    #expect(
      html.contains("aria-label=\"sample 7.jpg: nothing, detected as cat with 0.93\""))
    // The labels in the image.
    #expect(html.contains(">dog 0.93</text>"))
  }

  @Test("Error types that were not computed, and a run without errors, are reported as such")
  func noErrors() throws {
    var report = try SmallObjectReport.report()
    report.errors = []
    #expect(
      try SmallObjectReport.html(report).contains("The error types were not computed."))
    report.errors = [.init(kind: .class, count: 0, cost: Score(0))]
    #expect(try SmallObjectReport.html(report).contains("There are no errors."))
  }

  @Test("The matrix is told in words, its confusions in a list")
  func confusion() throws {
    let html = try SmallObjectReport.html(SmallObjectReport.report())
    #expect(
      html.contains(
        "Of 6 objects, 3 are found with the correct class, 1 are found with another class and 2 are not "
          + "found; 1 detection is on background."))
    #expect(
      html.contains(
        "<th scope=\"row\"><span class=\"t\">cat</span></th><td><span class=\"p\">dog</span></td>"
          + "<td>1 of 4</td><td>0.250</td>"))
    #expect(html.contains("cat → background: 1, 0.250 of all cat"))
    #expect(!html.contains("Full matrix"))
  }

  @Test("Of many classes the confused ones are shown, the rest as one, and the whole on request")
  func largeMatrix() throws {
    let names = (0..<40).map { "c\($0)" }
    var report = try SmallObjectReport.report()
    report.classes = names.map {
      SmallObjectReport.entry(
        $0, truths: 10, ap: 0.2, precision: 0.5, recall: 0.5, curves: report.curves)
    }
    var matrix = ConfusionMatrix(classCount: 41)
    for index in 0..<40 { matrix.add(truth: index, predicted: index, count: 8) }
    matrix.add(truth: 30, predicted: 31, count: 5)
    matrix.add(truth: 2, predicted: 3, count: 4)
    matrix.add(truth: 5, predicted: 40, count: 7)
    report.confusion = matrix
    let html = try SmallObjectReport.html(report)
    #expect(html.contains("other classes → other classes"))
    #expect(html.contains("c30 → c31: 5, 0.385 of all c30"))
    #expect(html.contains("<summary>Full matrix, 41 × 41</summary>"))
    #expect(html.contains("c39 → c39: 8, 1.000 of all c39"))
    let names2 = try report.render().charts.map(\.name)
    #expect(names2.contains("confusion.png") && names2.contains("confusion-all.png"))
    #expect(!names2.contains("per-class.png"))
    #expect(html.contains("The 12 classes with the most objects; all 40 that occur"))
  }

  @Test("The table has one row per class, most objects first, undefined as a dash")
  func table() throws {
    let html = try SmallObjectReport.html(SmallObjectReport.report())
    let table = try #require(html.range(of: "<table class=\"sortable\">")).upperBound
    let rows = html[table...].split(separator: "<tr>").dropFirst(2).prefix(3).map(String.init)
    #expect(
      rows[0].hasPrefix("<th scope=\"row\">cat</th><td>4</td><td><span class=\"number\">0.250"))
    #expect(rows[1].hasPrefix("<th scope=\"row\">dog</th><td>2</td>"))
    #expect(rows[2].contains("<span class=\"number\">–</span>"))
    #expect(html.contains("1 class has no object in these images"))
    #expect(html.contains(">precision at 0.3</th>"))
  }

  @Test("The twelve numbers stand with what each is over, and VOC's beneath")
  func numbers() throws {
    let html = try SmallObjectReport.html(SmallObjectReport.report())
    let table = try #require(html.range(of: "<section id=\"numbers\"")).upperBound
    #expect(html[table...].ranges(of: "<tr><th scope=\"row\">").count == 13)
    #expect(html[table...].contains("</th><td>0.50–0.95</td><td>small</td><td>100</td>"))
    #expect(html[table...].contains("</th><td>0.50–0.95</td><td>all</td><td>10</td>"))
  }

  @Test("The charts are PNG files beside the page")
  func charts() throws {
    let charts = try SmallObjectReport.report().render().charts
    #expect(
      charts.map(\.name) == [
        "answer.png", "confusion.png", "errors.png", "per-class.png",
        "precision-recall-classes.png", "precision-recall.png", "reliability.png", "sizes.png",
      ])
    for chart in charts { #expect(try ImageCodec.header(of: chart.png).size.width == 1_280) }
  }

  @Test("The same report gives the same bytes, whatever the number of workers")
  func deterministic() throws {
    let report = try SmallObjectReport.report()
    #expect(try report.render(workers: 1) == report.render(workers: 3))
  }

  @Test("Nothing is fetched, every link has its target, and ids are unique")
  func selfContained() throws {
    let html = try SmallObjectReport.html(SmallObjectReport.report())
    let ids = html.matches(of: #/ id="([^"]*)"/#).map { String($0.1) }
    #expect(ids.count == Set(ids).count)
    for match in html.matches(of: #/(?:src|href)="([^"]*)"/#) {
      let target = match.1
      #expect(target.hasPrefix("#") || target.hasPrefix("data:image/"), "\(target)")
      if target.hasPrefix("#") { #expect(ids.contains(String(target.dropFirst())), "\(target)") }
    }
    #expect(!html.contains(" style=\""))
    #expect(!html.contains("url("))
  }

  @Test(
    "Whatever a file says is text, never markup",
    arguments: [
      "<script>alert(1)</script>", "\"onmouseover=alert(1) x=\"", "'><img src=x>", "a & b",
    ])
  func escaping(name: String) throws {
    var report = try SmallObjectReport.report(names: [name, "dog", "owl"], key: name)
    report.run = name
    report.model = name
    report.view = name
    report.notes = [name]
    report.facts = [FactGroup(name, [.init(name, name)])]
    let html = try SmallObjectReport.html(report)
    #expect(html.ranges(of: name.markupEscaped).count >= 15)
    #expect(!html.contains(name))
    #expect(html.ranges(of: "<script>").count == 1)
  }

  @Test("A report without images says so; a matrix of another size is refused")
  func edges() throws {
    var report = DetectionReport(
      run: "r", model: "m", view: "v", matching: DetectionSettings(),
      counts: ObjectTotals(images: 0, truths: 0, detections: 0, counted: 0, right: 0), scores: [:],
      classes: [])
    let html = try SmallObjectReport.html(report)
    #expect(html.contains("There is no image to evaluate."))
    #expect(html.contains("<span class=\"value\">–</span>"))
    report.confusion = ConfusionMatrix(classCount: 3)
    #expect(throws: ReportError.mismatch(what: "confusion matrix", expected: 1, found: 3)) {
      try report.render()
    }
  }

  @Test("Without objects and without detections each says what it is")
  func oneSided() throws {
    var report = try SmallObjectReport.report()
    report.counts = ObjectTotals(images: 2, truths: 0, detections: 4, counted: 4, right: 0)
    #expect(try SmallObjectReport.html(report).contains("There are no objects in these images"))
    report.counts = ObjectTotals(images: 2, truths: 1, detections: 0, counted: 0, right: 0)
    #expect(try SmallObjectReport.html(report).contains("there are no detections (1 object)."))
  }

  @Test("Images beyond the page's limit are left out, from the first that does not fit")
  func limit() throws {
    let mistakes = (0..<3).map { _ in SmallObjectReport.mistake(truth: "cat", prediction: "dog") }
    let whole = PageBuilder(workers: 1)
    #expect(try whole.mistakes(mistakes).allSatisfy { $0 != nil })
    let used = PictureLimits.bytes - whole.bytesLeft
    let some = PageBuilder(workers: 1, byteLimit: used / 3)
    #expect(try some.mistakes(mistakes).map { $0 != nil } == [true, false, false])
  }
}
