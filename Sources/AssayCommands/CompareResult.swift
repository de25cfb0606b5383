import AssayCore
import AssayMetrics
import AssayWorkflows

/// What `assay compare` prints.
struct CompareResult: CommandResult {
  var pairing: RunPairing
  /// The files that were written.
  var written: [String] = []
  /// Whether a sheet was asked for.
  var hasSheet = false

  var json: JSONValue {
    guard case .object(let members) = pairing.json else { return pairing.json }
    return .object(members + [.init("files", .array(written.map { .string($0) }))])
  }

  func text(in terminal: Terminal) -> String {
    let notes = pairing.notes.map { Paragraph.text("note: " + $0, in: terminal) }
    let files = written.map { "written: " + Terminal.safe($0) }
    return [
      headline, scoreTable.text(in: terminal), classTable.text(in: terminal),
      (notes + files + ["each sample lost and won: --json"]
        + (hasSheet ? [] : ["as pictures: --show SHEET.png"]))
        .joined(separator: "\n"),
    ].joined(separator: "\n\n")
  }

  private var comparison: ClassificationComparison { pairing.comparison }

  private var headline: String {
    let accuracy = comparison[.accuracy]
    let interval = Fixed.signed(accuracy?.interval)
    let test = comparison.test
    let verdict =
      test.pValue < 0.05 ? "more than chance would explain" : "no more than chance would explain"
    return Terminal.safe("\(pairing.first.name) → \(pairing.second.name)")
      + " on \(Counted.text(comparison.count, "sample", "samples"))\n"
      + "accuracy \(Fixed.text(accuracy?.first)) → \(Fixed.text(accuracy?.second)): "
      + Fixed.signed(accuracy?.value) + (interval.isEmpty ? "" : " \(interval)") + "\n"
      + "\(test.onlyFirst) lost, \(test.onlySecond) won: \(verdict)\n"
      + "(McNemar \(Fixed.pValue(test.pValue)), \(test.isExact ? "exact" : "χ²"))"
  }

  /// Whether there is anything to put under "95 %".
  private var hasIntervals: Bool {
    MetricKind.kinds(of: .classification).contains { comparison[$0]?.interval != nil }
  }

  private var scoreTable: TextTable {
    DifferenceTable.scores([.accuracy] + ClassificationText.listed, hasIntervals: hasIntervals) {
      comparison[$0]
    }
  }

  private var classTable: TextTable {
    var table = TextTable(
      [("class", .left), ("lost", .right), ("won", .right), ("recall B − A", .right)]
        + (hasIntervals ? [("95 %", .right)] : []) + [("p (Holm)", .right)])
    for (ordinal, name) in pairing.classes.enumerated() {
      guard let test = comparison.classTests[ordinal] else { continue }
      let recall = comparison.perClass(.recall)[ordinal]
      table.add(
        [name, "\(test.onlyFirst)", "\(test.onlySecond)", Fixed.signed(recall.value)]
          + (hasIntervals ? [Fixed.signed(recall.interval)] : [])
          + [Fixed.probability(comparison.classPValues[ordinal])])
    }
    return table
  }
}
