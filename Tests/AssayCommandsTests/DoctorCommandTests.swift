import AssayCore
import AssayWorkflows
import Foundation
import Testing

@testable import AssayCommands
@testable import AssayStore

@Suite("assay doctor")
struct DoctorCommandTests {
  private let well = DoctorResult(checks: [
    DoctorCheck("SQLite", .ok, "3.40.1"), DoctorCheck("browser", .optional, nil, advice: "get one"),
  ])
  private let ill = DoctorResult(checks: [
    DoctorCheck("SQLite", .ok, "3.40.1"),
    DoctorCheck("OpenVINO", .missing, nil, advice: "not found\nrun Scripts/setup"),
  ])

  @Test("What is missing decides; what is optional does not")
  func wellness() {
    #expect(well.isWell)
    #expect(!ill.isWell)
  }

  @Test("The text has a headline and one line per check, with the advice in one column")
  func text() {
    #expect(
      well.text(in: Terminal()) == """
        All required dependencies are present.

          ok        SQLite   3.40.1
          optional  browser  get one
        """)
    #expect(
      ill.text(in: Terminal()) == """
        1 dependency is missing.

          ok        SQLite    3.40.1
          missing   OpenVINO  not found
                    run Scripts/setup
        """)
  }

  @Test("JSON has every check with its status")
  func json() {
    #expect(ill.json["ok"] == .bool(false))
    let checks = ill.json["checks"]?.elements
    #expect(checks?.map { $0["status"]?.text } == ["ok", "missing"])
    #expect(checks?.last?["advice"]?.text == "not found\nrun Scripts/setup")
    #expect(checks?.last?["found"] == .null)
  }

  @Test("The built program finds all that it needs")
  func program() throws {
    let outcome = try Program().run("doctor", "--json")
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    #expect(try outcome.json()["ok"] == .bool(true))
  }

  /// A catalog of two datasets, whose first state is kept in `before.db`.
  private func catalog() throws -> Program {
    let program = try Program()
    try program.folder.write("f.csv", "emotion,pixels\n3,1 2 3 4\n4,5 6 7 8\n")
    _ = try program.run("import", "f.csv", "--name", "one")
    try FileManager.default.copyItem(
      atPath: program.folder.path + "/assay.db", toPath: program.folder.path + "/before.db")
    _ = try program.run("import", "f.csv", "--name", "two")
    return program
  }

  /// Returns what is found about the catalog; it must be damaged.
  private func damage(_ program: Program) throws -> String {
    let outcome = try program.run("doctor", "--json")
    #expect(outcome.status == 2)
    let checks = try #require(try outcome.json()["checks"]?.elements)
    return try #require(checks.first { $0["name"]?.text == "catalog" }?["found"]?.text)
  }

  @Test("An index without the rows of its table is damage")
  func outdatedIndex() throws {
    let program = try catalog()
    let path = program.folder.path + "/assay.db"
    let root = try Catalog.open(path, .readWrite).connection.inDatabase { database in
      try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      return try Int.fetchOne(
        database,
        sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_dataset_1'")
    }
    // The page as it was before the second import, as a write from outdated memory leaves it.
    let offset = (try #require(root) - 1) * CatalogFile.pageSize
    let before = try Data(contentsOf: URL(filePath: program.folder.path + "/before.db"))
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: before[offset..<offset + CatalogFile.pageSize])
    try file.close()
    #expect(try damage(program).contains("sqlite_autoindex_dataset_1"))
  }

  @Test("Samples of a dataset that is missing are damage")
  func missingDataset() throws {
    let program = try catalog()
    try Catalog.open(program.folder.path + "/assay.db", .readWrite).connection.inDatabase {
      try $0.execute(sql: "PRAGMA foreign_keys = OFF; DELETE FROM dataset WHERE name = 'two'")
    }
    #expect(try damage(program).hasSuffix("name rows of dataset that do not exist"))
  }
}
