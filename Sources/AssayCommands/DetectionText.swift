import AssayCore
import AssayMetrics
import AssayWorkflows

/// The text of `assay evaluate` for a detection run.
struct DetectionText: EvaluationText {
  let evaluation: Evaluation
  let details: DetectionDetails
  var listsAll = false

  func blocks(in terminal: Terminal) -> [String] {
    [statsTable.text(in: terminal)] + [decisionText].compactMap(\.self)
      + [errorTable.text(in: terminal)]
      + (evaluation.classes.count > 1
        ? [
          ([classTable.text(in: terminal)] + [classSentence].compactMap(\.self)).joined(
            separator: "\n")
        ]
        : [])
      + [workingText]
  }

  /// The sentence below the table of classes; `nil` if it lists all.
  private var classSentence: String? {
    let (all, worst) = (evaluation.classes.count, details.worstClasses.count)
    guard !listsAll, worst > Self.classLimit else { return nil }
    let undefined = all > worst ? "; undefined for \(all - worst)" : ""
    return
      "the \(Self.classLimit) worst of \(all) classes by AP\(undefined); all classes: --all, --json"
  }

  func sliceColumns(by attribute: String) -> [(title: String, kind: MetricKind)] {
    [MetricKind.ap, .ap50, .ap75, details.matching.overlap == .keypoints ? .ar : .ar100].map {
      ($0.rawValue, $0)
    }
  }

  func sliceTitle(by attribute: String) -> String {
    // A slice by category consists of whole images: its metrics cover all classes in them.
    attribute == "category" ? "images with" : attribute
  }

  func closing(_ subject: EvaluatedSubject, samplesFile: String?) -> [String] {
    subject.closing(samplesFile: samplesFile, question: ".false_positives > 0")
  }

  private var scores: DetectionScores { details.scores }
  private var errors: ErrorScores { details.errors }

  var headline: [String] {
    var lines = [
      "AP \(Fixed.text(scores[.ap])), n = \(evaluation.scores.count)",
      Counted.text(details.truths, "object", "objects") + " of "
        + Counted.text(evaluation.classes.count, "class", "classes") + ", "
        + Counted.text(details.detections, "detection", "detections") + ", "
        + (details.matching.overlap == .keypoints ? "" : "overlap of ")
        + details.matching.overlap.noun,
    ]
    let made = details.differences(evaluation.settings).map { "--\($0.option) \($0.value)" }
    if !made.isEmpty { lines.append(Terminal.safe(made.joined(separator: " "))) }
    return lines
  }

  /// COCO's metrics: the standard 12, or the 10 of keypoints.
  private var statsTable: TextTable {
    let hasIntervals = scores.stats.contains { scores[$0].interval != nil }
    var table = TextTable(
      [("score", .left), ("value", .right)] + (hasIntervals ? [("95 %", .right)] : [])
        + [(details.matching.overlap.measure, .left), ("objects", .left), ("max dets", .right)])
    for kind in scores.stats {
      table.add(
        [kind.rawValue, Fixed.text(scores[kind].value)]
          + (hasIntervals ? [Fixed.text(scores[kind].interval)] : []) + meaning(of: kind))
    }
    return table
  }

  /// The IoU thresholds, the object size, and the maximum number of detections per class.
  private func meaning(of kind: MetricKind) -> [String] {
    let matching = details.matching
    let thresholds = matching.iouThresholds
    let range =
      thresholds.count == 1
      ? Fixed.text(thresholds.first, places: 2)
      : "\(Fixed.text(thresholds.first, places: 2))…\(Fixed.text(thresholds.last, places: 2))"
    let most = matching.maxDetections.last.map(String.init) ?? ""
    switch kind {
    case .ap50, .ar50: return ["0.50", "all", most]
    case .ap75, .ar75: return ["0.75", "all", most]
    case .apSmall, .arSmall: return [range, "small", most]
    case .apMedium, .arMedium: return [range, "medium", most]
    case .apLarge, .arLarge: return [range, "large", most]
    case .ar1, .ar10, .ar100:
      return [range, "all", String(kind.rawValue.dropFirst(2))]
    default: return [range, "all", most]
    }
  }

  /// The metrics of the decision; `nil` without one.
  private var decisionText: String? {
    let lines = DetectionScores.decisionKinds.compactMap { kind -> String? in
      let score = scores[kind]
      guard score.value != nil else { return nil }
      return "\(kind.facts.title) \(Fixed.text(score))"
    }
    return lines.isEmpty ? nil : "accepted by the decision: " + lines.joined(separator: ", ")
  }

  /// The table of the error types with their ΔAP and their counts.
  private var errorTable: TextTable {
    let hasIntervals = DetectionErrorKind.allCases.contains { errors.cost($0).interval != nil }
    var table = TextTable(
      [("error", .left), ("ΔAP", .right)] + (hasIntervals ? [("95 %", .right)] : [])
        + [("count", .right), ("", .left)])
    for kind in DetectionErrorKind.allCases {
      let cost = errors.cost(kind)
      table.add(
        [kind.rawValue, Fixed.text(cost.value)]
          + (hasIntervals ? [Fixed.text(cost.interval)] : [])
          + ["\(errors.counts.count(kind))", words(for: kind)])
    }
    return table
  }

  private func words(for kind: DetectionErrorKind) -> String {
    switch kind {
    case .class: "correct location, wrong class"
    case .place: "correct class, low \(details.matching.overlap.measure)"
    case .both: "wrong class, low \(details.matching.overlap.measure)"
    case .duplicate: "object already matched"
    case .background: "on background"
    case .missed: "not found"
    }
  }

  /// The maximum number of classes that are listed.
  private static let classLimit = 8

  private var classTable: TextTable {
    let all = scores.perClass(.perCategoryAP)
    let hasIntervals = all.contains { $0.interval != nil }
    let worst = details.worstClasses
    var table = TextTable(
      [("class", .left), ("n", .right), ("AP", .right)]
        + (hasIntervals ? [("95 %", .right)] : [])
        + [("AP50", .right), ("best F1", .right), ("at score", .right)])
    let ap50 = scores.perClass(.perCategoryAP50)
    for category in worst.prefix(listsAll ? worst.count : Self.classLimit) {
      let support = errors.perClass(.support)[category].value
      table.add(
        [
          evaluation.classes[category], support.map { "\(Int($0))" } ?? "",
          Fixed.text(all[category].value),
        ] + (hasIntervals ? [Fixed.text(all[category].interval)] : []) + [
          Fixed.text(category < ap50.count ? ap50[category].value : nil),
          Fixed.text(errors.perClass(.bestF1)[category].value),
          Fixed.text(errors.perClass(.bestThreshold)[category].value),
        ])
    }
    return table
  }

  /// The metrics at the working IoU and score, and the parts of the output that use these two.
  private var workingText: String {
    let overall = errors.overall
    return """
      at \(details.matching.overlap.measure) \(Self.number(errors.workingIoU)) and score ≥ \(Self.number(errors.workingScore)): \
      precision \(Fixed.text(overall.precision)), recall \(Fixed.text(overall.recall)), \
      F1 \(Fixed.text(overall.f1))
      error types use this \(details.matching.overlap.measure); the confusion matrix and queries also use this score
      """
  }

  private static func number(_ value: Double) -> String {
    let text = "\(value)"
    return text.count > 8 ? Fixed.text(value) : text
  }
}
