import AssayCore
import AssayStore
import Foundation

/// Saves an edit of a tag or a custom field for several samples as entries of the ledger, in batches.
struct TagEntryWriter {
  /// The number of entries of a batch: another process that saves waits for one at most.
  static let batch = 2_000

  let ledger: Ledger
  /// The edit as stored.
  let edit: SampleEdit
  let author: String
  /// The name of the tool in the entries.
  let tool: String
  /// One visit for all entries: they are one action.
  let visit: String

  /// - Parameters:
  ///   - uuid: the uuid of the first entry.
  ///   - isDone: called after each batch is on disk, with its outcomes and the number of samples so far.
  /// - Throws: `LedgerError`; ``Interrupted``, after whole batches.
  func save(
    _ samples: [SampleIdentity], firstUUID uuid: String? = nil,
    _ isDone: (_ outcomes: [AppendOutcome], _ count: Int) -> Void
  ) throws {
    var start = 0
    while start < samples.count {
      try Interruption.check(
        "\(start) of \(samples.count) samples are saved; run the same command to continue")
      let end = min(samples.count, start + Self.batch)
      let outcomes = try ledger.append(
        samples[start..<end].enumerated().map { place, sample in
          draft(of: sample, uuid: start + place == 0 ? uuid : nil)
        })
      isDone(outcomes, end)
      start = end
    }
  }

  /// Returns when an entry that the ledger has already is on disk.
  func confirm(_ known: LedgerEntry) throws {
    try ledger.append(draft(of: known.sample, uuid: known.uuid))
  }

  private func draft(of sample: SampleIdentity, uuid: String?) -> CorrectionDraft {
    CorrectionDraft(
      uuid: uuid ?? UUID().uuidString.lowercased(), sample: sample, target: .sample,
      kind: edit.kind, visit: visit, parent: .head,
      payload: .object(
        [.init("author", .string(author))] + edit.members + [
          .init("time", .string(Date().formatted(.iso8601))), .init("tool", .string(tool)),
        ]))
  }

  /// Returns whether an entry is one that this writer makes.
  func isOwn(_ entry: LedgerEntry) -> Bool {
    guard entry.visit == visit, entry.kind == edit.kind.rawValue,
      let payload = try? JSONValue(parsing: entry.payload)
    else { return false }
    return SampleEdit(kind: edit.kind, payload: payload) == edit
  }
}
