package import AssayCore
package import AssayMetrics
package import AssayStore

/// The evaluation of runs of one task: a value is the task-specific part of an ``EvaluatedRun``,
/// and the static members define how samples are counted and how counts are reduced to metrics.
///
/// Code common to all tasks is in ``Evaluator``, ``Evaluation`` and ``Slicing``. ``Tasks`` lists
/// the type of each task.
package protocol EvaluatedTask: Sendable {
  associatedtype Scores: TaskScores
  associatedtype Details: TaskDetails

  static var task: ModelTask { get }
  /// The keys of counts in the JSON of an evaluation that a gate can compare, besides those of the scores.
  static var countKeys: [String] { get }
  /// True if an evaluation has a table with one row per sample.
  static var hasSampleTable: Bool { get }
  /// True if the task supports threshold sweeps.
  static var hasSweep: Bool { get }
  /// The maximum number of slices for which intervals are computed by default; `nil` for no limit.
  static var slicesWithIntervals: Int? { get }

  /// The settings with which a stored evaluation is read: its own, plus the requested ones that do
  /// not need other counts.
  ///
  /// - Parameter name: the evaluation as typed: `r1@strict`.
  /// - Throws: ``EvaluationError/kept(_:what:options:)`` if other counts would be needed.
  static func settings(
    _ asked: EvaluationSettings, keeping kept: EvaluationSettings, of name: String
  ) throws -> EvaluationSettings

  /// Rejects settings that a run cannot be evaluated with, before anything is read.
  static func check(_ settings: EvaluationSettings, of run: RunRecord) throws

  /// Creates the part of a run without samples; its classes are joined with those of the ground
  /// truth.
  ///
  /// - Parameters:
  ///   - settings: receives the run's own values for settings that were not requested.
  ///   - evaluation: the stored evaluation that is read; `nil` if the run is evaluated now.
  /// - Throws: ``EvaluationError``, `MetricError`, `StoreError`.
  init(
    _ run: RunRecord, _ settings: inout EvaluationSettings, storedIn evaluation: EvaluationRecord?,
    in catalog: Catalog
  ) throws

  /// The names of the classes in the stored counts.
  var countedClasses: [String] { get }
  /// The names of the evaluated classes, in the order of all per-class scores.
  var evaluatedClasses: [String] { get }

  /// Selects the samples of a run that can be evaluated, and counts those that cannot.
  ///
  /// - Parameter current: the dataset's samples, as in ``EvaluatedRun/isRetired(_:current:)``.
  static func choose(
    _ run: inout EvaluatedRun<Self>, current: Set<Int64>?, in catalog: Catalog
  ) throws

  /// Reads back the samples that a stored evaluation counted.
  ///
  /// - Parameter imported: reads the imported ground truth: a stored evaluation does not change
  ///   with later corrections.
  static func restore(
    _ run: inout EvaluatedRun<Self>, from evaluation: EvaluationRecord, in catalog: Catalog,
    imported: Catalog
  ) throws

  /// Counts the selected samples, from predictions and ground truth; not called if
  /// ``restoresCounts`` is true and the counts were restored.
  static func count(
    _ run: inout EvaluatedRun<Self>, in catalog: Catalog, _ progress: any ProgressSink
  ) throws

  /// True if ``restore(_:from:in:imported:)`` reads back counts; otherwise they are computed from
  /// predictions again.
  static var restoresCounts: Bool { get }

  /// Some of the samples, by their indices in ascending order.
  func selecting(_ indices: [Int]) -> Self

  /// The settings with all values filled in whose defaults later versions may change.
  func completed(_ settings: EvaluationSettings) -> EvaluationSettings

  /// Computes the metrics of all samples.
  static func details(
    of run: EvaluatedRun<Self>, _ settings: EvaluationSettings, _ scoring: ScoringSettings
  ) throws -> Details

  /// Computes the metrics of some samples, given by their indices in ascending order.
  static func scores(
    of run: EvaluatedRun<Self>, at indices: [Int], _ settings: EvaluationSettings,
    _ scoring: ScoringSettings
  ) throws -> Scores

  /// Notes on the metrics for the reader, one sentence each.
  static func notes(
    on run: EvaluatedRun<Self>, _ settings: EvaluationSettings, _ details: Details,
    in catalog: Catalog
  ) throws -> [String]

  /// The slices by `category`: one for each class, and “–” for samples without a class.
  static func slicesByClass(
    of run: EvaluatedRun<Self>, in catalog: Catalog
  ) throws -> [Slicing.Part]

  /// The parts of an evaluation's name, one for each non-default setting except the filter.
  func nameParts(_ settings: EvaluationSettings) -> [String]

  /// Adds the per-sample data to a draft.
  static func store(
    _ run: EvaluatedRun<Self>, _ evaluation: Evaluation, into draft: inout EvaluationDraft,
    in catalog: Catalog
  ) throws

  /// Measures the effect of corrections on the headline metrics by also evaluating the run with the
  /// imported ground truth.
  static func measure(
    _ effect: inout CorrectionEffect, on run: EvaluatedRun<Self>, _ settings: EvaluationSettings,
    with measurement: EffectMeasurement
  ) throws
}

extension EvaluatedTask {
  package static var countKeys: [String] { ["n"] }
  package static var hasSampleTable: Bool { false }
  package static var hasSweep: Bool { false }
  package static var slicesWithIntervals: Int? { nil }
  package static var restoresCounts: Bool { true }
  package static func check(_ settings: EvaluationSettings, of run: RunRecord) throws {}
  package func completed(_ settings: EvaluationSettings) -> EvaluationSettings { settings }
}
