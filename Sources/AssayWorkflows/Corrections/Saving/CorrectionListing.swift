package import AssayCore
package import AssayStore
package import Foundation

/// The corrections in a catalog: by sample, by author, by day, and those that do not apply.
package struct CorrectionListing: Sendable {
  /// A sample with entries.
  package struct Sample: Sendable {
    package var dataset: String
    package var key: String
    package var status: ReviewStatus
    /// True if the sample is currently excluded.
    package var isLeftOut: Bool
    /// The number of visits with a net change.
    package var corrections: Int
    package var entries: Int
    /// The number of unresolved branches.
    package var conflicts: Int
    /// The authors, in the order of their first entries.
    package var authors: [String]
    /// The last entry, and its time.
    package var last: Int64
    package var lastTime: String?
    /// Active time in seconds; `nil` if no entry states it.
    package var seconds: Double?
    /// The differences from the imported ground truth, in a few words.
    package var changes: [String]
    /// The tags, sorted.
    package var tags: [String]
    /// The custom fields that people set or removed (`null`), sorted by name.
    package var fields: [JSONValue.Member]
  }

  /// The work of one author, or of one day.
  package struct Tally: Sendable, Hashable {
    /// The author or the day (`2026-11-21`); `nil` if the entries do not state it.
    package var name: String?
    package var corrections = 0
    package var entries = 0
    package var samples = 0
    package var seconds: Double?
  }

  package var ledger: String
  /// Samples by their last entry, latest first.
  package var samples: [Sample] = []
  /// Authors by number of corrections, largest first.
  package var authors: [Tally] = []
  /// Days, ascending.
  package var days: [Tally] = []
  package var issues: [CorrectionIssue] = []
  /// The number of samples that have independent versions, which do not count by themselves.
  package var independent = 0

  /// The samples to list; `nil` matches any.
  package struct Filter: Sendable {
    package var dataset: String?
    package var author: String?
    package var status: ReviewStatus?

    package init(dataset: String? = nil, author: String? = nil, status: ReviewStatus? = nil) {
      self.dataset = dataset
      self.author = author
      self.status = status
    }
  }

  /// Replays every sample that has entries.
  ///
  /// - Parameters:
  ///   - catalog: a catalog that was opened with the corrections.
  ///   - timeZone: the time zone that defines the days.
  /// - Throws: `StoreError`, `LedgerError`, ``Interrupted``.
  package init(
    of ledger: Ledger, in catalog: Catalog, _ filter: Filter = Filter(),
    timeZone: TimeZone = .current, progress: any ProgressSink = NoProgress()
  ) throws {
    self.ledger = ledger.uuid
    if let name = filter.dataset, try catalog.findDataset(named: name) == nil,
      try ledger.samples(dataset: name).isEmpty
    {
      // Refuses the name, with the known ones.
      _ = try catalog.dataset(named: name)
    }
    var persons = Tallies()
    var dates = Tallies()
    let zone = LocalDays(timeZone)
    issues = try catalog.correctionIssues(of: filter.dataset)
    var names = try ledger.samples(dataset: filter.dataset).map { sample in
      SampleIdentity(dataset: sample.dataset, key: sample.key, contentHash: "")
    }
    // An image whose key has changed may have no entry under its current key.
    var known = Set(names)
    for issue in issues where issue.kind == .moved {
      guard let sample = issue.sample, let record = try catalog.samples(ids: [sample]).first
      else { continue }
      let name = SampleIdentity(dataset: issue.dataset, key: record.key, contentHash: "")
      if known.insert(name).inserted { names.append(name) }
    }
    var datasets: [String: DatasetRecord?] = [:]
    var classes: [Int64: Set<String>] = [:]
    for (place, name) in names.enumerated() {
      try Interruption.check()
      if datasets[name.dataset] == nil {
        datasets[name.dataset] = .some(try catalog.findDataset(named: name.dataset))
      }
      guard let dataset = datasets[name.dataset] ?? nil,
        let record = try catalog.sample(key: name.key, of: dataset.id),
        let imported = try catalog.importedTruths(of: [record.id]).first
      else { continue }
      // The corrections of an image that was never hashed are reported as an issue.
      let hash = try catalog.contentHash(of: record.id)
      let entries = try SampleEntries(
        of: SampleIdentity(dataset: dataset.name, key: record.key, contentHash: hash ?? ""),
        movedFrom: catalog.places(of: record.id), in: ledger
      ).entries
      if entries.contains(where: { IndependentVersion($0) != nil }) { independent += 1 }
      if classes[dataset.id] == nil {
        classes[dataset.id] = Set(try catalog.taxonomy(of: dataset.id).names)
      }
      let (truth, _) = CorrectionReplay.replay(
        imported.replaying(ledger: ledger.uuid), entries, contentHash: hash ?? ""
      ).keeping { classes[dataset.id]?.contains($0) == true }
      if truth.history.isEmpty, !entries.isEmpty { continue }
      let authors = truth.authors
      guard filter.author.map(authors.contains) ?? true,
        filter.status.map({ $0 == truth.status }) ?? true
      else { continue }
      let difference = TruthDifference(from: imported.content, to: truth.content)
      let last = truth.history.last
      samples.append(
        Sample(
          dataset: dataset.name, key: record.key, status: truth.status,
          isLeftOut: truth.leftOut != nil, corrections: truth.corrections,
          entries: truth.history.count, conflicts: truth.conflicts.count, authors: authors,
          last: last?.entry.sequence ?? 0, lastTime: last?.remarks.time,
          seconds: truth.visits.compactMap(\.seconds).reduce(nil) { ($0 ?? 0) + $1 },
          changes: difference.words, tags: truth.tags, fields: truth.fields))
      let key = "\(dataset.name):\(record.key)"
      for item in truth.history {
        persons.addEntry(item.remarks.author, item.remarks, of: key)
        dates.addEntry(item.remarks.time.flatMap(zone.day), item.remarks, of: key)
      }
      for visit in truth.visits where visit.isNetChange {
        persons.addCorrection(visit.author)
        dates.addCorrection((visit.lastTime ?? visit.firstTime).flatMap(zone.day))
      }
      progress.report(Double(place + 1) / Double(names.count), "reading corrections")
    }
    samples.sort { $0.last > $1.last }
    self.authors = persons.all.sorted {
      ($1.corrections, $1.entries, $0.name ?? "") < ($0.corrections, $0.entries, $1.name ?? "")
    }
    days = dates.all.sorted { ($0.name ?? "") < ($1.name ?? "") }
  }

  /// Accumulates the totals per name.
  private struct Tallies {
    private var tallies: [String?: Tally] = [:]
    private var samples: [String?: Set<String>] = [:]

    var all: [Tally] {
      tallies.map { name, tally in
        var tally = tally
        tally.samples = samples[name]?.count ?? 0
        return tally
      }
    }

    mutating func addEntry(_ name: String?, _ remarks: CorrectionMetadata, of sample: String) {
      samples[name, default: []].insert(sample)
      var tally = tallies[name] ?? Tally(name: name)
      tally.entries += 1
      if let seconds = remarks.seconds { tally.seconds = (tally.seconds ?? 0) + seconds }
      tallies[name] = tally
    }

    mutating func addCorrection(_ name: String?) {
      tallies[name, default: Tally(name: name)].corrections += 1
    }
  }
}

extension EffectiveTruth {
  /// The authors of entries, including conflicting ones, in the order of their first entries.
  package var authors: [String] {
    var authors: [String] = []
    for item in history where !authors.contains(item.remarks.author) {
      authors.append(item.remarks.author)
    }
    return authors
  }
}
