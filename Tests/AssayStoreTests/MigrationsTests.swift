import GRDB
import Testing

@testable import AssayStore

@Suite("Migrations")
struct MigrationsTests {
  @Test("Every earlier schema comes up to date and is whole", arguments: 0...Migrations.all.count)
  func fromEach(done: Int) throws {
    let database = try DatabaseQueue()
    if done > 0 {
      try Migrations.migrator.migrate(database, upTo: Migrations.all[done - 1].name)
    }
    try Migrations.migrator.migrate(database)
    #expect(try database.read { try Migrations.migrator.hasCompletedMigrations($0) })
    #expect(
      try database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    #expect(
      try database.read { try Row.fetchAll($0, sql: "PRAGMA foreign_key_check").isEmpty })
  }

  @Test("Every table of ours is STRICT")
  func strict() throws {
    let database = try DatabaseQueue()
    try Migrations.migrator.migrate(database)
    let loose = try database.read { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT name FROM pragma_table_list
          WHERE type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'grdb_%'
          """)
    }
    #expect(loose == [])
  }

  @Test("The names of the migrations are in ascending order and never used twice")
  func names() {
    let names = Migrations.all.map(\.name)
    #expect(names == names.sorted())
    #expect(Set(names).count == names.count)
  }
}
