import AssayCore
import AssayMetrics
import AssayWorkflows

/// What `assay compare` prints of detectors.
struct DetectionCompareResult: CommandResult {
  var pairing: DetectionPairing
  /// The files that were written.
  var written: [String] = []
  /// Whether a sheet was asked for.
  var hasSheet = false

  var json: JSONValue {
    guard case .object(let members) = pairing.json else { return pairing.json }
    return .object(members + [.init("files", .array(written.map { .string($0) }))])
  }

  func text(in terminal: Terminal) -> String {
    let tables = DetectionCompareTables(pairing: pairing)
    let notes = pairing.notes.map { Paragraph.text("note: " + $0, in: terminal) }
    var files = written.map { "written: " + Terminal.safe($0) }
    if hasSheet || written.contains(where: { $0.hasSuffix(".png") }) {
      files.append(
        Paragraph.text("in the pictures: " + DetectionComparisonPictures.legend, in: terminal))
    }
    let next =
      ["each object lost and won: --json"] + (hasSheet ? [] : ["as pictures: --show SHEET.png"])
    return
      ([
        headline(in: terminal), tables.scores.text(in: terminal),
        tables.errors.text(in: terminal),
      ]
      + [
        tables.classes?.text(in: terminal), tables.sizes?.text(in: terminal),
        tables.objects("lost", pairing.lost)?.text(in: terminal),
        tables.objects("won", pairing.won)?.text(in: terminal),
      ].compactMap(\.self) + [(notes + files + next).joined(separator: "\n")])
      .joined(separator: "\n\n")
  }

  private func headline(in terminal: Terminal) -> String {
    let score = pairing.comparison[.ap]
    let interval = Fixed.signed(score?.interval)
    let matching = pairing.matching
    let totals = pairing.objects.all
    var lines = [
      Terminal.safe("\(pairing.first.name) → \(pairing.second.name)")
        + " on \(Counted.text(pairing.samples.count, "image", "images"))"
        + (matching.overlap == .mask ? ", by regions" : ", by boxes"),
      "AP \(Fixed.text(score?.first)) → \(Fixed.text(score?.second)): "
        + Fixed.signed(score?.value) + (interval.isEmpty ? "" : " \(interval)"),
    ]
    if let isClear = score?.isClear {
      lines.append(
        "the interval "
          + (isClear ? "leaves out 0: more than chance" : "holds 0: chance would do"))
    }
    lines.append(
      Paragraph.text(
        "of \(Counted.text(totals.objects, "object", "objects")) "
          + "(IoU \(Self.short(matching.workingIoU)), score ≥ \(Self.short(matching.workingScore))) "
          + "\(totals.lost) lost, \(totals.won) won, \(totals.foundByBoth) found by both, "
          + "\(totals.foundByNeither) by neither", in: terminal))
    let test = totals.test
    if test.discordant > 0 {
      lines.append(
        Paragraph.text(
          "more lost than won in \(Counted.text(totals.samplesLost, "image", "images")), more won "
            + "in \(totals.samplesWon): "
            + (test.pValue < 0.05 ? "more" : "no more") + " than chance would explain "
            + "(sign test over images, \(Fixed.pValue(test.pValue)))", in: terminal))
    }
    return lines.joined(separator: "\n")
  }

  /// `0.5`, `0.75`.
  private static func short(_ value: Double) -> String { "\(value)" }
}
