import AssayCore

/// The section on the distribution of IoU over the samples.
struct SpreadSection: ReportSection {
  let report: SegmentationReport
  let id = "spread"
  let template = "chart"
  let title = "Score distribution"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let values = report.definedIoU
    guard !values.isEmpty else { return nil }
    let name = report.sampleIoU
    let chart = ScoreHistogram(
      name: "iou-histogram", title: "\(name) of the samples: \(report.model) on \(report.view)",
      summary: "Number of samples by \(name)", axis: "\(name) of a sample", values: values)
    return ["sentence": sentence(values), "chart": builder.html(of: chart), "note": undefined]
  }

  private func sentence(_ values: [Double]) -> String {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    let median =
      sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    let half = sorted.count { $0 < 0.5 }
    let name = report.sampleIoU
    let low =
      switch half {
      case 0: "none of \(SegmentationReport.samples(sorted.count)) is"
      case 1: "1 of \(SegmentationReport.samples(sorted.count)) is"
      default: "\(NumberText.count(half)) of \(SegmentationReport.samples(sorted.count)) are"
      }
    return "The median \(name) is \(NumberText.fixed(median)); \(low) below 0.5."
  }

  private var undefined: String {
    let count = report.rows.count - report.definedIoU.count
    guard count > 0 else { return "" }
    return
      "\(SegmentationReport.samples(count)) more have none: ground truth and prediction are both empty."
  }
}
