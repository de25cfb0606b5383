import GRDB

/// A file with a run that queries read in place of the catalog's runs.
enum RunOverlay {
  /// The schema name under which connections attach it.
  private static let schema = "overlay"

  /// Attaches the file to a connection, unless it is already attached. Views with the names of the tables
  /// of runs come before the catalog's own tables.
  static func attach(_ path: String, to database: Database) throws {
    let attached = try String.fetchOne(
      database, sql: "SELECT file FROM pragma_database_list WHERE name = ?", arguments: [schema])
    guard attached == nil else { return }
    let isReader = try Bool.fetchOne(database, sql: "PRAGMA query_only") ?? false
    if isReader { try database.execute(sql: "PRAGMA query_only = OFF") }
    defer { if isReader { try? database.execute(sql: "PRAGMA query_only = ON") } }
    try database.execute(sql: "ATTACH DATABASE ? AS \(schema)", arguments: [path])
    for table in ["model", "run", "runClass"] + Catalog.runTables {
      try database.execute(
        sql: "CREATE TEMP VIEW \(table) AS SELECT * FROM \(schema).\(table)")
    }
  }
}
