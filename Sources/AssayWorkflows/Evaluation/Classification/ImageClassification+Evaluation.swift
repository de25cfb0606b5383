import AssayCore
package import AssayMetrics
package import AssayStore

extension ImageClassification {
  package static func details(
    of run: EvaluatedRun<Self>, _ settings: EvaluationSettings, _ scoring: ScoringSettings
  ) throws -> ClassificationScores {
    try ClassificationScores(run.content.tally, scoring)
  }

  package static func scores(
    of run: EvaluatedRun<Self>, at indices: [Int], _ settings: EvaluationSettings,
    _ scoring: ScoringSettings
  ) throws -> ClassificationScores {
    try ClassificationScores(run.content.tally.selecting(indices), scoring)
  }

  package static func notes(
    on run: EvaluatedRun<Self>, _ settings: EvaluationSettings, _ scores: ClassificationScores,
    in catalog: Catalog
  ) -> [String] {
    var notes = run.leftOutNotes
    let join = run.content.join
    if !join.onlyScores.isEmpty {
      let names = join.onlyScores.joined(separator: ", ")
      notes.append("classes of the model alone, without samples: \(names)")
    }
    return notes + run.importNotes + run.normalizationNotes(settings)
      + Evaluation.intervalNotes(samples: run.samples.count, settings)
      + IntervalNotes.missing(scores.missingIntervals, classes: join.classes)
  }

  package static func slicesByClass(
    of run: EvaluatedRun<Self>, in catalog: Catalog
  ) -> [Slicing.Part] {
    let (truths, classes) = (run.content.truths, run.content.join.classes)
    return Slicing.parts(truths.map { classes[$0] }, order: classes)
  }

  package func nameParts(_ settings: EvaluationSettings) -> [String] {
    settings.normalizes ? ["normalized"] : []
  }

  package static func store(
    _ run: EvaluatedRun<Self>, _ evaluation: Evaluation, into draft: inout EvaluationDraft,
    in catalog: Catalog
  ) {
    let scored = Set(run.content.join.columns)
    let tally = run.content.tally
    draft.tallies = run.samples.indices.map { index in
      let sample = tally[index]
      return TallyRecord(
        sample: run.samples[index].id, truth: sample.truth, predicted: sample.predicted,
        rank: scored.contains(sample.truth) ? sample.rank : 0, confidence: sample.confidence,
        margin: sample.margin)
    }
  }
}
