package import AssayCore
import GRDB

/// Parts with records of bytes: the results of shards that do not belong to a run.
package enum RecordPart {
  /// The version of the tables and of the records.
  static let version = 1
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
            INSERT INTO work VALUES (\(RecordPart.version), 0, 0, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'));
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
  /// The counts of a part with records; `nil` for a part of a run.
  static func recordCounts(_ database: Database) throws -> (Int, Int, String)? {
    let hasRecords = try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'record')")
    guard hasRecords == true else { return nil }
    let row = try Row.fetchOne(
      database, sql: "SELECT version, samples, failed, createdAt FROM work")
    guard let row, row[0] as Int == RecordPart.version else { throw PartFault.otherSchema }
    let (samples, failed): (Int, Int) = (row[1], row[2])
    guard samples >= failed, failed >= 0 else {
      throw PartFault.inconsistent("its counts are wrong")
    }
    return (samples, failed, row[3])
  }

  /// Reads all records, by place.
  ///
  /// - Throws: ``PartFault``, also for a record of other values; `StoreError`; what `body` throws.
  package func forEachRecord(_ body: (Int, inout ByteDecoder) throws -> Void) throws {
    try Self.seal.reading(path) { database in
      let rows = try RawStatement(database, "SELECT place, bytes FROM record ORDER BY place")
      while try rows.step() {
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
