import AssayCore
import AssayMetrics

/// The section with AP and AR of small, medium and large objects.
struct ObjectSizesSection: ReportSection {
  let report: DetectionReport
  let id = "sizes"
  let template = "chart"
  let title = "By object size"

  /// Keypoints are not labeled on small objects.
  private var kinds: [(name: String, ap: MetricKind, ar: MetricKind)] {
    let small: [(name: String, ap: MetricKind, ar: MetricKind)] =
      report.matching.overlap == .keypoints ? [] : [("small", .apSmall, .arSmall)]
    return small + [("medium", .apMedium, .arMedium), ("large", .apLarge, .arLarge)]
  }

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    guard kinds.contains(where: { report.score($0.ap).value != nil }) else { return nil }
    let dots = IntervalDots(
      name: "sizes", title: "AP and AR by object size: \(report.model) on \(report.view)",
      summary: "AP and AR of small, medium and large objects with their intervals",
      classes: kinds.map { name(of: $0.name) },
      panels: [
        .init(title: "AP", values: kinds.map { report.score($0.ap) }),
        .init(
          title: report.matching.overlap == .keypoints ? "AR" : "AR100",
          values: kinds.map { report.score($0.ar) }),
      ])
    return [
      "sentence": sentence, "chart": builder.html(of: dots),
      "note":
        "By the area in the annotation: small up to 32² pixels, medium up to 96², large from 96²."
        + intervals,
    ]
  }

  private func name(of size: String) -> String {
    report.sizes[size].map { "\(size), n \(NumberText.count($0))" } ?? size
  }

  private var intervals: String {
    kinds.contains { report.score($0.ap).interval != nil }
      ? " Lines are 95\u{A0}% intervals." : ""
  }

  private var sentence: String {
    let values = kinds.compactMap { kind in
      report.score(kind.ap).value.map { (name: kind.name, value: $0) }
    }
    guard let ranked = RankedNames(values), values.count > 1 else {
      return values.first.map { "All objects are \($0.name): AP \(NumberText.fixed($0.value))." }
        ?? ""
    }
    let (best, worst) = (ranked.highest, ranked.lowest)
    if ranked.isLevel { return "AP is \(NumberText.fixed(best.value)) at every size." }
    return
      "AP is highest for \(RankedNames.text(best.names)) objects (\(NumberText.fixed(best.value))) and "
      + "lowest for \(RankedNames.text(worst.names)) ones (\(NumberText.fixed(worst.value)))."
  }
}
