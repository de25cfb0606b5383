import AssayCore
import AssayMetrics

/// The section with the scores of every class, if there are several, then the
/// scores over all classes.
struct MaskClassesSection: ReportSection {
  let report: SegmentationReport
  let id = "classes"
  let template = "mask-classes"
  var title: String { report.scores.labels.isBinary ? "All scores" : "Per class" }

  private static let columns = MetricKind.shown(.classTable, in: .segmentation, hasSeveral: true)

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let scores = report.scores
    let labels = scores.labels
    let overall = SegmentationScores.kinds(for: labels).filter { scores[$0] != .undefined }
    var values: [String: Any] = [
      "isList": !labels.isBinary, "chart": "", "columns": [Any](), "rows": [Any](),
      "terms": [Any](),
      "overall": overall.map { ["term": Term($0).values, "score": scores[$0].values] },
      "overallTerms": overall.map { Term($0).values },
    ]
    guard !labels.isBinary else { return values }
    let evaluated = Array(labels.evaluated)
    let columns = Self.columns.filter { kind in
      scores.perClass(kind).contains { $0.value != nil }
    }
    let totals = scores.confusion.totals
    let dots = IntervalDots(
      name: "per-class", title: "Per class: \(report.model) on \(report.view)",
      summary: "IoU, precision and recall of each class with their intervals",
      classes: evaluated.map { labels.names[$0] },
      panels: columns.filter { [.classIoU, .precision, .recall].contains($0) }.map { kind in
        .init(title: kind.facts.title, values: evaluated.map { scores.perClass(kind)[$0] })
      })
    values["chart"] = builder.html(of: dots)
    values["columns"] = columns.map { Term($0, in: .segmentation).values }
    values["terms"] = ([Term.interval] + columns.map { Term($0, in: .segmentation) }).map(\.values)
    values["rows"] = evaluated.map { label -> [String: Any] in
      [
        "name": labels.names[label], "truth": NumberText.count(totals.truth[label]),
        "predicted": NumberText.count(totals.predicted[label]),
        "scores": columns.map { scores.perClass($0)[label].values },
      ]
    }
    return values
  }
}
