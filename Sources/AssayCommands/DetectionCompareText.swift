import AssayCore
import AssayMetrics
import AssayWorkflows

/// The text of `assay compare` for detection.
struct DetectionCompareText: ComparisonText {
  let pairing: DetectionPairing
  /// True if a page lists all classes.
  var listsAll = false

  let unit = "object"

  private var tables: DetectionCompareTables { DetectionCompareTables(pairing: pairing) }

  var classes: TextTable? {
    tables.classes(limit: listsAll ? nil : DetectionCompareTables.listedClasses)
  }

  var further: [(title: String, table: TextTable)] {
    [("Error types", tables.errors)] + (tables.sizes.map { [("Object sizes", $0)] } ?? [])
  }

  var scores: TextTable { tables.scores }

  func blocks(in terminal: Terminal) -> [String] {
    let tables = tables
    return [
      tables.errors.text(in: terminal),
      tables.classes(limit: DetectionCompareTables.listedClasses)?.text(in: terminal),
      tables.sizes?.text(in: terminal),
      tables.objects("regressions", pairing.lost)?.text(in: terminal),
      tables.objects("improvements", pairing.won)?.text(in: terminal),
    ].compactMap(\.self)
  }

  func legend(in terminal: Terminal) -> [String] {
    [Paragraph.text(ComparisonLegend.text, in: terminal)]
  }

  func headline(in terminal: Terminal) -> String {
    let score = pairing.comparison[.ap]
    let interval = Fixed.signed(score?.interval)
    let matching = pairing.matching
    let totals = pairing.objects.all
    var lines = [
      Counted.text(pairing.samples.count, "image", "images")
        + ", " + matching.overlap.noun,
      "AP \(Fixed.text(score?.first)) → \(Fixed.text(score?.second)): "
        + Fixed.signed(score?.value) + (interval.isEmpty ? "" : " \(interval)"),
    ]
    if let isClear = score?.isClear {
      lines.append(
        isClear
          ? "significant (95 % CI excludes 0)" : "not significant (95 % CI includes 0)")
    }
    lines.append(
      Paragraph.text(
        "of \(Counted.text(totals.objects, "object", "objects")) "
          + "(\(matching.overlap.measure) \(Self.short(matching.workingIoU)), score ≥ \(Self.short(matching.workingScore))) "
          + "regressions \(totals.lost), improvements \(totals.won), "
          + "found by both \(totals.foundByBoth), "
          + "by neither \(totals.foundByNeither)", in: terminal))
    let test = totals.test
    if test.discordant > 0 {
      lines.append(
        Paragraph.text(
          "more regressions in \(Counted.text(totals.samplesLost, "image", "images")), more "
            + "improvements in \(totals.samplesWon): "
            + (test.pValue < 0.05 ? "significant " : "not significant ")
            + "(sign test over images, \(Fixed.pValue(test.pValue)))", in: terminal))
    }
    return lines.joined(separator: "\n")
  }

  /// `0.5`, `0.75`.
  private static func short(_ value: Double) -> String { "\(value)" }
}
