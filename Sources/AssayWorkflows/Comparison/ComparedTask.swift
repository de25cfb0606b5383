package import AssayMetrics

package import AssayStore

/// The comparison of two runs of one task. All that tasks have in common exists once, in ``Comparer``,
/// ``Comparison`` and ``ComparisonPictures``.
package protocol ComparedTask: EvaluatedTask {
  associatedtype Pairing: TaskPairing

  /// Evaluates two runs alike.
  ///
  /// - Returns: both, with all of their samples, and one sentence for each thing that was done to evaluate them
  ///   alike.
  static func sides(
    _ first: RunReference, _ second: RunReference, _ settings: EvaluationSettings,
    by evaluator: Evaluator<Self>
  ) throws -> ComparedSides<Self>

  /// Compares two runs on the samples that both have.
  ///
  /// - Parameters:
  ///   - places: of these samples in either run.
  ///   - truths: makes the error for two ground truths of one sample.
  static func pair(
    _ sides: ComparedSides<Self>, at places: [(Int, Int)], _ settings: EvaluationSettings,
    _ scoring: ScoringSettings, _ truths: ComparedTruths, in catalog: Catalog
  ) throws -> Pairing

  /// The remarks for a reader of the differences, one sentence each.
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

/// Two runs that were evaluated alike, with all of their samples.
package struct ComparedSides<Task: EvaluatedTask>: Sendable {
  package var first: EvaluatedRun<Task>
  package var second: EvaluatedRun<Task>
  /// The steps taken to evaluate them alike, one sentence each.
  package var notes: [String] = []

  /// The parts of either run that are not compared, one sentence each.
  ///
  /// - Parameters:
  ///   - pairs: the number of samples that both have.
  ///   - further: sentences about one of the runs, behind those that are left out.
  ///   - alone: the sentence for samples that one run alone has: their number in words, and the run.
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
