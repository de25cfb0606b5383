import AssayMetrics
import AssayReports
import AssayStore

/// The source of the metrics in a segmentation report.
struct SegmentationSource {
  private let catalog: Catalog
  private let progress: any ProgressSink
  private let range: ThresholdRange
  /// The last ledger entry that the ground truth includes; `nil` for the imported ground truth.
  private let sequence: Int64?

  /// The maximum number of samples whose masks are made at every threshold only to draw the curve.
  static let sweepLimit = 300

  init(catalog: Catalog, by sequence: Int64? = nil, progress: any ProgressSink) throws {
    self.catalog = catalog
    self.sequence = sequence
    self.progress = progress
    range = try ThresholdRange("0.1..0.9:0.05")
  }

  /// The metrics, their run, and its curve over the threshold if there is one.
  typealias Found = (
    evaluation: Evaluation, details: SegmentationDetails,
    evaluated: EvaluatedRun<SemanticSegmentation>, sweep: SweepCurve?
  )

  /// The metrics of a stored evaluation: the named one, or for a run its `default` unless the
  /// dataset was imported again since; otherwise, of a new evaluation. The curve over the threshold
  /// comes from the evaluation if it has a sweep, and is computed for a small set.
  func evaluate(
    _ reference: RunReference
  ) throws -> Found {
    let evaluator = Evaluator<SemanticSegmentation>(catalog: catalog, progress: progress)
    let source = try reference.kept(in: catalog, by: sequence)
    var settings = EvaluationSettings()
    if let kept = source.evaluation {
      let evaluated = try evaluator.counted(source, settings)
      let (evaluation, details) = try evaluator.reduced(evaluated)
      let points = Self.points(try catalog.scores(of: kept.id))
      if points.count > 1 { return (evaluation, details, evaluated, Self.curve(points, evaluated)) }
      guard canSweep(evaluated) else { return (evaluation, details, evaluated, nil) }
      settings = evaluated.settings
      settings.slicedBy = nil
      settings.masks.sweep = range
      let now = try evaluator.counted(RunReference(run: source.run), settings)
      // With a different ground truth, the curve would not match the metrics.
      guard now.tally.confusion == evaluated.tally.confusion,
        let sweep = try evaluator.reduced(now).details.sweep
      else { return (evaluation, details, evaluated, nil) }
      return (evaluation, details, evaluated, Self.curve(sweep.points, evaluated))
    }
    let recipe = try SegmentationRecipe(of: source.run)
    if source.run.done <= Self.sweepLimit, recipe.isBinary, recipe.keepsMaps {
      settings.masks.sweep = range
    }
    let evaluated = try evaluator.counted(source, settings)
    let (evaluation, details) = try evaluator.reduced(evaluated)
    return (evaluation, details, evaluated, details.sweep.map { Self.curve($0.points, evaluated) })
  }

  private func canSweep(_ evaluated: EvaluatedRun<SemanticSegmentation>) -> Bool {
    evaluated.samples.count <= Self.sweepLimit && evaluated.recipe.isBinary
      && evaluated.recipe.keepsMaps
  }

  /// The scores of an evaluation's stored sweep: slices named `threshold=0.4`.
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
    _ points: [ThresholdSweep.Point], _ evaluated: EvaluatedRun<SemanticSegmentation>
  ) -> SweepCurve {
    SweepCurve(
      setting: "threshold",
      places: points.map { .init(value: $0.threshold, iou: $0.meanIoU, dice: $0.meanDice) },
      current: evaluated.settings.masks.threshold ?? evaluated.recipe.threshold)
  }
}
