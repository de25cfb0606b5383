import AssayCore

/// The section with the confusion matrix in pixels, if there are several classes.
struct PixelMatrixSection: ReportSection {
  let report: SegmentationReport
  let id = "matrix"
  let template = "chart"
  let title = "Confusion matrix in pixels"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    guard !report.scores.labels.isBinary, report.scores.confusion.total > 0 else { return nil }
    let labels = report.scores.labels
    let totals = report.scores.confusion.totals
    // A background to which no pixel belongs needs no row.
    let shown = labels.names.indices.filter {
      labels.evaluated.contains($0) || totals.truth[$0] + totals.predicted[$0] > 0
    }
    let names = shown.map { labels.names[$0] }
    let rows = report.scores.confusion.rows
    let map = HeatMap(
      name: "confusion", title: "Confusion matrix: \(report.model) on \(report.view)",
      summary:
        "Confusion matrix of \(Counted.text(names.count, "class", "classes")) in pixels, rows ground truth, columns prediction",
      classes: names, counts: shown.map { truth in shown.map { rows[truth][$0] } }, unit: .pixels,
      anchor: { _, _ in nil })
    return [
      "sentence":
        "Rows are the ground truth, columns the prediction; a cell’s color and number are its share of "
        + "the row’s pixels.",
      "chart": builder.html(of: map),
      "note": left,
    ]
  }

  private var left: String {
    switch report.scores.void {
    case 0: ""
    case 1: "1 pixel is ignored: it has no ground truth."
    case let count: "\(NumberText.count(count)) pixels are ignored: they have no ground truth."
    }
  }
}
