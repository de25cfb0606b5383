import Foundation
import GRDB
import Testing

import AssayStore

@Suite("The ledger's guards")
struct LedgerGuardTests {
  private static let row =
    "format, dataset, key, contentHash, target, kind, visit, parent, payload, previousHash, hash"

  /// Statements that change or delete existing entries, or insert an entry that is not the next
  /// one. The ledger has the entries 1 to 3.
  static let refused = [
    "UPDATE correction SET payload = '{}'",
    "UPDATE correction SET payload = '{}' WHERE sequence = 2",
    "UPDATE OR REPLACE correction SET sequence = 1 WHERE sequence = 2",
    "UPDATE OR IGNORE correction SET uuid = 'x' WHERE sequence = 2",
    "DELETE FROM correction",
    "DELETE FROM correction WHERE sequence = 3",
    "UPDATE ledger SET uuid = 'x'",
    "DELETE FROM ledger",
    "INSERT INTO ledger VALUES ('x', 'y')",
    "INSERT OR REPLACE INTO ledger (rowid, uuid, createdAt) VALUES (1, 'x', 'y')",
    "REPLACE INTO ledger (rowid, uuid, createdAt) VALUES (1, 'x', 'y')",
    "INSERT OR IGNORE INTO ledger (rowid, uuid, createdAt) VALUES (1, 'x', 'y')",
    "INSERT OR REPLACE INTO correction SELECT * FROM correction WHERE sequence = 3",
    "INSERT OR REPLACE INTO correction SELECT * FROM correction WHERE sequence = 1",
    "INSERT OR IGNORE INTO correction SELECT * FROM correction WHERE sequence = 1",
    "REPLACE INTO correction (sequence, uuid, \(row)) SELECT 2, 'new', \(row) FROM correction LIMIT 1",
    "REPLACE INTO correction (rowid, uuid, \(row)) SELECT 2, 'new', \(row) FROM correction LIMIT 1",
    // The uuid exists, with another sequence number.
    "REPLACE INTO correction (sequence, uuid, \(row)) SELECT 4, uuid, \(row) FROM correction LIMIT 1",
    "INSERT INTO correction (sequence, uuid, \(row)) SELECT 4, uuid, \(row) FROM correction LIMIT 1",
    "INSERT INTO correction (sequence, uuid, \(row)) SELECT 5, 'new', \(row) FROM correction LIMIT 1",
    "INSERT INTO correction (sequence, uuid, \(row)) SELECT 0, 'new', \(row) FROM correction LIMIT 1",
    "INSERT INTO correction (sequence, uuid, \(row)) SELECT -1, 'new', \(row) FROM correction LIMIT 1",
    // A sequence number that is left to SQLite would be the right one, but is not stated.
    "INSERT INTO correction (uuid, \(row)) SELECT 'new', \(row) FROM correction LIMIT 1",
    "INSERT INTO correction (sequence, uuid, \(row)) SELECT NULL, 'new', \(row) FROM correction LIMIT 1",
    """
    INSERT INTO correction (sequence, uuid, \(row)) SELECT 1, 'new', \(row) FROM correction WHERE true LIMIT 1
    ON CONFLICT (sequence) DO UPDATE SET payload = '{}'
    """,
    """
    INSERT INTO correction (sequence, uuid, \(row)) SELECT 4, uuid, \(row) FROM correction WHERE true LIMIT 1
    ON CONFLICT (uuid) DO UPDATE SET payload = '{}'
    """,
  ]

  @Test("What is there stays, whatever the statement", arguments: refused, [false, true])
  func refuses(sql: String, recursive: Bool) throws {
    let house = try TemporaryLedger(entries: 3)
    let before = try house.ledger.entries()
    let queue = try DatabaseQueue(path: house.ledger.path)
    try queue.inDatabase { database in
      try database.execute(sql: "PRAGMA recursive_triggers = \(recursive ? "ON" : "OFF")")
      let error = #expect(throws: DatabaseError.self) { try database.execute(sql: sql) }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_TRIGGER)
    }
    #expect(try house.ledger.entries() == before)
    #expect(try house.ledger.verify().firstBad == nil)
  }

  @Test("A row of the wrong types is refused")
  func strict() throws {
    let house = try TemporaryLedger(entries: 1)
    for (column, value) in [("hash", "'text'"), ("payload", "x'00'"), ("kind", "NULL")] {
      let columns = Self.row.split(separator: ", ").map { $0 == column ? value : String($0) }
      #expect(throws: DatabaseError.self) {
        try house.tamper(
          """
          INSERT INTO correction (sequence, uuid, \(Self.row))
          SELECT 2, 'new', \(columns.joined(separator: ", ")) FROM correction
          """)
      }
    }
    #expect(try house.ledger.head().sequence == 1)
  }

  @Test("A ledger without a guard is read, but takes nothing")
  func missingGuard() throws {
    let house = try TemporaryLedger(entries: 2)
    try house.tamper("DROP TRIGGER correctionDelete")
    #expect(throws: LedgerError.self) { try Ledger.open(house.ledger.path, .readWrite) }
    let reader = try Ledger.open(house.ledger.path, .readOnly)
    #expect(try reader.entries().count == 2)
    #expect(try reader.verify().firstBad?.why == .guards("correctionDelete"))
  }

  @Test("An index of a later version does not matter")
  func addedIndex() throws {
    let house = try TemporaryLedger(entries: 2)
    try house.tamper("CREATE INDEX later ON correction (visit)")
    let again = try Ledger.open(house.ledger.path, .readWrite)
    #expect(try again.append(TemporaryLedger.draft(9)).entry.sequence == 3)
    #expect(try again.verify().firstBad == nil)
  }
}
