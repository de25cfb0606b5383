import AssayCore
import AssayMetrics

/// The types of error: what each costs, and its costliest mistakes as pictures.
struct ObjectErrorsSection: ReportSection {
  let report: DetectionReport
  let id = "worst"
  let template = "object-errors"
  let title = "What goes wrong most"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let groups = sorted
    var blocks: [[String: Any]] = []
    for (place, group) in groups.enumerated() where group.count > 0 {
      let limit = place == 0 ? PictureLimits.perFirstError : PictureLimits.perError
      let made = try builder.mistakes(Array(group.mistakes.prefix(limit)))
      let pictures = made.compactMap(\.self)
      blocks.append([
        "title": group.kind.title.capitalizedFirst, "pictures": pictures,
        "hasPictures": !pictures.isEmpty,
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

  /// The costliest first, equal ones in their fixed order.
  private var sorted: [DetectionErrorGroup] {
    report.errors.enumerated().sorted { first, second in
      (-(first.element.cost.value ?? -1), first.offset)
        < (-(second.element.cost.value ?? -1), second.offset)
    }.map(\.element)
  }

  private func chart(_ groups: [DetectionErrorGroup], _ builder: PageBuilder) -> String {
    builder.html(
      of: ErrorBars(
        name: "errors", title: "Δ\(report.errorBase): \(report.model) on \(report.view)",
        summary: "What each type of error costs, the costliest first: "
          + groups.map { "\($0.kind.title) \(NumberText.fixed($0.cost.value))" }
          .joined(separator: ", "),
        axis: "Δ\(report.errorBase)",
        bars: groups.map { .init(name: $0.kind.title, cost: $0.cost, count: $0.count) }))
  }

  private func sentence(_ groups: [DetectionErrorGroup]) -> String {
    guard groups.contains(where: { $0.count > 0 }) else {
      return groups.isEmpty
        ? "The types of error were not determined." : "Nothing: no mistake was made."
    }
    let costly = groups.filter { ($0.cost.value ?? 0) >= 0.0005 }
    guard let first = costly.first else {
      return report.score(.ap50).value == 0
        ? "With the mistakes of one type alone repaired, \(report.errorBase) would stay as low as it is: "
          + "there is more than one reason, or nothing was found."
        : "No type of error costs any \(report.errorBase) worth telling."
    }
    let rest = costly.dropFirst().prefix(2).map {
      "\($0.kind.title) (\(NumberText.fixed($0.cost.value)))"
    }
    var text =
      "Most is lost to \(first.kind.title): \(report.errorBase) would be "
      + "\(NumberText.fixed(first.cost.value)) higher without them"
    if !rest.isEmpty { text += "; next come \(rest.joined(separator: " and "))" }
    return text + "."
  }

  private func order(of kind: DetectionErrorKind) -> String {
    kind == .missed
      ? "The largest objects, one an image." : "The highest scores, which cost most; one an image."
  }

  private var note: String {
    "Each bar is what \(report.errorBase) would win if errors of that type alone were repaired, as TIDE "
      + "defines them; together they are more or less than the sum. Costs have no interval: none is "
      + "honest on sets of common size. Counted are all detections, whatever their score."
  }
}

extension String {
  /// With its first letter large.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
