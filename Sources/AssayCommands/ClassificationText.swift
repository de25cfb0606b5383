import AssayCore
import AssayMetrics
import AssayWorkflows

/// The text of `assay evaluate` for classification.
struct ClassificationText: EvaluationText {
  let evaluation: Evaluation
  let scores: ClassificationScores
  var listsAll = false

  var headline: [String] {
    var lines = ["accuracy \(Fixed.text(scores[.accuracy])), n = \(scores.count)"]
    if let name = scores.baselineClass.map({ evaluation.classes[$0] }) {
      let baseline = Fixed.text(scores[.baselineAccuracy].value)
      lines.append("baseline \(baseline): always “\(Terminal.safe(name))”")
    }
    return lines
  }

  func blocks(in terminal: Terminal) -> [String] {
    [
      ([classTable.text(in: terminal)] + [extremes.sentence].compactMap(\.self))
        .joined(separator: "\n"), scoreTable.text(in: terminal),
    ]
      + (scores.abstention.map { [sentence(on: $0)] } ?? [])
  }

  func sliceColumns(by attribute: String) -> [(title: String, kind: MetricKind)] {
    // A slice of one true class has no ground truth for the others: a mean over them is
    // meaningless.
    [("accuracy", .accuracy)] + (attribute == "category" ? [] : [("macro F1", .macroF1Defined)])
  }

  func closing(_ subject: EvaluatedSubject, samplesFile: String?) -> [String] {
    guard case .run(let run, _, _) = evaluation.subject else { return ["all metrics: --json"] }
    guard let name = evaluation.name else {
      return ["all metrics: --json", EvaluatedSubject.mergeLine(folder: run)]
    }
    return [
      "stored as \(run)@\(name)", "all metrics: --json",
      "images and charts: assay report \(subject.reference(to: run)) --out DIR",
    ]
  }

  /// True if there is anything to put under "95 %".
  private var hasIntervals: Bool { scores[.accuracy].interval != nil }

  private var extremes: ClassExtremes {
    ClassExtremes(scores.perClass(.f1).map(\.value), by: "F1", listsAll: listsAll)
  }

  private var classTable: TextTable {
    var table = TextTable(
      [
        ("class", .left), ("n", .right), ("precision", .right), ("recall", .right), ("F1", .right),
      ] + (hasIntervals ? [("95 % of F1", .right)] : []))
    for ordinal in extremes.listed {
      let name = evaluation.classes[ordinal]
      let f1 = scores.perClass(.f1)[ordinal]
      table.add([
        name, "\(scores.confusion.totals.truth[ordinal])",
        Fixed.text(scores.perClass(.precision)[ordinal].value),
        Fixed.text(scores.perClass(.recall)[ordinal].value), Fixed.text(f1.value),
        Fixed.text(f1.interval),
      ])
    }
    return table
  }

  /// The scores that are listed below the classes, in order.
  static let listed = MetricKind.shown(.list, in: .classification)

  private var scoreTable: TextTable {
    var table = TextTable(
      [("score", .left), ("value", .right)] + (hasIntervals ? [("95 %", .right)] : [])
        + [("", .left)])
    for kind in Self.listed where scores[kind].value != nil || kind == .kappa {
      let score = scores[kind]
      table.add(
        [kind.rawValue, Fixed.text(score.value)]
          + (hasIntervals ? [Fixed.text(score.interval)] : []) + [note(on: kind, score)])
    }
    return table
  }

  private func note(on kind: MetricKind, _ score: Score) -> String {
    if let defined = score.defined, let total = score.total {
      let isOfVotes = [.voteCrossEntropy, .expectedAccuracy, .voteDivergence].contains(kind)
      return "\(defined) of \(total) \(isOfVotes ? "samples" : "classes")"
    }
    return kind == .ece15 ? "15 bins (low, high]" : ""
  }

  private func sentence(on abstention: AbstentionScores) -> String {
    "answered \(Fixed.text(scores[.answered])) "
      + "at accept \(abstention.rule.accept), margin \(abstention.rule.margin)\n"
      + "accuracy of answered samples \(Fixed.text(scores[.answeredAccuracy]))\n"
      + "labels accepted per sample \(Fixed.text(scores[.meanAccepted]))"
  }
}
