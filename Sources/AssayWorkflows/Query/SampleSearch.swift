package import AssayCore
package import AssayStore

/// Searches for samples with an expression of the view language.
package struct SampleSearch {
  private let catalog: Catalog

  package init(catalog: Catalog) { self.catalog = catalog }

  /// The samples of a view that match an expression, in the catalog's order or sorted.
  ///
  /// - Parameters:
  ///   - expression: the expression; `nil` for all samples of the view.
  ///   - view: a VIEW; `nil` for the catalog's only dataset.
  ///   - order: what to sort by; `nil` to sort by id.
  ///   - seed: the seed of a random order, the one of the grid; `nil` for another order.
  ///   - limit: the maximum number of samples to return; `nil` for all. All samples are counted.
  /// - Throws: ``SearchError``; `StoreError` for an invalid view or expression.
  package func search(
    _ expression: String?, in view: String?, orderedBy order: SampleOrder? = nil,
    shuffledBy seed: UInt64? = nil, limit: Int?
  ) throws -> FoundSamples {
    if view == nil, let expression { try checkIsNoName(expression) }
    var selection = try catalog.resolve(view ?? onlyDataset())
    // A search can be for samples that were excluded.
    selection.includesLeftOut = true
    let samples =
      try seed.map {
        try shuffled(selection, expression, $0, limit: limit)
      } ?? catalog.samples(in: selection, where: expression, orderedBy: order, limit: limit)
    let isWhole = limit.map { samples.count < $0 } ?? true
    let counts: (all: Int, lacking: Int?) =
      if let order {
        try catalog.count(in: selection, where: expression, lacking: order.field)
      } else {
        (isWhole ? samples.count : try catalog.count(in: selection, where: expression), nil)
      }
    var found = FoundSamples(
      selection: selection, expression: expression,
      count: counts.all, withoutValue: counts.lacking,
      samples: samples, classes: try catalog.taxonomy(of: selection.dataset.id).names)
    let ids = samples.map(\.id)
    if try catalog.holdsObjects(in: selection.dataset) {
      found.regions = try catalog.regionCounts(of: ids)
    }
    found.tags = try catalog.tags(of: ids)
    if selection.dataset.format == .frames {
      let names = Set(ViewExpression.SampleField.allCases.map(\.rawValue))
      found.frames = Array(repeating: [], count: ids.count)
      try catalog.forEachFields(of: ids) { index, fields in
        found.frames[index] = fields.filter { names.contains($0.name) }
      }
    }
    try addFields(named: expression, order, to: &found, of: ids)
    // A text is printed with the sample; the columns are numbers.
    let isText = try order.map { try catalog.isText($0.field, in: selection) } ?? false
    found.fields = try Self.fields(expression, isText ? nil : order)
    found.runs = try Self.subjects(expression, order).compactMap(\.run)
    found.numbers = try catalog.numbers(found.fields, of: ids, in: selection)
    found.matching = try catalog.matchBases(
      in: selection, where: expression, fields: order.map { [$0.field] } ?? [])
    return found
  }

  private func shuffled(
    _ selection: Selection, _ expression: String?, _ seed: UInt64, limit: Int?
  ) throws -> [SampleRecord] {
    let ids = SampleBrowser.shuffled(
      try catalog.ids(in: selection, where: expression, orderedBy: nil).ids, seed)
    return try catalog.samples(ids: Array(ids.prefix(limit ?? ids.count)))
  }

  /// Adds the custom fields that the expression and the order name.
  private func addFields(
    named expression: String?, _ order: SampleOrder?, to found: inout FoundSamples, of ids: [Int64]
  ) throws {
    let names = try Self.subjects(expression, order).compactMap(\.customField)
    guard !names.isEmpty else { return }
    found.customNames = names
    found.customFields = Array(repeating: [:], count: ids.count)
    try catalog.forEachFields(of: ids) { index, fields in
      for field in fields where names.contains(field.name) {
        found.customFields[index][field.name] = field.value
      }
    }
  }

  /// The columns to print: the sort key, then the coverage and run fields of the expression.
  private static func fields(_ expression: String?, _ order: SampleOrder?) throws -> [String] {
    let subjects = try subjects(nil, order) + subjects(expression, nil).filter(\.isMeasured)
    var seen: Set<String> = []
    return subjects.map(\.description).filter { seen.insert($0).inserted }
  }

  /// The subjects of the sort key, then those of the expression.
  private static func subjects(
    _ expression: String?, _ order: SampleOrder?
  ) throws -> [ViewExpression.Subject] {
    try (order.map { [try ViewExpression.parse(order: $0.field).subject] } ?? [])
      + (expression.map { try ViewExpression.parse($0).subjects } ?? [])
  }

  /// Refuses the name of a dataset, a view or a run in place of an expression.
  private func checkIsNoName(_ expression: String) throws {
    let words = expression.split(whereSeparator: \.isWhitespace)
    guard words.count == 1, let first = words[0].split(separator: "/").first.map(String.init) else {
      return
    }
    let name = String(words[0])
    let views = try catalog.datasets().map(\.name) + catalog.views().map(\.name)
    if views.contains(first) { throw SearchError.viewAsExpression(name) }
    if try catalog.findRun(named: name) != nil { throw SearchError.runAsExpression(name) }
  }

  private func onlyDataset() throws -> String {
    let names = try catalog.datasets().map(\.name)
    guard names.count == 1, let name = names.first else {
      throw SearchError.noView(datasets: names)
    }
    return name
  }
}

