import AssayCore
import AssayMetrics
import AssayReports
import AssayStore

extension ObjectDetection: ReportedTask {
  package static func report(
    _ reference: RunReference, _ settings: EvaluationSettings, by workflow: ReportWorkflow
  ) throws -> ReportWorkflow.Outcome {
    try workflow.detection(reference)
  }
}

extension ReportWorkflow {
  /// The report of a detection run: from a stored evaluation if possible, so that nothing is
  /// matched again.
  fileprivate func detection(_ reference: RunReference) throws -> Outcome {
    let source = try reference.kept(in: catalog, by: sequence)
    let evaluator = Evaluator<ObjectDetection>(catalog: catalog, progress: progress)
    var evaluated = try evaluator.counted(source, EvaluationSettings())
    // The report covers all samples; slices have their own evaluations.
    evaluated.settings.slicedBy = nil
    let kept = KeptScores(try evaluated.evaluation.map { try catalog.scores(of: $0.id) } ?? [])
    var reduced = evaluated
    if !kept.isEmpty { reduced.settings.intervals = false }
    let (evaluation, details) = try evaluator.reduced(reduced)
    let run = evaluated.run
    let numbers = DetectionNumbers(evaluation, details, kept)
    var report = numbers.report(of: evaluated)
    let shown = try MistakePictures(
      catalog: catalog, evaluated: evaluated, workers: workers, progress: progress
    ).load()
    report.errors = DetectionErrorKind.allCases.map { kind in
      DetectionErrorGroup(
        kind: kind, count: numbers.errors.counts.count(kind), cost: numbers.score(kind.cost),
        mistakes: shown.mistakes[kind] ?? [])
    }
    report.queries = try SectionQueries.detection(evaluated, report, in: catalog)
    let truth = ReportTruth(evaluated.evaluation, evaluated.run, corrections)
    report.truth = truth.line
    report.notes =
      truth.warnings + evaluated.notes
      + numbers.intervalNotes(made: evaluated.settings.makesIntervals(of: evaluation.scores.count))
      + shown.notes
    report.facts = ReportFacts(evaluated, truth).groups + gateFacts
    progress.report(0.9, "drawing the report of \(reference.name)")
    let rendered = try report.render(workers: workers)
    return Outcome(
      run: run, evaluationName: evaluated.evaluation?.name, count: evaluation.scores.count,
      headline: [MetricKind.ap, .ap50].map { ($0, numbers.score($0)) },
      files: [(Self.pageName, rendered.html)] + rendered.charts.map { ($0.name, $0.png) },
      notes: report.notes + rendered.notes)
  }
}
