import GRDB

/// The catalog's schema as a list of migrations: appended, never edited once released.
enum Migrations {
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    for (name, sql) in all {
      migrator.registerMigration(name) { try $0.execute(sql: sql) }
    }
    return migrator
  }()

  /// Migrates a catalog to the current version, each migration in its own transaction; a new catalog
  /// gets all of them in one, because each transaction waits for the disk.
  ///
  /// The missing migrations are determined within the writing transaction: if two processes start
  /// concurrently, one waits, and finds them done. The migrator itself reads the list before it
  /// takes the lock.
  ///
  /// - Parameter last: the last migration to run; `nil` for all.
  @discardableResult
  static func run(_ database: Database, upTo last: String? = nil) throws -> Bool {
    guard try !migrator.hasCompletedMigrations(database) else { return false }
    // Tables that others refer to are recreated; dangling references are checked at the end.
    try database.execute(sql: "PRAGMA foreign_keys = OFF")
    defer { try? database.execute(sql: "PRAGMA foreign_keys = ON") }
    if try create(database, upTo: last) { return false }
    for (name, sql) in all {
      try database.inTransaction(.immediate) {
        try database.execute(sql: list)
        let isMade = try Bool.fetchOne(
          database, sql: "SELECT EXISTS (SELECT 1 FROM grdb_migrations WHERE identifier = ?)",
          arguments: [name])
        if isMade == true { return .commit }
        try database.execute(sql: sql)
        try database.checkForeignKeys()
        try database.execute(
          sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)", arguments: [name])
        return .commit
      }
      if name == last { return true }
    }
    return true
  }

  /// The table of the migrations that are done.
  private static let list =
    "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"

  /// Makes the schema of a catalog that has no table yet.
  ///
  /// - Returns: whether there was none.
  private static func create(_ database: Database, upTo last: String?) throws -> Bool {
    var isNew = false
    try database.inTransaction(.immediate) {
      isNew =
        try Bool.fetchOne(database, sql: "SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)") == true
      guard isNew else { return .commit }
      try database.execute(sql: list)
      for (name, sql) in all {
        try database.execute(sql: sql)
        try database.execute(
          sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)", arguments: [name])
        if name == last { break }
      }
      return .commit
    }
    return isNew
  }

  /// Name and SQL of each, in order.
  static let all: [(name: String, sql: String)] = [
    ("1 datasets, runs, evaluations", spine), ("2 regions and masks", masks),
    ("3 detections and their matches", detections), ("4 corrected truth", corrections),
    ("5 reviews", reviews), ("6 sets of labels", labelSets),
    ("7 measures of masks", maskMeasures), ("8 fields of classes and images", attributes),
    ("9 files of samples", fileStamps), ("10 findings of checks", findings),
    ("11 labels of images beside regions", tags),
    ("12 keypoints of detections", keypoints), ("13 embeddings", embeddings),
    ("14 tags and notes of samples", sampleTags),
    ("15 attributes of detections", detectionAttributes),
    ("16 custom fields of samples", sampleFields),
    ("17 people of reviews", reviewPeople),
  ]
}
