import AssayCore
import AssayReports
package import AssayStore
import Foundation

/// Evaluates a run and renders its report. Nothing is stored or written.
package struct ReportWorkflow {
  /// The name of the page in its folder.
  package static let pageName = RenderedReport.pageName

  let catalog: Catalog
  let progress: any ProgressSink
  /// What there is to say about corrections, of all datasets.
  let corrections: CorrectionStatus
  let workers = max(1, ProcessInfo.processInfo.activeProcessorCount)

  package init(
    catalog: Catalog, corrections: CorrectionStatus = .none, progress: any ProgressSink = NoProgress()
  ) {
    self.catalog = catalog
    self.corrections = corrections
    self.progress = progress
  }

  /// By which entry of the ledger a plain run is judged; `nil` for the imported truth.
  var sequence: Int64? { corrections.used ? corrections.sequence ?? 0 : nil }

  /// The report of RUN or RUN@EVALUATION; the latter keeps that evaluation's truth, samples and settings.
  ///
  /// Where the dataset has no ground truth for the run's task, the report shows the predictions alone.
  ///
  /// - Parameter ignoresMissing: leave out samples of classes that the run has no scores for.
  /// - Throws: ``EvaluationError``, ``RunMasksError``,
  ///   ``Interrupted``, `MetricError`, `ReportError`, `StoreError`.
  package func report(_ name: String, ignoresMissing: Bool = false) throws -> Outcome {
    let reference = try RunReference(name, in: catalog)
    progress.report(0, "judging \(name)")
    do {
      return try judged(
        Tasks.type(of: reference.run.task), reference, ignoresMissing: ignoresMissing)
    } catch EvaluationError.noGroundTruth {
      return try predictions(reference)
    }
  }

  private func judged<Task: ReportedTask>(
    _ task: Task.Type, _ reference: RunReference, ignoresMissing: Bool
  ) throws -> Outcome {
    guard !ignoresMissing || Task.ignoresMissing else {
      throw EvaluationError.otherTask(
        option: "ignore-missing", run: reference.run.name, task: Task.task)
    }
    var settings = EvaluationSettings()
    settings.ignoresMissing = ignoresMissing
    return try Task.report(reference, settings, by: self)
  }
}
