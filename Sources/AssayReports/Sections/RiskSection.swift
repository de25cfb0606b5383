import AssayCore
import AssayMetrics

/// The section on the gain from abstaining on samples with low confidence.
struct RiskSection: ReportSection {
  let report: ClassificationReport
  let id = "risk"
  let title = "Risk against coverage"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let confidence = report.scores.riskByConfidence
    let margin = report.scores.riskByMargin
    guard confidence.count > 0 else { return nil }
    let chart = RiskCoverageChart(
      name: "risk-coverage", title: "Risk against coverage: \(report.model) on \(report.view)",
      summary: "Share of wrong answers against the share of samples answered",
      series: [
        .init(label: "by confidence", curve: confidence, dash: .solid),
        .init(label: "by margin", curve: margin, dash: .dashed),
      ])
    let rows = [1.0, 0.9, 0.8, 0.7, 0.5, 0.3, 0.1].map { coverage -> [String: Any] in
      [
        "coverage": NumberText.fixed(coverage, 1),
        "confidence": NumberText.fixed(confidence.accuracy(atCoverage: coverage)),
        "threshold": NumberText.fixed(Self.threshold(confidence, coverage)),
        "margin": NumberText.fixed(margin.accuracy(atCoverage: coverage)),
        "marginThreshold": NumberText.fixed(Self.threshold(margin, coverage)),
      ]
    }
    return [
      "chart": builder.html(of: chart), "rows": rows, "sentence": sentence(confidence),
      "terms": [Term.coverage, Term.margin, Term(.aurc)].map(\.values),
      "areas": [
        ["term": Term(.aurc).values, "score": report.scores[.aurc].values],
        ["term": Term(.aurcMargin).values, "score": report.scores[.aurcMargin].values],
      ] as [[String: Any]], "abstention": abstention,
    ]
  }

  private func sentence(_ curve: RiskCoverageCurve) -> String {
    guard let all = curve.accuracy(atCoverage: 1), let half = curve.accuracy(atCoverage: 0.5) else {
      return ""
    }
    guard all < 1 else { return "No prediction is wrong, so abstention cannot help." }
    return
      "In the more confident half of the samples, the error rate is \(NumberText.fixed(1 - half)) "
      + "instead of \(NumberText.fixed(1 - all))."
  }

  private var abstention: String {
    guard let chosen = report.scores.abstention else { return "" }
    return
      "At a confidence of at least \(NumberText.short(chosen.rule.accept)) and a margin of at least "
      + "\(NumberText.short(chosen.rule.margin)), \(NumberText.fixed(chosen.share)) of the samples are "
      + "answered, \(NumberText.fixed(chosen.accuracy)) of them correctly; "
      + "\(NumberText.fixed(chosen.meanAccepted, 2)) labels per sample reach the threshold."
  }

  /// Returns the score threshold at which this share of the samples is answered.
  private static func threshold(_ curve: RiskCoverageCurve, _ coverage: Double) -> Double? {
    let wanted = Int((coverage * Double(curve.count)).rounded(.up))
    return curve.points.first { $0.answered >= wanted }?.threshold
  }
}
