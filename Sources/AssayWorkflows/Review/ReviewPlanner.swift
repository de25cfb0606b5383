import AssayCore
import AssayStore

/// Resolves a review request.
struct ReviewPlanner {
  /// The meaning of a subject on the command line.
  enum Subject {
    case view(Selection)
    case run(RunReference)
    case review(ReviewRecord)
  }

  let catalog: Catalog
  /// The words that a wrong name may have been meant for, besides names of the catalog.
  var subcommands = ["status", "link", "assign", "consensus"]

  /// Resolves a name: `digits/test`, `r1@strict`, or with its kind as a prefix, `run:r1`.
  ///
  /// - Throws: ``ReviewError/ambiguous(_:_:)``, ``ReviewError/unknownSubject(_:known:)``,
  ///   `StoreError` for a part or an evaluation that does not exist.
  func subject(_ name: String) throws -> Subject {
    if let rest = Self.rest(of: name, after: "run") {
      return .run(try RunReference(rest, in: catalog))
    }
    if let rest = Self.rest(of: name, after: "review") {
      return .review(try catalog.review(named: rest))
    }
    for kind in ["view", "dataset"] {
      if let rest = Self.rest(of: name, after: kind) { return .view(try catalog.resolve(rest)) }
    }
    var found: [(kind: String, subject: () throws -> Subject)] = []
    let (view, run) = (Self.head(of: name, "/"), Self.head(of: name, "@"))
    if try catalog.findDataset(named: view) != nil
      || catalog.views().contains(where: { $0.name == view })
    {
      found.append(("view", { .view(try catalog.resolve(name)) }))
    }
    if try catalog.findRun(named: run) != nil {
      found.append(("run", { .run(try RunReference(name, in: catalog)) }))
    }
    if let review = try catalog.findReview(named: name) {
      found.append(("review", { .review(review) }))
    }
    guard let only = found.first else { throw try unknown(name) }
    guard found.count == 1 else { throw ReviewError.ambiguous(name, found.map(\.kind)) }
    return try only.subject()
  }

  private static func rest(of name: String, after kind: String) -> String? {
    name.hasPrefix(kind + ":") ? String(name.dropFirst(kind.count + 1)) : nil
  }

  private static func head(of name: String, _ divider: Character) -> String {
    name.split(separator: divider, maxSplits: 1, omittingEmptySubsequences: false).first
      .map(String.init) ?? name
  }

  private func unknown(_ name: String) throws -> ReviewError {
    .unknownSubject(
      name,
      known: [
        .init(
          kind: "views", names: try catalog.datasets().map(\.name) + catalog.views().map(\.name)),
        .init(kind: "runs", names: try catalog.runs().map(\.name)),
        .init(kind: "reviews", names: try catalog.reviews().map(\.name)),
        .init(kind: "subcommands", names: subcommands),
      ])
  }

  /// The plan of a request.
  ///
  /// - Parameter subjects: the request's subjects: a view and runs, at least one of them.
  /// - Throws: ``ReviewError``, `StoreError`.
  func plan(_ question: ReviewRequest, _ subjects: [Subject]) throws -> ReviewPlan {
    var view: Selection?
    var runs: [RunReference] = []
    for subject in subjects {
      switch subject {
      case .view(let selection):
        if let view { throw ReviewError.several(view.name, selection.name) }
        view = selection
      case .run(let run): if !runs.contains(run) { runs.append(run) }
      case .review(let review): throw ReviewError.several("review \(review.name)", "anything else")
      }
    }
    try Self.check(runs, view)
    var remarks: [String] = []
    if let view, runs.isEmpty {
      (runs, remarks) = try self.runs(over: view, for: question.order, question.task)
    }
    guard let selection = try view ?? runs.first.map({ try catalog.resolve($0.run.dataset.name) })
    else { throw try noSubject() }
    try check(question.task, selection, runs)
    let order: ReviewOrder
    if let given = question.order {
      order = given
    } else if runs.isEmpty {
      let samples = try catalog.samples(in: selection)
      let isFilm = try FilmFrames(samples, of: selection.dataset, in: catalog).areAll(samples)
      order = isFilm ? .dataset : .random
      remarks.append(
        isFilm
          ? "\(selection.name) has the frames of a video: they keep their order (--order random mixes them)"
          : "no run covers \(selection.name): the order is random")
    } else {
      order = runs.count == 1 ? .uncertainty : .disagreement
    }
    if order == .uncertainty, runs.count > 1 {
      throw ReviewError.uncertaintyOfSeveral(runs.map(\.name))
    }
    return ReviewPlan(
      question: question, order: order, selection: selection, hasView: view != nil, runs: runs,
      remarks: remarks)
  }

