import AssayCore
import AssayMetrics
import AssayWorkflows

/// What `assay evaluate` prints of masks.
struct SegmentationResult: CommandResult {
  var evaluation: SegmentationEvaluation
  /// The file with a row a sample, where one was written.
  var samplesFile: String?
  /// What corrections did to it; `nil` where it was judged by the imported truth.
  var effect: CorrectionEffect?

  var json: JSONValue { evaluation.json.adding(effect) }

  func text(in terminal: Terminal) -> String {
    var blocks = [headline] + [EffectText(effect)?.text(in: terminal)].compactMap(\.self)
    if labels.isBinary {
      blocks.append(
        [meansTable.text(in: terminal), definedText].compactMap(\.self).joined(separator: "\n"))
    } else {
      blocks += [classTable.text(in: terminal), scoreTable.text(in: terminal)]
    }
    if !evaluation.slices.isEmpty { blocks.append(sliceTable.text(in: terminal)) }
    if let sweep = evaluation.sweep { blocks.append(SweepText(sweep).text(in: terminal)) }
    let notes = evaluation.notes.map { Paragraph.text("note: " + $0, in: terminal) }
    blocks.append((notes + closing).joined(separator: "\n"))
    return blocks.joined(separator: "\n\n")
  }

  private var scores: SegmentationScores { evaluation.scores }
  private var labels: SegmentationLabels { scores.labels }

  private var headline: String {
    var lines = [subject.text]
    if labels.isBinary {
      lines.append(
        "mean_iou \(Fixed.text(scores[.meanIoU])), mean_dice \(Fixed.text(scores[.meanDice]))")
      let name = Terminal.safe(evaluation.classes.first ?? "")
      lines.append(
        "class “\(name)”, n = \(scores.count), defined in \(evaluation.defined)")
    } else {
      lines.append("miou \(Fixed.text(scores[.miou])), n = \(scores.count)")
      lines.append(
        "over \(count(.miou, "classes")); sample_miou \(Fixed.text(scores[.sampleMIoU]))")
    }
    if let baseline = evaluation.baseline {
      lines.append(
        "baseline \(Fixed.text(baseline.value)): all pixels “\(Terminal.safe(baseline.name))”")
    }
    let made = settingsText
    if !made.isEmpty { lines.append(made) }
    return lines.joined(separator: "\n")
  }

  /// How masks were made where that differs from the usual.
  private var settingsText: String {
    evaluation.settings.masks.differences(own: evaluation.ownThreshold)
      .map(Terminal.safe).joined(separator: " ")
  }

  private var subject: EvaluatedSubject {
    EvaluatedSubject(
      subject: evaluation.subject, name: evaluation.name, filter: evaluation.settings.filter)
  }

  /// `10 of 11 classes`.
  private func count(_ kind: MetricKind, _ what: String) -> String {
    guard let defined = scores[kind].defined, let total = scores[kind].total else { return "" }
    return "\(defined) of \(total) \(what)"
  }

  /// The means over samples of runs with one class.
  private static let means: [(name: String, kind: MetricKind)] = [
    ("IoU", .meanIoU), ("Dice", .meanDice), ("precision", .meanPrecision),
    ("recall", .meanRecall), ("boundary IoU", .meanBoundaryIoU),
    ("pixels right", .meanPixelAccuracy),
  ]

  /// With one class: means over samples beside what is pooled over pixels.
  private var meansTable: TextTable {
    let label = labels.judged.lowerBound
    func pooled(_ kind: MetricKind) -> Score {
      let all = scores.perClass(kind)
      return label < all.count ? all[label] : .undefined
    }
    let pools = [
      scores[.iou], scores[.dice], pooled(.precision), pooled(.recall), scores[.boundaryIoU],
      scores[.pixelAccuracy],
    ]
    let rows = zip(Self.means, pools).map { row, pooled in
      (name: row.name, mean: scores[row.kind], pooled: pooled)
    }
    let hasMeans = rows.contains { $0.mean.interval != nil }
    let hasPools = pools.contains { $0.interval != nil }
    var table = TextTable(
      [("score", .left), ("mean", .right)] + (hasMeans ? [("95 %", .right)] : [])
        + [("pooled", .right)] + (hasPools ? [("95 %", .right)] : []))
    for row in rows where row.mean.value != nil || row.pooled.value != nil {
      table.add(
        [row.name, Fixed.text(row.mean.value)]
          + (hasMeans ? [Fixed.text(row.mean.interval)] : [])
          + [Fixed.text(row.pooled.value)]
          + (hasPools ? [Fixed.text(row.pooled.interval)] : []))
    }
    return table
  }

  /// Of how many samples each mean is; `nil` where it is all.
  private var definedText: String? {
    let parts = Self.means.compactMap { row -> String? in
      guard scores[row.kind].value != nil, let defined = scores[row.kind].defined else {
        return nil
      }
      return "\(row.name) \(defined)"
    }
    // With --no-boundary there is none to be defined.
    let made = Self.means.map(\.kind).filter {
      $0 != .meanBoundaryIoU || evaluation.settings.masks.hasBoundary
    }
    guard made.contains(where: { (scores[$0].defined ?? scores.count) < scores.count })
    else { return nil }
    return "defined, of \(scores.count) samples: \(parts.joined(separator: ", "))"
  }

  private var classTable: TextTable {
    let ious = scores.perClass(.classIoU)
    let hasIntervals = ious.contains { $0.interval != nil }
    let pixels = Double(evaluation.judgedPixels)
    var table = TextTable(
      [("class", .left), ("share", .right), ("IoU", .right)]
        + (hasIntervals ? [("95 %", .right)] : [])
        + [("Dice", .right), ("prec.", .right), ("recall", .right)])
    for label in labels.judged {
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

  /// The scores that are listed beneath the classes, in their order.
  private static let listed: [MetricKind] = [
    .mdice, .sampleMDice, .iou, .dice, .pixelAccuracy, .meanClassAccuracy, .frequencyWeightedIoU,
    .boundaryIoU,
  ]

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

  private var sliceTable: TextTable {
    let (first, second): (MetricKind, MetricKind) =
      labels.isBinary ? (.meanIoU, .meanDice) : (.miou, .sampleMIoU)
    let hasIntervals = evaluation.slices.contains { $0.scores[first].interval != nil }
    var table = TextTable(
      [
        (evaluation.slices.first?.by ?? "", .left), ("n", .right), (first.rawValue, .right),
      ] + (hasIntervals ? [("95 %", .right)] : []) + [(second.rawValue, .right)])
    for slice in evaluation.slices {
      table.add(
        [slice.value, "\(slice.scores.count)", Fixed.text(slice.scores[first].value)]
          + (hasIntervals ? [Fixed.text(slice.scores[first].interval)] : [])
          + [Fixed.text(slice.scores[second].value)])
    }
    return table
  }

  private var closing: [String] {
    subject.closing(samplesFile: samplesFile, question: ".iou < 0.5")
  }
}
