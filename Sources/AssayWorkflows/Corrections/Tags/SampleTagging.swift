package import AssayCore
package import AssayStore
import Foundation

/// Changes a tag or a custom field of the samples of a view, as entries of the ledger.
///
/// The entries are saved in batches: each is on disk when it counts as saved, and an interrupt or a
/// crash leaves whole batches. The same request again continues, because samples that have the tag or
/// the value are skipped.
package struct SampleTagging {
  /// The samples and the change.
  package struct Request: Sendable {
    package var view: String
    /// The change as written; its names and values are checked.
    package var edit: SampleEdit
    /// An expression of the view language; `nil` for all samples of the view.
    package var expression: String?
    package var author: String

    package init(view: String, edit: SampleEdit, expression: String? = nil, author: String) {
      self.view = view
      self.edit = edit
      self.expression = expression
      self.author = author
    }

    /// Adds a tag, or removes it.
    package init(
      view: String, tag: String, expression: String? = nil, isRemoval: Bool = false, author: String
    ) {
      self.init(
        view: view, edit: .tag(TagEdit(tag: tag, isAddition: !isRemoval)), expression: expression,
        author: author)
    }
  }

  /// The result.
  package struct Summary: Sendable {
    package var dataset: String
    package var view: String
    /// The change as stored.
    package var edit: SampleEdit
    /// The number of samples that the view and the expression select.
    package var samples = 0
    /// The number of samples that were changed.
    package var changed = 0
    /// The number of samples that were so already.
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

  /// - Throws: `TagNameError`; `CustomFieldError`; `StoreError` for an invalid view or expression; `LedgerError`;
  ///   ``Interrupted``, after whole batches.
  package func run(_ request: Request) throws -> Summary {
    let edit = try request.edit.checked()
    var selection = try catalog.resolve(request.view)
    // As a search, for samples that were excluded too.
    selection.includesLeftOut = true
    let found = try catalog.samples(in: selection, where: request.expression)
    let dataset = selection.dataset
    var summary = Summary(
      dataset: dataset.name, view: request.view, edit: edit)
    summary.samples = found.count
    let already = try catalog.samples(alreadyAs: edit, in: dataset)
    let samples = found.filter { !already($0.id) }
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
      ledger: try catalog.openLedger(.create), edit: summary.edit,
      author: request.author, tool: "command line",
      visit: UUID().uuidString.lowercased())
    try writer.save(samples) { outcomes, count in
      summary.changed += outcomes.count
      if let first = outcomes.first?.entry.sequence, let last = outcomes.last?.entry.sequence {
        summary.entries = (summary.entries?.lowerBound ?? first)...last
      }
      progress.report(
        Double(count) / Double(samples.count),
        summary.edit.isRemoval ? "removing" : "saving")
    }
  }
}

extension SampleEdit {
  /// The edit with its name and value as they are stored.
  ///
  /// - Throws: `TagNameError`; `CustomFieldError`.
  func checked() throws -> SampleEdit {
    switch self {
    case .tag(let edit):
      return .tag(TagEdit(tag: try TagName.checked(edit.tag), isAddition: edit.isAddition))
    case .field(let edit):
      return .field(
        FieldEdit(
          name: try CustomField.checked(name: edit.name), value: try CustomField.checked(edit.value)
        ))
    }
  }
}

extension Catalog {
  /// Returns whether a sample has the tag or the value of an edit already, or lacks the one that it removes.
  func samples(
    alreadyAs edit: SampleEdit, in dataset: DatasetRecord
  ) throws -> (_ sample: Int64) -> Bool {
    switch edit {
    case .tag(let edit):
      let tagged = try samples(taggedWith: edit.tag)
      return { tagged.contains($0) == edit.isAddition }
    case .field(let edit):
      let values = try fieldTexts(edit.name, in: dataset.id)
      let value = edit.value == .null ? nil : edit.value.text()
      return { values[$0] == value }
    }
  }
}
