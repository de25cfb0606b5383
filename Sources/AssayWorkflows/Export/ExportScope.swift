import AssayCore
package import AssayStore

/// The samples that an export writes, and their corrections.
package struct ExportScope: Sendable {
  /// The view as typed.
  package let view: String
  package let dataset: DatasetRecord
  /// The samples, in the order of the catalog.
  package let samples: [SampleRecord]
  /// The corrections; `nil` for the imported ground truth.
  package let corrections: ExportCorrections?
  /// The number of samples that people tagged.
  package let tagged: Int

  /// The samples of a view with the catalog's ground truth.
  ///
  /// - Throws: ``ExportError/noSamples(view:)``, `StoreError`.
  package init(_ view: String, in catalog: Catalog) throws {
    let selection = try catalog.resolve(view)
    self.view = view
    dataset = selection.dataset
    samples = try catalog.samples(in: selection)
    corrections = nil
    tagged = try Self.tagged(samples, in: catalog)
    guard !samples.isEmpty else { throw ExportError.noSamples(view: view) }
  }

  init(
    view: String, dataset: DatasetRecord, samples: [SampleRecord], corrections: ExportCorrections,
    in catalog: Catalog
  ) throws {
    self.view = view
    self.dataset = dataset
    self.samples = samples
    self.corrections = corrections
    tagged = try Self.tagged(samples, in: catalog)
  }

  private static func tagged(_ samples: [SampleRecord], in catalog: Catalog) throws -> Int {
    try catalog.tags(of: samples.map(\.id)).count { !$0.isEmpty }
  }

  /// Warnings about training with these samples, one sentence each.
  package var warnings: [String] { corrections?.warnings(on: samples) ?? [] }

  /// Notes about samples that corrections moved out of the view or into it, one sentence each.
  package var moves: [String] { corrections?.moves(of: view) ?? [] }

  /// The correction of a sample; `nil` if there is none, or if corrections are not used.
  func correction(of sample: SampleRecord) -> SampleCorrection? {
    corrections?.samples[sample.id]
  }

  /// The training weight of a sample: 1, or the requested one if it was corrected.
  func weight(of sample: SampleRecord) -> Double {
    correction(of: sample) == nil ? 1 : corrections?.request.weight ?? 1
  }
}

/// The options of an export of corrected samples.
package struct CorrectedExportRequest: Hashable, Sendable {
  /// True to export only samples whose ground truth was corrected.
  package var onlyCorrected = false
  /// The entry after which the ground truth of exported samples was changed; `nil` for no
  /// restriction.
  package var since: Int64?
  /// The weight of corrected samples in the manifest; the weight of others is 1.
  package var weight = 1.0

  package init() {}
}

/// The corrections behind an export.
package struct ExportCorrections: Sendable {
  /// The ledger, and the last entry that the ground truth includes.
  package struct LedgerState: Hashable, Sendable {
    package var uuid: String
    package var sequence: Int64
    /// The hash of that entry, hexadecimal; empty if there is none.
    package var hash: String

    package init(uuid: String, sequence: Int64, hash: String) {
      self.uuid = uuid
      self.sequence = sequence
      self.hash = hash
    }
  }

  package var request: CorrectedExportRequest
  /// The ledger; `nil` if there are no corrections yet.
  package var ledger: LedgerState?
  /// The corrected samples in the export, by id.
  package var samples: [Int64: SampleCorrection]
  /// The samples of the view that users excluded, and the reasons.
  package var leftOut: [LeftOutSample]
  /// The number of samples of the view that are not exported because they were not corrected, or
  /// not since then.
  package var uncorrected = 0
  /// The samples of the view that are no longer in it with the corrected ground truth, and those
  /// that only corrections brought into it; their keys, in the order of the catalog.
  package var movedOut: [String] = []
  package var movedIn: [String] = []

  package init(
    request: CorrectedExportRequest, ledger: LedgerState?, samples: [Int64: SampleCorrection],
    leftOut: [LeftOutSample]
  ) {
    self.request = request
    self.ledger = ledger
    self.samples = samples
    self.leftOut = leftOut
  }

  /// Notes about samples that corrections moved out of a view or into it, one sentence each.
  func moves(of view: String) -> [String] {
    var notes: [String] = []
    if !movedOut.isEmpty {
      notes.append(
        "corrections moved \(Self.named(movedOut)) out of \(view): not exported; "
          + "without --corrected the view contains \(movedOut.count == 1 ? "it" : "them")")
    }
    if !movedIn.isEmpty {
      notes.append("corrections moved \(Self.named(movedIn)) into \(view)")
    }
    return notes
  }

  /// "2 samples (17, 32)", with at most five keys.
  private static func named(_ keys: [String]) -> String {
    let shown = keys.prefix(5).joined(separator: ", ") + (keys.count > 5 ? ", …" : "")
    return "\(keys.count) \(keys.count == 1 ? "sample" : "samples") (\(shown))"
  }

  /// Warnings about training with these samples, one sentence each.
  ///
  /// Corrections in a split used for model selection or testing make earlier metrics incomparable.
  func warnings(on samples: [SampleRecord]) -> [String] {
    var counts: [String: Int] = [:]
    for sample in samples where self.samples[sample.id] != nil {
      if let split = sample.split, SplitName.isHeldOut(split) { counts[split, default: 0] += 1 }
    }
    return counts.keys.sorted(by: SplitName.precedes).map { split in
      let count = counts[split] ?? 0
      return """
        \(count) corrected \(count == 1 ? "sample is" : "samples are") in the split \(split): metrics \
        from before and after the corrections are not comparable, and training with \
        \(count == 1 ? "it" : "them") contaminates that split
        """
    }
  }
}

