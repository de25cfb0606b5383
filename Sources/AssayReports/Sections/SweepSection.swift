import AssayCore

/// The section with IoU and Dice over the threshold.
struct SweepSection: ReportSection {
  let report: SegmentationReport
  let id = "sweep"
  let template = "chart"
  let title = "Threshold"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    guard let sweep = report.sweep, sweep.places.count > 1, let best = sweep.best else {
      return nil
    }
    let kinds = report.headline
    let chart = SweepChart(
      name: "sweep", title: "Scores over the \(sweep.setting): \(report.model) on \(report.view)",
      summary: "\(kinds.iou.facts.title) and \(kinds.dice.facts.title) over the \(sweep.setting)",
      curve: sweep,
      lines: (kinds.iou.facts.title, kinds.dice.facts.title))
    var sentence =
      "The \(kinds.iou.facts.title) is highest, \(NumberText.fixed(best.iou.value)), at a \(sweep.setting) of "
      + "\(NumberText.short(best.value))"
    if let current = sweep.current {
      let used = sweep.places.first { $0.value == current }?.iou.value
      sentence +=
        current == best.value
        ? ", the current one"
        : "; the current one is \(NumberText.short(current))"
          + (used.map { " (\(NumberText.fixed($0)))" } ?? "")
    }
    let bands =
      sweep.places.allSatisfy { $0.iou.interval != nil } ? " Bands are 95\u{A0}% intervals." : ""
    return [
      "sentence": sentence + ".", "chart": builder.html(of: chart),
      "note":
        "The best \(sweep.setting) was chosen on these samples, so its score is optimistic for others. "
        + "Choose it on one split of the data, report on another.\(bands)",
    ]
  }
}
