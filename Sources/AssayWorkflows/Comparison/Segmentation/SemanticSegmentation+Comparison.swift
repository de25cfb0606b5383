import AssayCore
package import AssayMetrics
package import AssayStore

extension SemanticSegmentation: ComparedTask {
  package static func pair(
    _ sides: ComparedSides<Self>, at places: [(Int, Int)], _ settings: EvaluationSettings,
    _ scoring: ScoringSettings, _ truths: ComparedTruths, in catalog: Catalog
  ) throws -> SegmentationPairing {
    let classes = (sides.first.content.classes.evaluated, sides.second.content.classes.evaluated)
    let known = Set(classes.1)
    let shared = classes.0.filter { known.contains($0) }
    guard !shared.isEmpty else {
      throw EvaluationError.noSharedClass(
        sides.first.name, classes.0, sides.second.name, classes.1)
    }
    var one = sides.first.selecting(places.map(\.0))
    var other = sides.second.selecting(places.map(\.1))
    one.content.tally = try one.content.tally.evaluating(only: shared)
    other.content.tally = try other.content.tally.evaluating(only: shared)
    let empty = settings.masks.empty
    let comparison: SegmentationComparison
    do {
      comparison = try SegmentationComparison(
        first: one.content.tally, second: other.content.tally, empty: empty, scoring)
    } catch MetricError.truthMismatch(let sample) {
      throw truths.error(key: one.samples[sample].key)
    }
    let plain = ScoringSettings(intervals: nil)
    return SegmentationPairing(
      first: one, second: other,
      firstScores: try SegmentationScores(one.content.tally, empty: empty, plain).samples,
      secondScores: try SegmentationScores(other.content.tally, empty: empty, plain).samples,
      labels: one.content.tally.labels, comparison: comparison)
  }

  package static func notes(
    on pairing: SegmentationPairing, of sides: ComparedSides<Self>, _ settings: EvaluationSettings
  ) -> [String] {
    let (comparison, pairs) = (pairing.comparison, pairing.comparison.count)
    let shared = pairing.classes
    var notes = sides.notes(
      pairs: pairs, alone: { "left out: \($0) that only \($1) has" },
      further: { run in
        let others = run.content.classes.evaluated.filter { !shared.contains($0) }
        return (
          [],
          others.isEmpty
            ? []
            : [
              "classes only in \(run.name), counted as background: "
                + others.joined(separator: ", ")
            ]
        )
      })
    let different = comparison.differentPixels.count
    if different > 0 {
      notes.append(
        "in \(different) of \(pairs) samples the two runs are evaluated on different pixels "
          + "(for example, only one crops), which causes part of the difference")
    }
    if pairing.labels.isBinary, settings.masks.hasBoundary {
      for measure in MaskMeasure.allCases {
        for side in [pairing.first, pairing.second]
        where side.settings.masks.hasBoundary && side.content.tally.lacks(measure) {
          notes.append(
            "\(measure.title) is not compared: \(side.name) was evaluated by a version without it, or with "
              + "several classes")
        }
      }
    }
    return notes + Evaluation.intervalNotes(samples: pairs, settings)
      + IntervalNotes.simultaneous(comparison.perClass(.classIoU))
  }
}
