import AssayCore
import AssayFormats
import AssayStore
import Foundation

/// Exports a run's detections as COCO results.
struct DetectionsExport {
  let catalog: Catalog
  let progress: any ProgressSink

  /// The number of samples that a worker writes at a time.
  private static let chunk = 64

  /// Exports a run's detections in its order, each sample's highest score first.
  ///
  /// Every detection has a box, except in a run whose areas are those of regions: pycocotools would
  /// use the box's area instead.
  ///
  /// - Throws: ``PredictionsError``, ``EvaluationError/runSettings(run:)``, `StoreError`, ``Interrupted``.
  func export(_ run: RunRecord, to file: SingleFile) throws -> COCOResultsExport.Summary {
    let records = try catalog.doneSamples(of: run.id)
    guard !records.isEmpty else { throw PredictionsError.noPredictions(run: run.name) }
    let taxonomy = try catalog.taxonomy(of: run.dataset.id)
    let categories = COCOResultsExport.categoryIDs(of: run, taxonomy)
    let recipe = try DetectionRecipe(run)
    var summary = COCOResultsExport.Summary(
      run: run.name, task: .detection, path: file.path,
      classes: zip(run.classes, categories).filter { $1 != nil }.map { $0.0 },
      leftOut: zip(run.classes, categories).filter { $1 == nil }.map { $0.0 },
      results: 0, samples: records.count, empty: 0,
      withoutID: records.count { $0.sourceID == nil },
      numbersClasses: COCOResultsExport.numbersClasses(of: run, taxonomy),
      firstNumber: COCOResultsExport.firstNumber(taxonomy),
      notPredicted: run.total - run.done)
    guard !summary.classes.isEmpty else {
      throw PredictionsError.noSharedClass(
        run: run.name, classes: run.classes, categories: taxonomy.names)
    }
    let names = summary.numbersClasses ? run.classes : nil
    var bytes: [UInt8] = []
    var exporter = COCOResultsExporter()
    exporter.begin(&bytes)
    var next = 0
    var done = 0
    try OrderedWorkers(workers: ProcessInfo.processInfo.activeProcessorCount).run(
      next: { () -> Range<Int>? in
        guard next < records.count else { return nil }
        guard !Interruption.isRequested else { throw Interrupted(kept: "nothing was written") }
        defer { next += Self.chunk }
        return next..<min(next + Self.chunk, records.count)
      },
      transform: { _, range in
        var lines = Lines()
        try catalog.forEachDetections(
          of: run.id, samples: records[range].map(\.id), attributes: true
        ) {
          index, detections in
          let sample = records[range.lowerBound + index]
          let before = lines.results
          for detection in detections {
            guard let category = categories[detection.class] else { continue }
            lines.exporter.write(
              image: sample.sourceID ?? .text(sample.key), size: sample.size, category: category,
              categoryName: names?[detection.class], detection: detection,
              hasBox: recipe.takesBoxArea || detection.counts == nil, to: &lines.bytes)
            lines.results += 1
          }
          if lines.results == before { lines.empty += 1 }
        }
        return (lines, range.count)
      },
      deliver: { (lines: Lines, count: Int) in
        if lines.results > 0 { exporter.append(lines.bytes, to: &bytes) }
        summary.results += lines.results
        summary.empty += lines.empty
        done += count
        progress.report(Double(done) / Double(records.count), "writing detections")
      })
    exporter.end(&bytes)
    try file.writePredictions(bytes)
    return summary
  }

  /// The output of one worker.
  private struct Lines: Sendable {
    var exporter = COCOResultsExporter()
    var bytes: [UInt8] = []
    var results = 0
    /// The number of samples without a result.
    var empty = 0
  }
}
