import AssayCore

/// The section with images of samples: all samples of a small set, otherwise random ones, those
/// around the median, and the best.
struct MaskSamplesSection: ReportSection {
  let report: SegmentationReport
  let id = "samples"
  let template = "mask-samples"
  let title = "Samples"
  let takesWhatIsLeft = true

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let groups: [(String, String, [EvaluatedImage])] =
      report.all.isEmpty
      ? [
        (
          "Random", "Drawn with seed \(report.randomSeed): representative of all samples.",
          report.random
        ),
        ("Around the median", "", report.median), ("Best", "", report.best),
      ]
      : [
        (
          "Other samples, lowest \(report.sampleIoU) first", "",
          Array(report.all.dropFirst(PictureLimits.fewWorst))
        )
      ]
    var blocks: [[String: Any]] = []
    for (title, note, pictures) in groups where !pictures.isEmpty {
      let made = try builder.samples(pictures, of: report)
      let shown = made.compactMap(\.self)
      let left = made.count - shown.count
      blocks.append([
        "title": title, "note": note, "pictures": shown,
        "left": left == 0
          ? ""
          : "\(SegmentationReport.samples(left)) more are not shown: the page would be larger than "
            + "\(PictureLimits.bytes / 1_000_000) MB.",
      ])
    }
    guard !blocks.isEmpty else { return nil }
    return ["groups": blocks, "key": MaskKey(report).values]
  }
}