  /// Checks that the requested task is that of the runs, or fits the dataset.
  private func check(
    _ task: ModelTask?, _ selection: Selection, _ runs: [RunReference]
  ) throws {
    guard let task else { return }
    if let run = runs.first {
      guard run.run.task == task else {
        throw ReviewError.taskOfRun(task, run.name, run.run.task)
      }
      return
    }
    try check(task, selection.dataset)
  }

  /// Checks that the images of a dataset can be labeled for a task.
  ///
  /// - Throws: ``ReviewError/unfitTask(_:dataset:_:command:)``, `StoreError`.
  func check(_ task: ModelTask, _ dataset: DatasetRecord) throws {
    let classes = try catalog.taxonomy(of: dataset.id).names
    let obstacle =
      try classes.isEmpty
      ? "has no classes" : LabelingTask.obstacle(to: task, in: dataset, catalog)
    guard let obstacle else { return }
    throw ReviewError.unfitTask(
      task, dataset: dataset.name, obstacle,
      command: LabelingTask.command(
        toImport: dataset, classes: classes.isEmpty ? ["NAME", "NAME"] : classes, task: task))
  }

  /// The error if no subject is given.
  func noSubject() throws -> ReviewError {
    .noSubject(
      datasets: try catalog.datasets().map(\.name) + catalog.views().map(\.name),
      reviews: try catalog.reviews().map(\.name))
  }

  private static func check(_ runs: [RunReference], _ view: Selection?) throws(ReviewError) {
    for reference in runs {
      let dataset = reference.run.dataset
      if let view, view.dataset.id != dataset.id {
        throw .otherDataset(view.name, view.dataset.name, reference.name, dataset.name)
      }
      guard let first = runs.first else { continue }
      guard first.run.dataset.id == dataset.id else {
        throw .otherDataset(first.name, first.run.dataset.name, reference.name, dataset.name)
      }
      guard first.run.task == reference.run.task else {
        throw .otherTask(first.name, first.run.task, reference.name, reference.run.task)
      }
    }
  }

  /// The default runs for an order if only a view is given: those with the most predictions for its
  /// samples. If a task is requested, those of other tasks do not count.
  private func runs(
    over view: Selection, for order: ReviewOrder?, _ task: ModelTask?
  ) throws -> ([RunReference], remarks: [String]) {
    let samples = Set(try catalog.samples(in: view).map(\.id))
    var best: (runs: [RunRecord], count: Int) = ([], 0)
    for run in try catalog.runs()
    where run.dataset.id == view.dataset.id && run.done > 0 && run.task == task ?? run.task {
      let count = try catalog.doneSampleIDs(of: run.id).count { samples.contains($0) }
      if count > best.count {
        best = ([run], count)
      } else if count > 0, count == best.count {
        best.runs.append(run)
      }
    }
    let names = best.runs.map(\.name)
    let isOneTask = Set(best.runs.map(\.task)).count <= 1
    switch order {
    case .random?, .dataset?:
      // The order does not depend on a run; if there is only one, it is shown.
      return (best.runs.count == 1 ? best.runs.map { RunReference(run: $0) } : [], [])
    case .uncertainty? where best.runs.count != 1, .disagreement? where best.runs.isEmpty:
      throw ReviewError.needsRun(order ?? .uncertainty, view: view.name, runs: names)
    default: break
    }
    guard isOneTask else {
      throw ReviewError.needsRun(order ?? .disagreement, view: view.name, runs: names)
    }
    let part = best.count < samples.count ? ", \(best.count) of its \(samples.count) samples" : ""
    let remark: String? =
      switch best.runs.count {
      // The remark about the order says that there is no run.
      case 0: nil
      case 1: "the run over \(view.name) is \(names[0])\(part)"
      default: "the runs over \(view.name) are \(names.joined(separator: ", "))\(part)"
      }
    return (best.runs.map { RunReference(run: $0) }, remark.map { [$0] } ?? [])
  }
}
