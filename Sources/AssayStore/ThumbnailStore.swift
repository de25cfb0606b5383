package import AssayCore
import Foundation
import GRDB
import Synchronization

/// Small pictures of images in a database of their own, up to a number of bytes: those that were not used for the longest
/// time go first.
///
/// It is a cache that several processes can use: what cannot be read or written is made again, and a damaged file is
/// begun anew. What is in the file is checked like any other input. Thread-safe.
package final class ThumbnailStore: Sendable {
  /// An encoded picture.
  package struct Picture: Hashable, Sendable {
    package var bytes: [UInt8]
    /// `image/png` or `image/jpeg`.
    package var type: String

    package init(bytes: [UInt8], type: String) {
      self.bytes = bytes
      self.type = type
    }
  }

  /// The number of pictures and of their bytes.
  package struct Usage: Equatable, Sendable {
    package var pictures = 0
    package var bytes = 0

    package init() {}
  }

  /// The absolute path of the file.
  package let path: String
  /// The maximum number of bytes of all pictures.
  package let limit: Int
  private let pool: DatabasePool

  /// The kinds of pictures that are kept; nothing else in the file is ever returned.
  private static let types: Set<String> = ["image/png", "image/jpeg"]
  /// A picture larger than this is not kept: thumbnails have about 10 kB.
  private static let pictureLimit = 1 << 20
  /// The time in seconds after which another use of a picture is noted.
  private static let usePeriod: Int64 = 86_400
  private static let busyTimeout: TimeInterval = 2

  /// Opens the file, and creates it and its folder if they do not exist.
  ///
  /// - Returns: `nil` if that is not possible, such as on a full or read-only disk, if another process has locked the
  ///   file, or if the path is a folder or another database: the pictures are made each time.
  package init?(path: String, limit: Int) {
    self.path = path
    self.limit = limit
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    do {
      pool = try Self.open(path)
    } catch let error as DatabaseError
      where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    {
      for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
      guard let pool = try? Self.open(path) else { return nil }
      self.pool = pool
    } catch {
      return nil
    }
  }

  /// The tables and the index, as `sqlite_schema` has them.
  private static let tables = [
    """
    CREATE TABLE thumbnail (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      type TEXT NOT NULL,
      bytes BLOB NOT NULL,
      used INTEGER NOT NULL  -- seconds since 1970
    ) STRICT
    """, "CREATE INDEX thumbnailByUse ON thumbnail (used, id)",
    "CREATE TABLE total (bytes INTEGER NOT NULL) STRICT",
  ]

  private static func open(_ path: String) throws -> DatabasePool {
    if !FileManager.default.fileExists(atPath: path) {
      // The pictures can be private.
      _ = FileManager.default.createFile(
        atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    }
    var configuration = Configuration()
    configuration.label = "thumbnails"
    configuration.busyMode = .timeout(busyTimeout)
    configuration.maximumReaderCount = 4
    // A lost picture is made again.
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
    // A pool writes to the file when it opens, so the file is checked first.
    let found = try schema(of: path)
    guard found.isEmpty || found == Set(tables) else {
      throw DatabaseError(resultCode: .SQLITE_MISMATCH, message: "another database")
    }
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write { database in
      // Another process can have made them since.
      guard try Self.schema(in: database).isEmpty else { return }
      for statement in tables { try database.execute(sql: statement) }
      try database.execute(sql: "INSERT INTO total VALUES (0)")
    }
    return pool
  }

  /// The statements that made what is in the file.
  private static func schema(of path: String) throws -> Set<String> {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(busyTimeout)
    return try DatabaseQueue(path: path, configuration: configuration).read {
      try schema(in: $0)
    }
  }

  private static func schema(in database: Database) throws -> Set<String> {
    Set(
      try String.fetchAll(database, sql: "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"))
  }

  /// The picture with a name; `nil` if it is not there.
  package func picture(_ name: String) -> Picture? {
    let found = try? pool.read { database in
      try Row.fetchOne(
        database, sql: "SELECT id, type, bytes, used FROM thumbnail WHERE name = ?",
        arguments: [name])
    }
    guard let row = found ?? nil, let type = String.fromDatabaseValue(row["type"]),
      Self.types.contains(type), let bytes = Data.fromDatabaseValue(row["bytes"]),
      bytes.count <= Self.pictureLimit, let id = Int64.fromDatabaseValue(row["id"]),
      let used = Int64.fromDatabaseValue(row["used"])
    else { return nil }
    if used < Self.now - Self.usePeriod {
      try? pool.write {
        try $0.execute(
          sql: "UPDATE thumbnail SET used = ? WHERE id = ?", arguments: [Self.now, id])
      }
    }
    return Picture(bytes: Array(bytes), type: type)
  }

  /// Keeps a picture. Others may be removed to keep the limit.
  package func keep(_ picture: Picture, _ name: String) {
    guard picture.bytes.count <= min(Self.pictureLimit, limit / 4),
      Self.types.contains(picture.type)
    else { return }
    try? pool.write { database in
      try database.execute(
        sql: "INSERT OR IGNORE INTO thumbnail (name, type, bytes, used) VALUES (?, ?, ?, ?)",
        arguments: [name, picture.type, Data(picture.bytes), Self.now])
      guard database.changesCount > 0 else { return }
      try database.execute(
        sql: "UPDATE total SET bytes = bytes + ?", arguments: [picture.bytes.count])
      let total = try Int.fetchOne(database, sql: "SELECT bytes FROM total") ?? 0
      if total > limit { try remove(total - limit + limit / 10, in: database) }
    }
  }

  /// Removes pictures of at least a number of bytes, those that were not used for the longest time first.
  private func remove(_ bytes: Int, in database: Database) throws {
    var removed = 0
    var last: (used: Int64, id: Int64)?
    let rows = try Row.fetchCursor(
      database, sql: "SELECT used, id, length(bytes) AS size FROM thumbnail ORDER BY used, id")
    while removed < bytes, let row = try rows.next() {
      guard let size = Int.fromDatabaseValue(row["size"]),
        let used = Int64.fromDatabaseValue(row["used"]),
        let id = Int64.fromDatabaseValue(row["id"])
      else { break }
      removed += size
      last = (used, id)
    }
    guard let last else { return }
    try database.execute(
      sql: "DELETE FROM thumbnail WHERE (used, id) <= (?, ?)", arguments: [last.used, last.id])
    try database.execute(
      sql: "UPDATE total SET bytes = max(bytes - ?, 0)", arguments: [removed])
  }

  /// The pictures that are there now.
  package var usage: Usage {
    let found = try? pool.read { database in
      try Row.fetchOne(
        database,
        sql: "SELECT count(*) AS pictures, sum(length(bytes)) AS bytes FROM thumbnail")
    }
    var usage = Usage()
    if let row = found ?? nil {
      usage.pictures = Int.fromDatabaseValue(row["pictures"]) ?? 0
      usage.bytes = Int.fromDatabaseValue(row["bytes"]) ?? 0
    }
    return usage
  }

  /// Removes all pictures, and gives their space back to the disk.
  ///
  /// - Returns: what was removed.
  package func clear() -> Usage {
    let before = usage
    try? pool.write { try $0.execute(sql: "DELETE FROM thumbnail; UPDATE total SET bytes = 0;") }
    try? pool.vacuum()
    return before
  }

  private static var now: Int64 { Int64(Date().timeIntervalSince1970) }
}
