import AssayCore
package import AssayStore

/// Looks for samples with an expression of the view language.
package struct SampleSearch {
  private let catalog: Catalog

  package init(catalog: Catalog) { self.catalog = catalog }

  /// The samples of a view for which an expression holds, in the catalog's order.
  ///
  /// - Parameters:
  ///   - expression: `nil` for all samples of the view.
  ///   - view: a VIEW; `nil` for the catalog's only dataset.
  ///   - limit: the most samples to hand over; `nil` for all. All are counted.
  /// - Throws: ``SearchError``; `StoreError` for a view or an expression that cannot be understood.
  package func search(
    _ expression: String?, in view: String?, limit: Int?
  ) throws -> FoundSamples {
    let selection = try catalog.resolve(view ?? onlyDataset())
    let samples = try catalog.samples(in: selection, where: expression, limit: limit)
    let isWhole = limit.map { samples.count < $0 } ?? true
    return FoundSamples(
      selection: selection, expression: expression,
      count: isWhole ? samples.count : try catalog.count(in: selection, where: expression),
      samples: samples, classes: try catalog.taxonomy(of: selection.dataset.id).names)
  }

  private func onlyDataset() throws -> String {
    let names = try catalog.datasets().map(\.name)
    guard names.count == 1, let name = names.first else {
      throw SearchError.noView(datasets: names)
    }
    return name
  }
}

/// What a search found.
package struct FoundSamples: Sendable {
  package var selection: Selection
  /// `nil` where all samples were asked for.
  package var expression: String?
  /// How many there are, those beyond the limit too.
  package var count: Int
  package var samples: [SampleRecord]
  /// The class names in the dataset's order.
  package var classes: [String]

  /// A sample's label; `nil` where it has none.
  package func label(of sample: SampleRecord) -> String? {
    sample.category.flatMap { classes.indices.contains($0) ? classes[$0] : nil }
  }
}

/// Why there is nothing to search.
package enum SearchError: Error, Hashable {
  /// No view was named, and there is not exactly one dataset that could be meant.
  case noView(datasets: [String])
}

extension SearchError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noView(let datasets) where datasets.isEmpty:
      "the catalog holds no dataset yet; `assay import PATH --name NAME` makes one"
    case .noView(let datasets):
      "say in which dataset with --in: \(datasets.joined(separator: ", "))"
    }
  }
}
