import AssayCore
import AssayMetrics

/// The section with the samples with the lowest IoU, and a few sentences on the
/// errors over all samples.
struct WorstMasksSection: ReportSection {
  let report: SegmentationReport
  let id = "worst"
  let template = "mask-worst"
  let title = "Main errors"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let shown =
      report.worst.isEmpty ? Array(report.all.prefix(PictureLimits.fewWorst)) : report.worst
    let pictures = try builder.samples(shown, of: report).compactMap(\.self)
    return [
      "sentence": sentences.joined(separator: " "), "pictures": pictures,
      "hasPictures": !pictures.isEmpty,
      "query": (pictures.isEmpty ? nil : report.queries[id]).values,
      "switch": report.scores.labels.isBinary
        ? "outlines and differences" : "fade correct pixels",
      "key": MaskKey(report).values,
      "shown": pictures.isEmpty
        ? ""
        : "The \(Self.samples(pictures.count)) with the lowest \(report.sampleIoU), lowest first.",
    ]
  }

  private static func samples(_ count: Int) -> String {
    count == 1 ? "sample" : "\(NumberText.count(count)) samples"
  }

  private var sentences: [String] {
    guard report.scores.count > 0 else { return ["No sample was evaluated."] }
    let wrong = wrongPixels
    guard wrong.missed + wrong.added > 0 else { return ["No errors: every pixel is correct."] }
    let parts =
      report.scores.labels.isBinary
      ? [pixelSentence(wrong), failures, tail]
      : [confusions, tail]
    return parts.filter { !$0.isEmpty }
  }

  /// The false negative and false positive pixels of the evaluated classes.
  private var wrongPixels: (missed: Int, added: Int) {
    let confusion = report.scores.confusion
    var (missed, added) = (0, 0)
    for label in report.scores.labels.evaluated {
      for other in 0..<confusion.classCount where other != label {
        missed += confusion[label, other]
        added += confusion[other, label]
      }
    }
    return (missed, added)
  }

  private func pixelSentence(_ wrong: (missed: Int, added: Int)) -> String {
    let all = Double(wrong.missed + wrong.added)
    let missed = Double(wrong.missed) / all
    let more = missed >= 0.5
    let larger = more ? missed : 1 - missed
    let text =
      "\(NumberText.fixed(100 * larger, 0))\u{A0}% of wrong pixels are false \(more ? "negatives" : "positives")"
    guard larger >= Self.clearShare else {
      return text + "."
    }
    return text
      + (more
        ? ": the predictions tend to be too small."
        : ": the predictions tend to be too large.")
  }

  /// The minimum share of the wrong pixels for a statement that the masks are too
  /// small or too large.
  private static let clearShare = 0.6

  /// The sentence about samples without a correct pixel.
  private var failures: String {
    let lost = report.rows.count { $0.scores.iou == 0 && $0.scores.recall == 0 }
    let invented = report.rows.count { $0.scores.iou == 0 && $0.scores.recall == nil }
    var parts: [String] = []
    if lost > 0 {
      parts.append("in \(SegmentationReport.samples(lost)) no ground-truth pixel was found")
    }
    if invented > 0 {
      parts.append(
        "in \(SegmentationReport.samples(invented)) the ground truth is empty, but the prediction is not"
      )
    }
    guard let first = parts.first else { return "" }
    let text = parts.count == 1 ? first : parts.joined(separator: "; ")
    return text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  /// The sentence about the lowest tenth of the IoUs.
  private var tail: String {
    let sorted = report.definedIoU.sorted()
    guard let lowest = sorted.first else { return "" }
    let tenth = sorted.count / 10
    guard tenth >= 2 else {
      return lowest == 0
        ? "" : "The worst sample has an \(report.sampleIoU) of \(NumberText.fixed(lowest))."
    }
    guard sorted[tenth - 1] > 0 else { return "" }
    return
      "The worst tenth, \(SegmentationReport.samples(tenth)), has an \(report.sampleIoU) of at most "
      + "\(NumberText.fixed(sorted[tenth - 1]))."
  }

  private var confusions: String {
    let names = report.scores.labels.names
    let worst = Confusion.all(in: report.scores.confusion).prefix(PictureLimits.confusions)
    guard !worst.isEmpty else { return "" }
    let parts = worst.map { confusion in
      "\(names[confusion.truth]) is predicted as \(names[confusion.predicted]) "
        + "(\(NumberText.fixed(confusion.share)) of its pixels)"
    }
    let list =
      parts.count < 2
      ? parts.joined() : parts.dropLast().joined(separator: ", ") + ", and " + (parts.last ?? "")
    return "Most frequent by pixels: \(list)."
  }
}
