/// Entries that a catalog has seen in its ledger and that the ledger no longer has.
package enum LedgerLoss: Hashable, Sendable {
  /// There is no ledger; the catalog has seen its entries up to `seen`.
  case missing(seen: Int64)
  /// The ledger ends with entry `end`; the catalog has seen its entries up to `seen`.
  case cut(end: Int64, seen: Int64)
  /// The ledger's entry `seen` is another one than the one that the catalog has seen.
  case exchanged(seen: Int64)
}

extension LedgerLoss: CustomStringConvertible {
  /// The loss, as a clause that follows the ledger's path.
  package var description: String {
    switch self {
    case .missing(let seen): "is missing, and the catalog has seen \(Self.entries(seen)) of it"
    case .cut(0, let seen): "is empty, and the catalog has seen \(Self.entries(seen)) of it"
    case .cut(let end, let seen):
      "ends with entry \(end), and the catalog has seen entry \(seen)"
    case .exchanged(let seen): "has another entry \(seen) than the one that the catalog has seen"
    }
  }

  /// The next step: two sentences.
  static let advice =
    "restore a backup of the ledger (`assay backup` makes one); `assay corrections forget` accepts "
    + "that the entries are lost"

  private static func entries(_ count: Int64) -> String {
    "\(count) \(count == 1 ? "entry" : "entries")"
  }
}

/// The last entry of a ledger that a catalog has seen.
package struct SeenLedger: Hashable, Sendable {
  /// The ledger's UUID.
  package var ledger: String
  package var head: LedgerHead
}