extension ExportScope {
  /// The samples of a view with the corrected ground truth, without those that users excluded.
  ///
  /// - Parameters:
  ///   - catalog: reads the corrected ground truth.
  ///   - earlier: reads the ground truth as of the entry `request.since`; `nil` if that is not
  ///     requested.
  ///   - ledger: the ledger state for the manifest; `nil` if there is no ledger.
  /// - Throws: ``ExportError``, `StoreError`, `MaskError`.
  package static func corrected(
    _ view: String, _ request: CorrectedExportRequest, in catalog: Catalog, since earlier: Catalog?,
    ledger: ExportCorrections.LedgerState?
  ) throws -> ExportScope {
    var selection = try catalog.resolve(view)
    let dataset = selection.dataset
    let all = try catalog.samples(in: selection)
    selection.includesLeftOut = true
    let leftOut = try catalog.samples(in: selection, where: "left_out = true")
    let names = try catalog.taxonomy(of: dataset.id).names
    let imported = try catalog.readingImported()

    let before = try imported.samples(in: selection, where: "corrected = true")
    let after = try catalog.samples(in: selection, where: "corrected = true")
    let (idsBefore, idsAfter) = (Set(before.map(\.id)), Set(after.map(\.id)))
    let ids = idsBefore.union(idsAfter).intersection(all.map(\.id))
    let corrected = ids.sorted()
    let changes = try SampleCorrections(from: imported, to: catalog, categories: names)
      .changes(of: corrected)
    var samples: [Int64: SampleCorrection] = [:]
    for (id, change) in zip(corrected, changes) { samples[id] = change }
    for record in try catalog.corrected(of: corrected) {
      samples[record.sample]?.take(record)
    }

    var written = all
    if request.onlyCorrected { written = written.filter { samples[$0.id] != nil } }
    if let earlier {
      let changed = try changedSince(earlier, catalog, all, names)
      written = written.filter { changed.contains($0.id) }
    }
    guard !all.isEmpty else {
      let gone = before.filter { !idsAfter.contains($0.id) }.count
      throw gone > 0
        ? ExportError.allMoved(view: view, count: gone) : ExportError.noSamples(view: view)
    }
    guard !written.isEmpty else {
      throw ExportError.nothingCorrected(view: view, since: request.since)
    }
    let kept = Set(written.map(\.id))
    var corrections = ExportCorrections(
      request: request, ledger: ledger, samples: samples.filter { kept.contains($0.key) },
      leftOut: try reasons(leftOut, catalog))
    corrections.uncorrected = all.count - written.count
    corrections.movedOut = before.filter { !idsAfter.contains($0.id) }.map(\.key)
    corrections.movedIn = after.filter { !idsBefore.contains($0.id) && kept.contains($0.id) }
      .map(\.key)
    return try ExportScope(
      view: view, dataset: dataset, samples: written, corrections: corrections, in: catalog)
  }

  private static func reasons(
    _ samples: [SampleRecord], _ catalog: Catalog
  ) throws -> [LeftOutSample] {
    var reasons: [Int64: String] = [:]
    for record in try catalog.corrected(of: samples.map(\.id)) {
      reasons[record.sample] = record.leftOut
    }
    return samples.map { LeftOutSample(key: $0.key, reason: reasons[$0.id] ?? "left out") }
  }

  /// The samples whose ground truth or exclusion differs from an earlier entry.
  private static func changedSince(
    _ earlier: Catalog, _ catalog: Catalog, _ all: [SampleRecord], _ names: [String]
  ) throws -> Set<Int64> {
    let ids = all.map(\.id)
    var then: [Int64: CorrectedSampleRecord] = [:]
    for record in try earlier.corrected(of: ids) { then[record.sample] = record }
    let now = try catalog.corrected(of: ids)
    // Without a new entry, a sample cannot have changed.
    let touched = now.filter { $0 != then[$0.sample] }.map(\.sample).sorted()
    let changes = try SampleCorrections(from: earlier, to: catalog, categories: names)
      .changes(of: touched)
    var changed = Set(zip(touched, changes).filter { $0.1.isChanged }.map(\.0))
    for id in touched where then[id]?.leftOut != nil { changed.insert(id) }
    return changed
  }
}

extension SampleCorrection {
  /// Copies the authors, counts and times of a sample's corrections.
  fileprivate mutating func take(_ record: CorrectedSampleRecord) {
    corrections = record.corrections
    entries = record.entries
    authors = record.authors
    seconds = record.seconds
    lastEntry = record.head
  }
}

extension ExportCorrections.LedgerState {
  /// The state of the ledger that a catalog's corrections are from; `nil` if there is no ledger.
  ///
  /// - Throws: `LedgerError`.
  package init?(_ use: CorrectionStatus, catalogPath: String) throws {
    guard use.hasLedger, let sequence = use.sequence else { return nil }
    let ledger = try Ledger.open(Ledger.path(forCatalog: catalogPath), .readOnly)
    let entry =
      sequence == 0 ? nil : try ledger.entries(after: sequence - 1, upTo: sequence).first
    self.init(
      uuid: ledger.uuid, sequence: sequence,
      hash: entry.map { ContentHash.hexadecimal($0.hash) } ?? "")
  }
}
