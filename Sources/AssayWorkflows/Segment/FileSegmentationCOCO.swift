import AssayCore
import AssayMetrics
import Foundation

extension FileSegmentation {
  /// Judges the results of a COCO file by the instances of another: the regions of each image united, those
  /// of one category or of all.
  func evaluateCOCO(
    _ settings: EvaluationSettings, progress: any ProgressSink
  ) throws -> FileSegmentationResult {
    for option in settings.masks.ignored {
      throw FileSegmentationError.badIgnored(option, classes: [])
    }
    let truth = try COCORegions(instances: truthPath, category: classes)
    let results = try COCORegions(results: resultPath, of: truth)
    let isBoundary = settings.masks.hasBoundary
    let cleanup = settings.masks.cleanup
    var tally = SegmentationTally(labels: SegmentationLabels(foreground: classes ?? "mask"))
    var next = 0
    try OrderedWorkers(workers: ProcessInfo.processInfo.activeProcessorCount).run(
      next: {
        try Interruption.check("nothing was kept")
        defer { next += 1 }
        return next < truth.images.count ? next : nil
      },
      transform: { _, index in
        let image = truth.images[index]
        return try SegmentedSample(
          truth: truth.mask(of: image),
          predicted: cleanup.applied(to: results.mask(of: image)), boundary: isBoundary)
      },
      deliver: { sample in
        try tally.add(sample)
        progress.report(Double(tally.count) / Double(truth.images.count), "judging masks")
      })
    var notes = results.notes
    if classes == nil {
      notes.append(
        "the regions of all categories are united on both sides; --classes NAME judges one")
    }
    return try result(.coco, tally, files: truth.images.map(\.name), notes: notes, settings)
  }
}
