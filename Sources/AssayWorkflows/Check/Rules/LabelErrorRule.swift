import AssayCore
import AssayStore

/// Samples whose ground truth a run contradicts, in the order in which a review shows them.
struct LabelErrorRule: CheckRule {
  static let kinds = [FindingKind.labelError]

  func run(_ view: CheckedView) throws -> RuleResult {
    guard let name = view.request.run else { return RuleResult() }
    let run = try RunReference(name, in: view.catalog)
    let dataset = view.selection.dataset
    guard run.run.dataset.id == dataset.id else {
      throw CheckError.otherDataset(
        run: name, of: run.run.dataset.name, view: view.request.view, dataset: dataset.name)
    }
    let question = ReviewRequest([view.request.view, name], order: .disagreement)
    let plan = try ReviewPlanner(catalog: view.catalog)
      .plan(question, [.view(view.selection), .run(run)])
    let ranking = try ReviewRanker(catalog: view.catalog, progress: view.progress, plan: plan)
      .ranking()
    var result = RuleResult(notes: ranking.leftOut.map { "labelError: \($0) left out" })
    for sample in RankedSample.sorted(ranking.samples.filter(\.isLikelyError)) {
      result.findings.append(
        FindingRecord(.labelError, score: sample.score, samples: [sample.sample], sample.reason))
      result.evidence[.labelError, default: [:]][sample.sample] = sample.evidence
    }
    return result
  }
}
