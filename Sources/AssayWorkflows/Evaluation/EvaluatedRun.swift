import AssayMetrics
package import AssayStore

/// A run's samples beside their ground truth: what every score, slice and comparison is a reduction of.
///
/// The members of the task's own part can be read as members of the run.
@dynamicMemberLookup
package struct EvaluatedRun<Task: EvaluatedTask>: Sendable {
  package var run: RunRecord
  /// The stored evaluation that it was read from; `nil` where it was evaluated just now.
  package var evaluation: EvaluationRecord?
  /// As asked for, or as they were kept, with what the run decides.
  package var settings: EvaluationSettings
  /// The task's own part: classes, counts and predictions of the samples.
  package var content: Task
  /// In the order of the run; of objects in that of the reference.
  package var samples: [SampleRecord] = []
  package var leftOut = LeftOutSamples()

  package subscript<Value>(dynamicMember path: KeyPath<Task, Value>) -> Value {
    content[keyPath: path]
  }

  /// `r1`, or `r1@strict` where it was read from a stored evaluation.
  package var name: String { RunReference(run: run, evaluation: evaluation).name }

  /// Some of the samples, by their indices in ascending order.
  package func selecting(_ indices: [Int]) -> EvaluatedRun {
    var part = self
    part.samples = indices.map { samples[$0] }
    part.content = content.selecting(indices)
    return part
  }

  /// Returns whether a sample is no longer in the dataset; it is counted then.
  ///
  /// - Parameter current: the samples that the dataset has; `nil` where it was not imported again.
  mutating func isRetired(_ sample: SampleRecord, current: Set<Int64>?) -> Bool {
    guard let current, !current.contains(sample.id) else { return false }
    leftOut.retired += 1
    return true
  }

  /// - Throws: ``EvaluationError/nothingToJudge(_:reasons:)``.
  func checkNotEmpty() throws(EvaluationError) {
    guard samples.isEmpty else { return }
    var reasons = leftOut.reasons
    if let filter = settings.filter { reasons.append("--where \(filter)") }
    throw .nothingToJudge(name, reasons: reasons.isEmpty ? ["it has no predictions"] : reasons)
  }

  /// Says again how many samples the run has no predictions for: an evaluation keeps which samples it has
  /// counted, not why the others are not among them.
  mutating func accountForAbsent() {
    guard settings.filter == nil else { return }
    let absent = max(0, run.total - samples.count)
    leftOut.failed = min(run.failed, absent)
    leftOut.pending = min(max(0, run.total - run.done - run.failed), absent - leftOut.failed)
  }

  /// The samples that are left out, one sentence each.
  var leftOutNotes: [String] { leftOut.reasons.map { "left out: \($0)" } }

  /// That the dataset is another one than the run has seen; empty where it is not.
  var importNotes: [String] {
    guard run.datasetVersion < run.dataset.importVersion, evaluation == nil else { return [] }
    return [
      "\(run.dataset.name) was imported again after the run; evaluated against its "
        + "current \(Task.task.words.annotations)"
    ]
  }
}

extension Catalog {
  /// The samples that a run's dataset still has; `nil` where it was not imported again since the run.
  func currentSamples(of run: RunRecord) throws -> Set<Int64>? {
    guard run.datasetVersion < run.dataset.importVersion else { return nil }
    return Set(try samples(in: resolve(run.dataset.name)).map(\.id))
  }

  /// The number of samples in a run's view that the run does not have, as a file of predictions may lack some; 0 if
  /// the view is gone, or if the dataset was imported again since.
  func absentSamples(from run: RunRecord, where filter: String?) throws -> Int {
    guard run.datasetVersion == run.dataset.importVersion,
      let selection = try? resolve(run.view), selection.dataset.id == run.dataset.id
    else { return 0 }
    let own = Set(try doneSampleIDs(of: run.id, all: true))
    return try samples(in: selection, where: filter).count { !own.contains($0.id) }
  }

  /// The keys of a run's samples that people left out; none where the imported truth is read.
  func keysLeftOut(of run: RunRecord, where filter: String?) throws -> [String] {
    guard truth.truth != nil else { return [] }
    let condition = filter.map { "left_out = true and (\($0))" } ?? "left_out = true"
    return try readingImported().doneSamples(of: run.id, where: condition).map(\.key)
  }
}
