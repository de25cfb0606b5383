import AssayCore
import GRDB

extension Catalog {
  /// The last known hash of a sample's image; `nil` if it has not been computed since the last
  /// import.
  package func contentHash(of sample: Int64) throws -> String? {
    try read("reading an image's hash") { database in
      try String.fetchOne(
        database, sql: "SELECT contentHash FROM sample WHERE id = ?", arguments: [sample])
    }
  }

  /// Stores the hash of a sample's image. If it differs from the stored one, the sample's
  /// corrections are checked again when the catalog is next opened.
  ///
  /// - Returns: whether it was stored: the catalog may not be writable at the moment.
  @discardableResult
  package func setContentHash(_ sample: Int64, _ hash: String) throws -> Bool {
    guard try contentHash(of: sample) != hash else { return true }
    return try setContentHashes([sample: hash])
  }

  /// Stores the hashes of samples' images, by row id; see ``setContentHash(_:_:)``.
  @discardableResult
  package func setContentHashes(_ hashes: [Int64: String]) throws -> Bool {
    guard !hashes.isEmpty else { return true }
    let kept: Void? = try writing("keeping images' hashes") { database in
      let notice = try RawStatement(
        database,
        """
        INSERT OR IGNORE INTO staleTruth (dataset, key)
        SELECT d.name, s.key FROM sample s JOIN dataset d ON d.id = s.dataset
        WHERE s.id = ?1 AND s.contentHash IS NOT ?2
          AND (s.contentHash IS NOT NULL OR EXISTS (
            SELECT 1 FROM correctionIssue i WHERE i.sample = s.id AND i.kind = 'unreadable'))
        """)
      let update = try RawStatement(
        database, "UPDATE sample SET contentHash = ?2 WHERE id = ?1 AND contentHash IS NOT ?2")
      for (sample, hash) in hashes.sorted(by: { $0.key < $1.key }) {
        for statement in [notice, update] {
          statement.bind(sample, at: 1)
          statement.bind(hash, at: 2)
          try statement.run()
        }
      }
    }
    return kept != nil
  }

  /// Writes on a separate connection, which also works for a catalog opened for reading.
  ///
  /// - Returns: `nil` if the file cannot be written now: it is read-only, or another process writes
  ///   for longer than a second.
  func writing<Value>(
    _ doing: String, busyTimeout: Double = 1, _ work: (Database) throws -> Value
  ) throws -> Value? {
    guard let writer = try CatalogFile.openWriter(path, busyTimeout: busyTimeout) else {
      return nil
    }
    return try translating(path, doing) {
      do {
        return try writer.inDatabase { database in
          try database.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA synchronous = NORMAL")
          var value: Value?
          try database.inTransaction(.immediate) {
            value = try work(database)
            return .commit
          }
          return value
        }
      } catch let error as DatabaseError where CatalogFile.isRefusal(error) {
        return nil
      }
    }
  }
}
