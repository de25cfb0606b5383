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

  /// Name and SQL of each, in order.
  static let all: [(name: String, sql: String)] = [
    ("1 datasets, runs, evaluations", spine), ("2 regions and masks", masks),
    ("3 detections and their matches", detections), ("4 corrected truth", corrections),
    ("5 reviews", reviews),
  ]
}
