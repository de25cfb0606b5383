import Foundation
import GRDB

/// The mirror in a separate file, for a catalog that cannot be written.
enum MirrorFile {
  /// The schema name under which connections attach it.
  static let schema = "mirror"

  /// Creates an empty mirror in the folder for temporary files, readable only by this user.
  ///
  /// - Throws: `DatabaseError` if there is no space for it.
  static func make() throws -> String {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("assay-\(UUID().uuidString.lowercased()).db").path
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "cannot write \(path)")
    }
    close(file)
    let connection = try DatabaseQueue(path: path)
    try connection.inDatabase { database in
      try database.execute(sql: "PRAGMA synchronous = OFF")
      try database.execute(sql: CorrectionMirror.tables)
      try database.execute(sql: CorrectionMirror.tagTables + CorrectionMirror.fieldTables)
    }
    try connection.close()
    return path
  }

  /// Attaches the file to a connection, unless it is already attached.
  static func attach(_ path: String, to database: Database) throws {
    let attached = try String.fetchOne(
      database, sql: "SELECT file FROM pragma_database_list WHERE name = ?", arguments: [schema])
    guard attached == nil else { return }
    try database.execute(sql: "ATTACH DATABASE ? AS \(schema)", arguments: [path])
  }
}
