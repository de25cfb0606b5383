import AssayCore
import AssayMetrics
import AssayWorkflows

/// The tables of two detectors' comparison.
struct DetectionCompareTables {
  var pairing: DetectionPairing

  /// The maximum number of listed classes, those with the largest changes.
  static let listedClasses = 10
  /// The maximum number of listed objects among the regressions, and among the improvements.
  private static let listedObjects = 5

  private var comparison: DetectionComparison { pairing.comparison }

  /// COCO's metrics: the standard 12, or the 10 of keypoints.
  var scores: TextTable {
    let kinds = DetectionScores.stats(pairing.matching.overlap)
    let hasIntervals = kinds.contains { comparison[$0]?.interval != nil }
    return DifferenceTable.scores(kinds, hasIntervals: hasIntervals) { comparison[$0] }
  }

  /// The table of the error types with their ΔAP and their counts.
  var errors: TextTable {
    let counts = pairing.errorCounts(fromWorkingScore: false)
    let costs = DetectionErrorKind.allCases.map { comparison[$0.cost] }
    let hasIntervals = costs.contains { $0?.interval != nil }
    var table = TextTable(
      [
        ("error", .left), ("ΔAP A", .right), ("B", .right), ("B − A", .right),
      ] + (hasIntervals ? [("95 %", .right)] : []) + [("count A", .right), ("B", .right)])
    for (kind, cost) in zip(DetectionErrorKind.allCases, costs) {
      table.add(
        [kind.rawValue] + DifferenceTable.cells(cost ?? Difference(first: nil, second: nil))
          + (hasIntervals ? [Fixed.signed(cost?.interval)] : [])
          + ["\(counts.first.count(kind))", "\(counts.second.count(kind))"])
    }
    return table
  }

  /// The classes whose average precision changed most; `nil` if there is only one class, which has
  /// the run's own numbers.
  ///
  /// - Parameter limit: the maximum number of classes; `nil` for all.
  func classes(limit: Int?) -> TextTable? {
    let all = comparison.perClass(.perCategoryAP)
    guard pairing.classes.count > 1 else { return nil }
    let changed = all.indices.filter { all[$0].value != nil }.sorted {
      (-abs(all[$0].value ?? 0), $0) < (-abs(all[$1].value ?? 0), $1)
    }
    let shown = changed.prefix(limit ?? changed.count)
    guard !shown.isEmpty else { return nil }
    let hasIntervals = shown.contains { all[$0].interval != nil }
    let head =
      shown.count < changed.count ? "\(shown.count) widest of \(changed.count)" : "class"
    var table = TextTable(
      [(head, .left), ("n", .right), ("AP A", .right), ("B", .right), ("B − A", .right)]
        + (hasIntervals ? [("95 %", .right)] : [])
        + [("regressions", .right), ("improvements", .right), ("p (Holm)", .right)])
    for category in shown {
      let totals = pairing.objects.classes[category]
      table.add(
        [pairing.classes[category], "\(totals.objects)"] + DifferenceTable.cells(all[category])
          + (hasIntervals ? [Fixed.signed(all[category].interval)] : [])
          + [
            "\(totals.lost)", "\(totals.won)",
            Fixed.probability(pairing.objects.classPValues[category]),
          ])
    }
    return table
  }

  /// The number of objects found per size; `nil` if there are no objects.
  var sizes: TextTable? {
    guard pairing.objects.all.objects > 0 else { return nil }
    var table = TextTable([
      ("objects", .left), ("number", .right), ("found by A", .right), ("by B", .right),
      ("regressions", .right), ("improvements", .right),
    ])
    for size in pairing.objects.sizes {
      let totals = size.totals
      table.add(
        [size.range.name]
          + [totals.objects, totals.foundByFirst, totals.foundBySecond, totals.lost, totals.won]
          .map(String.init))
    }
    return table
  }

  /// The most confident regressions or improvements; `nil` if there are none.
  func objects(_ name: String, _ changes: [ObjectChange]) -> TextTable? {
    guard !changes.isEmpty else { return nil }
    let shown = changes.prefix(Self.listedObjects)
    let head = changes.count > shown.count ? "\(name) (\(changes.count))" : name
    var table = TextTable([
      (head, .path), ("annotation", .right), ("class", .left), ("A", .left),
      ("B", .left),
    ])
    for change in shown {
      table.add([
        pairing.samples[change.sample].key,
        change.sourceID.map { "\($0)" } ?? "#\(change.annotation)",
        pairing.classes[change.category], words(change.first), words(change.second),
      ])
    }
    return table
  }

  private func words(_ answer: ObjectAnswer) -> String {
    let score = Fixed.text(answer.confidence, places: 2)
    let iou = Fixed.text(answer.iou, places: 2)
    let category = answer.category.map { pairing.classes[$0] } ?? "–"
    return switch answer.outcome {
    case .found: "found \(score)"
    case .unsure: "score \(score)"
    case .otherClass: "\(category) \(score)"
    case .place: "IoU \(iou)"
    case .both: "\(category), IoU \(iou)"
    case .nothing: "–"
    }
  }
}
