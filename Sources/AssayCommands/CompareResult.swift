import AssayCore
import AssayMetrics
import AssayWorkflows

/// The output of `assay compare`: the parts that all tasks share, around the text of one task.
struct CompareResult: CommandResult {
  var comparison: Comparison
  /// The files that were written.
  var written: [String] = []
  /// True if a sheet was requested.
  var hasSheet = false
  /// True to list all classes of models with many.
  var listsAll = false

  var json: JSONValue {
    guard case .object(let members) = comparison.json else { return comparison.json }
    return .object(members + [.init("files", .array(written.map { .string($0) }))])
  }

  /// The task's text.
  var body: any ComparisonText {
    switch comparison.details {
    case .classification(let pairing):
      ClassificationCompareText(pairing: pairing, listsAll: listsAll)
    case .segmentation(let pairing):
      SegmentationCompareText(pairing: pairing, listsAll: listsAll)
    case .detection(let pairing): DetectionCompareText(pairing: pairing, listsAll: listsAll)
    case .multiLabel(let pairing):
      MultiLabelCompareText(pairing: pairing, listsAll: listsAll)
    }
  }

  func text(in terminal: Terminal) -> String {
    let body = body
    let names = Terminal.safe("\(comparison.first) → \(comparison.second)")
    let notes = comparison.notes.map { note in
      Paragraph.text(
        "note: " + (listsAll ? note : ClassExtremes.shortened(note)), in: terminal)
    }
    var closing = written.map { "written: " + Terminal.safe($0) }
    if hasSheet || written.contains(where: { $0.hasSuffix(".png") }) {
      closing += body.legend(in: terminal)
    }
    closing.append("\(body.listed): --json")
    if !hasSheet { closing.append("as images: --show SHEET.png") }
    return
      ([names + " on " + body.headline(in: terminal), body.scores.text(in: terminal)]
      + body.blocks(in: terminal) + [(notes + closing).joined(separator: "\n")])
      .joined(separator: "\n\n")
  }
}

/// The task-specific part of a comparison's text.
protocol ComparisonText {
  /// The unit of regressions and improvements: `sample`.
  var unit: String { get }

  /// The regressions and improvements that JSON lists.
  var listed: String { get }

  /// The lines after the names of the runs, the first with the number of samples.
  func headline(in terminal: Terminal) -> String

  /// The scores of both runs.
  var scores: TextTable { get }

  /// The differences per class; `nil` if there is only one.
  var classes: TextTable? { get }

  /// The tables of a page besides scores and classes, with their titles.
  var further: [(title: String, table: TextTable)] { get }

  /// Further tables.
  func blocks(in terminal: Terminal) -> [String]

  /// The legend of the lines and frames in the images.
  func legend(in terminal: Terminal) -> [String]
}

extension ComparisonText {
  var unit: String { "sample" }
  var further: [(title: String, table: TextTable)] { [] }
  var listed: String { "regressions and improvements by \(unit)" }
  func legend(in terminal: Terminal) -> [String] { [] }
}

/// The legend of images that show two runs and the ground truth.
enum ComparisonLegend {
  static let text =
    "in the images: ground truth blue, A dashed black and white, B orange; orange frame: "
    + "regression, blue frame: improvement"
}
