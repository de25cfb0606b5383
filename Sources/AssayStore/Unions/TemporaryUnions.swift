import AssayCore
import GRDB

/// Unions that could not be stored, in a table with the lifetime of the connection.
enum TemporaryUnions {
  static let table = "temp.ownUnion"

  static func exists(in database: Database) throws -> Bool {
    try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_temp_schema WHERE name = 'ownUnion')")
      ?? false
  }

  /// The classes whose unions are complete for the dataset's current import.
  static func categories(of dataset: DatasetRecord, in database: Database) throws -> [Int64] {
    try Int64.fetchAll(
      database, sql: "SELECT category FROM temp.ownUnionClass WHERE dataset = ? AND version = ?",
      arguments: [dataset.id, dataset.importVersion])
  }

  /// Stores the measured unions of classes, replacing earlier ones.
  static func keep(_ areas: [UnionArea], for missing: MissingUnions, in database: Database) throws {
    // A read-only connection can still write here.
    let isReader = try Bool.fetchOne(database, sql: "PRAGMA query_only") ?? false
    if isReader { try database.execute(sql: "PRAGMA query_only = OFF") }
    defer { if isReader { try? database.execute(sql: "PRAGMA query_only = ON") } }
    try database.execute(
      sql: """
        CREATE TEMP TABLE IF NOT EXISTS ownUnion (
          category INTEGER NOT NULL, sample INTEGER NOT NULL, area INTEGER NOT NULL,
          PRIMARY KEY (category, sample)
        ) STRICT, WITHOUT ROWID;
        CREATE TEMP TABLE IF NOT EXISTS ownUnionClass (
          category INTEGER PRIMARY KEY, dataset INTEGER NOT NULL, version INTEGER NOT NULL
        ) STRICT;
        """)
    for category in missing.categories {
      try database.execute(
        sql: "DELETE FROM \(table) WHERE category = ?", arguments: [category])
      try database.execute(
        sql: """
          INSERT OR REPLACE INTO temp.ownUnionClass (category, dataset, version) VALUES (?, ?, ?)
          """, arguments: [category, missing.dataset.id, missing.dataset.importVersion])
    }
    let insert = try RawStatement(
      database, "INSERT INTO \(table) (category, sample, area) VALUES (?1, ?2, ?3)")
    for area in areas {
      insert.bind(area.category, at: 1)
      insert.bind(area.sample, at: 2)
      insert.bind(Int64(area.area), at: 3)
      try insert.run()
    }
  }
}
