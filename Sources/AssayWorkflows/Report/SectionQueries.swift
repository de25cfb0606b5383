import AssayFormats
import AssayReports
import AssayStore

/// Makes the queries for the samples of a report's sections. Each one was run: it selects exactly these samples.
struct SectionQueries {
  private let catalog: Catalog
  private let all: Selection
  /// The command that opens the runs, without a query.
  private let command: String
  /// The expression of the evaluation; `nil` for all samples of the run.
  private let filter: String?

  /// The maximum length of a query that lists the keys of samples, in bytes.
  private static let keyListLimit = 4_000

  /// - Parameters:
  ///   - dataset: the dataset of the runs.
  ///   - runs: the names of the runs whose predictions the command shows.
  ///   - filter: the expression of the evaluation; `nil` for all samples of the run.
  /// - Throws: `StoreError`.
  init(
    _ dataset: DatasetRecord, runs: [String], filter: String? = nil, in catalog: Catalog
  ) throws {
    // The commands of a report have no options: they use the imported ground truth.
    self.catalog =
      catalog.truth.truth == nil ? catalog : try Catalog.open(catalog.path, .readOnly)
    all = .all(of: dataset)
    let planner = ReviewPlanner(catalog: catalog, subcommands: [])
    let words = runs.map { name in
      // A view can have the same name.
      ShellText.quoted((try? planner.subject(name)) == nil ? "run:\(name)" : name)
    }
    command = (["assay open"] + words).joined(separator: " ")
    self.filter = filter
  }

  /// The queries of a report of one run.
  init<Task>(_ evaluated: EvaluatedRun<Task>, in catalog: Catalog) throws {
    try self.init(
      evaluated.run.dataset, runs: [evaluated.run.name], filter: evaluated.settings.filter,
      in: catalog)
  }

  /// The query of the first expression that selects exactly the samples that a section counts; without one, the query
  /// that lists the keys of the samples that it shows; `nil` if that is too long.
  ///
  /// - Parameters:
  ///   - expressions: expressions that can select the counted samples, the best first.
  ///   - counted: the ids of all samples that the section is about.
  ///   - shown: the samples whose images it shows.
  /// - Throws: `StoreError`, except for expressions that this catalog does not take.
  func query(
    _ expressions: [String], counted: [Int64], shown: [SampleRecord]
  ) throws -> SectionQuery? {
    let wanted = counted.sorted()
    for expression in expressions where !wanted.isEmpty {
      for whole in [expression, filtered(expression)].compactMap(\.self)
      where try ids(whole) == wanted {
        return query(whole, wanted.count)
      }
    }
    return try query(listing: shown)
  }

  /// The query that lists the keys of samples; `nil` for none, and if it is too long.
  func query(listing samples: [SampleRecord]) throws -> SectionQuery? {
    let keys = samples.map { QueryWords.spelled($0.key) }
    guard !keys.isEmpty else { return nil }
    let list = keys.count == 1 ? "key = \(keys[0])" : "key in (\(keys.joined(separator: ", ")))"
    guard list.utf8.count <= Self.keyListLimit,
      try ids(list) == Set(samples.map(\.id)).sorted()
    else { return nil }
    return query(list, keys.count)
  }

  /// The expressions of `parts`, each with the number of its samples, if `whole` selects exactly the samples of all
  /// parts together: then each part selects its own, without running it.
  func parts<Key: Hashable>(
    _ parts: [(key: Key, expression: String, count: Int)], of whole: String, counted: [Int64]
  ) throws -> [Key: SectionQuery] {
    let wanted = counted.sorted()
    for isFiltered in [false, true] {
      guard let text = isFiltered ? filtered(whole) : whole, try ids(text) == wanted else {
        continue
      }
      return Dictionary(
        uniqueKeysWithValues: parts.map { part in
          let expression = isFiltered ? filtered(part.expression) : part.expression
          return (part.key, query(expression ?? part.expression, part.count))
        })
    }
    return [:]
  }

  private func query(_ expression: String, _ count: Int) -> SectionQuery {
    SectionQuery(
      expression: expression, count: count,
      command: "\(command) --where \(ShellText.quoted(expression))")
  }

  /// The expression for the samples of the evaluation; `nil` without a filter.
  private func filtered(_ expression: String) -> String? {
    filter.map { "(\($0)) and \(expression)" }
  }

  /// The ids that an expression selects, ascending; `nil` if this catalog does not take it.
  private func ids(_ expression: String) throws -> [Int64]? {
    do {
      return try catalog.ids(in: all, where: expression, orderedBy: nil).ids
    } catch StoreError.expression {
      return nil
    }
  }
}

extension EvaluatedRun {
  /// The evaluation as an expression names it: `run(r1)`, `run(r1@strict)`.
  var evaluationSubject: String { "run(\(QueryWords.spelled(queriedName)))" }
}
