import AssayCore
import AssayStore
import Foundation
import Testing

@testable import AssayWorkflows

@Suite("Entries that a catalog has seen and its ledger lacks")
struct LostLedgerTests {
  private typealias Damage = (name: String, loss: LedgerLoss)

  /// A catalog that has seen three entries of its ledger, closed.
  private struct House {
    let world: CorrectionFixture
    var catalog: String { world.world.catalog.path }
    var ledger: String { world.ledger.path }

    init() throws {
      world = try CorrectionFixture()
      // A copy with one entry, for later.
      try world.add(.reject("x"))
      try FileManager.default.copyItem(atPath: ledger, toPath: ledger + ".short")
      for index in 1...2 { try world.add(.reject("x"), to: index) }
      _ = try open(.imported)
    }

    func open(_ truth: TruthChoice) throws -> OpenedCatalog {
      try CorrectedCatalog.open(catalog, .readOnly, truth: truth, reportingTo: NoProgress())
    }

    func replace(by other: String?) throws {
      try FileManager.default.removeItem(atPath: ledger)
      if let other { try FileManager.default.copyItem(atPath: other, toPath: ledger) }
    }

    func damage(_ name: String) throws {
      switch name {
      case "missing": try replace(by: nil)
      case "empty":
        try replace(by: nil)
        try Data().write(to: URL(fileURLWithPath: ledger))
      case "short": try replace(by: ledger + ".short")
      default:
        // The same length, with other entries.
        try replace(by: ledger + ".short")
        let other = try Ledger.open(ledger, .readWrite, synchronous: .off)
        let service = CorrectionService(catalog: world.world.catalog, ledger: other)
        for index in 1...2 {
          let save = try world.save(.reject("y"), to: index, author: "ben")
          _ = try service.save(save)
        }
      }
    }
  }

  @Test(
    "No command begins anew or goes on without a word, and none uses what is left as the truth",
    arguments: [
      ("missing", .missing(seen: 3)), ("empty", .missing(seen: 3)),
      ("short", .cut(end: 1, seen: 3)), ("rewritten", .exchanged(seen: 3)),
    ] as [(String, LedgerLoss)])
  func refused(name: String, loss: LedgerLoss) throws {
    let house = try House()
    try house.damage(name)
    let lost = LedgerError.lost(path: house.ledger, loss)
    for _ in 1...2 {
      let problem = try house.open(.imported).corrections.problem
      #expect(problem == "\(lost)")
      #expect(throws: lost) { try house.open(.corrected) }
    }
    let session = try CorrectionSession(
      catalogPath: house.catalog, reportingTo: NoProgress())
    for create in [true, false] {
      #expect(throws: lost) { try session.service(create: create) }
    }
    let tagging = SampleTagging(catalog: try house.open(.imported).catalog)
    #expect(throws: lost) {
      try tagging.run(
        .init(view: "set", tag: "hard", expression: nil, isRemoval: false, author: "anna"))
    }
    if case .missing = loss {
      #expect(throws: lost) { try LedgerVerifying().run(catalog: house.catalog) }
    } else {
      #expect(try LedgerVerifying().run(catalog: house.catalog).verification.firstBad != nil)
    }
    let check = try #require(
      CatalogExamination(house.catalog).checks.first { $0.name == "ledger" })
    #expect(check.status == .missing)
    #expect(
      check.advice?.contains("entry 3") == true || check.advice?.contains("3 entries") == true)

    let catalog = try Catalog.open(house.catalog, .readWrite)
    #expect(try catalog.forgetLedger()?.head.sequence == 3)
    #expect(try catalog.forgetLedger() == nil)
    #expect(try house.open(.corrected).corrections.problem == nil)
    _ = try CorrectionSession(catalogPath: house.catalog, reportingTo: NoProgress())
      .service(create: true)
    #expect(CatalogExamination(house.catalog).checks.first { $0.name == "ledger" }?.status == .ok)
  }

  @Test("A ledger that lost its end is whole again after its exported entries are imported")
  func restored() throws {
    let house = try House()
    let file = house.ledger + ".jsonl"
    _ = try CorrectionsExport(ledger: house.world.ledger)
      .run(to: file, since: 0, dataset: nil, overwrite: false)
    try house.damage("short")
    #expect(try CorrectionsImport(ledger: house.ledger).run(file).new == 2)
    let opened = try house.open(.corrected)
    #expect(opened.corrections.problem == nil && opened.corrections.sequence == 3)
  }

  @Test("A table that is gone is found")
  func tables() throws {
    let world = try CorrectionFixture()
    let path = world.world.catalog.path
    #expect(CatalogExamination(path).checks.first?.status == .ok)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      "import sqlite3,sys; sqlite3.connect(sys.argv[1]).execute('DROP TABLE match')",
      path,
    ]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let check = try #require(CatalogExamination(path).checks.first)
    #expect(check.status == .missing && check.found?.contains("missing table match") == true)
  }
}
