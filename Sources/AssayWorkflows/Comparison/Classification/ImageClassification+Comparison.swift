package import AssayMetrics
package import AssayStore

extension ImageClassification: ComparedTask {
  /// Returns the runs uncounted: the classes to count are the union of both runs' classes.
  package static func sides(
    _ first: RunReference, _ second: RunReference, _ settings: EvaluationSettings,
    by evaluator: Evaluator<Self>
  ) throws -> ComparedSides<Self> {
    ComparedSides(
      first: try evaluator.chosen(first, settings).withVotes(in: evaluator.catalog),
      second: try evaluator.chosen(second, settings).withVotes(in: evaluator.catalog))
  }

  package static func pair(
    _ sides: ComparedSides<Self>, at places: [(Int, Int)], _ settings: EvaluationSettings,
    _ scoring: ScoringSettings, _ truths: ComparedTruths, in catalog: Catalog
  ) throws -> ClassificationPairing {
    let (one, other) = (sides.first, sides.second)
    let names = (one.content.join.classes, other.content.join.classes)
    let (firstTruths, secondTruths) = (one.content.truths, other.content.truths)
    for (a, b) in places {
      guard names.0[firstTruths[a]] == names.1[secondTruths[b]] else {
        throw truths.error(key: one.samples[a].key)
      }
    }
    let known = Set(names.0)
    let classes = names.0 + names.1.filter { !known.contains($0) }
    let tallies = (
      try one.tally(of: places.map(\.0), classes: classes),
      try other.tally(of: places.map(\.1), classes: classes)
    )
    return ClassificationPairing(
      keys: places.map { one.samples[$0.0].key }, classes: classes, firstTally: tallies.0,
      secondTally: tallies.1,
      comparison: try ClassificationComparison(
        first: tallies.0, second: tallies.1, scoring))
  }

  package static func notes(
    on pairing: ClassificationPairing, of sides: ComparedSides<Self>, _ settings: EvaluationSettings
  ) -> [String] {
    let (comparison, pairs) = (pairing.comparison, pairing.comparison.count)
    return sides.notes(
      pairs: pairs, alone: { "left out: \($0) that only \($1) has" },
      further: { ($0.normalizationNotes($0.settings), []) })
      + Evaluation.intervalNotes(samples: pairs, settings)
      + IntervalNotes.missing(
        ClassificationComparison.kinds.map { ($0, [comparison[$0]?.missing]) }
          + ClassificationComparison.classKinds.map {
            ($0, comparison.perClass($0).map(\.missing))
          }, classes: pairing.classes)
      + IntervalNotes.simultaneous(comparison.perClass(.recall)).map {
        $0 + "; those of recall include 0 if p (Holm) is 0.05 or more"
      }
  }
}
