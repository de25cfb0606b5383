/// The section with the number of images predicted, the most frequent prediction, and the mean confidence.
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
          + "\(NumberText.short(report.score ?? 0)) in \(images); "
          + "\(PredictionsReport.count(report.empty, "image")) "
          + "\(report.empty == 1 ? "has" : "have") none."
      case .multiLabel:
        "\(images) predicted with \(threshold): "
          + "\(NumberText.fixed(Double(total) / Double(max(report.count, 1)), 2)) labels per image on "
          + "average, \(NumberText.count(report.empty)) "
          + "\(report.empty == 1 ? "image" : "images") without one."
      }
    if let most = report.classes.max(by: { $0.count < $1.count }), most.count > 0, total > 0 {
      let base = report.task.output == .objects ? total : report.count
      let share = NumberText.fixed(100 * Double(most.count) / Double(max(base, 1)), 1)
      text +=
        " Most frequent: \(most.name), \(PredictionsReport.count(most.count, report.counted)) "
        + "(\(share) %)."
    }
    if report.confidences > 0, report.task.output != .labels {
      text += " Mean confidence \(NumberText.fixed(report.sum / Double(report.confidences), 2))."
    }
    return text
  }

  private var threshold: String {
    report.score.map { "a score of at least \(NumberText.short($0))" }
      ?? "the thresholds of the classes"
  }
}

/// The section with the number of times each class was predicted.
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
      summary: "Number of predictions per class",
      axis: report.counted + "s", classes: shown.map(\.name), counts: shown.map(\.count))
    let never = report.classes.count - found.count
    let from = report.score.map { " with a score of at least \(NumberText.short($0))" } ?? ""
    var note = ""
    if sorted.count > shown.count { note = "The \(shown.count) most frequent classes. " }
    if never > 0 {
      let noun = never == 1 ? "class was" : "classes were"
      note += "\(NumberText.count(never)) \(noun) never predicted\(from)."
    }
    let one = "\(NumberText.count(found.count)) of \(NumberText.count(report.classes.count))"
    return [
      "sentence":
        "\(one) \(report.classes.count == 1 ? "class was" : "classes were") predicted\(from).",
      "chart": builder.html(of: chart), "note": note,
    ]
  }
}

/// The section with the distribution of the confidences.
struct ConfidenceSection: ReportSection {
  let report: PredictionsReport
  var id: String { isLabels ? "label-scores" : "confidence" }
  let template = "chart"
  /// The title; a set of classes has no single confidence.
  var title: String { isLabels ? "Scores of the predicted labels" : "Confidence" }

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    guard report.confidences > 0 else { return nil }
    var chart = ScoreHistogram(
      name: isLabels ? "score-histogram" : "confidence-histogram",
      title: "\(title): \(report.model) on \(report.view)",
      summary: isLabels
        ? "Number of labels by score" : "Number of predictions by confidence",
      axis: report.axis, values: [])
    chart.binned = (report.bins, report.sum / Double(report.confidences))
    chart.counted =
      switch report.task.output {
      case .objects: "detections"
      case .labels: "labels"
      case .label, .masks: "predictions"
      }
    // Labels below the usual threshold are not predicted.
    let limit = isLabels ? 0.75 : 0.5
    let low = report.bins.prefix(Int(Double(ScoreHistogram.bins) * limit)).reduce(0, +)
    let share = NumberText.fixed(100 * Double(low) / Double(report.confidences), 1)
    return [
      "sentence": "\(share) % of \(NumberText.count(report.confidences)) "
        + (isLabels ? "predicted labels have a score" : "predictions have a confidence")
        + " below \(NumberText.short(limit)).",
      "chart": builder.html(of: chart),
      "note": "Without ground truth it is unknown which of them are correct.",
    ]
  }

  private var isLabels: Bool { report.task.output == .labels }
}

/// The section with the distribution of the number of predicted classes per image, for runs that
/// predict sets of classes.
struct LabelCountsSection: ReportSection {
  let report: PredictionsReport
  let id = "label-counts"
  let template = "chart"
  let title = "Predicted labels per image"

  /// The maximum number of labels with its own bar; images with more labels are counted together.
  private static let limit = 20

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    guard report.task.output == .labels, !report.labelCounts.isEmpty else { return nil }
    var counts = Array(report.labelCounts.prefix(Self.limit))
    var names = counts.indices.map { "\($0)" }
    let more = report.labelCounts.dropFirst(Self.limit).reduce(0, +)
    if report.labelCounts.count > Self.limit {
      counts.append(more)
      names.append("\(Self.limit) or more")
    }
    let chart = ClassBars(
      name: "label-counts", title: "\(title): \(report.model) on \(report.view)",
      summary: "Number of images by number of predicted labels", axis: "images",
      classes: names, counts: counts)
    return ["sentence": sentence, "chart": builder.html(of: chart), "note": ""]
  }

  private var sentence: String {
    let most = report.labelCounts.count - 1
    return most == 0
      ? "No image has a predicted label."
      : "The maximum is \(PredictionsReport.count(most, "label")) per image."
  }
}

/// The section with the scores of each class over all images, for runs that
/// predict sets of classes.
struct ClassScoresSection: ReportSection {
  let report: PredictionsReport
  let id = "class-scores"
  let template = "object-classes"
  let title = "Scores per class"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    guard report.task.output == .labels, !report.reached.isEmpty, report.count > 0 else {
      return nil
    }
    let levels = PredictionsReport.levels.map { "≥ \(NumberText.short(Double($0)))" }
    let sorted = report.classes.indices.sorted {
      (report.classes[$1].count, $0) < (report.classes[$0].count, $1)
    }
    let rows = sorted.map { category -> [String: Any] in
      let mean = report.scoreSums[category] / Double(report.count)
      return [
        "name": report.classes[category].name,
        "truths": NumberText.count(report.classes[category].count),
        "scores": ([NumberText.fixed(mean)] + report.reached[category].map { NumberText.count($0) })
          .map(TableCell.text),
      ]
    }
    return [
      "sentence":
        "n is the number of images predicted to have the class. The other columns are the mean of its "
        + "score over all images, and the number of images with at least the given score.",
      "hasChart": false, "chart": "", "rows": rows,
      "columns": (["mean score"] + levels).map { ["name": $0] }, "terms": [Any](),
    ]
  }
}

/// The section with some images and their predictions.
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
          picture.raster, caption: picture.caption, key: picture.key,
          origin: "sample \(picture.key)",
          spoken: "sample \(picture.key) \(picture.caption)",
          longest: PredictionsReport.pictureLongest)
      }
    ).compactMap(\.self)
    let isAll = pictures.count == report.count
    return [
      "pictures": pictures, "query": report.query.values,
      "sentence": isAll
        ? "All images."
        : "\(PredictionsReport.count(pictures.count, "image")) of "
          + "\(NumberText.count(report.count)), chosen at random (seed \(PredictionsReport.seed)).",
    ]
  }
}
