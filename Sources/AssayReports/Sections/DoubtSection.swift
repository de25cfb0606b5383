import AssayCore

/// The section that shows whether numbers that need no ground truth indicate bad masks.
struct DoubtSection: ReportSection {
  let report: SegmentationReport
  let id = "doubt"
  let template = "mask-doubt"
  let title = "Indicators of bad masks"

  /// The minimum number of samples for a meaningful quarter.
  private static let least = 20

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let signs: [(axis: String, words: String, value: (SegmentedRow) -> Double?)] = [
      ("uncertainty", "the highest uncertainty", \.uncertainty),
      ("center offset", "the largest center offset", \.centerOffset),
    ]
    var panels: [ScatterChart.Panel] = []
    var sentences: [String] = []
    for sign in signs {
      let points = report.rows.compactMap { row -> Point? in
        guard let sign = sign.value(row), let iou = row.scores.iou else { return nil }
        return Point(x: sign, y: iou)
      }
      guard points.count >= Self.least else { continue }
      panels.append(.init(axis: sign.axis, points: points))
      if let sentence = Self.sentence(points, sign.words, report.sampleIoU) {
        sentences.append(sentence)
      }
    }
    guard !panels.isEmpty else { return nil }
    let chart = ScatterChart(
      name: "signs",
      title: "\(report.sampleIoU) against indicators: \(report.model) on \(report.view)",
      summary: "Each sample's \(report.sampleIoU) against "
        + panels.map(\.axis).joined(separator: ", "),
      score: report.sampleIoU, panels: panels)
    return [
      "sentence": sentences.joined(separator: " "), "chart": builder.html(of: chart),
      "terms": [Term.uncertainty, .centerOffset].map(\.values),
    ]
  }

  /// Returns a sentence that compares the mean score of the quarter with the largest indicator
  /// values with that of the rest.
  private static func sentence(_ points: [Point], _ words: String, _ score: String) -> String? {
    let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
    let quarter = sorted.count / 4
    guard quarter > 0 else { return nil }
    func mean(_ part: ArraySlice<Point>) -> String {
      NumberText.fixed(part.reduce(0) { $0 + $1.y } / Double(part.count))
    }
    let rest = sorted.dropLast(quarter)
    return
      "The 25 % of samples with \(words) have a mean \(score) of "
      + "\(mean(sorted.suffix(quarter))); the rest have \(mean(rest))."
  }
}
