/// The result of verifying a ledger's chain.
package struct LedgerVerification: Hashable, Sendable {
  /// Entries that the table holds.
  package var count: Int
  /// The last entry; of a chain that is broken, the last good one.
  package var head: LedgerHead
  /// The first thing that is wrong; `nil` where all is well.
  package var firstBad: LedgerFault?
}

/// An error in a ledger, and its place.
package struct LedgerFault: Hashable, Sendable {
  /// The entry; `nil` where it is the file as a whole.
  package var sequence: Int64?
  package var why: Why

  package enum Why: Hashable, Sendable {
    /// The sequence before this one is not one less: entries are missing.
    case gap(expected: Int64)
    /// The hash is not that of the columns: the row was changed after it was written.
    case hash
    /// The previous hash is not that of the entry before: the row before was exchanged.
    case previousHash
    /// The uuid is none, or that of an earlier entry.
    case uuid(earlier: Int64?)
    /// The parent is no earlier entry of the same sample.
    case parent(Int64)
    /// The ledger is known to have had this entry with another hash.
    case exchanged
    /// The ledger is known to have had this last entry, and ends before it.
    case cut(end: Int64)
    /// A table, index or trigger is missing or not what assay made.
    case guards(String)
    /// SQLite finds the file damaged, in its words.
    case file(String)
  }

  /// One word for programs: `gap`, `hash`, `previous_hash`, …
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
