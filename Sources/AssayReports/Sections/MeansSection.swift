import AssayCore

/// The mean and the standard deviation of each class's pictures.
struct MeansSection: ReportSection {
  let report: ClassificationReport
  let id = "means"
  let title = "Mean and deviation images"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    guard !report.means.isEmpty else {
      return report.meansNote.map { ["hasImages": false, "note": $0] }
    }
    let meanScale = GrayScale(of: report.means.map(\.mean))
    let deviationScale = GrayScale(of: report.means.map(\.deviation))
    let means = try row(report.means.map(\.mean), meanScale, "mean", builder)
    let deviations = try row(report.means.map(\.deviation), deviationScale, "deviation", builder)
    return [
      "hasImages": true, "note": report.meansNote ?? "",
      "columns": report.means.map { ["name": $0.name, "count": NumberText.count($0.count)] },
      "rows": [
        [
          "name": "mean", "pictures": means, "low": NumberText.short(meanScale.low),
          "high": NumberText.short(meanScale.high),
        ],
        [
          "name": "deviation", "pictures": deviations, "low": NumberText.short(deviationScale.low),
          "high": NumberText.short(deviationScale.high),
        ],
      ] as [[String: Any]],
    ]
  }

  private func row(
    _ rasters: [Raster<Double>], _ scale: GrayScale, _ what: String, _ builder: PageBuilder
  ) throws(ReportError) -> [[String: Any]] {
    let requests = zip(rasters, report.means).map { raster, column in
      PictureRequest(scale.applied(to: raster), spoken: "\(what) of \(column.name)")
    }
    return try builder.pictures(requests).compactMap(\.self)
  }
}
