import AssayCore
import AssayMetrics

/// The answer: IoU and Dice with their intervals, the number of samples, the baseline, what that means.
struct MaskAnswerSection: ReportSection {
  let report: SegmentationReport
  let id = "answer"
  let template = "mask-answer"
  let title = "The answer"

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
      return "There is no sample with anything to judge."
    }
    let share = NumberText.fixed(iou)
    guard let only = report.onlyClass else {
      let classes = scores[.miou].defined ?? scores.labels.judged.count
      return
        "Of the pixels that truth or prediction give to a class, \(share) are given to it by both: the "
        + "mean over \(classes) classes, all \(SegmentationReport.samples(scores.count)) together."
    }
    return
      "Of the pixels that truth or prediction call “\(only)”, on average \(share) are called so by both."
  }

  /// The sentences on the relation between IoU and Dice.
  private var difference: String {
    guard let dice = report.scores[report.headline.dice].value else { return "" }
    return
      "The \(report.headline.dice.facts.title), \(NumberText.fixed(dice)), says the same in another number: of "
      + "one pair of masks Dice\u{A0}=\u{A0}2\u{A0}·\u{A0}IoU\u{A0}/\u{A0}(1\u{A0}+\u{A0}IoU), never the smaller of the two. Compare IoU with IoU "
      + "and Dice with Dice."
  }

  private var certainty: String {
    let score = report.scores[report.headline.iou]
    let name = report.headline.iou.facts.title
    guard let value = score.value else { return "" }
    guard let interval = score.interval else {
      return report.scores.count < Bootstrap.leastSamples
        ? "These are too few samples for an honest interval." : "No interval was computed for it."
    }
    var text =
      "With other samples of the same kind the \(name) would most likely lie between "
      + "\(NumberText.fixed(interval.low)) and \(NumberText.fixed(interval.high)) (95\u{A0}%)"
    guard let baseline = report.baseline else { return text + "." }
    let all = "calling every pixel “\(baseline.name)” (\(NumberText.fixed(baseline.value)))"
    if interval.low > baseline.value {
      text += ", so it is clearly better than \(all)"
    } else if interval.high < baseline.value {
      text += ", so it is worse than \(all)"
    } else {
      text +=
        value > baseline.value
        ? ": too few samples to tell it from \(all)"
        : ": no better than \(all), as far as these samples tell"
    }
    return text + "."
  }
}
