import AssayCore
import AssayMetrics

/// The section with AP and AP50, their intervals, the numbers of images and
/// objects, and an explanation.
struct ObjectAnswerSection: ReportSection {
  let report: DetectionReport
  let id = "answer"
  let template = "mask-answer"
  let title = "Result"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let ap = report.score(.ap)
    let kinds = MetricKind.shown(.headline, in: .detection).filter {
      $0 == .ap || report.score($0).value != nil
    }
    var strip = ""
    if ap.value != nil {
      strip = builder.html(
        of: AnswerStrip(
          name: "answer",
          title: "\(report.model) on \(report.view): AP "
            + "\(NumberText.fixed(ap.value)) \(ap.intervalText)",
          summary: "AP \(NumberText.fixed(ap.value)) \(ap.intervalText)", score: ap, label: "AP",
          baseline: nil))
    }
    let tiles = MetricKind.shown(.tile, in: .detection)
    let shown = tiles.filter { report.score($0).value != nil }
    return [
      "answers": kinds.map { kind -> [String: Any] in
        [
          "score": report.score(kind).values,
          "interval": report.score(kind).intervalText.templateValue,
          "term": Term(kind).values, "of": kind == .ap ? of : "at IoU 0.5 only",
        ]
      },
      "sentence": sentence, "difference": difference, "certainty": certainty, "strip": strip,
      "tiles": shown.map { ["term": Term($0).values, "score": report.score($0).values] },
      "terms": (kinds.map { Term($0) } + [.interval, .iou] + shown.map { Term($0) }).map(\.values),
      "notes": report.notes, "truth": (report.truth ?? "").templateValue,
    ]
  }

  /// `over 79 images, 554 objects of 80 classes`.
  private var of: String {
    let counts = report.counts
    let images = DetectionReport.counted(counts.images, "image")
    let objects = DetectionReport.counted(counts.truths, "object")
    let classes = DetectionReport.counted(report.classes.count, "class", "classes")
    return "over \(images), \(objects) of \(classes)"
  }

  private var sentence: String {
    let counts = report.counts
    guard counts.images > 0 else { return "There is no image to evaluate." }
    guard counts.truths > 0 else {
      return
        "There are no objects in these images, so AP and AR are undefined; every detection is wrong."
    }
    let at =
      "With \(report.workingScore) and an IoU of at least "
      + NumberText.short(report.matching.workingIoU)
    guard counts.counted > 0 else {
      return "\(at), there are no detections (\(DetectionReport.counted(counts.truths, "object")))."
    }
    let found = "\(NumberText.count(counts.right)) of \(NumberText.count(counts.truths)) objects"
    let detections = DetectionReport.counted(counts.counted, "detection")
    return
      "\(at), \(found) are found (recall \(NumberText.fixed(counts.recall))) and "
      + "\(NumberText.count(counts.right)) of \(detections) are correct (precision "
      + "\(NumberText.fixed(counts.precision)))."
  }

  /// The sentences on the difference between AP and the other numbers.
  private var difference: String {
    guard report.score(.ap).value != nil else { return "" }
    let thresholds = report.matching.iouThresholds
    let range =
      thresholds.count > 1
      ? "the IoU thresholds \(NumberText.fixed(thresholds.first, 2)) to "
        + NumberText.fixed(thresholds.last, 2)
      : "the IoU threshold \(NumberText.short(thresholds.first ?? 0.5))"
    let classes =
      if let defined = report.score(.ap).defined, let total = report.score(.ap).total,
        defined < total
      {
        "the \(NumberText.count(defined)) of \(NumberText.count(total)) classes that occur"
      } else {
        "the classes"
      }
    return
      "AP needs no score threshold: it is the precision over all recalls, averaged over \(range) and "
      + "\(classes). IoU is computed on \(report.shapes)."
  }

  private var certainty: String {
    let score = report.score(.ap)
    guard score.value != nil else { return "" }
    guard let interval = score.interval else {
      return report.counts.images < Bootstrap.leastSamples
        ? "There are too few images for a reliable CI."
        : score.missing.map {
          "AP has no 95\u{A0}% CI: \($0.reason(classes: report.classes.map(\.name)))."
        } ?? "No 95\u{A0}% CI was computed for AP."
    }
    return
      "The 95\u{A0}% CI of AP is "
      + "[\(NumberText.fixed(interval.low)), \(NumberText.fixed(interval.high))]."
  }
}
