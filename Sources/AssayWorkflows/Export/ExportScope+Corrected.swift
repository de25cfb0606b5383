import AssayCore
package import AssayStore

extension ExportScope {
  /// The samples of a view by the corrected truth, without those that people left out.
  ///
  /// - Parameters:
  ///   - catalog: reads the corrected truth.
  ///   - earlier: reads the truth as of the entry `request.since`; `nil` where that is not asked for.
  ///   - ledger: what the manifest says of it; `nil` where there is none.
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

    var ids = Set(try imported.samples(in: selection, where: "corrected = true").map(\.id))
    ids.formUnion(try catalog.samples(in: selection, where: "corrected = true").map(\.id))
    ids.formIntersection(all.map(\.id))
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
    guard !all.isEmpty else { throw ExportError.noSamples(view: view) }
    guard !written.isEmpty else {
      throw ExportError.nothingCorrected(view: view, since: request.since)
    }
    let kept = Set(written.map(\.id))
    var corrections = ExportCorrections(
      request: request, ledger: ledger, samples: samples.filter { kept.contains($0.key) },
      leftOut: try reasons(leftOut, catalog))
    corrections.uncorrected = all.count - written.count
    return ExportScope(
      view: view, dataset: dataset, samples: written, corrections: corrections)
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

  /// The samples whose truth, or whether they count, is another one than at an earlier entry.
  private static func changedSince(
    _ earlier: Catalog, _ catalog: Catalog, _ all: [SampleRecord], _ names: [String]
  ) throws -> Set<Int64> {
    let ids = all.map(\.id)
    var then: [Int64: CorrectedSampleRecord] = [:]
    for record in try earlier.corrected(of: ids) { then[record.sample] = record }
    let now = try catalog.corrected(of: ids)
    // Without an entry in between nothing can have changed.
    let touched = now.filter { $0 != then[$0.sample] }.map(\.sample).sorted()
    let changes = try SampleCorrections(from: earlier, to: catalog, categories: names)
      .changes(of: touched)
    var changed = Set(zip(touched, changes).filter { $0.1.isChanged }.map(\.0))
    for id in touched where then[id]?.leftOut != nil { changed.insert(id) }
    return changed
  }
}

extension SampleCorrection {
  /// Takes over who did it and how often.
  fileprivate mutating func take(_ record: CorrectedSampleRecord) {
    corrections = record.corrections
    entries = record.entries
    authors = record.authors
    seconds = record.seconds
    lastEntry = record.head
  }
}
