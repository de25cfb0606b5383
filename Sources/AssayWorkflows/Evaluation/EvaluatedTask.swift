package import AssayCore
package import AssayMetrics
package import AssayStore

/// The evaluation of runs of one task: a value is the task's own part of an ``EvaluatedRun``, and the static
/// members say how samples become counts and counts become numbers.
///
/// All that tasks have in common exists once, in ``Evaluator``, ``Evaluation`` and ``Slicing``. ``Tasks`` knows
/// the type of each task.
package protocol EvaluatedTask: Sendable {
  associatedtype Scores: TaskScores
  associatedtype Details: TaskDetails

  static var task: ModelTask { get }
  /// The keys of counts in the JSON of an evaluation that a gate can compare, besides those of the scores.
  static var countKeys: [String] { get }
  /// True if an evaluation has a table with one row per sample.
  static var hasSampleTable: Bool { get }
  /// True if an evaluation takes several thresholds at once.
  static var hasSweep: Bool { get }
  /// With more slices than this, intervals of slices are made only where they are asked for; `nil` for no limit.
  static var slicesWithIntervals: Int? { get }

  /// The settings that a stored evaluation is read with: its own, and of those that were asked for the ones
  /// that need no other counts.
  ///
  /// - Parameter name: the evaluation as people write it: `r1@strict`.
  /// - Throws: ``EvaluationError/kept(_:what:options:)`` where other counts would be needed.
  static func settings(
    _ asked: EvaluationSettings, keeping kept: EvaluationSettings, of name: String
  ) throws -> EvaluationSettings

  /// Refuses settings that a run cannot be evaluated with. Nothing has been read yet.
  static func check(_ settings: EvaluationSettings, of run: RunRecord) throws

  /// The part of a run without samples; its classes are joined with those of the ground truth.
  ///
  /// - Parameters:
  ///   - settings: gets what the run decides where nothing was asked for.
  ///   - evaluation: the stored evaluation that is read; `nil` where the run is evaluated now.
  /// - Throws: ``EvaluationError``, `MetricError`, `StoreError`.
  init(
    _ run: RunRecord, _ settings: inout EvaluationSettings, storedIn evaluation: EvaluationRecord?,
    in catalog: Catalog
  ) throws

  /// The names of the classes that the stored counts go by.
  var countedClasses: [String] { get }
  /// The names of the evaluated classes, in the order of all scores by class.
  var evaluatedClasses: [String] { get }

  /// Chooses the samples of a run that can be evaluated, and counts those that cannot.
  ///
  /// - Parameter current: as ``EvaluatedRun/isRetired(_:current:)`` takes them.
  static func choose(
    _ run: inout EvaluatedRun<Self>, current: Set<Int64>?, in catalog: Catalog
  ) throws

  /// Reads back the samples that a stored evaluation has counted.
  ///
  /// - Parameter imported: reads the imported ground truth: what an evaluation has kept does not change with
  ///   corrections.
  static func restore(
    _ run: inout EvaluatedRun<Self>, from evaluation: EvaluationRecord, in catalog: Catalog,
    imported: Catalog
  ) throws

  /// Counts the chosen samples, from predictions and ground truth; not called where counts were restored and
  /// ``restoresCounts`` says so.
  static func count(
    _ run: inout EvaluatedRun<Self>, in catalog: Catalog, _ progress: any ProgressSink
  ) throws

  /// True if ``restore(_:from:in:imported:)`` reads back counts; else they are made of predictions again.
  static var restoresCounts: Bool { get }

  /// Some of the samples, by their indices in ascending order.
  func selecting(_ indices: [Int]) -> Self

  /// The settings with everything filled in that the defaults of later versions may change.
  func completed(_ settings: EvaluationSettings) -> EvaluationSettings

  /// Reduces all samples.
  static func details(
    of run: EvaluatedRun<Self>, _ settings: EvaluationSettings, _ scoring: ScoringSettings
  ) throws -> Details

  /// Reduces some of the samples, by their indices in ascending order.
  static func scores(
    of run: EvaluatedRun<Self>, at indices: [Int], _ settings: EvaluationSettings,
    _ scoring: ScoringSettings
  ) throws -> Scores

  /// The remarks for a reader of the numbers, one sentence each.
  static func notes(
    on run: EvaluatedRun<Self>, _ settings: EvaluationSettings, _ details: Details,
    in catalog: Catalog
  ) throws -> [String]

  /// The slices by `category`: one for each class, and “–” for samples of no class.
  static func slicesByClass(
    of run: EvaluatedRun<Self>, in catalog: Catalog
  ) throws -> [Slicing.Part]

  /// Parts of an evaluation's name, one for each setting that differs from the usual; the condition on
  /// samples is not among them.
  func nameParts(_ settings: EvaluationSettings) -> [String]

  /// Adds to a draft what is stored for each sample.
  static func store(
    _ run: EvaluatedRun<Self>, _ evaluation: Evaluation, into draft: inout EvaluationDraft,
    in catalog: Catalog
  ) throws

  /// Measures how corrections moved the first numbers: evaluates the run by the imported truth, too.
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
