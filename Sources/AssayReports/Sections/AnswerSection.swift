import AssayCore
import AssayMetrics

/// The section with the accuracy, its interval, the number of samples, the
/// baseline, and an explanation.
struct AnswerSection: ReportSection {
  let report: ClassificationReport
  let id = "answer"
  let title = "Result"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let scores = report.scores
    let accuracy = scores[.accuracy]
    let baseline = scores[.baselineAccuracy].value
    let common = scores.baselineClass.map { report.classes[$0] }
    var strip = ""
    if accuracy.value != nil {
      strip = builder.html(
        of: AnswerStrip(
          name: "answer",
          title: "\(report.model) on \(report.view): accuracy "
            + "\(NumberText.fixed(accuracy.value)) \(accuracy.intervalText)",
          summary: "Accuracy \(NumberText.fixed(accuracy.value)) \(accuracy.intervalText); "
            + "baseline \(NumberText.fixed(baseline))",
          score: accuracy, label: "accuracy",
          baseline: baseline.map { ($0, "always “\(common ?? "")”: \(NumberText.fixed($0))") }))
    }
    let tiles = MetricKind.shown(.tile, in: .classification)
    let shown = tiles.filter { scores[$0].value != nil }
    return [
      "accuracy": accuracy.values, "interval": accuracy.intervalText.templateValue,
      "term": Term(.accuracy).values,
      "count": NumberText.count(scores.count) + (scores.count == 1 ? " sample" : " samples"),
      "sentence": sentence(accuracy: accuracy, baseline: baseline, common: common),
      "certainty": certainty(accuracy: accuracy, baseline: baseline), "strip": strip,
      "tiles": shown.map { ["term": Term($0).values, "score": scores[$0].values] },
      "terms": ([Term(.accuracy), .interval, .baseline] + shown.map { Term($0) }).map(\.values),
      "notes": report.notes, "truth": (report.truth ?? "").templateValue,
    ]
  }

  private func sentence(accuracy: Score, baseline: Double?, common: String?) -> String {
    let count = report.scores.count
    guard count > 0, accuracy.value != nil else {
      return "There is no labeled sample to evaluate."
    }
    let hits = report.classes.indices.reduce(0) { $0 + report.scores.confusion[$1, $1] }
    var text =
      "\(NumberText.count(hits)) of \(NumberText.count(count)) samples are classified correctly"
    if let baseline, let common {
      let most = Int((baseline * Double(count)).rounded())
      text += "; always predicting “\(common)” would be correct for \(NumberText.count(most))"
      text += " (\(NumberText.fixed(baseline)))"
    }
    return text + "."
  }

  private func certainty(accuracy: Score, baseline: Double?) -> String {
    guard let value = accuracy.value, let interval = accuracy.interval else {
      return accuracy.value == nil ? "" : "No CI was computed for it."
    }
    var text =
      "The 95\u{A0}% CI of the accuracy is "
      + "[\(NumberText.fixed(interval.low)), \(NumberText.fixed(interval.high))]"
    guard let baseline else { return text + "." }
    if interval.low > baseline {
      text += ", so it is significantly better than the baseline"
    } else if interval.high < baseline {
      text += ", so it is significantly worse than the baseline"
    } else {
      text +=
        value > baseline
        ? ": it is better than the baseline, but not significantly"
        : ": it is not better than the baseline"
    }
    return text + "."
  }
}
