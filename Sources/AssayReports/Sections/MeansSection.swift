import AssayCore
import AssayImaging

/// The section with the mean and the standard deviation of each class's images.
struct MeansSection: ReportSection {
  let report: ClassificationReport
  let id = "means"
  let title = "Mean and standard deviation images"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    guard !report.means.isEmpty else {
      return report.meansNote.map { ["hasImages": false, "note": $0] }
    }
    let meanScale = Scaling.printed(report.means.map(\.mean))
    let deviationScale = Scaling.printed(report.means.map(\.deviation))
    let means = try pictures(report.means.map(\.mean), meanScale, "mean", builder)
    let deviations = try pictures(
      report.means.map(\.deviation), deviationScale, "standard deviation", builder)
    // As many columns per row as fit on a sheet of paper, with rows of about equal width.
    let count = report.means.count
    let bands = (count + Self.mostColumns - 1) / Self.mostColumns
    let width = (count + bands - 1) / bands
    return [
      "hasImages": true, "note": report.meansNote ?? "",
      "bands": stride(from: 0, to: count, by: width).map { start -> [String: Any] in
        let range = start..<min(start + width, count)
        return [
          "columns": report.means[range].map {
            ["name": $0.name, "count": NumberText.count($0.count)]
          },
          "rows": [
            Self.row("mean", means[range], meanScale),
            Self.row("std", deviations[range], deviationScale),
          ],
        ]
      },
    ]
  }

  /// The maximum number of classes side by side.
  private static let mostColumns = 8

  private static func row(
    _ name: String, _ pictures: ArraySlice<[String: Any]?>, _ scale: Scaling
  ) -> [String: Any] {
    [
      "name": name, "pictures": pictures.compactMap(\.self),
      "low": NumberText.fixed(scale.low, 1), "high": NumberText.fixed(scale.high, 1),
    ]
  }

  private func pictures(
    _ rasters: [Raster<Double>], _ scale: Scaling, _ what: String, _ builder: PageBuilder
  ) throws(ReportError) -> [[String: Any]?] {
    let requests = zip(rasters, report.means).map { raster, column in
      PictureRequest(scale.apply(to: raster), spoken: "\(what) of \(column.name)")
    }
    return try builder.pictures(requests)
  }
}
