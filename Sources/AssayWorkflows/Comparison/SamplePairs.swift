package import AssayStore

/// The common samples of two runs; the same for every task.
package enum SamplePairs {
  /// Rejects two runs of different tasks or over different datasets.
  ///
  /// - Throws: ``EvaluationError/tasksDiffer(_:_:_:_:)``,
  ///   ``EvaluationError/otherDataset(_:dataset:_:otherDataset:)``.
  static func checkRuns(
    _ first: (name: String, run: RunRecord), _ second: (name: String, run: RunRecord)
  ) throws(EvaluationError) {
    try checkTasks(first, second)
    try checkDatasets(first, second)
  }

  /// Rejects two runs of different tasks.
  ///
  /// - Throws: ``EvaluationError/tasksDiffer(_:_:_:_:)``.
  package static func checkTasks(
    _ first: (name: String, run: RunRecord), _ second: (name: String, run: RunRecord)
  ) throws(EvaluationError) {
    guard first.run.task == second.run.task else {
      throw .tasksDiffer(first.name, first.run.task, second.name, second.run.task)
    }
  }

  /// Rejects two runs over different datasets.
  ///
  /// - Throws: ``EvaluationError/otherDataset(_:dataset:_:otherDataset:)``.
  private static func checkDatasets(
    _ first: (name: String, run: RunRecord), _ second: (name: String, run: RunRecord)
  ) throws(EvaluationError) {
    guard first.run.dataset.id == second.run.dataset.id else {
      throw .otherDataset(
        first.name, dataset: first.run.dataset.name, second.name,
        otherDataset: second.run.dataset.name)
    }
  }

  /// The indices of the common samples in each run, in the order of the first run.
  ///
  /// - Throws: ``EvaluationError/nothingShared(_:_:)``.
  static func places(
    _ first: (name: String, samples: [SampleRecord]),
    _ second: (name: String, samples: [SampleRecord])
  ) throws(EvaluationError) -> [(Int, Int)] {
    var places: [Int64: Int] = [:]
    for (place, sample) in second.samples.enumerated() { places[sample.id] = place }
    let pairs = first.samples.indices.compactMap { index in
      places[first.samples[index].id].map { (index, $0) }
    }
    guard !pairs.isEmpty else { throw .nothingShared(first.name, second.name) }
    return pairs
  }
}
