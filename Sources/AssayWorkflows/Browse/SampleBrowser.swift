package import AssayCore
package import AssayStore
import Synchronization

/// Finds and counts samples for the browse page, with the imported or the corrected ground truth. Its results are kept
/// until the catalog changes. Its methods can be called from any thread.
package final class SampleBrowser: Sendable {
  /// Reads the imported ground truth.
  package let catalog: Catalog
  /// Reads the corrected ground truth; `nil` if there is none.
  private let corrected: Catalog?
  private let cache = Mutex(BrowseCache())

  package init(catalog: Catalog) {
    self.catalog = catalog
    corrected = try? catalog.readingCorrected()
  }

  /// True if searches can use the corrected ground truth.
  package var hasCorrected: Bool { corrected != nil }

  /// The catalog with the imported or the corrected ground truth.
  ///
  /// - Throws: ``BrowseError/noCorrections``.
  package func catalog(corrected isCorrected: Bool) throws -> Catalog {
    guard isCorrected else { return catalog }
    guard let corrected else { throw BrowseError.noCorrections }
    return corrected
  }

  /// A search as the page states it.
  package struct Search: Hashable, Sendable {
    /// A VIEW.
    package var view: String
    /// An expression of the view language; empty for all samples of the view.
    package var expression: String
    package var order: Order
    /// True if it is made with the corrected ground truth.
    package var isCorrected: Bool

    package init(
      view: String, expression: String, order: Order = .dataset, isCorrected: Bool = false
    ) {
      self.view = view
      self.expression = expression
      self.order = order
      self.isCorrected = isCorrected
    }

    /// The expression; `nil` for all samples of the view.
    package var condition: String? { expression.allSatisfy(\.isWhitespace) ? nil : expression }
  }

  /// The order of a search's samples.
  package enum Order: Hashable, Sendable {
    case dataset
    case random(seed: UInt64)
    /// By a number or a text; samples without a value last.
    case field(String, isDescending: Bool)
  }

  /// The samples of a search, by id.
  package struct Found: Sendable {
    package var selection: Selection
    /// In the search's order.
    package var ids: [Int64]
    /// The numbers that are sorted by; empty for other orders.
    package var numbers: [Double?]
    /// The texts that are sorted by; empty for other orders.
    package var texts: [String?]
    /// The number of samples without a value to sort by.
    package var withoutValue: Int
    /// The number of samples of the view, without the expression.
    package var total: Int
    /// The ids, ascending.
    var ascending: [Int64]
  }

  /// - Throws: `StoreError` for an unknown view or an invalid expression; ``BrowseError/noCorrections``.
  package func find(_ search: Search) throws -> Found {
    try find(search, at: refresh())
  }

  private func find(_ search: Search, at state: CatalogState) throws -> Found {
    if let known = cache.withLock({ $0.results[search] }) { return known }
    let catalog = try catalog(corrected: search.isCorrected)
    var selection = try catalog.resolve(search.view)
    selection.includesLeftOut = true
    let expression = search.condition
    var order: SampleOrder?
    if case .field(let field, let isDescending) = search.order {
      order = SampleOrder(field: field, isDescending: isDescending)
    }
    let quick = order == nil ? expression.flatMap { held($0, in: selection, search) } : nil
    var (ids, numbers, texts) =
      try quick.map { ($0, [], []) }
      ?? catalog.ids(in: selection, where: expression, orderedBy: order)
    let ascending = order == nil ? ids : ids.sorted()
    if case .random(let seed) = search.order { ids = Self.shuffled(ids, seed) }
    let total =
      expression == nil
      ? ids.count
      : try find(search.whole, at: state).ids.count
    let found = Found(
      selection: selection, ids: ids, numbers: numbers, texts: texts,
      withoutValue: numbers.count { $0 == nil } + texts.count { $0 == nil }, total: total,
      ascending: ascending)
    cache.withLock { if $0.state == state { $0.keep(found, of: search) } }
    return found
  }

  /// The ids of an expression from the columns that facets have read, ascending; `nil` if they are not there.
  private func held(
    _ expression: String, in selection: Selection, _ search: Search
  ) -> [Int64]? {
    guard selection.parts.isEmpty, selection.expression == nil,
      let table = cache.withLock({ $0.tables[search.table(of: selection.dataset)] })
    else { return nil }
    return ColumnSearch(table).ids(where: expression)
  }

  /// The ids in an order that depends only on the seed and the ids.
  static func shuffled(_ ids: [Int64], _ seed: UInt64) -> [Int64] {
    var keyed: [(key: UInt64, id: Int64)] = []
    keyed.reserveCapacity(ids.count)
    for id in ids {
      var generator = SplitMix64(seed: seed ^ UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15)
      keyed.append((generator.next(), id))
    }
    keyed.sort { ($0.key, $0.id) < ($1.key, $1.id) }
    return keyed.map(\.id)
  }

  /// Forgets what was read before the catalog changed.
  ///
  /// - Returns: the present state. What is read at it is kept only if the catalog has not changed since.
  private func refresh() throws -> CatalogState {
    let state = try catalog.state()
    cache.withLock { cache in
      guard cache.state != state else { return }
      cache = BrowseCache()
      cache.state = state
    }
    return state
  }

  // MARK: Runs

  /// The run of a name at the present state of the catalog; `nil` if there is none. Reading one counts its samples, which
  /// takes long in a large run, so that it is kept until the catalog changes.
  ///
  /// - Throws: `StoreError`.
  package func run(named name: String) throws -> RunRecord? {
    let state = try refresh()
    if let known = cache.withLock({ $0.runs[name] }) { return known }
    let run = try catalog.findRun(named: name)
    cache.withLock { if $0.state == state { $0.runs[name] = run } }
    return run
  }

  // MARK: Facets

  /// The counts of each field over the samples of a search.
  ///
  /// - Parameters:
  ///   - runs: the runs whose fields are counted, too; those over other datasets are left out.
  ///   - only: the one field that is counted, of those of which samples have one value; `nil` for all.
  /// - Throws: `StoreError` for an unknown view or an invalid expression; ``BrowseError/noCorrections``.
  package func facets(
    _ search: Search, runs: [RunRecord], only field: String? = nil
  ) throws -> (found: Found, facets: [SampleFacet]) {
    let state = try refresh()
    let found = try find(search, at: state)
    let dataset = found.selection.dataset
    let catalog = try catalog(corrected: search.isCorrected)
    let key = search.table(of: dataset)
    let held = cache.withLock { $0.tables[key] }
    // Two requests can read a table at the same time; both give the same.
    var table = try held ?? BrowseTable(dataset, in: catalog)
    let counter = FacetCounter(catalog: catalog, runs: runs.filter { $0.dataset.id == dataset.id })
    let facets = try counter.facets(
      &table, table.places(of: found.ascending), only: field)
    table.runs += counter.runs.filter { run in !table.runs.contains { $0.id == run.id } }
    let read = table
    cache.withLock { if $0.state == state { $0.tables[key] = read } }
    return (found, facets)
  }
}

extension SampleBrowser.Search {
  /// All samples of the view.
  fileprivate var whole: Self {
    SampleBrowser.Search(view: view, expression: "", isCorrected: isCorrected)
  }

  fileprivate func table(of dataset: DatasetRecord) -> BrowseCache.TableKey {
    BrowseCache.TableKey(dataset: dataset.id, isCorrected: isCorrected)
  }
}

/// The results of a browser that are kept.
private struct BrowseCache {
  /// A dataset with one of its ground truths.
  struct TableKey: Hashable {
    var dataset: Int64
    var isCorrected: Bool
  }

  var state: CatalogState?
  var results: [SampleBrowser.Search: SampleBrowser.Found] = [:]
  var tables: [TableKey: BrowseTable] = [:]
  var runs: [String: RunRecord] = [:]
  private var order: [SampleBrowser.Search] = []

  /// The maximum number of searches that are kept.
  private static let limit = 8

  mutating func keep(_ found: SampleBrowser.Found, of search: SampleBrowser.Search) {
    if results[search] == nil { order.append(search) }
    results[search] = found
    while order.count > Self.limit { results[order.removeFirst()] = nil }
  }
}
