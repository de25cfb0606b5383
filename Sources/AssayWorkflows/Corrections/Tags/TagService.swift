package import AssayCore
package import AssayStore
import Synchronization

/// Changes tags and custom fields for the browse page's server, and keeps the catalog's mirror of the ledger up to date, also
/// with what other processes write. Its methods can be called from any thread; changes are made one after the other.
package final class TagService: Sendable {
  /// The maximum number of samples that a request lists, and that a query of a request selects, and of their objects.
  package struct Limits: Sendable {
    package var listed = 10_000
    package var selected = 100_000
    /// The maximum number of objects that a request changes: each is an entry of its own, on disk at once.
    package var objects = 2_000

    package init() {}
  }

  /// The samples of a request.
  package enum Subject: Hashable, Sendable {
    /// Row ids of samples of a view's dataset.
    case samples([Int64], view: String)
    /// All samples of a query, and the number of them that the person saw.
    case query(SampleBrowser.Search, count: Int)
  }

  /// A change of one tag or one custom field.
  package struct Request: Hashable, Sendable {
    /// The uuid that makes a repeated request the same one, in lower case.
    package var uuid: String
    /// The change as written; its names and values are checked.
    package var edit: SampleEdit
    package var author: String
    package var subject: Subject
    /// The condition on objects of the samples, as in `objects(…)`, if they are changed in place of the samples.
    package var objects: String?

    package init(
      uuid: String, edit: SampleEdit, author: String, subject: Subject, objects: String? = nil
    ) {
      self.uuid = uuid
      self.edit = edit
      self.author = author
      self.subject = subject
      self.objects = objects
    }

    /// Adds a tag, or removes it.
    package init(
      uuid: String, tag: String, isRemoval: Bool, author: String, subject: Subject
    ) {
      self.init(
        uuid: uuid, edit: .tag(TagEdit(tag: tag, isAddition: !isRemoval)), author: author,
        subject: subject)
    }
  }

  /// The result of a request.
  package struct Summary: Hashable, Sendable {
    /// The change as stored.
    package var edit: SampleEdit
    /// The number of samples of the request; of objects, of those that have one.
    package var samples = 0
    /// The number of objects of the request, if it is about objects.
    package var objects: Int?
    /// The number of samples, or of objects, that were changed.
    package var changed = 0
    /// The keys of the samples whose images cannot be read, so that the ledger cannot name them.
    package var unreadable: [String] = []
    /// True if the request had been answered before.
    package var isRepeat = false

    /// The number of samples, or of objects, that were so already.
    package var already: Int { (objects ?? samples) - changed - unreadable.count }
  }

  /// Reads the catalog with the tags of the ledger.
  package let browser: SampleBrowser
  package let ledger: Ledger
  package let limits: Limits
  private let inside: Mutex<Inside>
  /// Held by the one thread that reads new entries.
  private let reading = Mutex(())

  private struct Inside {
    /// The last entry that the mirror has.
    var sequence: Int64
    /// The latest answers, the newest last.
    var answers: [(request: Request, summary: Summary)] = []
  }

  /// The number of answers that are kept for repeated requests.
  private static let keptAnswers = 32

  /// - Parameter catalog: writable.
  /// - Throws: ``TagServiceError``; `LedgerError`; `TruthError`.
  package init(catalog: Catalog, ledger: Ledger, limits: Limits = Limits()) throws {
    self.ledger = ledger
    self.limits = limits
    let state = try Self.mirror(of: ledger, in: catalog)
    guard state.file == nil else {
      state.discard()
      throw TagServiceError.catalogNotWritable(path: catalog.path)
    }
    browser = SampleBrowser(
      catalog: catalog.truth.marks == state.id
        ? catalog : try catalog.reading(state.reading(corrected: false)))
    inside = Mutex(Inside(sequence: state.sequence))
  }

  private var catalog: Catalog { browser.catalog }

  /// Brings the mirror up to the ledger's last entry.
  private static func mirror(of ledger: Ledger, in catalog: Catalog) throws -> MirroredState {
    try MirrorRefresh(catalog: catalog, ledger: ledger) { dataset, samples in
      try SampleContentHash(catalog: catalog, dataset: dataset)
        .hashes(of: samples, reportingTo: NoProgress())
    }.state()
  }

  /// Reads what was added to the ledger since; waits for another thread that does so now. While one is being
  /// changed, or if the ledger or the catalog cannot be used at the moment, tags and fields stay as they were.
  package func readNewEntries() { try? bringUpToDate() }

  /// Reads what was added to the ledger since, as ``readNewEntries()``.
  ///
  /// - Throws: ``TagServiceError/catalogNotWritable(path:)``; `LedgerError`; `TruthError`; `StoreError`.
  package func bringUpToDate() throws {
    try reading.withLock { _ in
      _ = try inside.withLockIfAvailable { try readNewEntries(&$0) }
    }
  }

  private func readNewEntries(_ inside: inout Inside) throws {
    guard try ledger.head().sequence != inside.sequence else { return }
    let state = try Self.mirror(of: ledger, in: catalog)
    guard state.file == nil, state.id == catalog.truth.marks else {
      state.discard()
      throw TagServiceError.catalogNotWritable(path: catalog.path)
    }
    inside.sequence = state.sequence
  }

  /// Changes a tag or a field; returns when the entries are on disk and queries find them. A repeated request changes nothing and
  /// has the same result; after a restart, one about objects says that they were so already.
  ///
  /// - Throws: `TagNameError`; `CustomFieldError`; ``TagServiceError``; `StoreError` for an invalid view or expression;
  ///   ``BrowseError/noCorrections``; `LedgerError`; ``Interrupted``.
  package func edit(_ request: Request) throws -> Summary {
    let edit = try request.edit.checked()
    return try inside.withLock { inside in
      if let known = inside.answers.first(where: { $0.request.uuid == request.uuid }) {
        guard known.request == request else { throw TagServiceError.uuidTaken(request.uuid) }
        var summary = known.summary
        summary.isRepeat = true
        return summary
      }
      try readNewEntries(&inside)
      let summary =
        try request.objects.map { try setField(of: $0, request, edit) } ?? save(request, edit)
      // The entries are on disk: a mirror that cannot be written now is written by the next request.
      try? readNewEntries(&inside)
      inside.answers.append((request, summary))
      if inside.answers.count > Self.keptAnswers { inside.answers.removeFirst() }
      return summary
    }
  }

  private func save(_ request: Request, _ edit: SampleEdit) throws -> Summary {
    let writer = TagEntryWriter(
      ledger: ledger, edit: edit, author: request.author, tool: "browse page",
      visit: request.uuid)
    let earlier = try entries(of: request, writer)
    let (dataset, ids) = try samples(of: request.subject, earlier: earlier.count)
    let already = try catalog.samples(alreadyAs: edit, in: dataset)
    let rest = try catalog.samples(ids: ids.filter { !already($0) })
      .filter { !earlier.contains($0.key) }
    var summary = Summary(edit: edit, samples: ids.count, changed: earlier.count)
    let (named, unreadable) = try SampleTagging.identities(
      of: rest, in: dataset, catalog, reportingTo: NoProgress())
    summary.unreadable = unreadable
    try writer.save(named, firstUUID: earlier.isEmpty ? request.uuid : nil) { outcomes, _ in
      summary.changed += outcomes.count
    }
    summary.samples = max(summary.samples, summary.changed + unreadable.count)
    summary.isRepeat = !earlier.isEmpty && named.isEmpty
    return summary
  }

  /// Corrects the objects that fulfill a condition.
  private func setField(
    of objects: String, _ request: Request, _ edit: SampleEdit
  ) throws -> Summary {
    let (dataset, ids) = try samples(of: request.subject, earlier: 0)
    let field = try edit.fieldOfObjects()
    do {
      let done = try ObjectFieldEditing(catalog: browser.catalog(corrected: true)).run(
        .init(
          view: dataset.name, field: field, objects: objects, samples: Set(ids),
          author: request.author, tool: "browse page", limit: limits.objects))
      return Summary(
        edit: edit, samples: done.samples, objects: done.objects, changed: done.changed)
    } catch let error as ObjectFieldEditing.TooMany {
      throw TagServiceError.tooManyObjects(error.objects, limit: error.limit)
    }
  }

  /// The keys of the samples of the entries that the request made before the server was started again.
  private func entries(of request: Request, _ writer: TagEntryWriter) throws -> Set<String> {
    guard let first = try ledger.entry(uuid: request.uuid) else { return [] }
    guard writer.isOwn(first) else { throw TagServiceError.uuidTaken(request.uuid) }
    // The process that wrote it may have died before it was on disk.
    try writer.confirm(first)
    var keys: Set<String> = []
    try ledger.forEachEntry(after: first.sequence - 1) { entry in
      if writer.isOwn(entry) { keys.insert(entry.sample.key) }
    }
    return keys
  }

  /// The samples, checked.
  ///
  /// - Parameter earlier: the number of samples that the request changed before.
  private func samples(
    of subject: Subject, earlier: Int
  ) throws -> (dataset: DatasetRecord, ids: [Int64]) {
    switch subject {
    case .samples(let listed, let view):
      guard listed.count <= limits.listed else {
        throw TagServiceError.tooMany(listed.count, limit: limits.listed)
      }
      let dataset = try catalog.resolve(view).dataset
      let all = try browser.find(.init(view: dataset.name, expression: "")).ascending
      let ids = Set(listed).sorted()
      var place = 0
      for id in ids {
        while place < all.count, all[place] < id { place += 1 }
        guard place < all.count, all[place] == id else {
          throw TagServiceError.unknownSample(id, dataset: dataset.name)
        }
      }
      return (dataset, ids)
    case .query(let search, let count):
      let found = try browser.find(search)
      let now = found.ids.count
      // A query about the tag no longer selects the samples that the request changed before.
      guard now == count || now + earlier == count else {
        throw TagServiceError.countChanged(now: now, shown: count)
      }
      guard now <= limits.selected else {
        throw TagServiceError.tooMany(now, limit: limits.selected)
      }
      return (found.selection.dataset, found.ids)
    }
  }
}

