import AssayCore
import AssayMetrics

/// The section with COCO's metrics, each with the IoUs, sizes and detection limits it covers.
struct ObjectNumbersSection: ReportSection {
  let report: DetectionReport
  let id = "numbers"
  let template = "object-numbers"
  var title: String { isOfKeypoints ? "COCO's 10 keypoint metrics" : "Standard 12 COCO metrics" }

  private var isOfKeypoints: Bool { report.matching.overlap == .keypoints }

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let maxes = report.matching.maxDetections
    let most = maxes.last.map { NumberText.count($0) } ?? ""
    let whole = range
    let ofKeypoints: [(MetricKind, String, String, String)] = [
      (.ap, whole, "all", most), (.ap50, "0.50", "all", most), (.ap75, "0.75", "all", most),
      (.apMedium, whole, "medium", most), (.apLarge, whole, "large", most),
      (.ar, whole, "all", most), (.ar50, "0.50", "all", most), (.ar75, "0.75", "all", most),
      (.arMedium, whole, "medium", most), (.arLarge, whole, "large", most),
    ]
    let ofShapes: [(MetricKind, String, String, String)] = [
      (.ap, whole, "all", most), (.ap50, "0.50", "all", most), (.ap75, "0.75", "all", most),
      (.apSmall, whole, "small", most), (.apMedium, whole, "medium", most),
      (.apLarge, whole, "large", most), (.ar1, whole, "all", limit(0)),
      (.ar10, whole, "all", limit(1)), (.ar100, whole, "all", limit(2)),
      (.arSmall, whole, "small", most), (.arMedium, whole, "medium", most),
      (.arLarge, whole, "large", most),
    ]
    let rows = isOfKeypoints ? ofKeypoints : ofShapes
    var more: [MetricKind] = []
    for kind in [MetricKind.vocAP, .coverage, .selectiveRisk] where report.score(kind).value != nil
    {
      more.append(kind)
    }
    return [
      "rows":
        (rows + more.map { ($0, NumberText.fixed(report.matching.workingIoU, 2), "all", "all") })
        .map { kind, iou, size, limit -> [String: Any] in
          [
            "term": Term(kind).values, "iou": iou, "size": size, "limit": limit,
            "score": report.score(kind).values,
          ]
        },
      "terms": (rows.map { Term($0.0) } + more.map { Term($0) }).map(\.values),
      "note":
        "The \(rows.count) metrics are computed as in pycocotools 2.0.11, \(report.matching.overlap.rawValue)"
        + (more.isEmpty
          ? "."
          : "; \(more.map(\.facts.title).joined(separator: ", ")) \(more.count == 1 ? "is" : "are") not among them.")
        ,
    ]
  }

  private var range: String {
    let thresholds = report.matching.iouThresholds
    guard thresholds.count > 1 else { return NumberText.fixed(thresholds.first, 2) }
    return NumberText.fixed(thresholds.first, 2) + "–" + NumberText.fixed(thresholds.last, 2)
  }

  private func limit(_ place: Int) -> String {
    let limits = report.matching.maxDetections
    return limits.indices.contains(place) ? NumberText.count(limits[place]) : NumberText.undefined
  }
}
