import AssayCore
import AssayImaging
import AssayMetrics
import Foundation

/// Judges masks in files by the truth in other files, without a catalog.
///
/// Two folders of pictures with the same names: label maps (PNG whose pixels are the numbers of classes)
/// where classes are given, else binary masks (0 and 255). Or two JSON files in COCO's form: instances, and
/// results with run lengths.
package struct FileSegmentation {
  let truthPath: String
  let resultPath: String
  let classes: String?

  /// - Parameters:
  ///   - truth: a folder, or a COCO file of instances.
  ///   - dt: the same of what was predicted; of COCO a file of results, or another one of instances.
  ///   - classes: of label maps how many classes there are, their names divided by commas, or a file with
  ///     one name a line; of COCO files the one category that is judged, `nil` for all together.
  package init(truth: String, dt: String, classes: String? = nil) {
    truthPath = truth
    resultPath = dt
    self.classes = classes
  }

  /// Reads and judges all pairs.
  ///
  /// Of the settings it takes: intervals (only where asked for), seed, ignored samples without results, and
  /// of the masks the threshold (a pixel of a binary mask is set from 255 · threshold on; 0.5 unless told),
  /// the rule for empty pairs, the boundary, and what is ignored: values of pixels, or names of classes.
  ///
  /// - Throws: ``FileSegmentationError``, ``SourceError``, ``Interrupted``, `MetricError`; of COCO files
  ///   `COCOFileError`, `COCOForeignFile` and `FormatError`.
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

  /// Reduces a tally.
  func result(
    _ content: FileSegmentationResult.Content, _ tally: SegmentationTally, files: [String],
    notes: [String], _ settings: EvaluationSettings
  ) throws -> FileSegmentationResult {
    var settings = settings
    settings.intervals = settings.intervals ?? false
    let scores = try SegmentationScores(
      tally, empty: settings.masks.empty, settings.scoring(samples: tally.count))
    return FileSegmentationResult(
      truthPath: truthPath, resultPath: resultPath, content: content, files: files, tally: tally,
      scores: scores, settings: settings,
      notes: notes + Evaluation.intervalNotes(samples: tally.count, settings))
  }
}
