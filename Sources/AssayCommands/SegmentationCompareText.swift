import AssayCore
import AssayMetrics
import AssayWorkflows

/// The text of `assay compare` for masks.
struct SegmentationCompareText: ComparisonText {
  let pairing: SegmentationPairing
  var listsAll = false

  /// The maximum number of listed samples among the regressions, and among the improvements.
  private static let listed = 5

  func blocks(in terminal: Terminal) -> [String] {
    let classes =
      pairing.labels.isBinary
      ? []
      : [
        ([classTable.text(in: terminal)] + [extremes.sentence].compactMap(\.self)).joined(
          separator: "\n")
      ]
    return classes
      + [
        table("regressions", pairing.lost)?.text(in: terminal),
        table("improvements", pairing.won)?.text(in: terminal),
      ].compactMap(\.self)
  }

  func legend(in terminal: Terminal) -> [String] { [ComparisonLegend.text] }

  private var comparison: SegmentationComparison { pairing.comparison }

  func headline(in terminal: Terminal) -> String {
    let kind: MetricKind = pairing.labels.isBinary ? .meanIoU : .miou
    let score = comparison[kind]
    let interval = Fixed.signed(score?.interval)
    let (lost, won) = (comparison.lost.count, comparison.won.count)
    return "\(Counted.text(comparison.count, "sample", "samples"))\n"
      + "\(kind.rawValue) \(Fixed.text(score?.first)) → \(Fixed.text(score?.second)): "
      + Fixed.signed(score?.value) + (interval.isEmpty ? "" : " \(interval)") + "\n"
      + "IoU lower in \(lost), higher in \(won), equal or undefined in "
      + "\(comparison.count - lost - won)" + (score?.isClear.map(Self.verdict) ?? "")
  }

  private static func verdict(_ isClear: Bool) -> String {
    isClear
      ? "\nsignificant (95 % CI excludes 0)" : "\nnot significant (95 % CI includes 0)"
  }

  var scores: TextTable {
    let kinds = SegmentationScores.kinds(for: pairing.labels)
    let hasIntervals = kinds.contains { comparison[$0]?.interval != nil }
    return DifferenceTable.scores(kinds, hasIntervals: hasIntervals) { comparison[$0] }
  }

  private var evaluated: [Int] {
    pairing.labels.evaluated.filter { $0 < comparison.perClass(.classIoU).count }
  }

  /// The largest losses and gains of IoU.
  private var extremes: ClassExtremes {
    let ious = comparison.perClass(.classIoU)
    return ClassExtremes(
      evaluated.map { ious[$0].value }, by: "difference of IoU", listsAll: listsAll)
  }

  var classes: TextTable? { pairing.labels.isBinary ? nil : classTable }

  private var classTable: TextTable {
    let ious = comparison.perClass(.classIoU)
    let hasIntervals = ious.contains { $0.interval != nil }
    var table = TextTable(
      [("IoU of class", .left), ("A", .right), ("B", .right), ("B − A", .right)]
        + (hasIntervals ? [("95 %", .right)] : []))
    for label in extremes.listed.map({ evaluated[$0] }) {
      table.add(
        [pairing.labels.names[label]] + DifferenceTable.cells(ious[label])
          + (hasIntervals ? [Fixed.signed(ious[label].interval)] : []))
    }
    return table
  }

  /// The first regressions or improvements; `nil` if there are none.
  private func table(_ name: String, _ indices: [Int]) -> TextTable? {
    guard !indices.isEmpty else { return nil }
    let shown = indices.prefix(Self.listed)
    let head = indices.count > shown.count ? "\(name) (\(indices.count))" : name
    var table = TextTable([
      (head, .path), ("A", .right), ("B", .right), ("IoU B − A", .right),
    ])
    for index in shown {
      table.add([
        pairing.samples[index].key, Fixed.text(pairing.firstScores[index].iou),
        Fixed.text(pairing.secondScores[index].iou),
        Fixed.signed(comparison.sampleDifferences[index]),
      ])
    }
    return table
  }
}
