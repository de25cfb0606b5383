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
    let groups: [(title: String, note: String, query: String, pictures: [EvaluatedImage])] =
      report.all.isEmpty
      ? [
        (
          "Random", "Drawn with seed \(report.randomSeed): representative of all samples.",
          "random", report.random
        ),
        ("Around the median", "", "median", report.median), ("Best", "", "best", report.best),
      ]
      : [
        (
          "Other samples, lowest \(report.sampleIoU) first", "", "all",
          Array(report.all.dropFirst(PictureLimits.fewWorst))
        )
      ]
    var blocks: [[String: Any]] = []
    for group in groups where !group.pictures.isEmpty {
      let made = try builder.samples(group.pictures, of: report)
      let shown = made.compactMap(\.self)
      let left = made.count - shown.count
      blocks.append([
        "title": group.title, "note": group.note, "pictures": shown,
        "query": report.queries[group.query].values,
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
