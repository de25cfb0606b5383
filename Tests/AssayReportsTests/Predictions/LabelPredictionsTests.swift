import AssayCore
import Testing

@testable import AssayReports

@Suite struct LabelPredictionsTests {
  private func report(names: [String] = ["cat", "dog", "owl"]) -> PredictionsReport {
    var report = PredictionsReport(
      run: "r1", model: "tiny", view: "photos", task: .multiLabel, count: 4)
    report.score = 0.5
    report.classes = names.map { .init(name: $0, count: 0) }
    report.add(labels: [0, 1], scores: [0.9, 0.6, 0.1])
    report.add(labels: [0], scores: [0.8, 0.25, 0.1])
    report.add(labels: [], scores: [0.1, 0.2, 0.1])
    report.add(labels: [0], scores: [Double(Float(0.9)), 0.1, 0])
    return report
  }

  private func html(_ report: PredictionsReport) throws -> String {
    String(decoding: try report.render().html, as: UTF8.self)
  }

  @Test("Labels are counted by class, by image and by score")
  func counts() {
    let report = report()
    #expect(report.classes.map(\.count) == [3, 1, 0])
    #expect(report.empty == 1)
    #expect(report.labelCounts == [1, 2, 1])
    #expect(report.confidences == 4)
    // At least 0.1, 0.25, 0.5, 0.75, 0.9; float32 scores count as at least the float32 level.
    #expect(report.reached == [[4, 3, 3, 3, 2], [4, 2, 1, 0, 0], [3, 0, 0, 0, 0]])
  }

  @Test(
    "The page tells labels per image and scores per class, and never the confidence of one class")
  func page() throws {
    let html = try html(report())
    #expect(
      html.contains(
        "4 images predicted with a score of at least 0.5: 1.00 labels per image on average, 1 image without "
          + "one. Most frequent: cat, 3 images (75.0 %)."))
    #expect(html.contains("<section id=\"label-counts\""))
    #expect(html.contains("The maximum is 2 labels per image."))
    #expect(html.contains("Scores of the predicted labels"))
    #expect(html.contains("25.0 % of 4 predicted labels have a score below 0.75."))
    #expect(
      html.contains(
        "<tr><th scope=\"row\">dog</th><td>1</td><td><span class=\"number\">0.288</span></td>"
          + "<td><span class=\"number\">4</span></td><td><span class=\"number\">2</span></td>"))
    #expect(!html.lowercased().contains("confidence"))
  }

  @Test("Nothing predicted, no image, ordinals without a class")
  func edges() throws {
    var report = PredictionsReport(
      run: "r1", model: "tiny", view: "photos", task: .multiLabel, count: 0)
    #expect(try html(report).contains("0 images predicted with the thresholds of the classes"))
    report.classes = [.init(name: "cat", count: 0)]
    report.count = 2
    report.add(labels: [], scores: [0.1])
    report.add(labels: [-1, 5], scores: [.nan, 0.3])
    #expect(report.labelCounts == [2] && report.empty == 2)
    #expect(try html(report).contains("No image has a predicted label."))
  }

  @Test("Images with more than 20 labels are one bar")
  func manyLabels() throws {
    var report = PredictionsReport(
      run: "r1", model: "tiny", view: "photos", task: .multiLabel, count: 2)
    report.classes = (0..<30).map { .init(name: "c\($0)", count: 0) }
    report.add(labels: Array(0..<30), scores: Array(repeating: 1, count: 30))
    report.add(labels: Array(0..<22), scores: Array(repeating: 1, count: 30))
    #expect(try html(report).contains(">20 or more</text>"))
  }

  @Test(
    "Whatever a file says is text, never markup",
    arguments: ["<script>alert(1)</script>", "'><img src=x>", "a & b"])
  func escaping(name: String) throws {
    let html = try html(report(names: [name, "dog", name + "2"]))
    #expect(html.contains(name.markupEscaped))
    #expect(!html.contains(name))
  }

  @Test("Other tasks have none of these sections")
  func otherTasks() throws {
    var report = PredictionsReport(
      run: "r1", model: "tiny", view: "photos", task: .classification, count: 1)
    report.classes = [.init(name: "cat", count: 1)]
    report.add(confidence: 0.9)
    let html = try html(report)
    #expect(html.contains("Mean confidence 0.90."))
    #expect(!html.contains("label-counts") && !html.contains("class-scores"))
  }
}
