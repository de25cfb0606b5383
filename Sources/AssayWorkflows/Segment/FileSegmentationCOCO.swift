import AssayCore
import AssayFormats
import AssayMetrics
import Foundation

extension FileSegmentation {
  /// Evaluates a COCO results file against an instances file: the union of the regions of each
  /// image, for one category or for all.
  func evaluateCOCO(
    _ settings: EvaluationSettings, progress: any ProgressSink
  ) throws -> FileSegmentationResult {
    for option in settings.masks.ignored {
      throw FileSegmentationError.badIgnored(option, classes: [])
    }
    let inputs = try FileSegmentationInputs(
      truth: truthPath, results: resultPath, category: classes, progress: progress)
    let isBoundary = settings.masks.hasBoundary
    let cleanup = settings.masks.cleanup
    var tally = SegmentationTally(labels: SegmentationLabels(foreground: classes ?? "mask"))
    var findings = OddityCounts()
    var next = 0
    try OrderedWorkers(workers: ProcessInfo.processInfo.activeProcessorCount).run(
      next: {
        try Interruption.check("nothing was stored")
        defer { next += 1 }
        return next < inputs.images.count ? next : nil
      },
      transform: { _, index in
        let masks = inputs.masks(of: index)
        return (
          try SegmentedSample(
            truth: masks.truth, predicted: cleanup.applied(to: masks.result), boundary: isBoundary),
          masks.findings
        )
      },
      deliver: { sample, found in
        try tally.add(sample)
        findings.merge(found)
        progress.report(
          0.1 + 0.9 * Double(tally.count) / Double(inputs.images.count), "evaluating masks")
      })
    var notes = inputs.notes(findings)
    if classes == nil {
      notes.append(
        "the regions of all categories are merged on both sides; --classes NAME evaluates one")
    }
    return try result(.coco, tally, files: inputs.images.map(\.name), notes: notes, settings)
  }
}
