import AssayCore
import AssayMetrics

/// The section with the scores of every class and their intervals, then the
/// scores over all classes.
struct ClassesSection: ReportSection {
  let report: ClassificationReport
  let id = "classes"
  let title = "Per class"

  private static let columns = MetricKind.shown(.classTable, in: .classification)
  private static let list = [MetricFacts.Place.headline, .list].flatMap {
    MetricKind.shown($0, in: .classification)
  }

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let scores = report.scores
    let totals = scores.confusion.totals
    let columns = Self.columns.filter { scores.perClass($0).count == report.classes.count }
    let dots = IntervalDots(
      name: "per-class", title: "Per class: \(report.model) on \(report.view)",
      summary: "Precision, recall and F1 of each class with their intervals",
      classes: report.classes,
      panels: columns.filter { [.precision, .recall, .f1].contains($0) }.map {
        .init(title: $0.facts.title, values: scores.perClass($0))
      })
    let rows = report.classes.indices.map { index -> [String: Any] in
      [
        "name": report.classes[index], "truth": NumberText.count(totals.truth[index]),
        "predicted": NumberText.count(totals.predicted[index]),
        "scores": columns.map { scores.perClass($0)[index].values },
      ]
    }
    let overall = Self.list.filter { scores[$0] != .undefined }
    return [
      "chart": builder.html(of: dots), "columns": columns.map { Term($0).values }, "rows": rows,
      "terms": ([Term.interval] + columns.map { Term($0) }).map(\.values),
      "overall": overall.map { ["term": Term($0).values, "score": scores[$0].values] },
      "overallTerms": overall.map { Term($0).values },
    ]
  }
}
