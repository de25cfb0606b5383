/// The tables, the index and the guards of a ledger's file. They are permanent: no version changes
/// them, and new data goes into an entry's payload.
enum LedgerSchema {
  /// `application_id` of a ledger: "aslg".
  static let applicationID: Int32 = 0x6173_6C67
  /// `user_version` of a ledger with this layout.
  static let version: Int32 = 1

  /// The names of the objects and the statements that make them, in order.
  ///
  /// BEFORE INSERT checks the existing rows before SQLite resolves a conflict: without it
  /// `INSERT OR REPLACE` would delete a row, and no DELETE trigger fires then unless
  /// `recursive_triggers` is on. A sequence left to SQLite is -1 there, so it is rejected, too.
  static let objects: [(name: String, sql: String)] = [
    (
      "ledger",
      """
      CREATE TABLE ledger (
        uuid TEXT NOT NULL,
        createdAt TEXT NOT NULL
      ) STRICT
      """
    ),
    (
      "correction",
      """
      CREATE TABLE correction (
        sequence INTEGER PRIMARY KEY,
        uuid TEXT NOT NULL UNIQUE,
        format INTEGER NOT NULL,
        dataset TEXT NOT NULL,
        key TEXT NOT NULL,
        contentHash TEXT NOT NULL,
        target TEXT NOT NULL,
        kind TEXT NOT NULL,
        visit TEXT NOT NULL,
        parent INTEGER,
        payload TEXT NOT NULL,
        previousHash BLOB NOT NULL,
        hash BLOB NOT NULL
      ) STRICT
      """
    ),
    ("correctionSample", "CREATE INDEX correctionSample ON correction (dataset, key)"),
    (
      "ledgerInsert",
      """
      CREATE TRIGGER ledgerInsert BEFORE INSERT ON ledger
      WHEN EXISTS (SELECT 1 FROM ledger)
      BEGIN
        SELECT RAISE(ABORT, 'a ledger has one row');
      END
      """
    ),
    (
      "ledgerUpdate",
      """
      CREATE TRIGGER ledgerUpdate BEFORE UPDATE ON ledger
      BEGIN
        SELECT RAISE(ABORT, 'the ledger is append-only');
      END
      """
    ),
    (
      "ledgerDelete",
      """
      CREATE TRIGGER ledgerDelete BEFORE DELETE ON ledger
      BEGIN
        SELECT RAISE(ABORT, 'the ledger is append-only');
      END
      """
    ),
    (
      "correctionInsert",
      """
      CREATE TRIGGER correctionInsert BEFORE INSERT ON correction
      WHEN NEW.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM correction)
        OR EXISTS (SELECT 1 FROM correction WHERE uuid = NEW.uuid)
      BEGIN
        SELECT RAISE(ABORT, 'the ledger takes the next sequence and a new uuid only');
      END
      """
    ),
    (
      "correctionUpdate",
      """
      CREATE TRIGGER correctionUpdate BEFORE UPDATE ON correction
      BEGIN
        SELECT RAISE(ABORT, 'the ledger is append-only');
      END
      """
    ),
    (
      "correctionDelete",
      """
      CREATE TRIGGER correctionDelete BEFORE DELETE ON correction
      BEGIN
        SELECT RAISE(ABORT, 'the ledger is append-only');
      END
      """
    ),
  ]
}
