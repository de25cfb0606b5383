import AssayCore
import AssayMetrics
import AssayWorkflows

/// What `assay evaluate` prints.
struct EvaluateResult: CommandResult {
  var evaluation: Evaluation
  var zeroDivision = Evaluation.ZeroDivision.undefined
  /// What corrections did to it; `nil` where it was judged by the imported truth.
  var effect: CorrectionEffect?

  var json: JSONValue { evaluation.json(zeroDivision: zeroDivision).adding(effect) }

  func text(in terminal: Terminal) -> String {
    var blocks = [headline] + [EffectText(effect)?.text(in: terminal)].compactMap(\.self)
    blocks += [classTable.text(in: terminal), scoreTable.text(in: terminal)]
    if let abstention = evaluation.scores.abstention { blocks.append(sentence(on: abstention)) }
    if !evaluation.slices.isEmpty { blocks.append(sliceTable.text(in: terminal)) }
    let notes = evaluation.notes.map { Paragraph.text("note: " + $0, in: terminal) }
    blocks.append((notes + [closing]).joined(separator: "\n"))
    return blocks.joined(separator: "\n\n")
  }

  private var scores: ClassificationScores { evaluation.scores }

  private var headline: String {
    var lines = [
      subject.text, "accuracy \(Fixed.text(scores[.accuracy])), n = \(scores.count)",
    ]
    if let name = evaluation.baselineClass {
      let baseline = Fixed.text(scores[.baselineAccuracy].value)
      lines.append("baseline \(baseline): always “\(Terminal.safe(name))”")
    }
    return lines.joined(separator: "\n")
  }

  private var subject: EvaluatedSubject {
    EvaluatedSubject(
      subject: evaluation.subject, name: evaluation.name, filter: evaluation.settings.filter)
  }

  /// Whether there is anything to put under "95 %".
  private var hasIntervals: Bool { scores[.accuracy].interval != nil }

  private var classTable: TextTable {
    var table = TextTable(
      [
        ("class", .left), ("n", .right), ("precision", .right), ("recall", .right), ("F1", .right),
      ] + (hasIntervals ? [("95 % of F1", .right)] : []))
    for (ordinal, name) in evaluation.classes.enumerated() {
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

  /// The scores that are listed beneath the classes, in their order.
  static let listed: [MetricKind] = [
    .top2, .top3, .balancedAccuracy, .macroF1Defined, .weightedF1, .kappa, .mcc, .macroAUROC,
    .meanAveragePrecision, .logLoss, .brier, .ece15, .aurc, .aurcMargin,
  ]

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
      return "\(defined) of \(total) classes"
    }
    return kind == .ece15 ? "15 bins (low, high]" : ""
  }

  private func sentence(on abstention: AbstentionScores) -> String {
    "answered \(Fixed.text(scores[.answered])) "
      + "at accept \(abstention.rule.accept), margin \(abstention.rule.margin)\n"
      + "accuracy of the answered \(Fixed.text(scores[.answeredAccuracy]))\n"
      + "labels accepted a sample \(Fixed.text(scores[.meanAccepted]))"
  }

  private var sliceTable: TextTable {
    let hasIntervals = evaluation.slices.contains { $0.scores[.accuracy].interval != nil }
    let by = evaluation.slices.first?.by ?? ""
    // A slice of one true class has no truth for the others: a mean over them would say nothing.
    let hasMacro = by != "category"
    var table = TextTable(
      [(by, .left), ("n", .right), ("accuracy", .right)]
        + (hasIntervals ? [("95 %", .right)] : []) + (hasMacro ? [("macro F1", .right)] : []))
    for slice in evaluation.slices {
      let accuracy = slice.scores[.accuracy]
      table.add(
        [slice.value, "\(slice.scores.count)", Fixed.text(accuracy.value)]
          + (hasIntervals ? [Fixed.text(accuracy.interval)] : [])
          + (hasMacro ? [Fixed.text(slice.scores[.macroF1Defined].value)] : []))
    }
    return table
  }

  private var closing: String {
    guard case .run(let run, _, _) = evaluation.subject else { return "all numbers: --json" }
    let stored = evaluation.name.map { "kept as \(run)@\($0)\n" } ?? ""
    return stored
      + "all numbers: --json\npictures and charts: assay report \(subject.reference(to: run)) --out DIR"
  }
}
