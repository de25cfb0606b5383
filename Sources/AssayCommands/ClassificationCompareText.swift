import AssayCore
import AssayMetrics
import AssayWorkflows

/// The text of `assay compare` for classification.
struct ClassificationCompareText: ComparisonText {
  let pairing: ClassificationPairing
  var listsAll = false

  private var comparison: ClassificationComparison { pairing.comparison }

  func blocks(in terminal: Terminal) -> [String] {
    [
      ([classTable.text(in: terminal)] + [extremes.sentence].compactMap(\.self))
        .joined(separator: "\n")
    ]
  }

  /// The largest losses and gains of recall.
  private var extremes: ClassExtremes {
    ClassExtremes(
      comparison.perClass(.recall).map(\.value), by: "difference of recall", listsAll: listsAll)
  }

  func headline(in terminal: Terminal) -> String {
    let accuracy = comparison[.accuracy]
    let interval = Fixed.signed(accuracy?.interval)
    let test = comparison.test
    let verdict =
      test.pValue < 0.05 ? "significant" : "not significant"
    return "\(Counted.text(comparison.count, "sample", "samples"))\n"
      + "accuracy \(Fixed.text(accuracy?.first)) → \(Fixed.text(accuracy?.second)): "
      + Fixed.signed(accuracy?.value) + (interval.isEmpty ? "" : " \(interval)") + "\n"
      + "regressions \(test.onlyFirst), improvements \(test.onlySecond): \(verdict)\n"
      + "(McNemar \(Fixed.pValue(test.pValue)), \(test.isExact ? "exact" : "χ²"))"
  }

  /// True if there is anything to put under "95 %".
  private var hasIntervals: Bool {
    MetricKind.kinds(of: .classification).contains { comparison[$0]?.interval != nil }
  }

  var scores: TextTable {
    DifferenceTable.scores([.accuracy] + ClassificationText.listed, hasIntervals: hasIntervals) {
      comparison[$0]
    }
  }

  var classes: TextTable? { classTable }

  private var classTable: TextTable {
    var table = TextTable(
      [
        ("class", .left), ("regressions", .right), ("improvements", .right),
        ("recall B − A", .right),
      ]
        + (hasIntervals ? [("95 %", .right)] : []) + [("p (Holm)", .right)])
    for ordinal in extremes.listed {
      let name = pairing.classes[ordinal]
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
