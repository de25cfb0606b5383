import AssayCore
package import AssayMetrics
import AssayReports
package import AssayStore

extension MultiLabelClassification {
  package static func details(
    of run: EvaluatedRun<Self>, _ settings: EvaluationSettings, _ scoring: ScoringSettings
  ) throws -> MultiLabelDetails {
    let (tally, thresholds) = (run.content.tally, try run.content.thresholds(settings))
    return MultiLabelDetails(
      scores: try MultiLabelScores(tally, thresholds, scoring), tally: tally,
      keys: run.samples.map(\.key), classes: run.content.evaluatedClasses)
  }

  package static func scores(
    of run: EvaluatedRun<Self>, at indices: [Int], _ settings: EvaluationSettings,
    _ scoring: ScoringSettings
  ) throws -> MultiLabelScores {
    try MultiLabelScores(
      run.content.tally.selecting(indices), run.content.thresholds(settings), scoring)
  }

  package static func notes(
    on run: EvaluatedRun<Self>, _ settings: EvaluationSettings, _ details: MultiLabelDetails,
    in catalog: Catalog
  ) -> [String] {
    var notes = run.leftOutNotes
    let join = run.content.join
    if !join.onlyScores.isEmpty {
      let names = join.onlyScores.joined(separator: ", ")
      notes.append("not evaluated, as \(run.run.dataset.name) does not have them: \(names)")
    }
    if !join.onlyTruth.isEmpty {
      let names = join.onlyTruth.joined(separator: ", ")
      notes.append("not evaluated, as the run has no scores for them: \(names)")
    }
    return notes + run.importNotes
      + ["best thresholds are chosen on the same samples: the F1 at them is optimistic"]
      + Evaluation.intervalNotes(samples: run.samples.count, settings)
      + IntervalNotes.missing(
        details.scores.missingIntervals, classes: run.content.evaluatedClasses)
  }

  package static func slicesByClass(
    of run: EvaluatedRun<Self>, in catalog: Catalog
  ) -> [Slicing.Part] {
    let (labels, classes) = (run.content.labels, run.content.evaluatedClasses)
    var indices = classes.map { _ in [Int]() }
    for (index, sample) in labels.enumerated() {
      for label in sample { indices[label].append(index) }
    }
    return Slicing.parts(
      classes, indices, without: labels.indices.filter { labels[$0].isEmpty })
  }

  package func nameParts(_ settings: EvaluationSettings) -> [String] {
    guard let threshold = settings.masks.threshold, threshold != LabelThresholds.usual else {
      return []
    }
    return ["threshold-\(NumberText.short(threshold))"]
  }

  package func completed(_ settings: EvaluationSettings) -> EvaluationSettings {
    var settings = settings
    settings.masks.threshold = settings.masks.threshold ?? LabelThresholds.usual
    return settings
  }

  package static func store(
    _ run: EvaluatedRun<Self>, _ evaluation: Evaluation, into draft: inout EvaluationDraft,
    in catalog: Catalog
  ) throws {
    guard case .multiLabel(let details) = evaluation.details else { return }
    // By the dataset's classes, of which the evaluated ones are some.
    let content = run.content
    var ordinals: [String: Int] = [:]
    for (ordinal, name) in content.countedClasses.enumerated() { ordinals[name] = ordinal }
    let places = content.evaluatedClasses.compactMap { ordinals[$0] }
    draft.labelTallies = run.samples.indices.map { index in
      let sample = details.sample(index)
      return LabelTallyRecord(
        sample: run.samples[index].id, labels: sample.labels.map { places[$0] },
        missed: sample.missed.count, added: sample.added.count, rankingLoss: sample.rankingLoss)
    }
  }

  package static func measure(
    _ effect: inout CorrectionEffect, on run: EvaluatedRun<Self>, _ settings: EvaluationSettings,
    with measurement: EffectMeasurement
  ) throws {
    var asked = settings
    asked.ignoresMissing = true
    let before = try measurement.before(run, asked)
    let pairs = try SamplePairs.places((before.name, before.samples), (run.name, run.samples))
    let (imported, corrected) = (before.content.labels, run.content.labels)
    effect.shared = pairs.count
    effect.gained = run.samples.count - pairs.count
    effect.relabeled = pairs.count { imported[$0.0] != corrected[$0.1] }
    let thresholds = try run.content.thresholds(settings)
    let measured = try TruthEffect(
      first: before.tally(of: pairs.map(\.0), classes: run.content.evaluatedClasses),
      second: run.content.tally.selecting(pairs.map(\.1)), thresholds,
      measurement.scoring(settings, pairs.count))
    let whole = try MultiLabelScores(
      before.content.tally, thresholds, ScoringSettings(intervals: nil))
    effect.moved = measurement.moved([.meanAveragePrecision, .microF1], measured) {
      whole[$0].value
    }
  }
}
