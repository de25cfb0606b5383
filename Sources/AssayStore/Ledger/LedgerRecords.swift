package import AssayCore

/// The last entry of a ledger and its hash.
package struct LedgerHead: Hashable, Sendable {
  /// The last entry's sequence; 0 if there is none.
  package var sequence: Int64
  /// The last entry's hash; if there is none, the hash that the first entry follows.
  package var hash: [UInt8]

  package init(sequence: Int64, hash: [UInt8]) {
    self.sequence = sequence
    self.hash = hash
  }
}

/// The result of appending an entry.
package struct AppendOutcome: Hashable, Sendable {
  /// The entry as stored in the ledger; for a repeat, as stored the first time.
  package var entry: LedgerEntry
  /// True if the ledger already had the entry.
  package var isRepeat: Bool
  /// True if the entry does not follow the last one of the sample's main branch at that time: it is
  /// kept on a separate branch.
  package var isConflict: Bool
  /// The last entry of the sample's main branch now, which the next entry must follow. This is the
  /// entry itself unless it is a conflict or a repeat.
  package var head: Int64
}

/// A sample that has entries in the ledger.
package struct LedgerSample: Hashable, Sendable {
  package var dataset: String
  package var key: String
  /// The content hash of its last entry.
  package var contentHash: String
  package var entries: Int
  package var first: Int64
  package var last: Int64

  /// Dataset, key and the last entry's content hash.
  package var identity: SampleIdentity {
    SampleIdentity(dataset: dataset, key: key, contentHash: contentHash)
  }
}

/// The columns of an entry before it is added to the chain.
package struct LedgerRow: Hashable, Sendable {
  package var uuid: String
  package var format: Int64
  package var sample: SampleIdentity
  package var target: String
  package var kind: String
  package var visit: String
  package var parent: CorrectionDraft.Parent
  /// The JSON text of an object, kept unchanged.
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
      uuid: draft.uuid,
      format: draft.isIndependent ? IndependentVersion.entryFormat : Ledger.entryFormat,
      sample: draft.sample, target: draft.target.text, kind: draft.kind.rawValue,
      visit: draft.visit, parent: draft.parent, payload: draft.payload.canonicalText)
  }
}
