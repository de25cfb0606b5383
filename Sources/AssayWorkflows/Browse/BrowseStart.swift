import AssayCore
package import AssayStore

/// The view and the runs that the browse page shows first.
package struct BrowseStart: Sendable, Hashable {
  /// A VIEW; `nil` for the only dataset, or a choice of several.
  package var view: String?
  /// The runs whose predictions are drawn.
  package var runs: [String]
  /// The expression that selects samples of the view; empty for all.
  package var expression: String
  /// True to show the corrected ground truth.
  package var isCorrected: Bool

  package init(
    view: String? = nil, runs: [String] = [], expression: String = "", isCorrected: Bool = false
  ) {
    self.view = view
    self.runs = runs
    self.expression = expression
    self.isCorrected = isCorrected
  }

  /// Resolves the names on the command line: a view, and runs over its dataset. Of runs alone the view is their
  /// dataset.
  ///
  /// - Parameters:
  ///   - expression: the expression that selects samples of the view; empty for all. It needs a view, unless there is
  ///     only one dataset.
  ///   - isCorrected: true to show the corrected ground truth.
  ///   - catalog: reads that ground truth.
  /// - Throws: ``BrowseError``; ``ReviewError/ambiguous(_:_:)``, ``ReviewError/unknownSubject(_:known:)``; `StoreError`,
  ///   also for an invalid expression.
  package init(
    _ subjects: [String], where expression: String = "", isCorrected: Bool = false,
    in catalog: Catalog
  ) throws {
    self.init(expression: expression, isCorrected: isCorrected)
    let planner = ReviewPlanner(catalog: catalog, subcommands: [])
    var dataset: DatasetRecord?
    for subject in subjects {
      switch try planner.subject(subject) {
      case .view(let selection):
        if let view { throw BrowseError.twoViews(view, selection.name) }
        view = selection.name
        dataset = selection.dataset
      case .run(let reference):
        guard reference.evaluation == nil else { throw BrowseError.evaluation(reference.name) }
        if !runs.contains(reference.run.name) { runs.append(reference.run.name) }
      case .review(let review): throw BrowseError.review(review.name)
      }
    }
    for name in runs {
      let own = try catalog.run(named: name).dataset
      if view == nil { (view, dataset) = (own.name, own) }
      guard own.id == dataset?.id else {
        throw BrowseError.otherDataset(run: name, of: own.name, view: view ?? own.name)
      }
    }
    guard !expression.isEmpty else { return }
    let datasets = try catalog.datasets().map(\.name)
    guard let shown = view ?? (datasets.count == 1 ? datasets.first : nil) else {
      throw BrowseError.noView(known: datasets)
    }
    view = shown
    let fault = try QueryWords.fault(
      in: expression, of: catalog.resolve(shown), catalog: catalog)
    if let fault { throw StoreError.expression(fault) }
  }
}

/// The reasons why something cannot be shown.
package enum BrowseError: Error, Hashable, CustomStringConvertible {
  case twoViews(String, String)
  case otherDataset(run: String, of: String, view: String)
  /// An evaluation other than the one whose results are drawn.
  case evaluation(String)
  case review(String)
  /// An expression without a view, of several datasets.
  case noView(known: [String])
  /// The corrected ground truth of a catalog that has none.
  case noCorrections

  package var description: String {
    switch self {
    case .twoViews(let first, let second):
      "“\(first)” and “\(second)” are both views; the page shows one at a time, and can change to another"
    case .otherDataset(let run, let dataset, let view):
      "the run \(run) is over the dataset \(dataset), not over \(view); open it by itself: assay open \(run)"
    case .evaluation(let name):
      "“\(name)” is an evaluation of a run; name the run: the results of its evaluation"
        + " “\(EvaluationRecord.defaultName)” are drawn"
    case .noView(let known):
      "--where needs a view or a run: assay open \(known.first ?? "DATASET") --where EXPRESSION"
    case .noCorrections:
      "the corrected ground truth cannot be shown: the server has no ledger, or cannot write the catalog"
    case .review(let name): "“\(name)” is a review; open it with: assay review \(name)"
    }
  }
}
