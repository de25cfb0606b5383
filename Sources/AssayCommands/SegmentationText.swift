import AssayCore
import AssayMetrics
import AssayWorkflows

/// The text of `assay evaluate` for masks.
struct SegmentationText: EvaluationText {
  let evaluation: Evaluation
  let details: SegmentationDetails
  var listsAll = false

  func blocks(in terminal: Terminal) -> [String] {
    labels.isBinary
      ? [[meansTable.text(in: terminal), definedText].compactMap(\.self).joined(separator: "\n")]
      : [
        ([classTable.text(in: terminal)] + [extremes.sentence].compactMap(\.self))
          .joined(separator: "\n"), scoreTable.text(in: terminal),
      ]
  }

  func appendix(in terminal: Terminal) -> [String] {
    details.sweep.map { [SweepText($0).text(in: terminal)] } ?? []
  }

  func sliceColumns(by attribute: String) -> [(title: String, kind: MetricKind)] {
    let kinds: [MetricKind] = labels.isBinary ? [.meanIoU, .meanDice] : [.miou, .sampleMIoU]
    return kinds.map { ($0.rawValue, $0) }
  }

  func closing(_ subject: EvaluatedSubject, samplesFile: String?) -> [String] {
    subject.closing(samplesFile: samplesFile, question: ".iou < 0.5")
  }

  private var scores: SegmentationScores { details.scores }
  private var labels: SegmentationLabels { scores.labels }

  var headline: [String] {
    var lines: [String] = []
    if labels.isBinary {
      lines.append(
        "mean_iou \(Fixed.text(scores[.meanIoU])), mean_dice \(Fixed.text(scores[.meanDice]))")
      let name = Terminal.safe(evaluation.classes.first ?? "")
      lines.append(
        "class “\(name)”, n = \(scores.count), defined in \(scores.definedSamples)")
    } else {
      lines.append("miou \(Fixed.text(scores[.miou])), n = \(scores.count)")
      lines.append(
        "over \(count(.miou, "classes")); sample_miou \(Fixed.text(scores[.sampleMIoU]))")
    }
    if let baseline = details.baseline {
      lines.append(
        "baseline \(Fixed.text(baseline.value)): all pixels “\(Terminal.safe(baseline.name))”")
    }
    let made = settingsText
    if !made.isEmpty { lines.append(made) }
    return lines
  }

  /// The mask settings that differ from the defaults.
  private var settingsText: String {
    evaluation.settings.masks.differences(own: details.ownThreshold)
      .map(Terminal.safe).joined(separator: " ")
  }

  /// `10 of 11 classes`.
  private func count(_ kind: MetricKind, _ what: String) -> String {
    guard let defined = scores[kind].defined, let total = scores[kind].total else { return "" }
    return "\(defined) of \(total) \(what)"
  }

  /// The means over samples of runs with one class, each with the same score pooled over all pixels
  /// if there is one.
  private var means: [(name: String, kind: MetricKind, pooled: MetricKind?)] {
    SegmentationScores.sampleKinds(for: labels).map { kind in
      let name = kind.facts.title.trimmingPrefix("mean ")
      return (name: String(name), kind: kind, pooled: kind.facts.pooled)
    }
  }

  /// With one class: means over samples next to scores pooled over pixels.
  private var meansTable: TextTable {
    let label = labels.evaluated.lowerBound
    func pooled(_ kind: MetricKind) -> Score {
      guard kind.isPerCategory else { return scores[kind] }
      let all = scores.perClass(kind)
      return label < all.count ? all[label] : .undefined
    }
    let rows = means.map { row in
      (name: row.name, mean: scores[row.kind], pooled: row.pooled.map(pooled))
    }
    let hasMeans = rows.contains { $0.mean.interval != nil }
    let hasPools = rows.contains { $0.pooled?.interval != nil }
    var table = TextTable(
      [("score", .left), ("mean", .right)] + (hasMeans ? [("95 %", .right)] : [])
        + [("pooled", .right)] + (hasPools ? [("95 %", .right)] : []))
    for row in rows where row.mean.value != nil || row.pooled?.value != nil {
      table.add(
        [row.name, Fixed.text(row.mean.value)]
          + (hasMeans ? [Fixed.text(row.mean.interval)] : [])
          + [row.pooled.map { Fixed.text($0.value) } ?? ""]
          + (hasPools ? [Fixed.text(row.pooled?.interval)] : []))
    }
    return table
  }

