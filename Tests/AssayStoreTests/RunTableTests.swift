import AssayTestSupport
import GRDB
import Testing

@testable import AssayStore

@Suite("Tables of a run's samples")
struct RunTableTests {
  @Test("A merge of parts copies every table that refers to a run's samples")
  func complete() throws {
    let folder = try TemporaryFolder()
    let catalog = try Catalog.open(folder.path("a.db"), .create)
    let tables = try catalog.read("listing tables") { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT DISTINCT t.name FROM sqlite_schema t, pragma_foreign_key_list(t.name) k
          WHERE t.type = 'table' AND k."table" IN ('runSample', 'run') AND t.name IN (
            SELECT s.name FROM sqlite_schema s, pragma_table_info(s.name) c
            WHERE s.type = 'table' AND c.name = 'sample')
          """)
    }
    #expect(Set(tables) == Set(Catalog.runTables))
  }
}
