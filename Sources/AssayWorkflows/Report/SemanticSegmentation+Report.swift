import AssayCore
import AssayMetrics
import AssayReports
import AssayStore

extension SemanticSegmentation: ReportedTask {
  package static func report(
    _ reference: RunReference, _ settings: EvaluationSettings, by workflow: ReportWorkflow
  ) throws -> ReportWorkflow.Outcome {
    try workflow.segmentation(reference)
  }
}

extension ReportWorkflow {
  /// The report of a segmentation run: from a stored evaluation if possible, because counting
  /// pixels again takes minutes and the rest takes seconds.
  fileprivate func segmentation(_ reference: RunReference) throws -> Outcome {
    let source = try SegmentationSource(
      catalog: catalog, by: sequence, progress: progress)
    let (evaluation, details, evaluated, sweep) = try source.evaluate(reference)
    let scores = details.scores
    let run = evaluated.run
    let traits = details.traits
    let rows = evaluated.samples.indices.map { index in
      SegmentedRow(
        key: evaluated.samples[index].key, scores: scores.samples[index],
        uncertainty: traits[index].uncertainty, centerOffset: traits[index].centerOffset)
    }
    var report = SegmentationReport(
      run: run.name, model: run.modelWords, view: run.view,
      scores: scores, rows: rows)
    report.evaluation = evaluated.evaluation?.name
    report.baseline = details.baseline
    report.sweep = sweep

    let chosen = MaskChoice(evaluated.tally, scores.samples)
    report.queries = try SectionQueries.segmentation(
      evaluated, chosen, scores.samples, in: catalog)
    report.randomSeed = MaskChoice.seed
    let shown = try MaskPictures(
      catalog: catalog, evaluated: evaluated, rows: rows, workers: workers, progress: progress
    ).load(chosen.shown)
    func pictures(_ indices: [Int]) -> [EvaluatedImage] {
      indices.compactMap { shown.pictures[$0] }
    }
    report.worst = pictures(chosen.worst)
    report.random = pictures(chosen.random)
    report.median = pictures(chosen.median)
    report.best = pictures(chosen.best)
    report.all = pictures(chosen.all)
    let truth = ReportTruth(evaluated.evaluation, evaluated.run, corrections)
    report.truth = truth.line
    report.notes = truth.warnings + evaluation.notes + shown.notes
    report.facts = ReportFacts(evaluated, truth).groups + gateFacts
    progress.report(0.9, "drawing the report of \(reference.name)")
    let rendered = try report.render(workers: workers)
    let kinds: [MetricKind] =
      scores.labels.isBinary ? [.meanIoU, .meanDice] : [.miou, .mdice, .sampleMIoU]
    return Outcome(
      run: run, evaluationName: evaluated.evaluation?.name, count: evaluation.scores.count,
      headline: kinds.map { ($0, evaluation.scores[$0]) },
      files: [(Self.pageName, rendered.html)] + rendered.charts.map { ($0.name, $0.png) },
      notes: report.notes + rendered.notes)
  }
}
