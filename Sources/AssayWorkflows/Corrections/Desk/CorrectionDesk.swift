package import AssayCore
package import AssayStore
package import Foundation
import Synchronization

/// Where corrections are handed in: what the command line and the editor's server both call.
///
/// It turns what a person wants the truth to be into an entry of the ledger, and back. It keeps each sample's
/// replay, so that a save costs its own change only; entries that other processes wrote are taken in before
/// anything is said. Its methods may be called from any thread: those of one sample take turns.
package final class CorrectionService: Sendable {
  package let catalog: Catalog
  package let ledger: Ledger
  let clock: @Sendable () -> Date
  let samples = Mutex(SampleStateCache())
  let runs = Mutex<[Int64: RunCache]>([:])

  /// - Parameters:
  ///   - catalog: reads the imported truth; where the image's content hash is to be kept, it must be
  ///     writable.
  ///   - clock: tells the time of an entry.
  package init(
    catalog: Catalog, ledger: Ledger, clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.catalog = catalog
    self.ledger = ledger
    self.clock = clock
  }

  /// How the ledger names a sample. Its image is hashed unless it was already, and the file is the same since.
  ///
  /// - Throws: ``CorrectionError``.
  package func identity(of sample: SampleRecord) throws(CorrectionError) -> SampleIdentity {
    try working(on: sample) { state in state.identity }
  }

  /// What the source says of a sample.
  ///
  /// - Throws: ``CorrectionError``.
  package func imported(of sample: SampleRecord) throws(CorrectionError) -> ImportedTruth {
    try working(on: sample) { state in state.replay.imported }
  }

  /// What counts of a sample.
  ///
  /// - Parameter sequence: the last entry that is read; `nil` for all.
  /// - Throws: ``CorrectionError``.
  package func truth(
    of sample: SampleRecord, upTo sequence: Int64? = nil
  ) throws(CorrectionError) -> EffectiveTruth {
    try working(on: sample) { state in
      guard let sequence, sequence < state.replay.lastSequence ?? 0 else {
        return state.replay.truth()
      }
      return CorrectionReplay.replay(
        state.replay.imported, state.replay.entries, contentHash: state.identity.contentHash,
        upTo: sequence)
    }
  }
  /// The sample of a dataset with a key.
  ///
  /// - Throws: ``CorrectionError``; `StoreError` for a dataset that is not there.
  package func sample(_ name: SampleName) throws -> SampleRecord {
    try catalog.sample(named: name)
  }

  /// What somebody saw before an entry of a sample, and after it.
  ///
  /// - Throws: ``CorrectionError``.
  package func contents(
    around entry: LedgerEntry, of sample: SampleRecord
  ) throws(CorrectionError) -> (before: ReplayedContent, after: ReplayedContent) {
    try working(on: sample) { state in
      guard let after = state.replay.content(after: entry.sequence),
        let before = state.replay.content(after: entry.parent)
      else {
        throw CorrectionError.unknownEntry("\(entry.sequence)", key: state.identity.key)
      }
      return (before, after)
    }
  }
}
