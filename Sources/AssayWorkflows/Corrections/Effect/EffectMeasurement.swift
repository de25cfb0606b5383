import AssayCore
import AssayMetrics
package import AssayStore

/// Evaluates a run with the imported ground truth as well, and measures the effect of the
/// corrections.
package struct EffectMeasurement {
  private let corrected: Catalog
  private let imported: Catalog
  private let progress: any ProgressSink

  /// - Parameter catalog: a catalog that reads the corrected ground truth.
  /// - Throws: `StoreError`.
  package init(catalog: Catalog, progress: any ProgressSink = NoProgress()) throws {
    corrected = catalog
    imported = try catalog.readingImported()
    self.progress = progress
  }

  /// - Parameters:
  ///   - run: the run, evaluated with the corrected ground truth.
  ///   - settings: the settings of that evaluation.
  /// - Throws: ``EvaluationError``, ``RunMasksError``, ``Interrupted``, `MetricError`, `StoreError`.
  package func effect<Task: EvaluatedTask>(
    on run: EvaluatedRun<Task>, _ settings: EvaluationSettings
  ) throws -> CorrectionEffect {
    var effect = try self.effect(on: run.run, settings)
    guard effect.isAny else {
      effect.shared = run.samples.count
      return effect
    }
    try Task.measure(&effect, on: run, settings, with: self)
    return effect
  }

  /// A run evaluated with the imported ground truth.
  func before<Task>(
    _ run: EvaluatedRun<Task>, _ settings: EvaluationSettings
  ) throws -> EvaluatedRun<Task> {
    try Evaluator<Task>(catalog: imported, progress: progress)
      .counted(RunReference(run: run.run), settings)
  }

  /// Evaluates a run with the imported ground truth, counting only the samples that may differ in
  /// the corrected ground truth: counting the pixels of all samples again would take minutes.
  ///
  /// - Returns: the evaluation of the touched samples, or `nil` if none of them can be evaluated
  ///   with the imported ground truth; and the location of the counts of all samples.
  func touched<Task>(
    _ run: EvaluatedRun<Task>, _ settings: EvaluationSettings
  ) throws -> (before: EvaluatedRun<Task>?, side: UncorrectedTallies) {
    var asked = settings
    asked.filter = settings.filter.map { "\(Self.touched) and (\($0))" } ?? Self.touched
    var before: EvaluatedRun<Task>?
    do {
      before = try self.before(run, asked)
    } catch EvaluationError.nothingToEvaluate {}
    let touched = Set(try imported.doneSamples(of: run.run.id, where: Self.touched).map(\.id))
    return (before, UncorrectedTallies(run.samples, before?.samples ?? [], touched: touched))
  }

  /// The number of corrections to samples that the run has predictions for, and those of these
  /// samples that users excluded.
  private func effect(
    on run: RunRecord, _ settings: EvaluationSettings
  ) throws -> CorrectionEffect {
    var effect = CorrectionEffect()
    effect.leftOut = try corrected.keysLeftOut(of: run, where: settings.filter)
    let counts = try imported.correctionCounts(
      of: imported.doneSamples(of: run.id, where: settings.filter).map(\.id))
    effect.corrections = counts.corrections
    effect.samples = counts.samples
    return effect
  }

  /// The filter expression for samples that users corrected or excluded.
  private static let touched = "(corrected = true or left_out = true)"

  /// The compared metrics, headline metrics first.
  func moved(
    _ kinds: [MetricKind], _ measured: TruthEffect, before: (MetricKind) -> Double?
  ) -> [CorrectionEffect.Moved] {
    kinds.compactMap { kind in
      measured[kind].map { .init(kind: kind, difference: $0, before: before(kind)) }
    }
  }

  /// The scoring settings. Intervals are computed only on request, because they take as long as the
  /// intervals of the metrics themselves.
  func scoring(_ settings: EvaluationSettings, _ count: Int) -> ScoringSettings {
    var settings = settings
    settings.intervals = settings.intervals ?? false
    return settings.scoring(samples: count)
  }
}

extension Catalog {
  /// The same catalog, reading the imported ground truth; it still reports which samples were
  /// corrected.
  ///
  /// - Throws: `StoreError`.
  func readingImported() throws -> Catalog {
    guard truth.truth != nil else { return self }
    return try reading(
      TruthSource(marks: truth.marks, truth: nil, mirror: truth.mirror))
  }
}
