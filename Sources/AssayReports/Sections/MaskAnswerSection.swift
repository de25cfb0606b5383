import AssayCore
import AssayMetrics

/// The section with IoU and Dice, their intervals, the number of samples, the
/// baseline, and an explanation.
struct MaskAnswerSection: ReportSection {
  let report: SegmentationReport
  let id = "answer"
  let template = "mask-answer"
  let title = "Result"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let scores = report.scores
    let kinds = [report.headline.iou, report.headline.dice]
    let iou = scores[report.headline.iou]
    var strip = ""
    if iou.value != nil {
      let name = report.headline.iou.facts.title
      strip = builder.html(
        of: AnswerStrip(
          name: "answer",
          title: "\(report.model) on \(report.view): \(name) "
            + "\(NumberText.fixed(iou.value)) \(iou.intervalText)",
          summary: "\(name) \(NumberText.fixed(iou.value)) \(iou.intervalText)"
            + (report.baseline.map { "; baseline \(NumberText.fixed($0.value))" } ?? ""),
          score: iou, label: name,
          baseline: report.baseline.map {
            ($0.value, "all pixels “\($0.name)”: \(NumberText.fixed($0.value))")
          }))
    }
    let tiles = MetricKind.shown(
      .tile, in: .segmentation, hasSeveral: !scores.labels.isBinary)
    let shown = tiles.filter { scores[$0].value != nil }
    return [
      "answers": kinds.map { kind -> [String: Any] in
        [
          "score": scores[kind].values, "interval": scores[kind].intervalText.templateValue,
          "term": Term(kind).values, "of": of(scores[kind]),
        ]
      },
      "sentence": sentence, "difference": difference, "certainty": certainty, "strip": strip,
      "tiles": shown.map { ["term": Term($0).values, "score": scores[$0].values] },
      "terms": (kinds.map { Term($0) } + [.interval, .allForeground] + shown.map { Term($0) })
        .map(\.values),
      "notes": report.notes, "truth": (report.truth ?? "").templateValue,
    ]
  }

  /// `over 248 of 250 samples`, `over 11 classes`.
  private func of(_ score: Score) -> String {
    guard let total = score.total else { return "over " + SegmentationReport.samples(rows) }
    let unit = report.scores.labels.isBinary ? "sample" : "class"
    let units = total == 1 ? unit : report.scores.labels.isBinary ? "samples" : "classes"
    guard let defined = score.defined, defined < total else {
      return "over \(NumberText.count(total)) \(units)"
    }
    return "over \(NumberText.count(defined)) of \(NumberText.count(total)) \(units)"
  }

  private var rows: Int { report.scores.count }

  private var sentence: String {
    let scores = report.scores
    guard scores.count > 0, let iou = scores[report.headline.iou].value else {
      return "There is no sample to evaluate."
    }
    let share = NumberText.fixed(iou)
    guard let only = report.onlyClass else {
      let classes = scores[.miou].defined ?? scores.labels.evaluated.count
      return
        "Of the pixels of a class in the ground truth or the prediction, \(share) are in both: the mean over "
        + "\(classes) classes, with all \(SegmentationReport.samples(scores.count)) pooled."
    }
    return
      "On average, \(share) of the pixels labeled “\(only)” in the ground truth or the prediction "
      + "are in both."
  }

  /// The sentences on the relation between IoU and Dice.
  private var difference: String {
    guard let dice = report.scores[report.headline.dice].value else { return "" }
    return
      "The \(report.headline.dice.facts.title), \(NumberText.fixed(dice)), measures the same overlap: for "
      + "one pair of masks Dice\u{A0}=\u{A0}2\u{A0}·\u{A0}IoU\u{A0}/\u{A0}(1\u{A0}+\u{A0}IoU), so it is never lower than IoU. Compare IoU "
      + "only with IoU, and Dice only with Dice."
  }

  private var certainty: String {
    let score = report.scores[report.headline.iou]
    let name = report.headline.iou.facts.title
    guard let value = score.value else { return "" }
    guard let interval = score.interval else {
      return report.scores.count < Bootstrap.leastSamples
        ? "There are too few samples for a reliable CI." : "No CI was computed for it."
    }
    var text =
      "The 95\u{A0}% CI of the \(name) is "
      + "[\(NumberText.fixed(interval.low)), \(NumberText.fixed(interval.high))]"
    guard let baseline = report.baseline else { return text + "." }
    let all = "labeling every pixel “\(baseline.name)” (\(NumberText.fixed(baseline.value)))"
    if interval.low > baseline.value {
      text += ", so it is significantly better than \(all)"
    } else if interval.high < baseline.value {
      text += ", so it is significantly worse than \(all)"
    } else {
      text +=
        value > baseline.value
        ? ": it is better than \(all), but not significantly"
        : ": it is not better than \(all)"
    }
    return text + "."
  }
}
