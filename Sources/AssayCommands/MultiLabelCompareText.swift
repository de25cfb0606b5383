import AssayCore
import AssayMetrics
import AssayWorkflows

/// The text of `assay compare` for multi-label classification.
struct MultiLabelCompareText: ComparisonText {
  let pairing: MultiLabelPairing
  var listsAll = false

  private var comparison: MultiLabelComparison { pairing.comparison }

  func headline(in terminal: Terminal) -> String {
    let precision = comparison[.meanAveragePrecision]
    let interval = Fixed.signed(precision?.interval)
    return "\(Counted.text(comparison.count, "sample", "samples"))\n"
      + "mAP \(Fixed.text(precision?.first)) → \(Fixed.text(precision?.second)): "
      + Fixed.signed(precision?.value) + (interval.isEmpty ? "" : " \(interval)") + "\n"
      + (pairing.thresholds.first == pairing.thresholds.second
        ? ""
        : Terminal.safe(
          "thresholds: A \(pairing.thresholdWords.first), B \(pairing.thresholdWords.second)")
          + "\n")
      + "samples with more wrong labels in B: \(comparison.lost.count), with fewer: "
      + "\(comparison.won.count)\n"
      + "samples with all labels correct: only in A \(comparison.test.onlyFirst), only in B "
      + "\(comparison.test.onlySecond)\n"
      + "(McNemar \(Fixed.pValue(comparison.test.pValue)), "
      + "\(comparison.test.isExact ? "exact" : "χ²"))"
  }

  var listed: String { "each sample with more or fewer wrong labels" }

  var scores: TextTable {
    DifferenceTable.scores(
      MultiLabelText.listed,
      hasIntervals: MultiLabelComparison.kinds.contains { comparison[$0]?.interval != nil }
    ) { comparison[$0] }
  }

  func blocks(in terminal: Terminal) -> [String] {
    [
      ([classTable.text(in: terminal)] + [extremes.sentence].compactMap(\.self))
        .joined(separator: "\n")
    ]
  }

  /// The largest losses and gains of average precision.
  private var extremes: ClassExtremes {
    ClassExtremes(
      comparison.perClass(.averagePrecision).map(\.value), by: "difference of AP",
      listsAll: listsAll)
  }

  var classes: TextTable? { classTable }

  private var classTable: TextTable {
    let hasIntervals = comparison.perClass(.averagePrecision).contains { $0.interval != nil }
    var table = TextTable(
      [("class", .left), ("AP B − A", .right)] + (hasIntervals ? [("95 %", .right)] : [])
        + [("F1 B − A", .right), ("recall B − A", .right), ("p (Holm)", .right)])
    for ordinal in extremes.listed {
      let name = pairing.classes[ordinal]
      let precision = comparison.perClass(.averagePrecision)[ordinal]
      table.add(
        [name, Fixed.signed(precision.value)]
          + (hasIntervals ? [Fixed.signed(precision.interval)] : [])
          + [
            Fixed.signed(comparison.perClass(.f1)[ordinal].value),
            Fixed.signed(comparison.perClass(.recall)[ordinal].value),
            Fixed.probability(comparison.classPValues[ordinal]),
          ])
    }
    return table
  }
}
