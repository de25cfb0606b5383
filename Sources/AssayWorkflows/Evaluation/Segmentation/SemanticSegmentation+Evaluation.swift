import AssayCore
package import AssayMetrics
import AssayReports
package import AssayStore

extension SemanticSegmentation {
  package static func details(
    of run: EvaluatedRun<Self>, _ settings: EvaluationSettings, _ scoring: ScoringSettings
  ) throws -> SegmentationDetails {
    let content = run.content
    let empty = settings.masks.empty
    var details = SegmentationDetails(
      scores: try SegmentationScores(content.tally, empty: empty, scoring),
      keys: run.samples.map(\.key))
    details.traits = content.traits
    details.baseline = SegmentationBaseline(content.tally)
    details.ownThreshold = content.recipe.threshold
    if !content.sweep.isEmpty { details.sweep = try ThresholdSweep(content.sweep, empty: empty) }
    return details
  }

  package static func scores(
    of run: EvaluatedRun<Self>, at indices: [Int], _ settings: EvaluationSettings,
    _ scoring: ScoringSettings
  ) throws -> SegmentationScores {
    try SegmentationScores(
      run.content.tally.selecting(indices), empty: settings.masks.empty, scoring)
  }

  package static func slicesByClass(
    of run: EvaluatedRun<Self>, in catalog: Catalog
  ) -> [Slicing.Part] {
    let (labels, tally) = (run.content.classes.labels, run.content.tally)
    var indices = labels.judged.map { _ in [Int]() }
    var without: [Int] = []
    for index in run.samples.indices {
      let confusion = tally[index].confusion
      let present = labels.judged.filter { label in
        confusion[label * labels.count..<(label + 1) * labels.count].contains { $0 > 0 }
      }
      for label in present { indices[label - labels.judged.lowerBound].append(index) }
      if present.isEmpty { without.append(index) }
    }
    return Slicing.parts(labels.judged.map { labels.names[$0] }, indices, without: without)
  }

  package func nameParts(_ settings: EvaluationSettings) -> [String] {
    settings.masks.nameParts(own: recipe.threshold)
  }

  package static func store(
    _ run: EvaluatedRun<Self>, _ evaluation: Evaluation, into draft: inout EvaluationDraft,
    in catalog: Catalog
  ) {
    guard case .segmentation(let details) = evaluation.details else { return }
    let (tally, traits) = (run.content.tally, run.content.traits)
    // The catalog wants two counts a label; the settings say that they are none.
    let noBoundary = Array(repeating: 0, count: 2 * run.content.classes.labels.count)
    draft.pixelTallies = run.samples.indices.map { index in
      let (pixels, score) = (tally[index], details.scores.samples[index])
      return PixelTallyRecord(
        sample: run.samples[index].id, confusion: pixels.confusion,
        boundary: pixels.boundary.isEmpty ? noBoundary : pixels.boundary, void: pixels.void,
        iou: score.iou, dice: score.dice, pixelAccuracy: score.pixelAccuracy,
        boundaryIoU: score.boundaryIoU, precision: score.precision, recall: score.recall,
        unsureness: traits[index].unsureness, centerOffset: traits[index].centerOffset)
    }
  }
}
