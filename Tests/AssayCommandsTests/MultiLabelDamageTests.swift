import AssayCore
import Foundation
import Testing

@testable import AssayStore

@Suite("Damaged catalogs with label sets")
struct MultiLabelDamageTests {
  /// Returns the output and exit status of a command after an SQL statement has changed a catalog
  /// with the dataset `scenes` and the evaluation `m1@default`.
  private static func run(after sql: String, _ command: String...) throws -> Program.Outcome {
    let program = try Program()
    for command in [
      ["import", GoldenFile.data + "/scenes/labels.csv", "--name", "scenes"],
      ["predictions", "import", GoldenFile.data + "/m1.csv", "--name", "m1", "--in", "scenes"],
      ["evaluate", "m1", "--no-intervals"],
    ] {
      let outcome = try program.run(command)
      try #require(outcome.status == 0, "\(outcome.stderr)")
    }
    do {
      let catalog = try Catalog.open(program.folder.path + "/assay.db", .readWrite)
      try catalog.connection.inDatabase { database in
        try database.execute(sql: "PRAGMA foreign_keys = OFF")
        try database.execute(sql: sql)
      }
    }
    return try program.run(command)
  }

  @Test("A label whose class is missing is damage, not a sample without labels")
  func missingClass() throws {
    let damage = """
      UPDATE annotation SET category = 999999 WHERE sample = (SELECT min(sample) FROM annotation)
      """
    for command in [["evaluate", "m1"], ["show", "scenes"], ["stats", "scenes"]] {
      let outcome = try Self.run(after: damage, command[0], command[1])
      #expect(outcome.status == 2 && outcome.stderr.contains("annotation is damaged"), "\(outcome)")
    }
  }

  @Test("An evaluation that has lost some of its samples is damage")
  func lostTallies() throws {
    let outcome = try Self.run(
      after: "DELETE FROM labelTally WHERE sample % 2 = 0", "evaluate", "m1@default")
    #expect(outcome.status == 2, "\(outcome)")
    #expect(outcome.stderr.contains("m1@default has the labels of 30 samples"), "\(outcome.stderr)")
    #expect(outcome.stderr.contains("assay evaluate m1 --as default"))
  }

  @Test("Settings without members are damage, not the defaults")
  func emptySettings() throws {
    let outcome = try Self.run(
      after: "UPDATE evaluation SET settings = '{}'", "evaluate", "m1@default")
    #expect(outcome.status == 2 && outcome.stderr.contains("the stored settings of m1@default"))
  }
}
