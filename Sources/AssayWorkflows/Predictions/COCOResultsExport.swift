package import AssayCore
import AssayFormats
package import AssayStore
import Foundation

/// Exports a run's masks, at its own threshold, or its detections as COCO results.
package struct COCOResultsExport {
  /// The result of the export.
  package struct Summary: Hashable, Sendable {
    package var run: String
    /// Segmentation or detection.
    package var task: ModelTask
    package var path: String
    /// The exported classes: those that the dataset has, in the run's order.
    package var classes: [String]
    /// The run's classes that the dataset does not have.
    package var leftOut: [String]
    /// The number of masks or detections written.
    package var results: Int
    /// The numbers of predicted samples, and of those without a result.
    package var samples: Int
    package var empty: Int
    /// The number of samples without an id in the source, which are identified by their keys.
    package var withoutID: Int
    /// True if the dataset has none of the run's classes, so that the category ids are numbers of
    /// their own and each result also has the category name.
    package var numbersClasses = false
    /// The first of these numbers: 1, or the one after the dataset's ids.
    package var firstNumber: Int64 = 1
    /// The number of samples of the run that are not predicted: pending or failed.
    package var notPredicted: Int
  }

  private let catalog: Catalog
  private let progress: any ProgressSink

  /// The number of samples that a worker writes at a time.
  private static let chunk = 16

  package init(catalog: Catalog, progress: any ProgressSink = NoProgress()) {
    self.catalog = catalog
    self.progress = progress
  }

  /// Exports a run's masks or detections in its order; the file is written completely or not at
  /// all.
  ///
  /// The score of a mask is the mean probability inside it. Empty masks are left out.
  ///
  /// - Throws: ``PredictionsError``, ``RunMasksError``, `StoreError`, ``Interrupted``.
  package func export(
    _ name: String, to path: String, overwrite: Bool = false
  ) throws -> Summary {
    let run = try catalog.run(named: name)
    switch run.task.output {
    case .label, .labels: throw PredictionsError.noMasks(run: name, task: run.task)
    case .masks, .objects: break
    }
    guard let file = SingleFile(path, overwrite: overwrite) else {
      throw PredictionsError.fileExists(path)
    }
    if run.task.output == .objects {
      return try DetectionsExport(catalog: catalog, progress: progress).export(run, to: file)
    }
    let masks = try RunMasks(catalog: catalog, run: run)
    let predictions = try catalog.maskPredictions(of: run.id)
    guard !predictions.isEmpty else { throw PredictionsError.noPredictions(run: name) }
    let taxonomy = try catalog.taxonomy(of: run.dataset.id)
    var categories = Self.categoryIDs(of: run, taxonomy)
    if let background = masks.recipe.background, categories.indices.contains(background) {
      categories[background] = nil
    }
    var summary = Summary(
      run: name, task: .segmentation, path: path,
      classes: zip(run.classes, categories).filter { $1 != nil }.map { $0.0 },
      leftOut: run.classes.indices.filter {
        categories[$0] == nil && $0 != masks.recipe.background
      }.map { run.classes[$0] },
      results: 0, samples: predictions.count, empty: 0,
      withoutID: predictions.count { $0.sample.sourceID == nil },
      notPredicted: run.total - run.done)
    summary.numbersClasses = Self.numbersClasses(of: run, taxonomy)
    summary.firstNumber = Self.firstNumber(taxonomy)
    guard !summary.classes.isEmpty else {
      throw PredictionsError.noSharedClass(
        run: name, classes: run.classes, categories: taxonomy.names)
    }
    let names = summary.numbersClasses ? run.classes : nil
    var bytes: [UInt8] = []
    var exporter = COCOResultsExporter()
    exporter.begin(&bytes)
    try forEachSample(of: masks, predictions) { sample, results in
      if results.isEmpty { summary.empty += 1 }
      for result in results {
        guard let category = categories[result.class] else { continue }
        exporter.write(
          image: sample.sourceID ?? .text(sample.key), category: category,
          categoryName: names?[result.class], mask: result.mask, score: result.score, to: &bytes)
        summary.results += 1
      }
    }
    exporter.end(&bytes)
    try file.writePredictions(bytes)
    return summary
  }

  /// True if the dataset has none of the run's classes, so that they get ids of their own.
  static func numbersClasses(of run: RunRecord, _ taxonomy: Taxonomy) -> Bool {
    let known = Set(taxonomy.names)
    return !run.classes.contains(where: known.contains)
  }

  /// The id of the first class that gets one of its own: 1, or the first after the dataset's ids.
  static func firstNumber(_ taxonomy: Taxonomy) -> Int64 {
    let ids = COCOExportPlan(samples: [], taxonomy: taxonomy).categoryIDs
    var largest: Int64 = 0
    for case .integer(let id) in ids where Int64(id) > largest { largest = Int64(id) }
    return max(0, min(largest, 1 << 40)) + 1
  }

  /// The category ids of a run's classes, in its order: those of the dataset's classes with the
  /// same names, `nil` for others; if the dataset has none of them, numbers that it does not use.
  static func categoryIDs(of run: RunRecord, _ taxonomy: Taxonomy) -> [SourceID?] {
    guard !numbersClasses(of: run, taxonomy) else {
      let first = firstNumber(taxonomy)
      return run.classes.indices.map { .integer(first + Int64($0)) }
    }
    let ordinals = taxonomy.ordinals
    let ids = COCOExportPlan(samples: [], taxonomy: taxonomy).categoryIDs
    return run.classes.map { name in ordinals[name].map { ids[$0] } }
  }

  /// The non-empty mask of one class in one sample.
  private struct Found: Sendable {
    let `class`: Int
    let mask: Mask
    let score: Double
  }

  /// Makes the masks on all cores, and passes them on in the run's order.
  private func forEachSample(
    of masks: RunMasks, _ predictions: [MaskPredictionRecord],
    _ body: (SampleRecord, [Found]) throws -> Void
  ) throws {
    var next = 0
    var done = 0
    try OrderedWorkers(workers: ProcessInfo.processInfo.activeProcessorCount).run(
      next: { () -> ArraySlice<MaskPredictionRecord>? in
        guard next < predictions.count else { return nil }
        guard !Interruption.isRequested else { throw Interrupted(kept: "nothing was written") }
        defer { next += Self.chunk }
        return predictions[next..<min(next + Self.chunk, predictions.count)]
      },
      transform: { _, chunk in
        let scores = chunk.map { prediction in
          Dictionary(
            prediction.masks.map { ($0.class, $0.meanInside) }, uniquingKeysWith: { $1 })
        }
        var found = chunk.map { (sample: $0.sample, masks: [Found]()) }
        try masks.masks(of: found.map(\.sample)) { index, predicted in
          found[index].masks = predicted.masks.compactMap { ordinal, mask in
            // The masks of a label map are certain: the model gives no probabilities.
            let score = masks.recipe.isLabelMap ? 1 : scores[index][ordinal] ?? nil
            guard !mask.isEmpty, let score else { return nil }
            return Found(class: ordinal, mask: mask, score: score)
          }
        }
        return found
      },
      deliver: { (found: [(sample: SampleRecord, masks: [Found])]) in
        for (sample, masks) in found { try body(sample, masks) }
        done += found.count
        progress.report(Double(done) / Double(predictions.count), "writing masks")
      })
  }
}
