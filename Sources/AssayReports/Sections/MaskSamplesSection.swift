import AssayCore

/// Pictures of samples: all of a small set, else some by chance, about the median, and the best.
struct MaskSamplesSection: ReportSection {
  let report: SegmentationReport
  let id = "samples"
  let template = "mask-samples"
  let title = "Samples"
  let takesWhatIsLeft = true

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let groups: [(String, String, [JudgedPicture])] =
      report.all.isEmpty
      ? [
        (
          "By chance", "Drawn with seed \(report.randomSeed): what to expect of any sample.",
          report.random
        ),
        ("About the median", "", report.median), ("The best", "", report.best),
      ]
      : [
        (
          "The others, lowest \(report.sampleIoU) first", "",
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
          : "\(SegmentationReport.samples(left)) more would make the page larger than "
            + "\(PictureLimits.bytes / 1_000_000) MB.",
      ])
    }
    guard !blocks.isEmpty else { return nil }
    return ["groups": blocks, "key": MaskKey(report).values]
  }
}
