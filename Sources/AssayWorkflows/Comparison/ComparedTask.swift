package import AssayMetrics

package import AssayStore

/// The comparison of two runs of one task. Code common to all tasks is in ``Comparer``,
/// ``Comparison`` and ``ComparisonPictures``.
package protocol ComparedTask: EvaluatedTask {
  associatedtype Pairing: TaskPairing

  /// Evaluates two runs with the same settings.
  ///
  /// - Returns: both runs, each with all of its samples, and one sentence per step taken to make
  ///   the evaluations match.
  static func sides(
    _ first: RunReference, _ second: RunReference, _ settings: EvaluationSettings,
    by evaluator: Evaluator<Self>
  ) throws -> ComparedSides<Self>

  /// Compares two runs on their common samples.
  ///
  /// - Parameters:
  ///   - places: the indices of these samples in each run.
  ///   - truths: makes the error for two different ground truths of one sample.
  static func pair(
    _ sides: ComparedSides<Self>, at places: [(Int, Int)], _ settings: EvaluationSettings,
    _ scoring: ScoringSettings, _ truths: ComparedTruths, in catalog: Catalog
  ) throws -> Pairing

  /// Notes on the differences for the reader, one sentence each.
  static func notes(
    on pairing: Pairing, of sides: ComparedSides<Self>, _ settings: EvaluationSettings
  ) -> [String]
}

extension ComparedTask {
  package static func sides(
    _ first: RunReference, _ second: RunReference, _ settings: EvaluationSettings,
    by evaluator: Evaluator<Self>
  ) throws -> ComparedSides<Self> {
    ComparedSides(
      first: try evaluator.counted(first, settings), second: try evaluator.counted(second, settings)
    )
  }
}

/// Two runs that were evaluated with the same settings, each with all of its samples.
package struct ComparedSides<Task: EvaluatedTask>: Sendable {
  package var first: EvaluatedRun<Task>
  package var second: EvaluatedRun<Task>
  /// The steps taken to make the evaluations match, one sentence each.
  package var notes: [String] = []

  /// The parts of each run that are not compared, one sentence each.
  ///
  /// - Parameters:
  ///   - pairs: the number of common samples.
  ///   - further: sentences about one of the runs, before and after the one about samples that only
  ///     it has.
  ///   - alone: makes the sentence for samples that only one run has, from their number in words
  ///     and the run's name.
  func notes(
    pairs: Int, alone: (String, String) -> String,
    further: (EvaluatedRun<Task>) -> (before: [String], behind: [String]) = { _ in ([], []) }
  ) -> [String] {
    [first, second].flatMap { run -> [String] in
      let others = run.samples.count - pairs
      let words =
        others > 0 ? [alone("\(others) \(others == 1 ? "sample" : "samples")", run.name)] : []
      let further = further(run)
      return run.leftOut.reasons.map { "left out of \(run.name): \($0)" } + further.before + words
        + further.behind
    }
  }
}
