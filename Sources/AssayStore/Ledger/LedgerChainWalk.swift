import AssayCore
import GRDB

extension Ledger {
  /// Verifies the chain from the first entry on, and also guards, indexes and pages.
  ///
  /// An entry with a kind or format from a later version is not an error. Missing entries at the
  /// end can be detected only by comparison with an earlier head of the ledger.
  ///
  /// - Parameter known: an earlier head of the ledger.
  /// - Throws: ``LedgerError``, and any error that `progress` throws.
  package func verify(
    known: LedgerHead? = nil, progress: Catalog.Progress? = nil
  ) throws -> LedgerVerification {
    try read("verifying it") { database in
      var walk = LedgerChainWalk(ledger: uuid, known: known)
      var total = 0
      var fault: LedgerFault?
      do {
        try CatalogFile.noticingReadFailure(database) {
          total = try Int.fetchOne(database, sql: "SELECT count(*) FROM correction") ?? 0
          fault = try walk.firstFault(database, total: total, progress: progress)
          if let twin = try Self.firstTwin(database), twin.sequence ?? 0 < fault?.sequence ?? .max {
            fault = twin
          }
          if fault == nil,
            let words = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)"),
            words != "ok"
          {
            fault = LedgerFault(sequence: nil, why: .file(words))
          }
          if fault == nil, let name = try LedgerCheck(path: path).firstChangedObject(database) {
            fault = LedgerFault(sequence: nil, why: .guards(name))
          }
        }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
        fault = LedgerFault(sequence: nil, why: .file(error.message ?? "malformed"))
      }
      return LedgerVerification(count: total, head: walk.head, firstBad: fault)
    }
  }

  /// The first entry that has the uuid of an earlier one. Reads the table itself, not its index.
  private static func firstTwin(_ database: Database) throws -> LedgerFault? {
    let statement = try RawStatement(
      database,
      """
      SELECT max(sequence) AS later, min(sequence) FROM correction NOT INDEXED
      GROUP BY uuid HAVING count(*) > 1 ORDER BY later LIMIT 1
      """)
    guard try statement.step() else { return nil }
    return LedgerFault(sequence: statement.integer(0), why: .uuid(earlier: statement.integer(1)))
  }
}

/// A walk along the chain, over the stored bytes: a text decoded from damaged bytes might be equal
/// to the one that was written.
private struct LedgerChainWalk {
  /// The last valid entry.
  private(set) var head: LedgerHead
  private let known: LedgerHead?

  init(ledger uuid: String, known: LedgerHead?) {
    head = LedgerHead(sequence: 0, hash: LedgerHash.first(ledger: uuid))
    self.known = known
  }

  mutating func firstFault(
    _ database: Database, total: Int, progress: Catalog.Progress?
  ) throws -> LedgerFault? {
    let rows = try RawStatement(
      database, "SELECT \(LedgerReader.columns) FROM correction NOT INDEXED ORDER BY sequence")
    let parents = try RawStatement(
      database,
      """
      SELECT 1 FROM correction AS child JOIN correction AS parent ON parent.sequence = child.parent
      WHERE child.sequence = ?1 AND parent.sequence < child.sequence
        AND parent.dataset = child.dataset AND parent.key = child.key
      """)
    while try rows.step() {
      let sequence = rows.integer(0)
      if let why = try fault(of: rows, sequence, parents) {
        return LedgerFault(sequence: sequence, why: why)
      }
      head = LedgerHead(sequence: sequence, hash: Array(rows.bytes(12)))
      if let known, known.sequence == sequence, known.hash != head.hash {
        return LedgerFault(sequence: sequence, why: .exchanged)
      }
      try progress?(Double(sequence) / Double(max(total, 1)), "verifying")
    }
    if let known, known.sequence > head.sequence {
      return LedgerFault(sequence: known.sequence, why: .cut(end: head.sequence))
    }
    return nil
  }

  private func fault(
    of row: RawStatement, _ sequence: Int64, _ parents: RawStatement
  ) throws -> LedgerFault.Why? {
    guard sequence == head.sequence + 1 else { return .gap(expected: head.sequence + 1) }
    guard row.bytes(11).elementsEqual(head.hash) else { return .previousHash }
    guard row.bytes(12).elementsEqual(Self.hash(of: row)) else { return .hash }
    guard LedgerLimits.isUUID(row.text(1)) else { return .uuid(earlier: nil) }
    if let parent = row.optionalInteger(9) {
      parents.bind(sequence, at: 1)
      defer { parents.reset() }
      guard try parents.step() else { return .parent(parent) }
    }
    return nil
  }

  private static func hash(of row: RawStatement) -> [UInt8] {
    var fields = LedgerFields()
    fields.add(row.bytes(11))
    fields.add(row.integer(2))
    fields.add(row.integer(0))
    for column: Int32 in [1, 3, 4, 5, 6, 7, 8] {
      fields.add(UnsafeRawBufferPointer(row.textBytes(column)))
    }
    fields.add(row.optionalInteger(9))
    fields.add(UnsafeRawBufferPointer(row.textBytes(10)))
    return fields.digest()
  }
}
