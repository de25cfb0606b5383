import AssayCore
import AssayMetrics

extension SemanticSegmentation {
  package static func measure(
    _ effect: inout CorrectionEffect, on run: EvaluatedRun<Self>, _ settings: EvaluationSettings,
    with measurement: EffectMeasurement
  ) throws {
    let (before, side) = try measurement.touched(run, settings)
    effect.take(side)
    let (own, imported) = (run.content.tally, before?.content.tally)
    func tally(_ places: [UncorrectedTallies.Place]) throws -> SegmentationTally {
      var tally = SegmentationTally(labels: own.labels)
      for place in places {
        if let row = place.row({ own[$0] }, { imported?[$0] }) { try tally.add(row) }
      }
      return tally
    }
    let empty = run.settings.masks.empty
    let measured = try TruthEffect(
      first: tally(side.places), second: own.selecting(side.shared), empty: empty,
      measurement.scoring(settings, side.shared.count))
    let scores = try SegmentationScores(
      tally(side.wholePlaces), empty: empty, ScoringSettings(intervals: nil))
    let kinds: [MetricKind] = own.labels.isBinary ? [.meanIoU, .meanDice] : [.miou, .mdice]
    effect.moved = measurement.moved(kinds, measured) { scores[$0].value }
  }
}
