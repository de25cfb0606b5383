import AssayCore
package import AssayStore
import Foundation

/// Writes a ledger's entries to a JSON Lines file: first a line about the ledger, then one line per
/// entry with all of its data.
package struct CorrectionsExport {
  /// The result of the export.
  package struct Summary: Sendable {
    package var path: String
    package var ledger: String
    package var entries = 0
    package var samples = 0
    package var since: Int64
    package var dataset: String?
    /// The ledger's last entry.
    package var head: LedgerHead
    /// The first entry whose hash does not match its contents; an import will reject the file.
    package var firstBad: Int64?
  }

  private let ledger: Ledger
  private let progress: any ProgressSink

  package init(ledger: Ledger, progress: any ProgressSink = NoProgress()) {
    self.ledger = ledger
    self.progress = progress
  }

  /// - Parameters:
  ///   - path: the output file, which appears only once it is complete and on disk.
  ///   - since: excludes the entries up to this sequence.
  ///   - dataset: restricts the export to this dataset.
  /// - Throws: ``ExchangeError``, ``LedgerError``, ``Interrupted``.
  package func run(
    to path: String, since: Int64 = 0, dataset: String? = nil, overwrite: Bool = false
  ) throws -> Summary {
    guard let file = SingleFile(path, overwrite: overwrite) else {
      throw ExchangeError.fileExists(path: path)
    }
    if let dataset { try checkDataset(dataset) }
    let head = try ledger.head()
    var summary = Summary(
      path: path, ledger: ledger.uuid, since: since, dataset: dataset, head: head)
    let samples = try ledger.samples(after: since, dataset: dataset)
    // Entries appended after the head was read have larger sequences and are left out.
    summary.entries = try count(samples, upTo: head.sequence, since: since, dataset: dataset)
    summary.samples = samples.count { $0.first <= head.sequence }
    do {
      let draft = try file.draft()
      try write(&summary, to: draft)
      try file.finish(draft, synchronizing: true)
    } catch let error as FileFailure where error.code == EEXIST {
      throw ExchangeError.fileExists(path: path)
    } catch let error as FileFailure {
      throw ExchangeError.cannotWrite(path: path, reason: error.reason)
    }
    return summary
  }

  private func checkDataset(_ dataset: String) throws {
    let known = Set(try ledger.samples().map(\.dataset)).sorted()
    guard known.contains(dataset) else {
      throw ExchangeError.noCorrections(
        dataset: dataset, suggestion: NearMiss.suggestion(for: dataset, among: known), known: known)
    }
  }

  private func count(
    _ samples: [LedgerSample], upTo head: Int64, since: Int64, dataset: String?
  ) throws -> Int {
    let total = samples.reduce(0) { $0 + $1.entries }
    guard samples.contains(where: { $0.last > head }) else { return total }
    return total - (try ledger.entries(after: head, dataset: dataset).count)
  }

  private func write(_ summary: inout Summary, to out: FileDraft) throws {
    let header = ExchangeHeader(
      ledger: ledger, head: summary.head, entries: summary.entries, since: summary.since,
      dataset: summary.dataset)
    var lines = header.json.text() + "\n"
    var uuids: [Int64: String] = [:]
    var done = 0
    try ledger.forEachEntry(
      after: summary.since, upTo: summary.head.sequence, dataset: summary.dataset
    ) { entry in
      uuids[entry.sequence] = entry.uuid
      var parent: String?
      if let sequence = entry.parent {
        parent = try uuids[sequence] ?? ledger.entry(sequence: sequence)?.uuid
      }
      if summary.firstBad == nil, LedgerHash.hash(of: entry) != entry.hash {
        summary.firstBad = entry.sequence
      }
      lines += ExchangeLine(entry: entry, parent: parent).json.text() + "\n"
      done += 1
      if lines.utf8.count > 1 << 20 {
        try out.append(Array(lines.utf8))
        lines = ""
      }
      try Interruption.check("nothing was exported")
      progress.report(Double(done) / Double(max(1, summary.entries)), "exporting corrections")
    }
    try out.append(Array(lines.utf8))
  }
}
