import AssayCore
package import AssayMetrics
package import AssayStore

extension MultiLabelClassification: ComparedTask {
  /// Returns the runs uncounted: the classes to count are those that both runs have.
  package static func sides(
    _ first: RunReference, _ second: RunReference, _ settings: EvaluationSettings,
    by evaluator: Evaluator<Self>
  ) throws -> ComparedSides<Self> {
    ComparedSides(
      first: try evaluator.chosen(first, settings), second: try evaluator.chosen(second, settings))
  }

  package static func pair(
    _ sides: ComparedSides<Self>, at places: [(Int, Int)], _ settings: EvaluationSettings,
    _ scoring: ScoringSettings, _ truths: ComparedTruths, in catalog: Catalog
  ) throws -> MultiLabelPairing {
    let (one, other) = (sides.first, sides.second)
    let names = (one.content.evaluatedClasses, other.content.evaluatedClasses)
    let shared = Set(names.0).intersection(names.1)
    let classes = names.0.filter(shared.contains)
    guard !classes.isEmpty else {
      throw EvaluationError.nothingInCommon(truth: names.0, scores: names.1)
    }
    let tallies = (
      try one.tally(of: places.map(\.0), classes: classes),
      try other.tally(of: places.map(\.1), classes: classes)
    )
    for (place, (a, _)) in places.enumerated() {
      guard tallies.0.labels[place] == tallies.1.labels[place] else {
        throw truths.error(key: one.samples[a].key)
      }
    }
    let thresholds = (
      first: try one.settings.labelThresholds(of: classes),
      second: try other.settings.labelThresholds(of: classes)
    )
    return MultiLabelPairing(
      keys: places.map { one.samples[$0.0].key }, classes: classes, firstTally: tallies.0,
      secondTally: tallies.1, thresholds: thresholds,
      thresholdWords: (one.settings.thresholdWords, other.settings.thresholdWords),
      comparison: try MultiLabelComparison(
        first: tallies.0, second: tallies.1, thresholds.first, scoring, others: thresholds.second),
      unshared: (names.0 + names.1).filter { !shared.contains($0) })
  }

  package static func notes(
    on pairing: MultiLabelPairing, of sides: ComparedSides<Self>, _ settings: EvaluationSettings
  ) -> [String] {
    let (comparison, pairs) = (pairing.comparison, pairing.comparison.count)
    let unshared =
      pairing.unshared.isEmpty
      ? []
      : [
        "not compared because one of the runs has no scores for them: "
          + pairing.unshared.joined(separator: ", ")
      ]
    return sides.notes(pairs: pairs, alone: { "left out: \($0) that only \($1) has" }) + unshared
      + Evaluation.intervalNotes(samples: pairs, settings)
      + IntervalNotes.missing(
        MultiLabelComparison.kinds.map { ($0, [comparison[$0]?.missing]) }
          + MultiLabelComparison.classKinds.map { ($0, comparison.perClass($0).map(\.missing)) },
        classes: pairing.classes)
      + IntervalNotes.simultaneous(comparison.perClass(.recall))
  }
}
