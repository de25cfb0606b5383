import Testing

@testable import AssayCommands

@Suite("assay sql")
struct SQLCommandTests {
  private func program() throws -> Program {
    let program = try Program()
    try program.folder.write("f.csv", "emotion,pixels\n3,1 2 3 4\n")
    try program.run("import", "f.csv")
    return program
  }

  @Test("A table that is not there brings the ones that are")
  func noTable() throws {
    let outcome = try program().run("sql", "SELECT * FROM samples")
    #expect(outcome.status == 2)
    #expect(outcome.stderr.contains("no such table: samples; did you mean “sample”? Tables: "))
    #expect(!outcome.stderr.contains("grdb"))
  }

  @Test("A column that is not there says how to see the columns, and that statement works")
  func noColumn() throws {
    let program = try program()
    let outcome = try program.run("sql", "SELECT colour FROM sample")
    #expect(outcome.status == 2)
    #expect(outcome.stderr.contains("SELECT sql FROM sqlite_schema WHERE type = 'table'"))
    let schema = try program.run("sql", "SELECT sql FROM sqlite_schema WHERE type = 'table'").stdout
    #expect(schema.contains("CREATE TABLE sample"))
    #expect(!schema.contains("\\u{a}"))
  }
}
