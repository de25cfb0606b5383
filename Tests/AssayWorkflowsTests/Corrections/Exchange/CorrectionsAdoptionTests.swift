import AssayCore
import AssayStore
import Foundation
import Testing

import AssayWorkflows

@Suite("Corrections of a renamed dataset")
struct CorrectionsAdoptionTests {
  private typealias House = LedgerHouse

  /// A catalog with the dataset `new`: samples of 1 × 1 pixels, all labeled sad.
  private func catalog(_ house: LedgerHouse, _ samples: [(key: String, pixel: UInt8)]) throws
    -> Catalog
  {
    let catalog = try Catalog.open(house.path("a.db"), .create)
    var batch = ImportedBatch()
    batch.newCategories = [Category(name: "happy"), Category(name: "sad")]
    for (key, pixel) in samples {
      let place = batch.pixels.count
      batch.pixels.append(pixel)
      batch.samples.append(
        ImportedSample(
          key: key, size: ImageSize(width: 1, height: 1), category: 1, pixels: place..<place + 1))
    }
    var outcome = ImportOutcome()
    (outcome.read, outcome.accepted, outcome.ordinals) = (samples.count, samples.count, [0, 1])
    let (done, part) = (outcome, batch)
    _ = try catalog.importDataset(
      ImportDraft(name: "new", format: .pixelCSV, root: "/none.csv", isSingleFile: true)
    ) { writer in
      try writer.write(part)
      return (done, inputHash: nil)
    }
    return catalog
  }

  /// The hash that the design specifies for embedded pixels.
  private func hash(_ pixel: UInt8) -> String {
    ContentHash.of(Array("gray8 1 1\n".utf8) + [pixel])
  }

  private func old(_ number: Int, _ key: String, pixel: UInt8) -> CorrectionDraft {
    House.draft(
      number, key, dataset: "old", hash: hash(pixel),
      payload: [
        "author": "anna", "category": "happy", "done": true, "time": "2026-11-21T14:40:05Z",
      ])
  }

  private func adoption(_ catalog: Catalog, _ ledger: Ledger) -> CorrectionsAdoption {
    CorrectionsAdoption(catalog: catalog, ledger: ledger, author: "ben")
  }

  @Test(
    "Where exactly one image is the same they are adopted; the others are listed with the reason")
  func adopts() throws {
    let house = try House()
    let catalog = try catalog(house, [("a", 1), ("b", 2), ("c", 3), ("c2", 3), ("d", 4)])
    let ledger = try house.ledger("a")
    try ledger.append([
      old(1, "0", pixel: 1), old(2, "1", pixel: 2), old(3, "2", pixel: 3), old(4, "3", pixel: 99),
      old(5, "4", pixel: 1),
      House.draft(6, "b", dataset: "new", hash: hash(2)),
    ])
    let summary = try adoption(catalog, ledger).run(from: "old", to: "new")
    #expect(summary.adopted.map(\.from.key) == ["0"])
    #expect(
      summary.adopted.map(\.to) == [SampleIdentity(dataset: "new", key: "a", contentHash: hash(1))])
    #expect(summary.adopted.map(\.sequence) == [7])
    #expect(summary.left.map(\.sample.key) == ["1", "2", "3", "4"])
    #expect(
      summary.left.map(\.why) == [.taken("b"), .several(["c", "c2"]), .missing, .taken("a")])
    let entry = try #require(try ledger.entry(sequence: 7))
    #expect(entry.kind == "adopt" && entry.target == "sample" && entry.parent == nil)
    let payload = try JSONValue(parsing: entry.payload)
    #expect(payload["author"] == "ben" && payload["from"]?["key"] == "0")
    #expect(payload["from"]?["dataset"] == "old")
    #expect(payload["from"]?["contentHash"]?.text == hash(1))
    // Again: nothing new.
    let again = try adoption(catalog, ledger).run(from: "old", to: "new")
    #expect(again.adopted.isEmpty && again.known == summary.adopted)
    #expect(try ledger.head().sequence == 7)
    #expect(try ledger.verify().firstBad == nil)
  }

  @Test("What was adopted is the corrected truth, until the adoption is undone")
  func takesEffect() throws {
    let house = try House()
    let catalog = try catalog(house, [("a", 1), ("b", 2)])
    let ledger = try house.ledger("a")
    try ledger.append(old(1, "0", pixel: 1))
    func happy() throws -> [String] {
      let corrected = try CorrectedCatalog.open(
        catalog.path, .readOnly, truth: TruthChoice(corrected: true), reportingTo: NoProgress()
      ).catalog
      return try corrected.samples(
        in: try corrected.resolve("new"), where: "label = happy"
      ).map(\.key)
    }
    #expect(try happy() == [])
    _ = try adoption(catalog, ledger).run(from: "old", to: "new")
    #expect(try happy() == ["a"])
    let uuid = try #require(try ledger.entry(sequence: 2)).uuid
    try ledger.append(
      House.draft(
        9, "a", dataset: "new", hash: hash(1), kind: .undo,
        payload: ["author": "ben", "entry": .string(uuid)]))
    #expect(try happy() == [])
    // Once more.
    #expect(
      try adoption(catalog, ledger).run(from: "old", to: "new").adopted.map(\.sequence) == [4])
    #expect(try happy() == ["a"])
  }

  @Test("Names that cannot be meant are refused")
  func names() throws {
    let house = try House()
    let catalog = try catalog(house, [("a", 1)])
    let ledger = try house.ledger("a")
    try ledger.append(old(1, "0", pixel: 1))
    #expect(throws: ExchangeError.sameDataset("new")) {
      try adoption(catalog, ledger).run(from: "new", to: "new")
    }
    #expect(
      throws: ExchangeError.noCorrections(dataset: "odl", suggestion: "old", known: ["old"])
    ) { try adoption(catalog, ledger).run(from: "odl", to: "new") }
    #expect(throws: StoreError.self) { try adoption(catalog, ledger).run(from: "old", to: "newer") }
  }
}
