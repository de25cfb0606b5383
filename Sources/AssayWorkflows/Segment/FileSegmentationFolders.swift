import AssayCore
import AssayImaging
import AssayMetrics
import Foundation

extension FileSegmentation {
  /// Evaluates two folders of images.
  func evaluateFolders(
    _ settings: EvaluationSettings, progress: any ProgressSink
  ) throws -> FileSegmentationResult {
    let truth = try DirectoryTree(truthPath)
    let results = try DirectoryTree(resultPath)
    let pairs = try MaskFilePairs(
      truth, results, ignoresMissing: settings.ignoresMissing, truthPath: truthPath,
      resultPath: resultPath)
    let counter = try MaskFileCounter(
      truth: truth, results: results, classes: classes.map(LabelList.init(parsing:)), settings)
    var tally = SegmentationTally(labels: counter.labels)
    var beyond = BeyondLabels()
    var next = 0
    let workers = ProcessInfo.processInfo.activeProcessorCount
    try OrderedWorkers(workers: workers).run(
      next: {
        try Interruption.check("nothing was stored")
        defer { next += 1 }
        return next < pairs.pairs.count ? pairs.pairs[next] : nil
      },
      transform: { _, pair in try counter.count(pair) },
      deliver: { counted in
        try tally.add(counted.sample)
        beyond.add(counted)
        progress.report(Double(tally.count) / Double(pairs.pairs.count), "evaluating masks")
      })
    return try result(
      classes == nil ? .binary : .labels, tally, files: pairs.pairs.map(\.name),
      notes: pairs.notes + beyond.notes(labels: counter.labels.count), settings)
  }
}

/// Ground-truth pixels whose value is not a class, over all files.
private struct BeyondLabels {
  private var values: Set<Int> = []
  private var pixels = 0
  private var files = 0

  mutating func add(_ counted: MaskFileCounter.Counted) {
    guard !counted.beyond.isEmpty else { return }
    values.formUnion(counted.beyond)
    pixels += counted.beyondPixels
    files += 1
  }

  func notes(labels: Int) -> [String] {
    guard !values.isEmpty else { return [] }
    let list = values.sorted().map(String.init)
    let shown = list.prefix(8).joined(separator: ", ") + (list.count > 8 ? ", …" : "")
    return [
      """
      \(pixels) ground-truth pixels in \(Counted.text(files, "file", "files")) have values beyond the classes 0 to \(labels - 1) \
      (\(shown)) and were left out
      """
    ]
  }
}
