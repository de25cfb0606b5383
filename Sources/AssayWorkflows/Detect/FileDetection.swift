import AssayCore
import AssayFormats
import AssayMetrics
import Foundation

/// Judges the detections of a COCO file of results by another one's truth, without a catalog.
package struct FileDetection {
  private let truthPath: String
  private let resultPath: String

  /// - Parameters:
  ///   - truth: a JSON file of COCO's instances.
  ///   - dt: a JSON list of results; both may be packed with gzip.
  package init(truth: String, dt: String) {
    truthPath = truth
    resultPath = dt
  }

  /// Reads both files, looks at their health, and gives COCO's numbers.
  ///
  /// Of the settings it takes those of objects, and intervals, which are made only where asked for. Without an
  /// overlap regions are compared where the first result has one and no box, else boxes.
  ///
  /// - Throws: ``FileDetectionError``, `COCOFileError`, `FormatError`, ``SourceError``, ``Interrupted``,
  ///   `MetricError`.
  package func evaluate(
    _ settings: EvaluationSettings, progress: any ProgressSink = NoProgress()
  ) throws -> FileDetectionResult {
    let inputs = try FileDetectionInputs(
      truth: truthPath, results: resultPath, overlap: settings.objects.overlap, progress: progress)
    var settings = settings
    settings.intervals = settings.intervals ?? false
    let matching = settings.objects.settings(inputs.overlap)
    let workers = ProcessInfo.processInfo.activeProcessorCount
    let join = try FileDetectionJoin(inputs, isCompatible: settings.objects.isCompatible)
    progress.report(0.7, "matching")
    let tally = try join.tally(matching, workers: workers)
    try Interruption.check("nothing was kept")
    progress.report(0.9, "scoring")
    let scores = try DetectionScores(tally, settings.scoring(samples: tally.count))
    let findings = join.findings.findings(isWrapped: inputs.results.isWrapped)
    var reference = FileDetectionReference(
      findings, overlap: inputs.overlap, first: inputs.results.first)
    if !settings.objects.isCompatible, !reference.differing.isEmpty, reference.stops.isEmpty {
      reference.scores = try referenceScores(inputs, matching, workers: workers)
    }
    var result = FileDetectionResult(
      truthPath: truthPath, resultPath: resultPath, overlap: inputs.overlap,
      isOverlapChosen: settings.objects.overlap == nil, classes: join.classes.map(\.name),
      images: join.images.count, truths: join.usableTruths, results: join.usableResults,
      tally: tally, scores: scores,
      health: FileDetectionHealth(join, limit: matching.maxDetections.last ?? 0),
      findings: findings, reference: reference, settings: settings, notes: [])
    result.notes =
      result.ownNotes + Evaluation.intervalNotes(samples: tally.count, settings)
      + scores.intervalNotes(classes: result.classes)
    return result
  }

  /// The numbers of the compatible form.
  private func referenceScores(
    _ inputs: FileDetectionInputs, _ matching: DetectionSettings, workers: Int
  ) throws -> DetectionScores {
    let join = try FileDetectionJoin(inputs, isCompatible: true)
    return try DetectionScores(
      join.tally(matching, workers: workers), ScoringSettings(intervals: nil, workers: workers))
  }
}
