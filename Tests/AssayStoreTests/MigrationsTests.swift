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

  @Test("A catalog of labels keeps its data, and its labels are counted as before")
  func labels() throws {
    let database = try DatabaseQueue()
    try Migrations.migrator.migrate(database, upTo: Migrations.all[0].name)
    try database.write { database in
      try database.execute(
        sql: """
          INSERT INTO dataset VALUES (1, 'faces', 'fer', '/f.csv', 1, 1);
          INSERT INTO import VALUES (1, 1, 1, 'h', '{}', 2, 2, 0, 2, 0, '2026-01-31T12:00:00Z');
          INSERT INTO taxonomy VALUES (1, 1, 'labels');
          INSERT INTO category VALUES (1, 1, 0, NULL, 'happy', NULL), (2, 1, 1, NULL, 'sad', NULL);
          INSERT INTO annotationSet VALUES (1, 1, 'labels', 1);
          INSERT INTO sample VALUES (1, 1, '0', NULL, 'train', 48, 48, NULL, 1, 0),
            (2, 1, '1', NULL, 'test', 48, 48, NULL, 1, 0);
          INSERT INTO annotation VALUES (1, 1, 0, 2, 'label', NULL), (2, 1, 0, 1, 'label', NULL);
          INSERT INTO run VALUES (1, 'r', NULL, 1, 1, 'faces', '{}', '{}', 'h', '2026-01-31');
          """)
    }
    try Migrations.migrator.migrate(database)
    func values(_ sql: String) throws -> [String] {
      try database.read { try String.fetchAll($0, sql: sql) }
    }
    #expect(
      try values(
        """
        SELECT annotationSet || ' ' || category || ' ' || sample || ' ' || count || ' ' || crowdCount
        FROM sampleCategory WHERE unionArea IS NULL ORDER BY category
        """) == ["1 1 2 1 0", "1 2 1 1 0"])
    #expect(try values("SELECT task FROM run") == ["classification"])
    #expect(try values("SELECT sum(isCrowd) || ' ' || count(*) FROM annotation") == ["0 2"])
    #expect(try values("SELECT key FROM sample ORDER BY id") == ["0", "1"])
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