  /// The number of samples behind each mean; `nil` if all means are over all samples.
  private var definedText: String? {
    let parts = means.compactMap { row -> String? in
      guard scores[row.kind].value != nil, let defined = scores[row.kind].defined else {
        return nil
      }
      return "\(row.name) \(defined)"
    }
    // With --no-boundary there are no boundary scores.
    let made = means.map(\.kind).filter {
      evaluation.settings.masks.hasBoundary
        || $0 != .meanBoundaryIoU && MaskMeasure(mean: $0) == nil
    }
    guard made.contains(where: { (scores[$0].defined ?? scores.count) < scores.count })
    else { return nil }
    return "defined, of \(scores.count) samples: \(parts.joined(separator: ", "))"
  }

  private var extremes: ClassExtremes {
    let ious = scores.perClass(.classIoU)
    return ClassExtremes(
      labels.evaluated.map { ious[$0].value }, by: "IoU", listsAll: listsAll)
  }

  private var classTable: TextTable {
    let ious = scores.perClass(.classIoU)
    let hasIntervals = ious.contains { $0.interval != nil }
    let pixels = Double(scores.evaluatedPixels)
    var table = TextTable(
      [("class", .left), ("share", .right), ("IoU", .right)]
        + (hasIntervals ? [("95 %", .right)] : [])
        + [("Dice", .right), ("prec.", .right), ("recall", .right)])
    for label in extremes.listed.map({ labels.evaluated[labels.evaluated.startIndex + $0] }) {
      let support = scores.perClass(.support)[label].value
      table.add(
        [
          labels.names[label], Fixed.text(support.map { pixels > 0 ? $0 / pixels : 0 }),
          Fixed.text(ious[label].value),
        ] + (hasIntervals ? [Fixed.text(ious[label].interval)] : []) + [
          Fixed.text(scores.perClass(.classDice)[label].value),
          Fixed.text(scores.perClass(.precision)[label].value),
          Fixed.text(scores.perClass(.recall)[label].value),
        ])
    }
    return table
  }

  /// The scores that are listed below the classes, in order.
  private static let listed = MetricKind.shown(.list, in: .segmentation, hasSeveral: true)

  private var scoreTable: TextTable {
    let shown = Self.listed.filter { scores[$0].value != nil }
    let hasIntervals = shown.contains { scores[$0].interval != nil }
    var table = TextTable(
      [("score", .left), ("value", .right)] + (hasIntervals ? [("95 %", .right)] : []))
    for kind in shown {
      table.add(
        [kind.rawValue, Fixed.text(scores[kind].value)]
          + (hasIntervals ? [Fixed.text(scores[kind].interval)] : []))
    }
    return table
  }
}

/// A sweep of the threshold as a small table with bars.
struct SweepText {
  private let sweep: ThresholdSweep

  init(_ sweep: ThresholdSweep) { self.sweep = sweep }

  /// The maximum number of rows; longer sweeps show rows at equal steps, and the best.
  private static let rows = 25
  /// The length in columns of the longest bar, which is a score of 1.
  private static let bar = 20

  func text(in terminal: Terminal) -> String {
    var table = TextTable([
      ("threshold", .left), ("mean_iou", .right), ("mean_dice", .right), ("", .left),
    ])
    for point in shown {
      table.add([
        "\(point.threshold)", Fixed.text(point.meanIoU.value), Fixed.text(point.meanDice.value),
        Self.bar(point.meanIoU.value) + (point == sweep.best ? " best" : ""),
      ])
    }
    return table.text(in: terminal) + "\n" + verdict
  }

  private var shown: [ThresholdSweep.Point] {
    let points = sweep.points
    guard points.count > Self.rows else { return points }
    let step = (points.count + Self.rows - 2) / (Self.rows - 1)
    return points.indices.filter { $0 % step == 0 || points[$0] == sweep.best }
      .map { points[$0] }
  }

  private var verdict: String {
    guard let best = sweep.best else { return "no threshold has a defined mean_iou" }
    return "best threshold \(best.threshold): mean_iou \(Fixed.text(best.meanIoU.value)), "
      + "chosen on these samples"
  }

  private static func bar(_ value: Double?) -> String {
    String(repeating: "▇", count: value.map { Int(($0 * Double(bar)).rounded()) } ?? 0)
  }
}
