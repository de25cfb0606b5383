import AssayCore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayStore

/// Catalogs in which another program set an integer to an extreme value: commands report an error
/// or continue, and never trap. `ASSAY_LONG_TESTS=1` tests every column with every value.
@Suite("Catalogs with damaged integers")
struct DamagedIntegersTests {
  private static let isLong =
    LongTests.areOn

  private struct Column: Hashable, CustomStringConvertible {
    var table: String
    var name: String
    var description: String { "\(table).\(name)" }
  }

  /// The columns of integers in tables that have rows.
  private func columns(of catalog: Catalog) throws -> [Column] {
    let rows = try catalog.sql(
      """
      SELECT m.name, p.name FROM sqlite_schema m, pragma_table_info(m.name) p
      WHERE m.type = 'table' AND m.name NOT LIKE 'grdb%' AND m.name NOT LIKE 'sqlite%'
        AND p.type IN ('INTEGER', 'ANY') ORDER BY 1, 2
      """
    ).rows
    return try rows.compactMap { row -> Column? in
      guard case .text(let table) = row[0], case .text(let name) = row[1] else { return nil }
      let isEmpty = try catalog.sql("SELECT count(*) FROM (SELECT 1 FROM \(table) LIMIT 1)").rows
      return isEmpty == [[.integer(0)]] ? nil : Column(table: table, name: name)
    }
  }

  /// Runs commands on copies of a catalog, each with one column changed.
  private func check(
    _ path: String, _ program: Program, _ calls: [String], always: [Column]
  ) throws {
    let all = try columns(of: Catalog.open(path, .readOnly))
    #expect(always.allSatisfy(all.contains), "\(all)")
    let copy = program.folder.path + "/copy.db"
    var traps: [String] = []
    var number = 0
    for column in all {
      for value in ["9223372036854775807", "-9223372036854775808", "-1"] {
        number += 1
        let isChosen = Self.isLong || (always.contains(column) ? value != "-1" : number % 97 == 0)
        guard isChosen else { continue }
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        do {
          let catalog = try Catalog.open(copy, .readWrite)
          try catalog.connection.inDatabase { database in
            try database.execute(sql: "PRAGMA foreign_keys = OFF")
            try database.execute(
              sql: "UPDATE OR IGNORE \(column.table) SET \(column.name) = \(value)")
          }
        }
        for call in calls {
          let outcome = try program.shell("\"$A\" \(call) --db copy.db")
          // A shell reports a signal as 128 plus its number.
          if outcome.status > 127 {
            traps.append("\(column) = \(value): \(call): \(outcome.status)")
          }
        }
        for suffix in ["-wal", "-shm", "-journal"] {
          try? FileManager.default.removeItem(atPath: copy + suffix)
        }
      }
    }
    #expect(traps.isEmpty, "\(traps.joined(separator: "\n"))")
  }

  @Test("No command on masks traps")
  func masks() throws {
    let world = try MaskWorld()
    for run in ["m1", "m2"] { #expect(try world.run("evaluate", run).status == 0) }
    try check(
      world.path, world.program,
      [
        "evaluate m1 --as again", "report m1 --out o --force", "compare m1 m2",
        "query --in set --show x.png --force", "gate m1 'mean_iou >= 0.1'", "stats set",
        "export set --to coco --out e --force", "review m1 --list",
        "predictions export m1 "
          + "--format coco --out p.json --force",
      ],
      always: [
        Column(table: "probabilityMap", name: "class"), Column(table: "pixelTally", name: "void"),
        Column(table: "category", name: "taxonomy"),
      ])
  }

  @Test("No command on labels traps")
  func labels() throws {
    let house = try ReviewProgram()
    _ = try house.run("predictions", "import", "r1.csv", "--in", "faces", "--name", "r2")
    for run in ["r1", "r2"] { try #require(house.run("evaluate", run).status == 0) }
    _ = try house.run(
      "corrections", "add", "--sample", "faces:2", "--label", "sad", "--author", "b")
    _ = try house.run("evaluate", "r1", "--corrected", "--as", "c")
    _ = try house.run("review", "r1", "--list")
    try FileManager.default.copyItem(
      atPath: house.program.folder.path + "/assay.ledger.db",
      toPath: house.program.folder.path + "/copy.ledger.db")
    try check(
      house.program.folder.path + "/assay.db", house.program,
      [
        "evaluate r1 --as again", "evaluate r1 --corrected --as twice", "ls",
        "report r1 --out o --force", "compare r1 r2", "show faces",
        "query --in faces --show x.png --force", "gate r1 'accuracy >= 0.1'", "stats faces",
        "export faces --to folder --out e --force", "review r1 --list", "review status",
        "corrections ls", "predictions export r1 --out p.csv --force", "issues faces",
      ],
      always: [
        Column(table: "category", name: "taxonomy"),
        Column(table: "correctedSample", name: "corrections"),
      ])
  }

  @Test("A catalog that names a file which is not an image does not get it exported")
  func foreignFile() throws {
    let world = try CorrectedProgram()
    do {
      let catalog = try Catalog.open(world.folder.path + "/assay.db", .readWrite)
      try catalog.connection.inDatabase { database in
        try database.execute(sql: "UPDATE dataset SET root = '/' WHERE name = 'street'")
        try database.execute(
          sql: "UPDATE sample SET location = 'etc/passwd' WHERE location = 'a.png'")
        try database.execute(
          sql: "UPDATE sample SET location = '../etc/hostname' WHERE location = 'd.png'")
      }
    }
    let outcome = try world.program.run(
      "export", "street", "--to", "coco", "--out", "e", "--copy-images")
    #expect(outcome.status != 0 && outcome.status < 128)
    let found = try world.program.shell("grep -rl root: e; ls -d etc ../etc")
    #expect(found.stdout.isEmpty)
  }
}
