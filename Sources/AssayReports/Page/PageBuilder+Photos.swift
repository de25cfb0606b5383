import AssayCore
import AssayImaging

extension PageBuilder {
  /// The pictures as values of the `sample` template; `nil` from the first on that the limit leaves out.
  ///
  /// - Throws: ``ReportError/channels(_:)``, ``ReportError/drawing(_:)``.
  func samples(
    _ pictures: [JudgedPicture], of report: SegmentationReport
  ) throws(ReportError) -> [[String: Any]?] {
    let hasBackground = report.scores.labels.hasBackground
    let made = try embedded(pictures, step: 1, bytes: \SamplePanels.bytes) { picture in
      try SamplePanels(picture, hasBackground: hasBackground)
    }
    return zip(pictures, made).map { picture, panels in
      panels.map { values(of: picture, $0.panels, report) }
    }
  }

  private func values(
    of picture: JudgedPicture, _ panels: [SamplePanels.Panel], _ report: SegmentationReport
  ) -> [String: Any] {
    let row = picture.row
    var spoken = "sample \(row.key): \(report.sampleIoU) \(NumberText.fixed(row.scores.iou))"
    spoken += ", \(report.sampleDice) \(NumberText.fixed(row.scores.dice))"
    return [
      "key": row.key, "iouName": report.sampleIoU, "diceName": report.sampleDice,
      "iou": NumberText.fixed(row.scores.iou), "dice": NumberText.fixed(row.scores.dice),
      "triple": panels.count > 1,
      "panels": panels.map { panel -> [String: Any] in
        [
          "svg": panel.svg(spoken: panel.name.isEmpty ? spoken : "\(panel.name) of \(spoken)"),
          "name": panel.name.templateValue,
        ]
      },
    ]
  }
}
