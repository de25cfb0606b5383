import AssayCore
import AssayMetrics

/// The section on the agreement of detection scores with the share of right detections.
struct ObjectReliabilitySection: ReportSection {
  let report: DetectionReport
  let id = "reliability"
  let title = "Reliability of the scores"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    guard let calibration = report.calibration, let error = calibration.error else { return nil }
    let chart = ReliabilityChart(
      name: "reliability", title: "Reliability: \(report.model) on \(report.view)",
      summary:
        "Share of correct detections against the score in 15 bins; calibration error "
        + NumberText.fixed(error),
      bins: calibration.bins, words: ("detections", "share of correct detections", "score"))
    return [
      "chart": builder.html(of: chart), "sentence": sentence(calibration.bins),
      "whose": "Their", "measured": "share",
      "rule": Self.rule, "error": Score(error).values, "term": Term(.ece15, in: .detection).values,
      "terms": [Term(.ece15, in: .detection)].map(\.values),
    ]
  }

  private static let rule = "15 bins of equal width (low, high] over the score"

  private func sentence(_ bins: [Calibration.Bin]) -> String {
    let count = Double(bins.reduce(0) { $0 + $1.count })
    guard count > 0 else { return "" }
    let score = bins.reduce(0) { $0 + ($1.meanConfidence ?? 0) * Double($1.count) } / count
    let right = bins.reduce(0) { $0 + ($1.accuracy ?? 0) * Double($1.count) } / count
    let verdict =
      if score - right > 0.02 {
        "The scores are overconfident"
      } else if right - score > 0.02 {
        "The scores are underconfident"
      } else {
        "On average the scores are well calibrated"
      }
    return "\(verdict): the mean score is \(NumberText.fixed(score)), and "
      + "\(NumberText.fixed(right)) of the detections are correct at \(report.workingIoU)."
  }
}
