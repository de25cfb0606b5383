import AssayCore
import AssayMetrics

extension ImageClassification {
  package static func measure(
    _ effect: inout CorrectionEffect, on run: EvaluatedRun<Self>, _ settings: EvaluationSettings,
    with measurement: EffectMeasurement
  ) throws {
    var asked = settings
    // Samples of classes that the run has no scores for are no matter of the corrections.
    asked.ignoresMissing = true
    let before = try measurement.before(run, asked)
    let pairs = try SamplePairs.places((before.name, before.samples), (run.name, run.samples))
    let (imported, corrected) = (before.content.truths, run.content.truths)
    effect.shared = pairs.count
    effect.gained = run.samples.count - pairs.count
    effect.relabeled = pairs.count { imported[$0.0] != corrected[$0.1] }
    let measured = try TruthEffect(
      first: before.tally(of: pairs.map(\.0), classes: run.content.join.classes),
      second: run.content.tally.selecting(pairs.map(\.1)),
      measurement.scoring(settings, pairs.count))
    let whole = try ClassificationScores(
      before.content.tally, ScoringSettings(intervals: nil))
    effect.moved = measurement.moved([.accuracy], measured) { whole[$0].value }
  }
}
