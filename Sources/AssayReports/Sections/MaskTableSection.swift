import AssayCore

/// The section with the samples as a sortable table, lowest IoU first.
struct MaskTableSection: ReportSection {
  let report: SegmentationReport
  let id = "table"
  let template = "mask-table"
  let title = "Scores per sample"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    guard !report.rows.isEmpty else { return nil }
    let sorted = report.rows.indices.sorted { first, second in
      // Samples without an IoU come last.
      let (a, b) = (report.rows[first].scores.iou, report.rows[second].scores.iou)
      return (a ?? 2, first) < (b ?? 2, second)
    }
    let shown = sorted.prefix(PictureLimits.tableRows).map { report.rows[$0] }
    var columns: [(Term, (SegmentedRow) -> Double?)] = [
      (.sampleIoU(report.sampleIoU), \.scores.iou),
      (.sampleDice(report.sampleDice), \.scores.dice),
      (.samplePrecision, \.scores.precision), (.sampleRecall, \.scores.recall),
      (.sampleBoundary, \.scores.boundaryIoU), (.uncertainty, \.uncertainty),
      (.centerOffset, \.centerOffset),
    ]
    columns += MaskMeasure.allCases.map { measure in
      (.sample(measure), { $0.scores.measures[measure] })
    }
    let present = columns.filter { column in report.rows.contains { column.1($0) != nil } }
    return [
      "sentence": sentence(shown: shown.count),
      "columns": present.map { $0.0.values },
      "rows": shown.map { row -> [String: Any] in
        ["key": row.key, "numbers": present.map { NumberText.fixed($0.1(row)) }]
      },
      "terms": present.map { $0.0.values },
    ]
  }

  private func sentence(shown: Int) -> String {
    let all = report.rows.count
    return shown == all
      ? "Lowest \(report.sampleIoU) first."
      : "The \(NumberText.count(shown)) of \(NumberText.count(all)) samples with the lowest "
        + "\(report.sampleIoU); assay evaluate --samples FILE.csv writes all of them."
  }
}
