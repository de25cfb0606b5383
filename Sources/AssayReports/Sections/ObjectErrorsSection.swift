import AssayCore
import AssayMetrics

/// The section on the types of error: the cost of each, and images of its mistakes
/// with the highest cost.
struct ObjectErrorsSection: ReportSection {
  let report: DetectionReport
  let id = "worst"
  let template = "object-errors"
  let title = "Main errors"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let groups = report.sortedErrors
    var blocks: [[String: Any]] = []
    for group in groups where group.count > 0 {
      let made = try builder.mistakes(report.shown(of: group.kind))
      let pictures = made.compactMap(\.self)
      blocks.append([
        "title": group.kind.title.capitalizedFirst, "pictures": pictures,
        "hasPictures": !pictures.isEmpty,
        "query": report.queries[group.kind.rawValue].values,
        "count": NumberText.count(group.count), "cost": NumberText.fixed(group.cost.value),
        "hasCost": group.cost.value != nil, "base": report.errorBase,
        "definition": group.kind.definition(foreground: report.matching.workingIoU),
        "order": pictures.count < 2 ? "" : order(of: group.kind),
      ])
    }
    let hasPictures = groups.contains { $0.count > 0 && !$0.mistakes.isEmpty }
    return [
      "sentence": sentence(groups), "chart": groups.isEmpty ? "" : chart(groups, builder),
      "hasChart": !groups.isEmpty, "groups": blocks, "hasPictures": hasPictures,
      "key": ["entries": ObjectKey.entries(isMask: report.matching.overlap == .mask)],
      "note": groups.isEmpty ? "" : note,
      "terms": groups.map { Term($0.kind.cost).values },
    ]
  }

  private func chart(_ groups: [DetectionErrorGroup], _ builder: PageBuilder) -> String {
    builder.html(
      of: ErrorBars(
        name: "errors", title: "Δ\(report.errorBase): \(report.model) on \(report.view)",
        summary: "Δ\(report.errorBase) of each error type, the largest first: "
          + groups.map { "\($0.kind.title) \(NumberText.fixed($0.cost.value))" }
          .joined(separator: ", "),
        axis: "Δ\(report.errorBase)",
        bars: groups.map { .init(name: $0.kind.title, cost: $0.cost, count: $0.count) }))
  }

  private func sentence(_ groups: [DetectionErrorGroup]) -> String {
    guard groups.contains(where: { $0.count > 0 }) else {
      return groups.isEmpty
        ? "The error types were not computed." : "There are no errors."
    }
    let costly = groups.filter { ($0.cost.value ?? 0) >= 0.0005 }
    guard let first = costly.first else {
      return report.score(.ap50).value == 0
        ? "Fixing the errors of one type alone would not improve \(report.errorBase): "
          + "there is more than one cause, or no object was found."
        : "No error type has a relevant Δ\(report.errorBase)."
    }
    let rest = costly.dropFirst().prefix(2).map {
      "\($0.kind.title) (\(NumberText.fixed($0.cost.value)))"
    }
    var text =
      "The most important error type is \(first.kind.title): \(report.errorBase) would be "
      + "\(NumberText.fixed(first.cost.value)) higher without them"
    if !rest.isEmpty { text += "; next are \(rest.joined(separator: " and "))" }
    return text + "."
  }

  private func order(of kind: DetectionErrorKind) -> String {
    kind == .missed
      ? "The largest objects, one per image." : "The highest scores, one per image."
  }

  private var note: String {
    "Δ\(report.errorBase): how much \(report.errorBase) would rise if all errors of that type were fixed, "
      + "as defined by TIDE; the values do not add up. They have no CI, because none is "
      + "reliable at typical dataset sizes. Detections of any score count."
  }
}

extension String {
  /// The text with its first letter in upper case.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
