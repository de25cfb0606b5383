import AssayReports
package import AssayStore
import Foundation

/// Evaluates a run and renders its report. Nothing is stored or written.
package struct ReportWorkflow {
  /// A finished report and what it is about.
  package struct Outcome: Sendable {
    package var run: RunRecord
    /// The stored evaluation that it was made from; `nil` where the run was judged just now.
    package var evaluationName: String?
    package var evaluation: Evaluation
    /// The files of the report's folder, the page first.
    package var files: [(name: String, bytes: [UInt8])]
    /// What a reader has to know besides, a sentence each.
    package var notes: [String]
  }

  /// The name of the page in its folder.
  package static let pageName = RenderedReport.pageName

  private let catalog: Catalog
  private let progress: any ProgressSink

  package init(catalog: Catalog, progress: any ProgressSink = NoProgress()) {
    self.catalog = catalog
    self.progress = progress
  }

  /// The report of RUN or RUN@EVALUATION; the latter keeps that evaluation's truth, samples and settings.
  ///
  /// - Parameter ignoresMissing: leave out samples of classes that the run has no scores for.
  /// - Throws: ``EvaluationError``, ``Interrupted``, `MetricError`, `ReportError`, `StoreError`.
  package func report(_ name: String, ignoresMissing: Bool = false) throws -> Outcome {
    progress.report(0, "judging \(name)")
    let workers = max(1, ProcessInfo.processInfo.activeProcessorCount)
    let (evaluation, judged, tally) = try RunEvaluation(catalog: catalog).evaluate(
      name, try settings(of: name, ignoresMissing: ignoresMissing))
    let pictures = ReportPictures(
      images: SampleImages(catalog: catalog, dataset: judged.run.dataset), workers: workers,
      progress: progress)
    let chosen = ReportChoice(tally)
    let shown = try pictures.load(chosen.all.map { judged.samples[$0] })
    func picture(_ index: Int) -> SamplePicture? {
      shown.rasters[judged.samples[index].id].map {
        SamplePicture(
          key: judged.samples[index].key, raster: PictureLimits.reduced($0),
          truth: tally[index].truth, predicted: tally[index].predicted,
          confidence: tally[index].confidence)
      }
    }

    let run = judged.run
    var report = ClassificationReport(
      run: run.name, model: run.model?.name ?? run.name, view: run.view,
      classes: evaluation.classes, scores: evaluation.scores)
    report.evaluation = judged.evaluation?.name
    report.cells = chosen.cells.map { cell in
      .init(
        truth: cell.truth, predicted: cell.predicted, pictures: cell.samples.compactMap(picture))
    }
    report.mistakes = chosen.mistakes.compactMap(picture)
    report.notes = evaluation.notes + shown.notes
    report.inputs = ReportInputs(run: run)?.seen(
      chosen.first.compactMap { index in
        let sample = judged.samples[index]
        return shown.rasters[sample.id].map { (sample.key, $0) }
      })
    let means = try ReportMeans(catalog: catalog, progress: progress).columns(of: judged)
    report.means = means.columns
    report.meansNote = means.note
    report.facts = ReportFacts(judged: judged, settings: evaluation.settings).groups
    progress.report(0.9, "drawing the report of \(name)")
    let rendered = try report.render(workers: workers)
    return Outcome(
      run: run, evaluationName: judged.evaluation?.name, evaluation: evaluation,
      files: [(Self.pageName, rendered.html)] + rendered.charts.map { ($0.name, $0.png) },
      notes: report.notes + rendered.notes)
  }

  /// The settings that a stored evaluation was made with, else the usual ones.
  private func settings(of name: String, ignoresMissing: Bool) throws -> EvaluationSettings {
    var settings = EvaluationSettings()
    settings.ignoresMissing = ignoresMissing
    if name.contains("@") { settings = try RunJudge(catalog: catalog).judge(name).settings }
    // The report is about the whole; parts have evaluations of their own.
    settings.slicedBy = nil
    return settings
  }
}
