import AssayCore
import AssayMetrics
import AssayStore

/// Ranks the samples of a plan.
package struct ReviewRanker {
  let catalog: Catalog
  let progress: any ProgressSink
  let plan: ReviewPlan
  /// The samples to select from, by id.
  let eligible: [Int64: SampleRecord]

  init(catalog: Catalog, progress: any ProgressSink, plan: ReviewPlan) throws {
    self.catalog = catalog
    self.progress = progress
    self.plan = plan
    var eligible: [Int64: SampleRecord] = [:]
    var meant: Set<Int64>?
    if !plan.hasView {
      // If only runs are given, their own samples are meant, not the whole dataset.
      meant = []
      for run in plan.runs {
        meant?.formUnion(try catalog.doneSampleIDs(of: run.run.id, all: true))
      }
    }
    for sample in try catalog.samples(in: plan.selection, where: plan.question.expression)
    where meant?.contains(sample.id) ?? true {
      eligible[sample.id] = sample
    }
    self.eligible = eligible
  }

  /// - Throws: ``EvaluationError``, ``RunMasksError``,
  ///   ``Interrupted``, `StoreError`.
  func ranking() throws -> RankingResult {
    guard let task = plan.task else {
      return plan.order == .dataset ? try inOrder() : random()
    }
    let implementation = Tasks.type(of: task)
    switch plan.order {
    case .random: return random()
    case .dataset: return try inOrder()
    case .uncertainty: return try implementation.uncertain(self, plan.runs[0])
    case .disagreement:
      return try plan.runs.count == 1
        ? implementation.doubtful(self, plan.runs[0]) : implementation.contradicting(self)
    }
  }

  /// Orders the samples by SHA-256(seed, key), so that the order depends on nothing else.
  private func random() -> RankingResult {
    let samples = eligible.values.sorted { $0.id < $1.id }
    let drawn = DatasetSplit.ordered(samples, seed: plan.question.seed)
    return RankingResult(
      samples: drawn.enumerated().map { place, sample in
        RankedSample(sample: sample.id, rank: -Double(place), reason: "random")
      })
  }

  /// The order of the dataset, in which the frames of a film follow each other.
  private func inOrder() throws -> RankingResult {
    let samples = eligible.values.sorted { $0.id < $1.id }
    let films = try FilmFrames(samples, of: plan.dataset, in: catalog)
    return RankingResult(
      samples: films.inOrder(samples).enumerated().map { place, sample in
        let frame = films.place(of: sample.id).map { "frame \($0.film.frames[$0.index].number)" }
        return RankedSample(
          sample: sample.id, rank: -Double(place), reason: frame ?? "in the dataset's order")
      })
  }

  /// The settings for evaluating a run without a stored evaluation.
  var settings: EvaluationSettings {
    var settings = EvaluationSettings()
    settings.filter = plan.question.expression
    settings.ignoresMissing = true
    settings.intervals = false
    return settings
  }

  /// The stored evaluation of a run's samples with the ground truth in use: the named one,
  /// otherwise the one that `assay evaluate RUN` stores; `nil` if the run has to be evaluated now.
  func evaluation(of reference: RunReference) throws -> EvaluationRecord? {
    if let evaluation = reference.evaluation { return evaluation }
    let run = reference.run
    guard !plan.question.isCorrected, run.datasetVersion == run.dataset.importVersion else {
      return nil
    }
    return try catalog.evaluations(of: run).first {
      $0.name == EvaluationRecord.defaultName && $0.ledgerSequence == nil
    }
  }
}
