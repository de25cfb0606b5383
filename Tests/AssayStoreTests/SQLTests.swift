import Foundation
import Testing

import AssayStore

@Suite("Queries of the user's own")
struct SQLTests {
  @Test("Columns and values come with their types")
  func values() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    let result = try house.catalog.sql(
      """
      SELECT key AS name, id, id * 0.5, location, bytes
      FROM sample JOIN pixels ON sample = id WHERE key >= '4' ORDER BY id; -- the last two
      """)
    #expect(result.columns == ["name", "id", "id * 0.5", "location", "bytes"])
    #expect(
      result.rows == [
        [.text("4"), .integer(5), .real(2.5), .null, .blob(count: 2)],
        [.text("5"), .integer(6), .real(3), .null, .blob(count: 2)],
      ])
    #expect(!result.isTruncated)
  }

  @Test("A limit cuts the rows and says so")
  func limit() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    let result = try house.catalog.sql("SELECT key FROM sample ORDER BY id", limit: 2)
    #expect(result.rows == [[.text("0")], [.text("1")]])
    #expect(result.isTruncated)
    #expect(try !house.catalog.sql("SELECT key FROM sample", limit: 6).isTruncated)
  }

  @Test(
    "Only one statement that reads is run",
    arguments: [
      "", "  -- nothing", "DELETE FROM sample", "UPDATE sample SET key = 'x'",
      "INSERT INTO view VALUES (1, 'a', 1, '', '')", "DROP TABLE sample", "CREATE TABLE t (x)",
      "CREATE TEMP TABLE t (x)", "DELETE FROM sqlite_master",
      "INSERT INTO sqlite_master VALUES ('table', 'x', 'x', 0, '')",
      "UPDATE sqlite_master SET sql = ''", "ATTACH 'other.db' AS o", "VACUUM",
      "VACUUM INTO 'copy.db'",
      "BEGIN", "PRAGMA query_only = OFF", "PRAGMA writable_schema = 1", "PRAGMA user_version = 3",
      "PRAGMA journal_mode = DELETE", "SELECT 1; SELECT 2", "SELECT 1; DELETE FROM sample",
      "WITH x AS (SELECT 1) DELETE FROM sample", "SELECT", "SELECT * FROM nothing",
      "SELECT load_extension('x')", "EXPLAIN DELETE FROM sample", "SELECT 1 FROM sample WHERE",
    ])
  func refused(query: String) throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    let error = #expect(throws: StoreError.self) { try house.catalog.sql(query) }
    guard case .query(let message) = error else {
      Issue.record("not a query's error: \(String(describing: error))")
      return
    }
    #expect(!message.isEmpty)
    #expect(try house.catalog.keys() == ["0", "1", "2", "3", "4", "5"])
    #expect(!FileManager.default.fileExists(atPath: "other.db"))
    #expect(!FileManager.default.fileExists(atPath: "copy.db"))
  }

  @Test(
    "Whatever reads is allowed",
    arguments: [
      "SELECT count(*) FROM sample;",
      "WITH RECURSIVE n (i) AS (VALUES (1) UNION SELECT i + 1 FROM n WHERE i < 3) SELECT count(*) FROM n",
      "VALUES (1)", "PRAGMA integrity_check", "SELECT count(*) FROM pragma_table_info('sample')",
      "SELECT count(*) FROM json_each('[1, 2]')", "SELECT count(*) FROM view, partition, import",
      "PRAGMA user_version", "SELECT max(json_extract('[1]', '$[0]'))",
      "/* a */ SELECT 1 /* b */ ; /* c */",
    ])
  func allowed(query: String) throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    #expect(try house.catalog.sql(query).rows.count == 1)
  }

  @Test("Columns of one name are told apart")
  func columnNames() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    #expect(
      try house.catalog.sql("SELECT 1 AS a, 2 AS a, 3 AS \"a:1\", 4 AS a").columns
        == ["a", "a:1", "a:1:1", "a:2"])
  }

  @Test("A query that never ends stops when it is told to")
  func endless() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    var questions = 0
    #expect(throws: StoreError.query("interrupted")) {
      try house.catalog.sql(
        "WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c",
        isCancelled: {
          questions += 1
          return questions == 3
        })
    }
    #expect(questions == 3)
  }

  @Test(
    "A value of more than 64 MB is refused before it is made",
    arguments: ["randomblob(64000001)", "hex(zeroblob(40000000))"])
  func largeValue(expression: String) throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    #expect(throws: StoreError.query("a value is larger than 64 MB, the limit for a query")) {
      try house.catalog.sql("SELECT length(\(expression))")
    }
  }
}
