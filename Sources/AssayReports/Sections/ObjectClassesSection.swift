import AssayCore
import AssayMetrics

/// The section with every class and its metrics as a sortable table, most objects first.
struct ObjectClassesSection: ReportSection {
  let report: DetectionReport
  let id = "classes"
  let template = "object-classes"
  let title = "Per class"

  /// The maximum number of classes for which there is also a chart.
  private static let chartLimit = 30

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    guard !report.classes.isEmpty else { return nil }
    let columns: [(term: Term, score: @Sendable (DetectedClass) -> Score)] = [
      (Term(.perCategoryAP), \.ap), (Term(.perCategoryAP50), \.ap50),
      (Term.objectPrecision(report), \.precision), (Term.objectRecall(report), \.recall),
      (Term(.f1, in: .detection), \.f1), (Term(.bestF1), \.bestF1),
      (Term(.bestThreshold), \.bestThreshold),
    ]
    let present = columns.filter { column in
      report.classes.contains { column.score($0).value != nil }
    }
    let sorted = report.classes.enumerated().sorted {
      ($1.element.truths, $0.offset) < ($0.element.truths, $1.offset)
    }.map(\.element)
    let isDrawn = report.classes.count <= Self.chartLimit
    return [
      "sentence": sentence, "hasChart": isDrawn,
      "chart": isDrawn ? dots(sorted, builder) : "",
      "columns": present.map { $0.term.values },
      "rows": sorted.map { entry -> [String: Any] in
        [
          "name": entry.name, "truths": NumberText.count(entry.truths),
          "scores": present.map { $0.score(entry).values },
        ]
      },
      "terms": ([Term.interval] + present.map(\.term)).map(\.values),
    ]
  }

  private func dots(_ classes: [DetectedClass], _ builder: PageBuilder) -> String {
    builder.html(
      of: IntervalDots(
        name: "per-class", title: "Per class: \(report.model) on \(report.view)",
        summary: "AP, precision and recall of each class with their intervals",
        classes: classes.map(\.name),
        panels: [
          .init(title: "AP", values: classes.map(\.ap)),
          .init(title: "precision", values: classes.map(\.precision)),
          .init(title: "recall", values: classes.map(\.recall)),
        ]))
  }

  private var sentence: String {
    let rated = report.classes.compactMap { row in
      row.ap.value.map { (name: row.name, value: $0) }
    }
    let absent = report.classes.count - rated.count
    var parts: [String] = []
    if let ranked = RankedNames(rated) { parts.append(ranked.sentence(of: rated.count)) }
    if absent > 0 {
      parts.append(
        "\(DetectionReport.counted(absent, "class has", "classes have")) no object in these images, so no "
          + "AP.")
    }
    parts.append(
      "Precision, recall and F1 are at \(report.workingIoU) and \(report.workingScore). The best "
        + "thresholds were chosen on these images, so the best F1 is optimistic for other images.")
    return parts.joined(separator: " ")
  }
}
