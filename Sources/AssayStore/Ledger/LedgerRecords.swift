package import AssayCore

/// The last entry of a ledger and its hash.
package struct LedgerHead: Hashable, Sendable {
  /// The last entry's sequence; 0 where there is none.
  package var sequence: Int64
  /// The last entry's hash; where there is none, the one that the first entry follows.
  package var hash: [UInt8]

  package init(sequence: Int64, hash: [UInt8]) {
    self.sequence = sequence
    self.hash = hash
  }
}

/// The result of appending an entry.
package struct AppendOutcome: Hashable, Sendable {
  /// As it is in the ledger; of a repeat, as it was the first time.
  package var entry: LedgerEntry
  /// True if the ledger had the entry already.
  package var isRepeat: Bool
  /// True if the entry does not follow the last one of the sample's main branch as it was then: it
  /// is kept beside it.
  package var isConflict: Bool
  /// The last entry of the sample's main branch now: what the next entry has to follow. The entry itself
  /// where it is no conflict and no repeat.
  package var head: Int64
}

/// A sample that the ledger has entries of.
package struct LedgerSample: Hashable, Sendable {
  package var dataset: String
  package var key: String
  /// Of its last entry.
  package var contentHash: String
  package var entries: Int
  package var first: Int64
  package var last: Int64

  /// Dataset, key and the last entry's content hash.
  package var identity: SampleIdentity {
    SampleIdentity(dataset: dataset, key: key, contentHash: contentHash)
  }
}

/// The columns of an entry before it has its place in the chain.
package struct LedgerRow: Hashable, Sendable {
  package var uuid: String
  package var format: Int64
  package var sample: SampleIdentity
  package var target: String
  package var kind: String
  package var visit: String
  package var parent: CorrectionDraft.Parent
  /// An object's JSON text, kept as it is.
  package var payload: String

  package init(
    uuid: String, format: Int64 = Ledger.entryFormat, sample: SampleIdentity, target: String,
    kind: String, visit: String, parent: CorrectionDraft.Parent, payload: String
  ) {
    self.uuid = uuid
    self.format = format
    self.sample = sample
    self.target = target
    self.kind = kind
    self.visit = visit
    self.parent = parent
    self.payload = payload
  }

  /// The row of a draft, its payload as canonical JSON.
  package init(_ draft: CorrectionDraft) {
    self.init(
      uuid: draft.uuid, sample: draft.sample, target: draft.target.text, kind: draft.kind.rawValue,
      visit: draft.visit, parent: draft.parent, payload: draft.payload.canonicalText)
  }
}
