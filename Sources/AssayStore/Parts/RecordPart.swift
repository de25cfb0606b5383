package import AssayCore
import GRDB
import GRDBSQLite

/// Parts with records of bytes: the results of shards that do not belong to a run.
package enum RecordPart {
  /// The version of the tables and of the records.
  static let version: Int64 = 1
  /// The maximum number of samples or files of a part.
  static let limit: Int64 = 1 << 40
}

/// Writes a part with records, on a file that no other process sees before it is complete.
package final class RecordPartWriter {
  private let path: String
  private let database: DatabaseQueue

  /// - Parameter path: a file that does not exist.
  /// - Throws: `StoreError`.
  package init(at path: String) throws {
    self.path = path
    database = try translating(path, "creating a part") {
      var configuration = Configuration()
      // The file is thrown away unless its process completes it and copies it, after a wait for the disk.
      configuration.prepareDatabase { database in
        try database.execute(sql: "PRAGMA journal_mode = MEMORY")
        try database.execute(sql: "PRAGMA synchronous = OFF")
      }
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.write { database in
        try database.execute(
          sql: """
            CREATE TABLE part (identity TEXT NOT NULL) STRICT;  -- JSON
            CREATE TABLE work (
              version INTEGER NOT NULL, samples INTEGER NOT NULL, failed INTEGER NOT NULL,
              createdAt TEXT NOT NULL
            ) STRICT;
            INSERT INTO work VALUES (\(RecordPart.version), 0, 0, '\(RecordTime.now())');
            CREATE TABLE record (place INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
            """)
      }
      return queue
    }
  }

  /// Writes records at places that have none, in one transaction.
  ///
  /// - Throws: `StoreError`.
  package func write(_ records: [(place: Int, bytes: [UInt8])]) throws {
    try translating(path, "writing a part") {
      try database.write { database in
        let insert = try RawStatement(database, "INSERT INTO record (place, bytes) VALUES (?1, ?2)")
        for record in records {
          try record.bytes.withUnsafeBytes { bytes in
            insert.bind(Int64(record.place), at: 1)
            insert.bind(noCopy: bytes, at: 2)
            try insert.run()
          }
        }
      }
    }
  }

  /// Completes the part, after which it takes no records.
  ///
  /// - Parameters:
  ///   - samples: the number of samples or files of the shard.
  ///   - failed: the number of those that could not be read.
  /// - Throws: `StoreError`.
  package func complete(_ identity: PartIdentity, samples: Int, failed: Int) throws {
    try translating(path, "completing a part") {
      try database.write { database in
        try database.execute(
          sql: "INSERT INTO part (identity) VALUES (?)", arguments: [identity.text])
        try database.execute(
          sql: "UPDATE work SET samples = ?, failed = ?", arguments: [samples, failed])
        try database.execute(sql: "PRAGMA application_id = \(PartFile.applicationID)")
      }
      try database.close()
    }
  }
}

extension PartFile {
  /// The names of the tables of a part among those that only some have.
  ///
  /// - Throws: ``PartFault/changed`` if one of them is no table: a view could have no end.
  static func tables(_ database: Database) throws -> Set<String> {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT name, type FROM sqlite_schema
        WHERE name IN ('part', 'work', 'record', 'runSample', 'run') AND type IN ('table', 'view')
        """)
    guard rows.allSatisfy({ $0["type"] as String? == "table" }) else { throw PartFault.changed }
    return Set(rows.compactMap { $0["name"] as String? })
  }

  /// The counts of a part with records.
  static func recordCounts(_ database: Database) throws -> (Int, Int, String) {
    let row = try RawStatement(database, "SELECT version, samples, failed, createdAt FROM work")
    guard try row.step(), (0...2).allSatisfy({ row.type($0) == SQLITE_INTEGER }),
      row.type(3) == SQLITE_TEXT
    else { throw PartFault.inconsistent("its counts are missing") }
    guard row.integer(0) == RecordPart.version else { throw PartFault.otherSchema }
    let (samples, failed) = (row.integer(1), row.integer(2))
    guard (0...samples).contains(failed), samples <= RecordPart.limit else {
      throw PartFault.inconsistent("its counts are wrong")
    }
    return (Int(samples), Int(failed), row.text(3))
  }

  /// Reads all records, by place.
  ///
  /// - Throws: ``PartFault``, also for a record of other values; `StoreError`; what `body` throws.
  package func forEachRecord(_ body: (Int, inout ByteDecoder) throws -> Void) throws {
    try Self.seal.reading(path) { database in
      let rows = try RawStatement(database, "SELECT place, bytes FROM record ORDER BY place")
      while try rows.step() {
        guard rows.type(0) == SQLITE_INTEGER, rows.type(1) == SQLITE_BLOB else {
          throw PartFault.inconsistent("a record is of another type")
        }
        var decoder = ByteDecoder(rows.bytes(1))
        do {
          try body(Int(rows.integer(0)), &decoder)
          try decoder.finish()
        } catch is DamagedRecord {
          throw PartFault.inconsistent("the record \(rows.integer(0)) has other values")
        }
      }
    }
  }
}