/// The reasons why a tag or a field is not changed.
package enum TagServiceError: Error, Hashable {
  /// The catalog cannot be written, so queries would not find the change.
  case catalogNotWritable(path: String)
  /// The id of a sample that the dataset does not have.
  case unknownSample(Int64, dataset: String)
  /// The number of samples that the query selects now, and the one that the page showed.
  case countChanged(now: Int, shown: Int)
  /// A number of samples over the limit of one request.
  case tooMany(Int, limit: Int)
  /// A number of objects over the limit of one request.
  case tooManyObjects(Int, limit: Int)
  /// Another request has this uuid.
  case uuidTaken(String)
}

extension TagServiceError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .catalogNotWritable(let path):
      "the catalog \(path) cannot be written now; make it writable and start the server again"
    case .unknownSample(let id, let dataset):
      "unknown sample \(id): it is not in \(dataset) any more; reload the page"
    case .countChanged(let now, let shown):
      "the query selects \(now) \(now == 1 ? "sample" : "samples") now, not \(shown); nothing was changed. Check the "
        + "samples and try again"
    case .tooMany(let count, let limit):
      "\(count) samples are over the limit of \(limit) for one request; use the command"
    case .tooManyObjects(let count, let limit):
      "\(count) objects are over the limit of \(limit) for one request; use the command"
    case .uuidTaken(let uuid):
      "another request already has the uuid \(uuid); a new request needs its own"
    }
  }
}
