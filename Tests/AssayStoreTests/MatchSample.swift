import AssayCore

import AssayStore

/// A detection run on the six images, and an evaluation of its samples 1 to 3.
///
/// IoU thresholds 0.5, 0.75, 0.9 (bits 1, 2, 4). Sample 1 has 3 objects, 2 of which are found;
/// sample 2 has one, and a crowd; sample 3 has none, and a detection with a low score.
struct MatchSample {
  static let settings = MatchSettings(
    thresholds: [0.5, 0.75, 0.8999999999999999], iou: 0.5, score: 0.3)

  static let tallies: [DetectionTallyRecord] = [
    DetectionTallyRecord(
      sample: 1, matches: [1, 2, 3], errors: [],
      rows: [
        // Correct at 0.5 and 0.75.
        MatchRecord(
          prediction: 0, annotation: 1, class: 0, confidence: 0.9, iou: 0.8, matched: 3),
        MatchRecord(
          prediction: 1, annotation: 1, class: 0, confidence: 0.8, iou: 0.6, error: .duplicate),
        // Correct only at 0.5.
        MatchRecord(
          prediction: 2, annotation: 3, class: 0, confidence: 0.5, iou: 0.6, matched: 1),
        MatchRecord(
          prediction: 3, annotation: 2, class: 0, confidence: 0.3, iou: 0.7, error: .class),
        MatchRecord(
          prediction: 4, annotation: nil, class: 1, confidence: 0.1, error: .background),
        MatchRecord(prediction: nil, annotation: 2, class: 1),
      ], truths: 3),
    DetectionTallyRecord(
      sample: 2, matches: Array(repeating: 7, count: 5_000), errors: [4],
      rows: [
        // On the crowd at all thresholds.
        MatchRecord(
          prediction: 0, annotation: 2, class: 0, confidence: 0.7, iou: 0.95, matched: 7,
          ignored: 7),
        MatchRecord(
          prediction: 1, annotation: 1, class: 0, confidence: 0.6, iou: 0.3, error: .place),
        MatchRecord(
          prediction: 2, annotation: 1, class: 1, confidence: 0.2, iou: 0.3, error: .both),
        MatchRecord(prediction: nil, annotation: 1, class: 0, error: .missed),
        MatchRecord(prediction: nil, annotation: 2, class: 0, ignored: 7),
      ], truths: 1),
    DetectionTallyRecord(
      sample: 3, matches: [], errors: [],
      rows: [
        MatchRecord(
          prediction: 0, annotation: nil, class: 1, confidence: 0.05, error: .background)
      ], truths: 0),
  ]

  let house: TemporaryCatalog
  let run: RunRecord

  init() throws {
    house = try TemporaryCatalog()
    let dataset = try house.catalog.importRegions(sixImages).dataset
    run = try house.catalog.createRun(
      RunDraft(
        name: "det", task: .detection, dataset: dataset.id, view: "coco",
        classes: ["person", "dog"], samples: [1, 2, 3, 4]))
  }

  @discardableResult
  func evaluate(
    _ name: String = "default", tallies: [DetectionTallyRecord] = Self.tallies,
    matching: MatchSettings? = Self.settings, replace: Bool = true
  ) throws -> EvaluationRecord {
    try house.catalog.saveEvaluation(
      EvaluationDraft(
        run: run.id, name: name, classes: ["person", "dog"], detections: tallies,
        matching: matching, scores: [ScoreRecord(metric: .ap, value: 0.5, n: 3)]),
      replace: replace)
  }
}
