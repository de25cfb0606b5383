import AssayCore
package import AssayStore
import Foundation

/// Adds a tag to the samples of a view, or removes it, as entries of the ledger.
///
/// The entries are saved in batches: each is on disk when it counts as saved, and an interrupt or a
/// crash leaves whole batches. Tagging again continues, because samples that have the tag are
/// skipped.
package struct SampleTagging {
  /// The samples and the tag.
  package struct Request: Sendable {
    package var view: String
    /// The tag as written; see ``TagName``.
    package var tag: String
    /// An expression of the view language; `nil` for all samples of the view.
    package var expression: String?
    package var isRemoval: Bool
    package var author: String

    package init(
      view: String, tag: String, expression: String? = nil, isRemoval: Bool = false, author: String
    ) {
      self.view = view
      self.tag = tag
      self.expression = expression
      self.isRemoval = isRemoval
      self.author = author
    }
  }

  /// The result.
  package struct Summary: Sendable {
    package var dataset: String
    package var view: String
    /// The tag as stored.
    package var tag: String
    package var isRemoval: Bool
    /// The number of samples that the view and the expression select.
    package var samples = 0
    /// The number of samples whose tag was added or removed.
    package var changed = 0
    /// The number of samples that had the tag, or did not have the one to remove.
    package var already = 0
    /// The keys of the samples whose images cannot be read, so that the ledger cannot name them.
    package var unreadable: [String] = []
    /// The first and last entry; `nil` if none was written.
    package var entries: ClosedRange<Int64>?
  }

  private let catalog: Catalog
  private let progress: any ProgressSink

  /// - Parameter catalog: opened with its corrections (``CorrectedCatalog``).
  package init(catalog: Catalog, progress: any ProgressSink = NoProgress()) {
    self.catalog = catalog
    self.progress = progress
  }

  /// - Throws: `TagNameError`; `StoreError` for an invalid view or expression; `LedgerError`;
  ///   ``Interrupted``, after whole batches.
  package func run(_ request: Request) throws -> Summary {
    let tag = try TagName.checked(request.tag)
    var selection = try catalog.resolve(request.view)
    // As a search, for samples that were excluded too.
    selection.includesLeftOut = true
    let found = try catalog.samples(in: selection, where: request.expression)
    let dataset = selection.dataset
    var summary = Summary(
      dataset: dataset.name, view: request.view, tag: tag, isRemoval: request.isRemoval)
    summary.samples = found.count
    let tagged = try catalog.samples(taggedWith: tag)
    let samples = found.filter { tagged.contains($0.id) == request.isRemoval }
    summary.already = found.count - samples.count
    guard !samples.isEmpty else { return summary }

    let (named, unreadable) = try Self.identities(
      of: samples, in: dataset, catalog, reportingTo: progress)
    summary.unreadable = unreadable
    guard !named.isEmpty else { return summary }
    try save(named, request, &summary)
    return summary
  }

  /// The names of samples in the ledger; images without a known hash are read first.
  ///
  /// - Returns: the identities, and the keys of the samples whose image cannot be read.
  static func identities(
    of samples: [SampleRecord], in dataset: DatasetRecord, _ catalog: Catalog,
    reportingTo progress: any ProgressSink
  ) throws -> (named: [SampleIdentity], unreadable: [String]) {
    var hashes = try catalog.contentHashes(in: dataset.id)
    let unhashed = samples.filter { hashes[$0.id] == nil }
    if !unhashed.isEmpty {
      try hashes.merge(
        SampleContentHash(catalog: catalog, dataset: dataset)
          .hashes(of: unhashed, reportingTo: progress)
      ) { $1 }
    }
    let named = samples.compactMap { sample in
      hashes[sample.id].map {
        SampleIdentity(dataset: dataset.name, key: sample.key, contentHash: $0)
      }
    }
    return (named, samples.filter { hashes[$0.id] == nil }.map(\.key))
  }

  private func save(
    _ samples: [SampleIdentity], _ request: Request, _ summary: inout Summary
  ) throws {
    let writer = TagEntryWriter(
      ledger: try catalog.openLedger(.create), tag: summary.tag,
      isRemoval: request.isRemoval, author: request.author, tool: "command line",
      visit: UUID().uuidString.lowercased())
    try writer.save(samples) { outcomes, count in
      summary.changed += outcomes.count
      if let first = outcomes.first?.entry.sequence, let last = outcomes.last?.entry.sequence {
        summary.entries = (summary.entries?.lowerBound ?? first)...last
      }
      progress.report(
        Double(count) / Double(samples.count),
        request.isRemoval ? "removing the tag" : "saving the tag")
    }
  }
}
