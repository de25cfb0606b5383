package import AssayCore
import AssayStore

/// Imports the entries of a file into a ledger, to merge the work of two people: each entry once,
/// by its uuid, after the entry that it follows, in the file's order.
///
/// If both worked on a sample, the entries that come second are kept as a conflict.
package struct CorrectionsImport {
  /// The result of the import.
  package struct Summary: Sendable {
    package var path: String
    /// The ledger that the file was exported from.
    package var source: String
    /// The ledger that the entries are in now.
    package var ledger: String
    package var isNewLedger: Bool
    /// The number of entries that are new to the ledger.
    package var new = 0
    /// The number of entries that the ledger already had.
    package var known = 0
    /// The new entries that do not follow the last entry of their sample, by sample.
    package var conflicts: [Conflict] = []
    /// The ledger's last entry.
    package var head: Int64 = 0

    /// The number of new entries that are kept outside the main branch.
    package var conflictingEntries: Int { conflicts.reduce(0) { $0 + $1.entries } }
  }

  /// A sample that two people worked on.
  package struct Conflict: Hashable, Sendable {
    package var sample: SampleIdentity
    package var entries: Int
  }

  private let path: String
  private let progress: any ProgressSink

  /// - Parameter path: the ledger's path; the ledger is created if it does not exist.
  package init(ledger path: String, progress: any ProgressSink = NoProgress()) {
    self.path = path
    self.progress = progress
  }

  /// Imports a file in one transaction: all of it or nothing.
  ///
  /// The file is read twice, so that an invalid file neither creates a ledger nor blocks other
  /// writers.
  ///
  /// - Throws: ``ExchangeError``, ``LedgerError``, ``Interrupted``.
  package func run(_ file: String) throws -> Summary {
    var check = try ExchangeFile(file)
    while try check.next() != nil {
      try Interruption.check("nothing was imported")
      progress.report(check.fraction / 2, "reading corrections")
    }
    let isNew = !Ledger.exists(at: path)
    let ledger = try Ledger.open(path, .create)
    return try ledger.appending { appender in
      var rows = try ExchangeFile(file)
      var summary = Summary(
        path: file, source: rows.header.ledger, ledger: ledger.uuid, isNewLedger: isNew)
      var conflicts: [SampleIdentity: Int] = [:]
      while let row = try rows.next() {
        try Interruption.check("nothing was imported")
        progress.report(0.5 + rows.fraction / 2, "importing corrections")
        if try isKnown(row, line: rows.line, file, appender) {
          summary.known += 1
          continue
        }
        let outcome = try append(row, line: rows.line, file, appender)
        summary.new += 1
        summary.head = outcome.entry.sequence
        guard outcome.isConflict else { continue }
        var sample = row.entry.sample
        sample.contentHash = ""
        if let place = conflicts[sample] {
          summary.conflicts[place].entries += 1
        } else {
          conflicts[sample] = summary.conflicts.count
          summary.conflicts.append(Conflict(sample: row.entry.sample, entries: 1))
        }
      }
      if summary.new == 0 { summary.head = try ledger.head().sequence }
      return summary
    }
  }

  private func isKnown(
    _ row: ExchangeLine, line: Int, _ file: String, _ appender: LedgerAppender
  ) throws -> Bool {
    guard let entry = try appender.entry(uuid: row.entry.uuid) else { return false }
    let own = ExchangeLine(entry: entry, parent: try appender.parentUUID(of: entry))
    guard own.saysTheSame(as: row) else {
      throw ExchangeError.differs(
        path: file, line: line, uuid: entry.uuid, sequence: entry.sequence)
    }
    return true
  }

  private func append(
    _ row: ExchangeLine, line: Int, _ file: String, _ appender: LedgerAppender
  ) throws -> AppendOutcome {
    do {
      return try appender.append(row.row)
    } catch LedgerError.unknownParent(_, let parent) {
      throw ExchangeError.missingParent(path: file, line: line, uuid: parent)
    } catch LedgerError.badEntry(_, let what) {
      throw ExchangeError.badLine(path: file, line: line, what)
    }
  }
}