extension ViewExpression.Subject {
  /// True if the subject is a number that is computed by the catalog: a class's coverage, or a
  /// number of a run.
  fileprivate var isMeasured: Bool {
    switch self {
    case .coverage, .objects: true
    case .run(_, _, _, let field): field != .correct && field != .label && field != .accepted
    default: false
    }
  }

  /// The name of the custom field; `nil` for other subjects.
  fileprivate var customField: String? {
    if case .custom(let name) = self { name.text } else { nil }
  }

  /// The name of the run that the subject refers to; `nil` for other subjects.
  fileprivate var run: String? {
    switch self {
    case .run(let name, _, _, _), .objects(let name?, _): name.text
    default: nil
    }
  }
}

/// The result of a search.
package struct FoundSamples: Sendable {
  package var selection: Selection
  /// The expression; `nil` for all samples.
  package var expression: String?
  /// The number of samples, including those beyond the limit.
  package var count: Int
  /// The number of these without a value of the field that is sorted by; `nil` for the catalog's order.
  package var withoutValue: Int?
  package var samples: [SampleRecord]
  /// The class names in the dataset's order.
  package var classes: [String]
  /// The region counts of each sample by class; empty if the dataset has no regions.
  package var regions: [[RegionCount]] = []
  /// The tags of each sample; empty if no sample of the catalog has any.
  package var tags: [[String]] = []
  /// The fields `frame`, `time` and `track` of each sample; empty if the dataset is not one of frames.
  package var frames: [[JSONValue.Member]] = []
  /// The custom fields that the search names, each once per place, and their values in each sample; both empty if it names
  /// none.
  package var customNames: [String] = []
  package var customFields: [[String: JSONValue]] = []
  /// The numbers used in the search, as in the view language: `coverage(person)`.
  package var fields: [String] = []
  /// The numbers of each sample, one per field; `nil` if it has none.
  package var numbers: [[Double?]] = []
  /// The runs that the order and the expression name, in this order; may contain duplicates.
  package var runs: [String] = []
  /// The IoU and the minimum score at which detections were counted, one item per run; empty if
  /// none were counted.
  package var matching: [MatchBasis] = []

  /// The names of a sample's labels in a multi-label dataset, in the order of the classes; empty for none.
  package func labels(of sample: SampleRecord) -> [String] {
    sample.categories.compactMap { classes.indices.contains($0) ? classes[$0] : nil }
  }

  /// A sample's label, then its other ones.
  package func allLabels(of sample: SampleRecord) -> [String] {
    guard let label = label(of: sample) else { return labels(of: sample) }
    return [label] + labels(of: sample).filter { $0 != label }
  }

  /// A sample's label; `nil` if it has none, and in a multi-label dataset.
  package func label(of sample: SampleRecord) -> String? {
    sample.category.flatMap { classes.indices.contains($0) ? classes[$0] : nil }
  }
}

/// The reasons why a search is impossible.
package enum SearchError: Error, Hashable {
  /// No view was given, and there is not exactly one dataset.
  case noView(datasets: [String])
  /// The name of a dataset or view in place of an expression.
  case viewAsExpression(String)
  /// The name of a run in place of an expression.
  case runAsExpression(String)
}

extension SearchError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noView(let datasets) where datasets.isEmpty:
      "the catalog has no dataset yet; create one with `assay import PATH --name NAME`"
    case .viewAsExpression(let name):
      "“\(name)” is a dataset or view and no expression; its samples: assay query --in \(name)"
    case .runAsExpression(let name):
      "“\(name)” is a run and no expression; an expression compares a field of it, such as run(\(name)).correct = false "
        + "(assay query --help lists the fields)"
    case .noView(let datasets):
      "the dataset is missing; give --in: \(datasets.joined(separator: ", "))"
    }
  }
}
