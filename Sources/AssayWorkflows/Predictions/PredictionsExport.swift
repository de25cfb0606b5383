import AssayCore
import AssayFormats
package import AssayStore
import Foundation

/// Exports a run's predictions to a CSV file.
package struct PredictionsExport {
  /// The program that the file is for. The raw value is the spelling after `--for`.
  package enum Purpose: String, CaseIterable, Sendable {
    /// `sample,<class>…`, with the model's classes in its order; ``PredictionsImport`` reads it
    /// back bit for bit.
    case assay
    /// `truth,<class>…`, with the classes in the order of an evaluation; rows without a true class
    /// that the run has are left out. For classification only: in a multi-label dataset an image
    /// has no single true class.
    case oracle
  }

  /// The result of the export.
  package struct Summary: Hashable, Sendable {
    package var run: String
    package var path: String
    package var classes: [String]
    package var rows: Int
    /// The number of predictions left out because they have no ground truth.
    package var withoutTruth: Int
    /// The number of samples of the run that are not predicted: pending or failed.
    package var notPredicted: Int
  }

  private let catalog: Catalog

  package init(catalog: Catalog) { self.catalog = catalog }

  /// Exports a run's predictions, in its order; the file is written completely or not at all.
  ///
  /// - Throws: ``PredictionsError``, ``EvaluationError`` if no class matches, `StoreError`.
  package func export(
    _ name: String, for purpose: Purpose = .assay, to path: String, overwrite: Bool = false
  ) throws -> Summary {
    let run = try catalog.run(named: name)
    switch (run.task.output, purpose) {
    case (.label, _), (.labels, .assay): break
    case (.labels, .oracle): throw PredictionsError.noSingleTruth(run: name)
    case (.masks, _), (.objects, _): throw PredictionsError.noScores(run: name, task: run.task)
    }
    if run.isLabelsOnly, purpose == .oracle { throw run.withoutScores("--for oracle") }
    guard let file = SingleFile(path, overwrite: overwrite) else {
      throw PredictionsError.fileExists(path)
    }
    let predictions = try catalog.predictions(of: run.id)
    guard !predictions.isEmpty else { throw PredictionsError.noPredictions(run: name) }
    var bytes: [UInt8] = []
    let classes: [String]
    let rows: Int
    switch purpose {
    case .assay:
      classes = run.classes
      rows = predictions.count
      writeSamples(predictions, run, to: &bytes)
    case .oracle:
      let names = try catalog.taxonomy(of: run.dataset.id).names
      let join = try ClassJoin(truth: names, scores: run.classes)
      classes = join.classes
      rows = writeTruths(predictions, join, to: &bytes)
      guard rows > 0 else { throw PredictionsError.noTruth(run: name) }
    }
    try file.writePredictions(bytes)
    return Summary(
      run: name, path: path, classes: classes, rows: rows,
      withoutTruth: predictions.count - rows, notPredicted: run.total - run.done)
  }

  private func writeSamples(
    _ predictions: [PredictionRecord], _ run: RunRecord, to bytes: inout [UInt8]
  ) {
    let classes = run.classes
    if run.isLabelsOnly {
      PredictionsExporter.writeLabels(
        predictions.map { ($0.sample.key, classes[$0.predicted]) }, to: &bytes)
      return
    }
    let exporter = PredictionsExporter(layout: .assay, classes: classes)
    exporter.writeHeader(to: &bytes)
    for prediction in predictions {
      exporter.writeRow(prediction.sample.key, prediction.scores, to: &bytes)
    }
  }

  private func writeTruths(
    _ predictions: [PredictionRecord], _ join: ClassJoin, to bytes: inout [UInt8]
  ) -> Int {
    let exporter = PredictionsExporter(layout: .oracle, classes: join.classes)
    exporter.writeHeader(to: &bytes)
    let scored = Set(join.columns)
    var rows = 0
    for prediction in predictions {
      guard let truth = prediction.sample.category, scored.contains(truth) else { continue }
      var scores = [Float](repeating: 0, count: join.classes.count)
      for (column, ordinal) in join.columns.enumerated() {
        scores[ordinal] = prediction.scores[column]
      }
      exporter.writeRow(join.classes[truth], scores, to: &bytes)
      rows += 1
    }
    return rows
  }
}
