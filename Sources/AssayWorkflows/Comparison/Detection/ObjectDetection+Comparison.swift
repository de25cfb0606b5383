import AssayCore
package import AssayMetrics
package import AssayStore

extension ObjectDetection: ComparedTask {
  package static func sides(
    _ first: RunReference, _ second: RunReference, _ settings: EvaluationSettings,
    by evaluator: Evaluator<Self>
  ) throws -> ComparedSides<Self> {
    try DetectorPair(evaluator: evaluator).evaluate(first, second, settings)
  }

  package static func pair(
    _ sides: ComparedSides<Self>, at places: [(Int, Int)], _ settings: EvaluationSettings,
    _ scoring: ScoringSettings, _ truths: ComparedTruths, in catalog: Catalog
  ) throws -> DetectionPairing {
    let one = sides.first.selecting(places.map(\.0))
    let other = sides.second.selecting(places.map(\.1))
    let comparison: DetectionComparison
    do {
      comparison = try DetectionComparison(
        first: one.content.tally, second: other.content.tally,
        errors: (one.content.errors, other.content.errors), scoring)
    } catch MetricError.truthMismatch(let sample) {
      throw truths.error(key: one.samples[sample].key)
    }
    return DetectionPairing(
      first: one, second: other, comparison: comparison,
      objects: try ObjectPairing(catalog: catalog).pair(one, other))
  }

  package static func notes(
    on pairing: DetectionPairing, of sides: ComparedSides<Self>, _ settings: EvaluationSettings
  ) -> [String] {
    let pairs = pairing.samples.count
    var notes = sides.notes(pairs: pairs, alone: { "left out: \($0) that only \($1) has" })
    let recipes = (sides.first.content.recipe, sides.second.content.recipe)
    if pairing.matching.overlap == .mask, recipes.0.takesBoxArea != recipes.1.takesBoxArea {
      let boxes = recipes.0.takesBoxArea ? sides.first.name : sides.second.name
      notes.append(
        "the object sizes are box areas for \(boxes) and region areas for the other run, so "
          + "APs, APm and APl are not fully comparable")
    }
    return notes
      + intervalNotes(
        pairing.comparison, DetectionScores.kinds(pairing.matching.overlap),
        classes: pairing.classes)
      + Evaluation.intervalNotes(samples: pairs, settings)
  }

  /// Notes on how reliable the intervals are, and which are missing.
  private static func intervalNotes(
    _ comparison: DetectionComparison, _ kinds: [MetricKind], classes: [String]
  ) -> [String] {
    let classAP = comparison.perClass(.perCategoryAP)
    var notes = IntervalNotes.missing(
      kinds.map { ($0, [comparison[$0]?.missing]) }
        + DetectionScores.classKinds.map { ($0, comparison.perClass($0).map(\.missing)) },
      classes: classes)
    notes += IntervalNotes.shifted(
      kinds.map { comparison[$0]?.interval } + classAP.map(\.interval))
    notes += IntervalNotes.simultaneous(classAP).map {
      $0 + "; p (Holm) is also corrected for their number and tests not AP but the number of "
        + "images with regressions or improvements (sign test)"
    }
    if comparison[.ap]?.interval != nil {
      let without = DetectionErrorKind.allCases.filter {
        !ErrorComparison.boundedErrors.contains($0)
      }
      notes.append(
        "no reliable CI is available for ΔAP of the error types "
          + without.map(\.rawValue).joined(separator: " and "))
    }
    return notes
  }
}
