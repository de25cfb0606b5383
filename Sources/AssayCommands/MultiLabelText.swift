import AssayCore
import AssayMetrics
import AssayWorkflows

/// The text of `assay evaluate` for multi-label classification.
struct MultiLabelText: EvaluationText {
  let evaluation: Evaluation
  let details: MultiLabelDetails
  var listsAll = false

  private var scores: MultiLabelScores { details.scores }

  var headline: [String] {
    var lines = [
      "mAP \(Fixed.text(scores[.meanAveragePrecision])), micro F1 \(Fixed.text(scores[.microF1])), "
        + "n = \(scores.count)"
    ]
    if let labels = details.labelsPerSample {
      lines.append(
        "labels per sample: \(Fixed.text(labels.truth)) true, \(Fixed.text(labels.predicted)) predicted; "
          + "\(details.unlabeled) without a label")
    }
    let thresholds = Set(scores.thresholds.values)
    if thresholds.count == 1, let threshold = thresholds.first {
      lines.append("a class is predicted if its score is at least \(threshold)")
    } else {
      let source = evaluation.settings.classThresholds.map { " (\($0.source))" } ?? ""
      lines.append(
        Terminal.safe("a class is predicted if its score is at least its threshold\(source)"))
    }
    return lines
  }

  func blocks(in terminal: Terminal) -> [String] {
    [
      ([classTable.text(in: terminal)] + [extremes.sentence].compactMap(\.self))
        .joined(separator: "\n"), scoreTable.text(in: terminal),
    ]
  }

  func sliceColumns(by attribute: String) -> [(title: String, kind: MetricKind)] {
    // In a slice by class only that class has positives: a mean over the classes is of little use.
    attribute == "category"
      ? [("subset accuracy", .subsetAccuracy), ("Hamming loss", .hammingLoss)]
      : [("micro F1", .microF1), ("mAP", .meanAveragePrecision)]
  }

  func closing(_ subject: EvaluatedSubject, samplesFile: String?) -> [String] {
    subject.closing(samplesFile: samplesFile, question: ".wrong_labels > 0")
  }

  private var hasIntervals: Bool {
    scores.perClass(.averagePrecision).contains { $0.interval != nil }
  }

  /// True if the classes do not all have the same threshold.
  private var hasThresholds: Bool { Set(scores.thresholds.values).count > 1 }

  private var extremes: ClassExtremes {
    ClassExtremes(
      scores.perClass(.averagePrecision).map(\.value), by: "average precision",
      listsAll: listsAll)
  }

  private var classTable: TextTable {
    var table = TextTable(
      [("class", .left), ("n", .right), ("AP", .right)]
        + (hasIntervals ? [("95 % of AP", .right)] : [])
        + [("precision", .right), ("recall", .right), ("F1", .right)]
        + (hasThresholds ? [("threshold", .right)] : [])
        + [("best F1", .right), ("best threshold", .right)])
    for ordinal in extremes.listed {
      let name = evaluation.classes[ordinal]
      let precision = scores.perClass(.averagePrecision)[ordinal]
      table.add(
        [name, "\(scores.totals.truth[ordinal])", Fixed.text(precision.value)]
          + (hasIntervals ? [Fixed.text(precision.interval)] : [])
          + [MetricKind.precision, .recall, .f1].map {
            Fixed.text(scores.perClass($0)[ordinal].value)
          } + (hasThresholds ? [Fixed.text(scores.thresholds.values[ordinal])] : [])
          + [MetricKind.bestF1, .bestThreshold].map {
            Fixed.text(scores.perClass($0)[ordinal].value)
          })
    }
    return table
  }

  /// The scores that are listed below the classes, in order.
  static let listed = MetricKind.shown(.list, in: .multiLabel)

  private var scoreTable: TextTable {
    let kinds = Self.listed.filter { scores[$0].value != nil }
    let hasIntervals = kinds.contains { scores[$0].interval != nil }
    var table = TextTable(
      [("score", .left), ("value", .right)] + (hasIntervals ? [("95 %", .right)] : [])
        + [("", .left)])
    for kind in kinds {
      let score = scores[kind]
      var note = ""
      if let defined = score.defined, let total = score.total, defined < total {
        note = "\(defined) of \(total) \(kind == .sampleF1 ? "samples" : "classes")"
      }
      table.add(
        [kind.rawValue, Fixed.text(score.value)]
          + (hasIntervals ? [Fixed.text(score.interval)] : []) + [note])
    }
    return table
  }
}
