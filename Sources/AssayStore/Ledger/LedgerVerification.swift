/// The result of verifying a ledger's chain.
package struct LedgerVerification: Hashable, Sendable {
  /// The number of entries in the table.
  package var count: Int
  /// The last entry; for a broken chain, the last valid one.
  package var head: LedgerHead
  /// The first error; `nil` if there is none.
  package var firstBad: LedgerFault?
}

/// An error in a ledger, and its place.
package struct LedgerFault: Hashable, Sendable {
  /// The entry; `nil` if the error concerns the file as a whole.
  package var sequence: Int64?
  package var why: Why

  package enum Why: Hashable, Sendable {
    /// The previous sequence is not one less than this one: entries are missing.
    case gap(expected: Int64)
    /// The hash does not match the columns: the row was changed after it was written.
    case hash
    /// The previous hash does not match the previous entry: that row was replaced.
    case previousHash
    /// The uuid is invalid, or is that of an earlier entry.
    case uuid(earlier: Int64?)
    /// The parent is not an earlier entry of the same sample.
    case parent(Int64)
    /// The ledger is known to have had another hash for this entry.
    case exchanged
    /// The ledger is known to have had this last entry, but ends before it.
    case cut(end: Int64)
    /// A table, index or trigger is missing or was changed.
    case guards(String)
    /// SQLite reports that the file is damaged, with its message.
    case file(String)
  }

  /// A machine-readable code: `gap`, `hash`, `previous_hash`, …
  package var code: String {
    switch why {
    case .gap: "gap"
    case .hash: "hash"
    case .previousHash: "previous_hash"
    case .uuid: "uuid"
    case .parent: "parent"
    case .exchanged: "exchanged"
    case .cut: "cut"
    case .guards: "guards"
    case .file: "file"
    }
  }
}

extension LedgerFault: CustomStringConvertible {
  /// The error, without the entry's number.
  package var description: String {
    switch why {
    case .gap(let expected):
      sequence == expected + 1
        ? "entry \(expected) before it is missing"
        : "entries \(expected) to \((sequence ?? expected + 1) - 1) before it are missing"
    case .hash: "its hash does not match its contents: it was changed after it was written"
    case .previousHash:
      "it does not follow the entry before it: one of the two was changed"
    case .uuid(nil): "its uuid is invalid"
    case .uuid(let earlier?): "its uuid equals that of entry \(earlier)"
    case .parent(let parent): "its parent \(parent) is not an earlier entry of the same sample"
    case .exchanged: "the catalog remembers this entry with another hash: the ledger was rewritten"
    case .cut(let end): "the catalog remembers this entry, but the ledger ends with entry \(end)"
    case .guards(let name):
      "“\(name)”, one of the tables and triggers that keep entries from being changed, is missing or not "
        + "what assay created"
    case .file(let words): "the file is damaged, SQLite reports: \(words)"
    }
  }
}
