import AssayTestSupport
import Testing

@testable import AssayStore

/// Evaluations whose stored settings another program changed: they are rejected, and never replaced
/// by the defaults.
@Suite("Catalogs with damaged settings")
struct DamagedSettingsTests {
  /// A folder with a catalog in which a table's stored settings are this text.
  private func damaged(_ table: String, _ settings: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try GoldenCatalog.prepared(.imported).copy(to: folder.path)
    let catalog = try Catalog.open(folder.path + "/assay.db", .readWrite)
    try catalog.connection.inDatabase { database in
      try database.execute(sql: "UPDATE \(table) SET settings = ?", arguments: [settings])
    }
    return folder
  }

  @Test(
    "A stored evaluation is refused by name, with the command that makes it anew",
    arguments: [
      ("r1@train", "evaluate r1@train", "r1 --as train"),
      ("s1@threshold-0.4", "evaluate s1@threshold-0.4", "s1 --as threshold-0.4"),
      ("d1@strict", "evaluate d1@strict", "d1 --as strict"),
      ("d1@strict", "compare d1@strict d2", "d1 --as strict"),
      ("r1@train", "gate r1@train 'accuracy > 0'", "r1 --as train"),
      ("s1@threshold-0.4", "report s1@threshold-0.4", "s1 --as threshold-0.4"),
    ])
  func evaluations(_ name: String, _ command: String, _ next: String) throws {
    let folder = try damaged("evaluation", "{\"where\": ")
    let outcome = try Program.run(TourTests.words(of: command), in: folder.path)
    #expect(outcome.status == 2 && outcome.stdout.isEmpty, "\(outcome.stdout)")
    #expect(
      outcome.stderr.hasPrefix("error: the stored settings of \(name) are damaged: "),
      "\(outcome.stderr)")
    #expect(outcome.stderr.contains("(assay evaluate \(next))"), "\(outcome.stderr)")
    #expect(!folder.has("Reports"))
  }

  @Test(
    "A run of regions or objects is refused by name",
    arguments: [
      ("evaluate d3", "the stored settings of the run “d3” are damaged"),
      ("evaluate s1", "the settings of the run “s1” are not those of a segmentation"),
    ])
  func runs(_ command: String, _ error: String) throws {
    let folder = try damaged("run", "[]")
    let outcome = try Program.run(TourTests.words(of: command), in: folder.path)
    #expect(outcome.status == 2 && outcome.stdout.isEmpty, "\(outcome.stdout)")
    #expect(outcome.stderr.hasPrefix("error: \(error)"), "\(outcome.stderr)")
  }
}
