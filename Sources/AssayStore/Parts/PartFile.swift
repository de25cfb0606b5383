package import AssayCore
import Foundation
import GRDB

/// The reasons why a file is not a usable part of a run.
package enum PartFault: Error, Hashable, Sendable {
  /// The end of the file is missing, or it is another file.
  case incomplete
  /// The bytes are not those that were written.
  case changed
  /// It was written with other tables than this version of assay has.
  case otherSchema
  /// The rows do not fit each other; with the problem.
  case inconsistent(String)
}

/// A part of a run: an SQLite file with the tables of a catalog, followed by the SHA-256 of its bytes. Parts
/// of other work (``PartWork``) have records of bytes instead.
///
/// The hash comes after the last page, where SQLite does not read: a part that was cut or damaged is
/// recognized in one pass over the file.
package struct PartFile: Sendable {
  package let path: String
  package let identity: PartIdentity
  /// The number of samples of the shard, and how many of them failed.
  package let samples: Int
  package let failed: Int
  /// The size of the file in bytes.
  package let size: Int
  /// The time when the part was begun, as `2026-01-31T12:00:00Z`.
  package let createdAt: String

  /// `application_id` of a part: "aspt".
  static let applicationID: Int32 = 0x6173_7074

  /// The seal of parts.
  package static let seal = FileSeal(kind: "part", applicationID: applicationID)

  /// Reads a part's identity and counts, without reading all of its bytes.
  ///
  /// - Throws: ``PartFault``; `StoreError` if the file cannot be read.
  package init(_ path: String) throws {
    self.path = path
    size = try Self.seal.size(of: path)
    (identity, samples, failed, createdAt) = try Self.seal.reading(path) { database in
      let tables = try Self.tables(database)
      let records = tables.contains("record") ? try Self.recordCounts(database) : nil
      if records == nil, try !FileSeal.hasCurrentSchema(database) { throw PartFault.otherSchema }
      guard
        let text = try String.fetchOne(database, sql: "SELECT identity FROM part"),
        let identity = PartIdentity(text)
      else { throw PartFault.inconsistent("its identity is missing") }
      if let (samples, failed, createdAt) = records {
        return (identity, samples, failed, createdAt)
      }
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT count(*), count(*) FILTER (WHERE status = 'failed'),
            count(*) FILTER (WHERE status = 'pending'), (SELECT max(createdAt) FROM run)
          FROM runSample
          """)
      guard let row, row[2] as Int == 0, let createdAt = row[3] as String? else {
        throw PartFault.inconsistent("samples are pending")
      }
      return (identity, row[0], row[1], createdAt)
    }
  }

  /// Compares the bytes of the whole file with their hash.
  ///
  /// - Throws: ``PartFault``; `StoreError` if the file cannot be read.
  package func verify() throws { try Self.seal.verify(path, size: size) }

  /// The run as the part has it, with the samples of its shard.
  ///
  /// - Throws: ``PartFault``, `StoreError`.
  package func run() throws -> RunRecord {
    try Self.seal.reading(path) { database in
      let row = try Row.fetchOne(database, sql: RunRecord.query)
      guard let row else { throw PartFault.inconsistent("its run is missing") }
      return try RunRecord(row: row, in: database)
    }
  }

  /// Opens a part for reading.
  func connect() throws -> DatabaseQueue { try FileSeal.connect(path) }
}
