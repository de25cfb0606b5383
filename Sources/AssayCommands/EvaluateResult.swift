import AssayCore
import AssayMetrics
import AssayWorkflows

/// The output of `assay evaluate`: the parts that all tasks share, around the text of one task.
struct EvaluateResult: CommandResult {
  var evaluation: Evaluation
  var zeroDivision = Evaluation.ZeroDivision.undefined
  /// The file with one row per sample, if it was written.
  var samplesFile: String?
  /// The effect of corrections on it; `nil` if it was evaluated against the imported ground truth.
  var effect: CorrectionEffect?
  /// True to list all classes of a model with many.
  var listsAll = false

  var json: JSONValue { evaluation.json(zeroDivision: zeroDivision).adding(effect) }

  /// The task's text.
  private var body: any EvaluationText {
    switch evaluation.details {
    case .classification(let scores):
      ClassificationText(evaluation: evaluation, scores: scores, listsAll: listsAll)
    case .segmentation(let details):
      SegmentationText(evaluation: evaluation, details: details, listsAll: listsAll)
    case .detection(let details):
      DetectionText(evaluation: evaluation, details: details, listsAll: listsAll)
    case .multiLabel(let details):
      MultiLabelText(evaluation: evaluation, details: details, listsAll: listsAll)
    }
  }

  func text(in terminal: Terminal) -> String {
    let body = body
    let subject = EvaluatedSubject(
      subject: evaluation.subject, name: evaluation.name, filter: evaluation.settings.filter)
    var blocks = [([subject.text] + body.headline).joined(separator: "\n")]
    if let effect = EffectText(effect) { blocks.append(effect.text(in: terminal)) }
    blocks += body.blocks(in: terminal)
    if !evaluation.slices.isEmpty { blocks.append(sliceTable(body).text(in: terminal)) }
    blocks += body.appendix(in: terminal)
    let notes = evaluation.notes.map { note in
      Paragraph.text(
        "note: " + (listsAll ? note : ClassExtremes.shortened(note)), in: terminal)
    }
    let closing = body.closing(subject, samplesFile: samplesFile)
    blocks.append((notes + closing).joined(separator: "\n"))
    return blocks.joined(separator: "\n\n")
  }

  private func sliceTable(_ body: any EvaluationText) -> TextTable {
    let slices = evaluation.slices
    let by = slices.first?.by ?? ""
    let columns = body.sliceColumns(by: by)
    let hasIntervals = slices.contains { $0.scores[columns[0].kind].interval != nil }
    var table = TextTable(
      [(body.sliceTitle(by: by), .left), ("n", .right), (columns[0].title, .right)]
        + (hasIntervals ? [("95 %", .right)] : []) + columns.dropFirst().map { ($0.title, .right) })
    for slice in slices {
      let cells = columns.map { Fixed.text(slice.scores[$0.kind].value) }
      table.add(
        [slice.value, "\(slice.scores.count)", cells[0]]
          + (hasIntervals ? [Fixed.text(slice.scores[columns[0].kind].interval)] : [])
          + cells.dropFirst())
    }
    return table
  }
}

/// The task-specific part of an evaluation's text.
protocol EvaluationText {
  /// The lines below the name of the run or the files.
  var headline: [String] { get }

  /// The tables and sentences above the slices.
  func blocks(in terminal: Terminal) -> [String]

  /// The text below the slices.
  func appendix(in terminal: Terminal) -> [String]

  /// The numbers of each slice, at least one; the first with its interval.
  func sliceColumns(by attribute: String) -> [(title: String, kind: MetricKind)]

  /// The title above the names of the slices.
  func sliceTitle(by attribute: String) -> String

  /// The last lines: the location of the stored evaluation, and the next commands.
  func closing(_ subject: EvaluatedSubject, samplesFile: String?) -> [String]
}

extension EvaluationText {
  func appendix(in terminal: Terminal) -> [String] { [] }
  func sliceTitle(by attribute: String) -> String { attribute }
}
