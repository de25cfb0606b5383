import Foundation
import GRDB

extension Catalog {
  /// The last entry of a ledger that any command on this catalog has seen; `nil` if none has seen an
  /// entry.
  package func seenLedger() throws -> SeenLedger? {
    try read("reading the mirror") { database in
      guard try CorrectionMirror.exists(in: database) else { return nil }
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT ledger, sequence, hash FROM truthState WHERE sequence > 0
          ORDER BY isHead DESC, sequence DESC LIMIT 1
          """)
      return row.map {
        SeenLedger(
          ledger: $0["ledger"],
          head: LedgerHead(sequence: $0["sequence"], hash: Array($0["hash"] as Data)))
      }
    }
  }

  /// The entries that this catalog has seen and its ledger no longer has; `nil` if there are none.
  ///
  /// A ledger with another UUID is no loss: entries that were exported and imported are in such a
  /// one.
  ///
  /// - Parameter ledger: `nil` if there is no ledger.
  package func loss(of ledger: Ledger?) throws -> LedgerLoss? {
    guard let seen = try seenLedger() else { return nil }
    guard let ledger else { return .missing(seen: seen.head.sequence) }
    guard ledger.uuid == seen.ledger else { return nil }
    let head = try ledger.head()
    guard seen.head.sequence <= head.sequence else {
      return .cut(end: head.sequence, seen: seen.head.sequence)
    }
    return try ledger.hash(at: seen.head.sequence, head: head) == seen.head.hash
      ? nil : .exchanged(seen: seen.head.sequence)
  }

  /// Opens this catalog's ledger for writing, creating it if `access` says so and the catalog has
  /// never seen one.
  ///
  /// - Throws: ``LedgerError/lost(path:_:)`` if entries that the catalog has seen are gone; the
  ///   errors of ``Ledger/open(_:_:synchronous:busyTimeout:)``.
  package func openLedger(_ access: Ledger.Access) throws -> Ledger {
    let place = Ledger.path(forCatalog: path)
    if !Ledger.exists(at: place), let loss = try loss(of: nil) {
      throw LedgerError.lost(path: place, loss)
    }
    let ledger = try Ledger.open(place, access)
    if let loss = try loss(of: ledger) { throw LedgerError.lost(path: place, loss) }
    return ledger
  }

  /// Removes what this catalog has seen of ledgers, so that the ledger beside it, or a new one, is
  /// taken as it is.
  ///
  /// - Returns: the last entry that had been seen; `nil` if there was none.
  package func forgetLedger() throws -> SeenLedger? {
    guard let seen = try seenLedger() else { return nil }
    try write("forgetting the ledger") { database in
      let states = try Int64.fetchAll(database, sql: "SELECT id FROM truthState")
      for state in states { try CorrectionMirror.drop(state, schema: "main", in: database) }
    }
    return seen
  }
}

extension Ledger {
  /// Opens the ledger beside a catalog for reading; the catalog need not exist or be readable.
  ///
  /// - Throws: ``LedgerError/lost(path:_:)`` if there is none and the catalog has seen one; the errors
  ///   of ``open(_:_:synchronous:busyTimeout:)``.
  package static func open(besideCatalog catalog: String) throws -> Ledger {
    let place = path(forCatalog: catalog)
    if !exists(at: place), let loss = try? Catalog.open(catalog, .readOnly).loss(of: nil) {
      throw LedgerError.lost(path: place, loss)
    }
    return try open(place, .readOnly)
  }
}
