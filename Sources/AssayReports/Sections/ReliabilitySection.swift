import AssayCore
import AssayMetrics

/// The section on the agreement of the model's confidence and accuracy.
struct ReliabilitySection: ReportSection {
  let report: ClassificationReport
  let id = "reliability"
  let title = "Reliability"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let calibration = report.scores.calibration
    guard let error = calibration.error else { return nil }
    let chart = ReliabilityChart(
      name: "reliability", title: "Reliability: \(report.model) on \(report.view)",
      summary:
        "Accuracy against confidence in 15 bins; calibration error \(NumberText.fixed(error))",
      bins: calibration.bins)
    return [
      "chart": builder.html(of: chart), "sentence": sentence(calibration.bins),
      "whose": "Its", "measured": "accuracy",
      "rule": Calibration.rule, "error": Score(error).values, "term": Term(.ece15).values,
      "terms": [Term.confidence, Term(.ece15)].map(\.values),
    ]
  }

  private func sentence(_ bins: [Calibration.Bin]) -> String {
    let count = bins.reduce(0) { $0 + $1.count }
    let confidence = bins.reduce(0) { $0 + ($1.meanConfidence ?? 0) * Double($1.count) }
    guard count > 0, let accuracy = report.scores[.accuracy].value else { return "" }
    let mean = confidence / Double(count)
    let verdict =
      if mean - accuracy > 0.02 {
        "It is overconfident"
      } else if accuracy - mean > 0.02 {
        "It is underconfident"
      } else {
        "On average it is well calibrated"
      }
    return "\(verdict): its confidence is \(NumberText.fixed(mean)) on average, its accuracy "
      + "\(NumberText.fixed(accuracy))."
  }
}
