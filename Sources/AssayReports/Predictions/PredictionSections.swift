/// How many images were predicted, what most, and how confidently.
struct PredictionsSection: ReportSection {
  let report: PredictionsReport
  let id = "predictions"
  let title = "Predictions"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    ["sentence": sentence, "notes": report.notes.map { $0 + "." }]
  }

  private var sentence: String {
    let total = report.classes.reduce(0) { $0 + $1.count }
    let images = PredictionsReport.count(report.count, "image")
    var text =
      switch report.task {
      case .classification: "\(images) predicted."
      case .segmentation:
        "\(images) predicted, \(NumberText.count(report.count - report.empty)) with a mask."
      case .detection:
        "\(PredictionsReport.count(total, "detection")) with a score of at least "
          + "\(NumberText.short(report.score ?? 0)) in \(images), "
          + "\(NumberText.count(report.empty)) of them without one."
      }
    if let most = report.classes.max(by: { $0.count < $1.count }), most.count > 0, total > 0 {
      let base = report.task.output == .objects ? total : report.count
      let share = NumberText.fixed(100 * Double(most.count) / Double(max(base, 1)), 1)
      text +=
        " Most frequent: \(most.name), \(PredictionsReport.count(most.count, report.counted)) "
        + "(\(share) %)."
    }
    if report.confidences > 0 {
      text += " Mean confidence \(NumberText.fixed(report.sum / Double(report.confidences), 2))."
    }
    return text
  }
}

/// How often each class was predicted.
struct PredictedClassesSection: ReportSection {
  let report: PredictionsReport
  let id = "predicted-classes"
  let template = "chart"
  let title = "Predicted classes"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let found = report.classes.filter { $0.count > 0 }
    guard !found.isEmpty else { return nil }
    let sorted = found.enumerated().sorted {
      ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
    }.map(\.element)
    let shown = Array(sorted.prefix(PredictionsReport.classLimit))
    let chart = ClassBars(
      name: "predicted-classes",
      title: "Predicted classes: \(report.model) on \(report.view)",
      summary: "How often each class was predicted",
      axis: report.counted + "s", classes: shown.map(\.name), counts: shown.map(\.count))
    let never = report.classes.count - found.count
    var note = ""
    if sorted.count > shown.count { note = "The \(shown.count) most frequent classes. " }
    if never > 0 {
      let noun = never == 1 ? "class was" : "classes were"
      note += "\(NumberText.count(never)) \(noun) never predicted."
    }
    let one = "\(NumberText.count(found.count)) of \(NumberText.count(report.classes.count))"
    return [
      "sentence": "\(one) \(report.classes.count == 1 ? "class was" : "classes were") predicted.",
      "chart": builder.html(of: chart), "note": note,
    ]
  }
}

/// How the confidences are spread.
struct ConfidenceSection: ReportSection {
  let report: PredictionsReport
  let id = "confidence"
  let template = "chart"
  let title = "Confidence"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    guard report.confidences > 0 else { return nil }
    var chart = ScoreHistogram(
      name: "confidence-histogram", title: "Confidence: \(report.model) on \(report.view)",
      summary: "How many predictions have which confidence", axis: report.axis, values: [])
    chart.binned = (report.bins, report.sum / Double(report.confidences))
    chart.counted = report.task.output == .objects ? "detections" : "predictions"
    let low = report.bins.prefix(ScoreHistogram.bins / 2).reduce(0, +)
    let share = NumberText.fixed(100 * Double(low) / Double(report.confidences), 1)
    return [
      "sentence": "\(share) % of \(NumberText.count(report.confidences)) predictions have a "
        + "confidence below 0.5.",
      "chart": builder.html(of: chart),
      "note": "Without a ground truth nobody knows which of them are right.",
    ]
  }
}

/// Some images with their predictions.
struct PredictedImagesSection: ReportSection {
  let report: PredictionsReport
  let id = "images"
  let template = "mistakes"
  let title = "Images"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    guard !report.pictures.isEmpty else { return nil }
    let shown = report.pictures.prefix(PredictionsReport.pictureLimit)
    let pictures = try builder.pictures(
      shown.map { picture in
        PictureRequest(
          picture.raster, caption: picture.caption, origin: "sample \(picture.key)",
          spoken: "sample \(picture.key) \(picture.caption)",
          longest: PredictionsReport.pictureLongest)
      }
    ).compactMap(\.self)
    let isAll = pictures.count == report.count
    return [
      "pictures": pictures,
      "sentence": isAll
        ? "All images."
        : "\(PredictionsReport.count(pictures.count, "image")) of "
          + "\(NumberText.count(report.count)), chosen at random (seed \(PredictionsReport.seed)).",
    ]
  }
}
