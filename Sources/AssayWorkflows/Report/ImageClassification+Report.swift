import AssayReports
import AssayStore

extension ImageClassification: ReportedTask {
  package static let ignoresMissing = true

  package static func report(
    _ reference: RunReference, _ settings: EvaluationSettings, by workflow: ReportWorkflow
  ) throws -> ReportWorkflow.Outcome {
    try workflow.classification(reference, settings)
  }
}

extension ReportWorkflow {
  /// The report of a single-label classification run.
  fileprivate func classification(
    _ reference: RunReference, _ settings: EvaluationSettings
  ) throws -> Outcome {
    let evaluator = Evaluator<ImageClassification>(catalog: catalog)
    var evaluated = try evaluator.counted(reference, settings)
    // The report covers all samples; slices have their own evaluations.
    evaluated.settings.slicedBy = nil
    let (evaluation, scores) = try evaluator.reduced(evaluated)
    let tally = evaluated.tally
    let pictures = ReportPictures(
      images: SampleImages(catalog: catalog, dataset: evaluated.run.dataset), workers: workers,
      progress: progress)
    let chosen = ReportChoice(tally)
    let shown = try pictures.load(chosen.all.map { evaluated.samples[$0] })
    func picture(_ index: Int) -> SamplePicture? {
      shown.rasters[evaluated.samples[index].id].map {
        SamplePicture(
          key: evaluated.samples[index].key, raster: PictureLimits.reduced($0),
          truth: tally[index].truth, predicted: tally[index].predicted,
          confidence: tally.hasProbabilities ? tally[index].confidence : nil)
      }
    }

    let run = evaluated.run
    var report = ClassificationReport(
      run: run.name, model: run.modelWords, view: run.view,
      classes: evaluation.classes, scores: scores)
    report.hasScores = tally.hasProbabilities
    report.evaluation = evaluated.evaluation?.name
    report.cells = chosen.cells.map { cell in
      .init(
        truth: cell.truth, predicted: cell.predicted, pictures: cell.samples.compactMap(picture))
    }
    report.queries = try SectionQueries.classification(evaluated, chosen, in: catalog)
    report.mistakes = chosen.mistakes.compactMap(picture)
    let truth = ReportTruth(evaluated.evaluation, evaluated.run, corrections)
    report.truth = truth.line
    report.notes = truth.warnings + evaluation.notes + shown.notes
    report.inputs = ReportInputs(run: run)?.seen(
      chosen.first.compactMap { index in
        let sample = evaluated.samples[index]
        return shown.rasters[sample.id].map { (sample.key, $0) }
      })
    let means = try ReportMeans(catalog: catalog, progress: progress).columns(of: evaluated)
    report.means = means.columns
    report.meansNote = means.note
    report.facts = ReportFacts(evaluated, truth).groups + gateFacts
    progress.report(0.9, "drawing the report of \(reference.name)")
    let rendered = try report.render(workers: workers)
    return Outcome(
      run: run, evaluationName: evaluated.evaluation?.name, count: evaluation.scores.count,
      headline: [(.accuracy, evaluation.scores[.accuracy])],
      files: [(Self.pageName, rendered.html)] + rendered.charts.map { ($0.name, $0.png) },
      notes: report.notes + rendered.notes)
  }
}
