import AssayCore
import AssayFormats
import AssayMetrics
import Foundation

/// Evaluates the detections of a COCO results file against a ground-truth file, without a catalog.
package struct FileDetection {
  private let truthPath: String
  private let resultPath: String

  /// - Parameters:
  ///   - truth: a JSON file in COCO's instances format.
  ///   - dt: a JSON list of results. Both files may be gzip-compressed.
  package init(truth: String, dt: String) {
    truthPath = truth
    resultPath = dt
  }

  /// Reads both files, checks them, and computes COCO's metrics.
  ///
  /// Only the object settings and the intervals are used; intervals are computed only on request.
  /// If no overlap is given, keypoints are compared if both files have them; regions are compared if the first result has a region and no box;
  /// otherwise boxes are compared.
  ///
  /// - Parameter makesArrays: whether the result has ``DetectionArrays``.
  /// - Throws: ``FileDetectionError``, `COCOFileError`, `FormatError`, ``SourceError``, ``Interrupted``,
  ///   `MetricError`.
  package func evaluate(
    _ settings: EvaluationSettings, makesArrays: Bool = false,
    progress: any ProgressSink = NoProgress()
  ) throws -> FileDetectionResult {
    let inputs = try FileDetectionInputs(
      truth: truthPath, results: resultPath, overlap: settings.objects.overlap, progress: progress)
    var settings = settings
    settings.intervals = settings.intervals ?? false
    let matching = settings.objects.settings(inputs.overlap)
    let workers = ProcessInfo.processInfo.activeProcessorCount
    let isCompatible = settings.objects.isCompatible
    if inputs.overlap == .keypoints {
      guard !isCompatible else { throw FileDetectionError.compatWithKeypoints }
    } else if settings.objects.sigmas != nil {
      throw FileDetectionError.sigmasWithoutKeypoints(inputs.overlap)
    }
    let join = try FileDetectionJoin(
      inputs, isCompatible: isCompatible, sigmas: settings.objects.sigmas)
    let findings = join.findings.findings(isWrapped: inputs.results.isWrapped)
    let outcome =
      FileDetectionReference.needsLook(findings, inputs, isCompatible: isCompatible)
      ? try ReferenceLook(inputs, matching).outcome(workers: workers) : nil
    progress.report(0.7, "matching")
    var classes = join.classes.map(\.name)
    let tally: DetectionTally
    let table: MatchTable?
    var places: (truth: [Int32], found: [Int32]) = (join.truthPlaces, [])
    if isCompatible, case .columns(let columns)? = outcome {
      tally = try columns.tally(matching, keepsPairs: makesArrays, workers: workers)
      classes = columns.classes
      table =
        makesArrays ? MatchTable(tally, truth: columns.truth, found: columns.found) : nil
      places = (columns.truthPlaces, columns.foundPlaces)
    } else {
      tally = try join.tally(matching, keepsPairs: makesArrays, workers: workers)
      table = makesArrays ? MatchTable(tally, truth: join.truth, found: join.found) : nil
    }
    try Interruption.check("nothing was stored")
    progress.report(0.9, "scoring")
    let scores = try DetectionScores(
      tally, settings.scoring(samples: tally.count), asReference: isCompatible)
    var reference = FileDetectionReference(
      findings, overlap: inputs.overlap, first: inputs.results.first, outcome: outcome)
    if isCompatible, matching.maxDetections.count < 3, reference.stop == nil {
      reference.stop = ReferenceStop(
        error: "IndexError: list index out of range, as --max-dets has less than three limits",
        side: .results, pointer: nil)
    }
    if !isCompatible {
      try setScores(of: &reference, inputs, matching, outcome, workers: workers)
    }
    var result = FileDetectionResult(
      truthPath: truthPath, resultPath: resultPath, overlap: inputs.overlap,
      isOverlapChosen: settings.objects.overlap == nil, classes: classes,
      images: join.images.count, truths: join.usableTruths, results: join.usableResults,
      tally: tally, scores: scores,
      health: FileDetectionHealth(
        join, limit: matching.maxDetections.last ?? 0, tiedResults: scores.tiedResults),
      findings: findings, reference: reference, settings: settings, notes: [])
    result.arrays = table.map {
      DetectionArrays(
        PrecisionArrays(tally), $0, settings: matching, truthPlaces: places.truth,
        foundPlaces: places.found)
    }
    result.notes =
      result.ownNotes + Evaluation.intervalNotes(samples: tally.count, settings)
      + scores.intervalNotes(classes: result.classes)
    return result
  }

  /// Sets the metrics of the pycocotools-compatible evaluation if they may differ.
  private func setScores(
    of reference: inout FileDetectionReference, _ inputs: FileDetectionInputs,
    _ matching: DetectionSettings, _ outcome: ReferenceOutcome?, workers: Int
  ) throws {
    let tally: DetectionTally
    switch outcome {
    case .columns(let columns)?:
      tally = try columns.tally(matching, workers: workers)
      reference.classes = columns.classes
    case .stops?, .unknown?: return
    case nil:
      guard inputs.overlap != .keypoints, !reference.differing.isEmpty else { return }
      let join = try FileDetectionJoin(inputs, isCompatible: true)
      tally = try join.tally(matching, workers: workers)
      reference.classes = join.classes.map(\.name)
    }
    reference.scores = try DetectionScores(
      tally, ScoringSettings(intervals: nil, workers: workers), asReference: false)
  }
}
