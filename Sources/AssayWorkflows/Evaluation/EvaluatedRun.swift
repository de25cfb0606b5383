import AssayMetrics
package import AssayStore

/// A run's samples with their ground truth, from which all scores, slices and comparisons are
/// computed.
///
/// The members of the task-specific part are accessible as members of the run.
@dynamicMemberLookup
package struct EvaluatedRun<Task: EvaluatedTask>: Sendable {
  package var run: RunRecord
  /// The stored evaluation that the run was read from; `nil` if it was evaluated now.
  package var evaluation: EvaluationRecord?
  /// The requested settings, or the stored ones, with defaults resolved for the run.
  package var settings: EvaluationSettings
  /// The task-specific part: classes, counts and predictions of the samples.
  package var content: Task
  /// The samples, in the order of the run; for detection, in the order of COCO's evaluation.
  package var samples: [SampleRecord] = []
  /// The number of the samples if they are counted without their records; `nil` if ``samples`` has them.
  var unlisted: Int?
  package var leftOut = LeftOutSamples()

  package subscript<Value>(dynamicMember path: KeyPath<Task, Value>) -> Value {
    content[keyPath: path]
  }

  /// `r1`, or `r1@strict` if the run was read from a stored evaluation.
  package var name: String { RunReference(run: run, evaluation: evaluation).name }

  /// The number of the samples.
  package var count: Int { unlisted ?? samples.count }

  /// Some of the samples, by their indices in ascending order.
  package func selecting(_ indices: [Int]) -> EvaluatedRun {
    var part = self
    part.samples = indices.map { samples[$0] }
    part.content = content.selecting(indices)
    return part
  }

  /// Returns whether a sample is no longer in the dataset, and counts it if so.
  ///
  /// - Parameter current: the samples that the dataset has; `nil` if it was not imported again.
  mutating func isRetired(_ sample: SampleRecord, current: Set<Int64>?) -> Bool {
    guard let current, !current.contains(sample.id) else { return false }
    leftOut.retired += 1
    return true
  }

  /// - Throws: ``EvaluationError/nothingToEvaluate(_:reasons:)``.
  func checkNotEmpty() throws(EvaluationError) {
    guard count == 0 else { return }
    var reasons = leftOut.reasons
    if let filter = settings.filter { reasons.append("--where \(filter)") }
    throw .nothingToEvaluate(name, reasons: reasons.isEmpty ? ["it has no predictions"] : reasons)
  }

  /// Counts the samples without predictions again: an evaluation stores which samples it counted,
  /// but not why others are missing.
  mutating func accountForAbsent() {
    guard settings.filter == nil else { return }
    let absent = max(0, run.total - samples.count)
    leftOut.failed = min(run.failed, absent)
    leftOut.pending = min(max(0, run.total - run.done - run.failed), absent - leftOut.failed)
  }

  /// Notes on excluded samples, one sentence each.
  var leftOutNotes: [String] { leftOut.reasons.map { "left out: \($0)" } }

  /// A note that the dataset has changed since the run; empty if it has not.
  var importNotes: [String] {
    guard run.datasetVersion < run.dataset.importVersion, evaluation == nil else { return [] }
    return [
      "\(run.dataset.name) was imported again after the run; evaluated against its "
        + "current \(Task.task.words.annotations)"
    ]
  }
}

extension Catalog {
  /// The samples of a run that are still in the dataset; `nil` if the dataset was not imported
  /// again since the run.
  func currentSamples(of run: RunRecord) throws -> Set<Int64>? {
    guard run.datasetVersion < run.dataset.importVersion else { return nil }
    return Set(try samples(in: resolve(run.dataset.name)).map(\.id))
  }

  /// The number of samples in a run's view that are missing from the run, for example because a
  /// predictions file lacks them; 0 if the view no longer exists, or if the dataset was imported
  /// again since.
  func absentSamples(from run: RunRecord, where filter: String?) throws -> Int {
    guard run.datasetVersion == run.dataset.importVersion,
      let selection = try? resolve(run.view), selection.dataset.id == run.dataset.id
    else { return 0 }
    let own = Set(try doneSampleIDs(of: run.id, all: true))
    return try sampleIDs(in: selection, where: filter).count { !own.contains($0) }
  }

  /// The keys of a run's samples that users excluded; empty if the imported ground truth is read.
  func keysLeftOut(of run: RunRecord, where filter: String?) throws -> [String] {
    guard truth.truth != nil else { return [] }
    let condition = filter.map { "left_out = true and (\($0))" } ?? "left_out = true"
    return try readingImported().doneSamples(of: run.id, where: condition).map(\.key)
  }
}
