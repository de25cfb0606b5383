import AssayMetrics
import AssayReports
import AssayStore

extension MultiLabelClassification: ReportedTask {
  package static let ignoresMissing = true

  package static func report(
    _ reference: RunReference, _ settings: EvaluationSettings, by workflow: ReportWorkflow
  ) throws -> ReportWorkflow.Outcome {
    try workflow.multiLabel(reference, settings)
  }
}

extension ReportWorkflow {
  /// The report of a multi-label classification run.
  fileprivate func multiLabel(
    _ reference: RunReference, _ settings: EvaluationSettings
  ) throws -> Outcome {
    let evaluator = Evaluator<MultiLabelClassification>(catalog: catalog)
    var evaluated = try evaluator.counted(reference, settings)
    // The report covers all samples; slices have their own evaluations.
    evaluated.settings.slicedBy = nil
    let (evaluation, details) = try evaluator.reduced(evaluated)
    let (run, samples) = (evaluated.run, evaluated.samples)
    let mistakes = LabelMistakes(details.tally, details.scores.thresholds)
    let pictures = ReportPictures(
      images: SampleImages(catalog: catalog, dataset: run.dataset), workers: workers,
      progress: progress)
    let seen = Array(samples.indices.prefix(PictureLimits.inputs))
    let shown = try pictures.load((mistakes.worst.map(\.index) + seen).map { samples[$0] })
    var report = MultiLabelReport(
      run: run.name, model: run.modelWords, view: run.view,
      classes: evaluation.classes, scores: details.scores)
    report.evaluation = evaluated.evaluation?.name
    report.queries = try SectionQueries.multiLabel(evaluated, mistakes, seen: seen, in: catalog)
    report.confusions = mistakes.confusions
    report.pictures = mistakes.worst.compactMap { mistake in
      shown.rasters[samples[mistake.index].id].map {
        MultiLabelReport.Picture(
          key: samples[mistake.index].key, raster: $0, labels: mistake.evaluated.labels,
          predicted: mistake.evaluated.predicted, scores: details.tally.row(mistake.index))
      }
    }
    let truth = ReportTruth(evaluated.evaluation, run, corrections)
    report.truth = truth.line
    report.notes = truth.warnings + evaluation.notes + shown.notes
    report.inputs = ReportInputs(run: run)?.seen(
      seen.compactMap { index in
        shown.rasters[samples[index].id].map { (samples[index].key, $0) }
      })
    report.facts = ReportFacts(evaluated, details, truth).groups + gateFacts
    progress.report(0.9, "drawing the report of \(reference.name)")
    let rendered = try report.render(workers: workers)
    return Outcome(
      run: run, evaluationName: evaluated.evaluation?.name, count: evaluation.scores.count,
      headline: [
        (.meanAveragePrecision, evaluation.scores[.meanAveragePrecision]),
        (.microF1, evaluation.scores[.microF1]),
      ],
      files: [(Self.pageName, rendered.html)] + rendered.charts.map { ($0.name, $0.png) },
      notes: report.notes + rendered.notes)
  }
}
