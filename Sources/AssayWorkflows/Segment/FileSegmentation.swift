import AssayCore
import AssayImaging
import AssayMetrics
import Foundation

/// Evaluates masks in files against ground-truth files, without a catalog.
///
/// The inputs are two folders of images with the same names: label maps (PNG files whose pixels are
/// class numbers) if classes are given, otherwise binary masks (0 and 255). Or they are two JSON
/// files in COCO format: instances, and results with RLEs.
package struct FileSegmentation {
  let truthPath: String
  let resultPath: String
  let classes: String?

  /// - Parameters:
  ///   - truth: a folder, or a COCO instances file.
  ///   - dt: the predictions in the same form; for COCO, a results file or another instances file.
  ///   - classes: for label maps, the number of classes, their names separated by commas, or a file
  ///     with one name per line; for COCO files, the one category to evaluate, `nil` for all
  ///     categories together.
  package init(truth: String, dt: String, classes: String? = nil) {
    truthPath = truth
    resultPath = dt
    self.classes = classes
  }

  /// Reads and evaluates all pairs.
  ///
  /// The following settings are used: intervals (computed only on request), seed, exclusion of
  /// samples without results, and of the mask settings the threshold (a pixel of a binary mask is
  /// set if its value is at least 255 · threshold; default 0.5), the rule for empty pairs, the
  /// boundary, and the ignored pixel values or class names.
  ///
  /// - Throws: ``FileSegmentationError``, ``SourceError``, ``Interrupted``, `MetricError`; for COCO
  ///   files `COCOFileError`, `COCOForeignFile` and `FormatError`.
  package func evaluate(
    _ settings: EvaluationSettings, progress: any ProgressSink = NoProgress()
  ) throws -> FileSegmentationResult {
    let isFile = try [truthPath, resultPath].map { try DirectoryTree($0).isSingleFile }
    guard isFile[0] == isFile[1] else {
      throw FileSegmentationError.folderAndFile(truth: truthPath, results: resultPath)
    }
    guard !isFile[0] else { return try evaluateCOCO(settings, progress: progress) }
    return try evaluateFolders(settings, progress: progress)
  }

  /// Computes the result from a tally.
  func result(
    _ content: FileSegmentationResult.Content, _ tally: SegmentationTally, files: [String],
    notes: [String], _ settings: EvaluationSettings
  ) throws -> FileSegmentationResult {
    var settings = settings
    settings.intervals = settings.intervals ?? false
    let hasBackground = !tally.labels.isBinary && tally.labels.hasBackground
    let scores = try SegmentationScores(
      tally, empty: settings.masks.empty, settings.scoring(samples: tally.count))
    return FileSegmentationResult(
      truthPath: truthPath, resultPath: resultPath, content: content, files: files, tally: tally,
      scores: scores, settings: settings,
      notes: notes + (hasBackground ? [SemanticSegmentation.backgroundNote] : [])
        + Evaluation.intervalNotes(samples: tally.count, settings))
  }
}
