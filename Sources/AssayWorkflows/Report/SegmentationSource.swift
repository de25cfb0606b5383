import AssayMetrics
import AssayReports
import AssayStore

/// Where the numbers of a report on masks come from.
struct SegmentationSource {
  private let catalog: Catalog
  private let progress: any ProgressSink
  private let range: ThresholdRange
  /// The last entry of the ledger that the truth goes by; `nil` for the imported truth.
  private let sequence: Int64?

  /// The most samples whose masks are made at every threshold only to draw the curve.
  static let sweepLimit = 300

  init(catalog: Catalog, by sequence: Int64? = nil, progress: any ProgressSink) throws {
    self.catalog = catalog
    self.sequence = sequence
    self.progress = progress
    range = try ThresholdRange("0.1..0.9:0.05")
  }

  /// The numbers of a stored evaluation: of the one named, of a run its `default`, unless the dataset was
  /// imported again since; else of judging it now. The curve over the threshold comes from the evaluation
  /// where it was swept, and is measured for a small set.
  func evaluate(
    _ reference: RunReference
  ) throws -> (evaluation: SegmentationEvaluation, judged: SegmentedRun, sweep: SweepCurve?) {
    let workflow = RunSegmentation(catalog: catalog, progress: progress)
    let source = try reference.kept(in: catalog, by: sequence)
    var settings = EvaluationSettings()
    if let kept = source.evaluation {
      let (evaluation, judged) = try workflow.evaluate(source, settings)
      let points = Self.points(try catalog.scores(of: kept.id))
      if points.count > 1 { return (evaluation, judged, Self.curve(points, judged)) }
      guard canSweep(judged) else { return (evaluation, judged, nil) }
      settings = judged.settings
      settings.slicedBy = nil
      let (swept, now) = try workflow.evaluate(
        RunReference(run: source.run), settings, sweep: range)
      // Of another truth the curve would not fit the numbers.
      guard now.tally.confusion == judged.tally.confusion, let sweep = swept.sweep else {
        return (evaluation, judged, nil)
      }
      return (evaluation, judged, Self.curve(sweep.points, judged))
    }
    let masks = try RunMasks(catalog: catalog, run: source.run)
    let isSmall =
      source.run.done <= Self.sweepLimit && masks.recipe.isBinary && masks.recipe.keepsMaps
    let (evaluation, judged) = try workflow.evaluate(
      source, settings, sweep: isSmall ? range : nil)
    return (evaluation, judged, evaluation.sweep.map { Self.curve($0.points, judged) })
  }

  private func canSweep(_ judged: SegmentedRun) -> Bool {
    judged.samples.count <= Self.sweepLimit && judged.recipe.isBinary && judged.recipe.keepsMaps
  }

  /// The scores that an evaluation has kept of its sweep: slices called `threshold=0.4`.
  private static func points(_ scores: [ScoreRecord]) -> [ThresholdSweep.Point] {
    let prefix = "threshold="
    var points: [Double: ThresholdSweep.Point] = [:]
    for record in scores {
      guard let slice = record.slice, slice.hasPrefix(prefix),
        let value = Double(slice.dropFirst(prefix.count))
      else { continue }
      let score = Score(record.value, defined: record.defined, total: record.total)
      var point =
        points[value]
        ?? .init(
          threshold: value, meanIoU: .undefined, meanDice: .undefined, iou: .undefined,
          dice: .undefined)
      switch record.metric {
      case .meanIoU: point.meanIoU = score
      case .meanDice: point.meanDice = score
      case .iou: point.iou = score
      case .dice: point.dice = score
      default: break
      }
      points[value] = point
    }
    return points.values.sorted { $0.threshold < $1.threshold }
  }

  private static func curve(
    _ points: [ThresholdSweep.Point], _ judged: SegmentedRun
  ) -> SweepCurve {
    SweepCurve(
      setting: "threshold",
      places: points.map { .init(value: $0.threshold, iou: $0.meanIoU, dice: $0.meanDice) },
      current: judged.settings.masks.threshold ?? judged.recipe.threshold)
  }
}
