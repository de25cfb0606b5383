import AssayCore
import AssayMetrics

extension ObjectDetection {
  package static func measure(
    _ effect: inout CorrectionEffect, on run: EvaluatedRun<Self>, _ settings: EvaluationSettings,
    with measurement: EffectMeasurement
  ) throws {
    let (before, side) = try measurement.touched(run, settings)
    effect.take(side)
    let (own, imported) = (run.content.tally, before?.content.tally)
    func tally(_ places: [UncorrectedTallies.Place]) throws -> DetectionTally {
      var tally = try DetectionTally(
        classCount: run.content.classes.names.count, run.content.matching)
      for place in places {
        if let row = place.row({ own[$0] }, { imported?[$0] }) { try tally.add(row) }
      }
      return tally
    }
    let measured = try TruthEffect(
      first: tally(side.places), second: own.selecting(side.shared),
      measurement.scoring(settings, side.shared.count))
    let scores = try DetectionScores(tally(side.wholePlaces), ScoringSettings(intervals: nil))
    effect.moved = measurement.moved([.ap, .ap50], measured) { scores[$0].value }
  }
}
