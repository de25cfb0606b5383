import AssayCore
import AssayMetrics

/// The section with precision over recall: the mean over the classes, then individual classes.
struct PrecisionRecallSection: ReportSection {
  let report: DetectionReport
  let id = "curves"
  let template = "object-curves"
  let title = "Precision and recall"

  /// The maximum number of classes with a small chart.
  static let panelLimit = 12

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let lines = report.curves.filter { !$0.points.isEmpty }
    guard !lines.isEmpty else { return nil }
    let chart = PrecisionRecallChart(
      name: "precision-recall", title: "Precision over recall: \(report.model) on \(report.view)",
      summary: "Precision over recall, the mean over the classes: "
        + lines.map { "at IoU \(NumberText.short($0.iou)) AP \(NumberText.fixed($0.ap))" }
        .joined(separator: ", "),
      lines: lines)
    let shown = shownClasses
    return [
      "sentence": sentence(lines), "chart": builder.html(of: chart),
      "hasPanels": report.classes.count > 1 && !shown.isEmpty,
      "panels": report.classes.count > 1 && !shown.isEmpty ? panels(shown, builder) : "",
      "note": note(shown.count),
    ]
  }

  /// The classes with the most objects, in the order of their counts.
  private var shownClasses: [DetectedClass] {
    report.classes.enumerated().filter { $0.element.truths > 0 && !$0.element.curves.isEmpty }
      .sorted { ($1.element.truths, $0.offset) < ($0.element.truths, $1.offset) }
      .prefix(Self.panelLimit).map(\.element)
  }

  private func panels(_ classes: [DetectedClass], _ builder: PageBuilder) -> String {
    builder.html(
      of: PrecisionRecallPanels(
        name: "precision-recall-classes",
        title: "Precision over recall by class: \(report.model) on \(report.view)",
        summary: "Precision over recall of \(Counted.text(classes.count, "class", "classes"))",
        panels: classes.map { entry in
          var working: (recall: Double, precision: Double)?
          if let precision = entry.precision.value, let recall = entry.recall.value {
            working = (recall, precision)
          }
          return .init(
            name: entry.name, truths: entry.truths, lines: entry.curves, working: working)
        }))
  }

  private func sentence(_ lines: [PrecisionRecallLine]) -> String {
    guard let first = lines.first else { return "" }
    let middle = first.precision[first.precision.count / 2]
    return
      "The score threshold falls along each line; the area below it is its AP, averaged over the classes. "
      + (middle > 0
        ? "At IoU \(NumberText.short(first.iou)), the mean precision at a recall of 0.5 is "
          + "\(NumberText.fixed(middle, 2))."
        : "At IoU \(NumberText.short(first.iou)), no class reaches a recall of 0.5.")
  }

  private func note(_ shown: Int) -> String {
    let present = report.classes.count { $0.truths > 0 }
    let which =
      shown < present
      ? "The \(shown) classes with the most objects; all \(NumberText.count(present)) that occur are in the "
        + "table of classes. " : ""
    let lines = report.classes.first { !$0.curves.isEmpty }?.curves ?? []
    let solid = lines.first.map { "Solid: IoU \(NumberText.short($0.iou))" } ?? ""
    let dashed = lines.dropFirst().first.map { ", dashed: IoU \(NumberText.short($0.iou))" } ?? ""
    return which
      + "\(solid)\(dashed). The dot marks \(report.workingScore), at \(report.workingIoU)."
  }
}
