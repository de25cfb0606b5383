import GRDB

extension Catalog {
  /// The tables that this version's schema has and this catalog, migrated to it, has not; sorted.
  ///
  /// A catalog of an earlier version that cannot be written lacks tables of later migrations; these
  /// are not listed.
  package func missingTables() throws -> [String] {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table'"
    let (done, present) = try read("looking at the schema") { database in
      (
        try String.fetchSet(database, sql: "SELECT identifier FROM grdb_migrations"),
        try String.fetchSet(database, sql: sql)
      )
    }
    let last = Migrations.all.last { done.contains($0.name) }?.name
    guard let last else { return [] }
    let empty = try DatabaseQueue()
    let expected = try empty.inDatabase { database in
      try Migrations.run(database, upTo: last)
      return try String.fetchSet(database, sql: sql)
    }
    return expected.subtracting(present).sorted()
  }
}
