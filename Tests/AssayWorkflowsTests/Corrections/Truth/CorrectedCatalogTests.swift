import AssayCore
import AssayStore
import Foundation
import Testing

import AssayWorkflows

@Suite("Opening a catalog with what people corrected")
struct CorrectedCatalogTests {
  private func open(
    _ world: CorrectionFixture, _ truth: TruthChoice = .imported
  ) throws -> OpenedCatalog {
    try CorrectedCatalog.open(
      world.world.catalog.path, .readOnly, truth: truth, reportingTo: NoProgress())
  }

  @Test("What the service saved is there, used or not")
  func used() throws {
    let world = try CorrectionFixture()
    try world.add(
      .region(category: "person", after: world.mask("###.", "###."), emptied: false), done: true)
    try world.add(.reject("dark"), to: 1)
    let imported = try open(world)
    #expect(imported.corrections.remark == "2 corrections exist, not used (--corrected uses them)")
    #expect(imported.corrections.sequence == nil)
    let selection = try imported.catalog.resolve("set")
    #expect(
      try imported.catalog.numbers(["coverage(person)"], of: [1], in: selection) == [[0.5]])
    let corrected = try open(world, .corrected)
    #expect(
      corrected.corrections.remark == "2 corrections to 2 samples used (entry 2); 1 sample left out"
    )
    #expect(
      try corrected.catalog.numbers(["coverage(person)"], of: [1], in: selection) == [[0.75]])
    #expect(try corrected.catalog.count(in: selection) == 2)
    let then = try open(world, TruthChoice(corrected: true, at: 1))
    #expect(then.corrections.remark == "1 correction to 1 sample used (entry 1)")
    #expect(try then.catalog.count(in: selection) == 3)
    #expect(throws: TruthError.noSuchEntry(3, last: 2)) {
      try open(world, TruthChoice(corrected: true, at: 3))
    }
  }

  @Test("The hash of a file is that of its bytes, of pixels that of format, size and bytes")
  func hashes() throws {
    let world = try CorrectionFixture()
    let catalog = world.world.catalog
    let sample = try world.sample()
    let dataset = try catalog.dataset(named: "set")
    let file = try Data(contentsOf: world.world.folder.appending(path: "0.png"))
    let hash = SampleContentHash(catalog: catalog, dataset: dataset)
    #expect(try hash.hash(of: sample) == ContentHash.of(Array(file)))
    // The service uses the same hash.
    #expect(try world.service.identity(of: sample).contentHash == hash.hash(of: sample))

    var batch = ImportedBatch()
    batch.pixels = [7, 8, 9, 10, 11, 12]
    batch.samples = [
      ImportedSample(key: "0", size: ImageSize(width: 3, height: 2), pixels: 0..<6)
    ]
    let draft = ImportDraft(name: "pixels", format: .fer, root: "/p.csv", isSingleFile: true)
    _ = try catalog.importDataset(draft) { writer in
      try writer.write(batch)
      var outcome = ImportOutcome()
      (outcome.read, outcome.accepted) = (1, 1)
      return (outcome, nil)
    }
    let pixels = try catalog.dataset(named: "pixels")
    let selection = try catalog.resolve("pixels")
    let embedded = try catalog.samples(in: selection)[0]
    // printf 'gray8 3 2\n\x07\x08\x09\x0a\x0b\x0c' | sha256sum
    #expect(
      try SampleContentHash(catalog: catalog, dataset: pixels).hash(of: embedded)
        == "71e44af44130113b33a5dd590b3a8dcbc655521f0b338e41b55ab3a361637082")
  }

  @Test("Images are looked at again after an import; one that changed or is gone is told")
  func images() throws {
    let world = try CorrectionFixture()
    for index in 0..<3 { try world.add(.reject("x"), to: index) }
    _ = try open(world)
    let pictures: [[SegmentCatalog.Region]] = [[], [], []]
    try CorrectionFixture.picture(0, world.size, shade: 99, in: world.world.folder)
    try FileManager.default.removeItem(at: world.world.folder.appending(path: "1.png"))
    try world.world.importPictures(
      pictures, size: world.size, classes: [Category(name: "person"), Category(name: "car")],
      replace: true)
    let opened = try open(world, .corrected)
    #expect(
      try opened.catalog.correctionIssues().map(\.kind) == [.imageChanged, .unreadable])
    #expect(opened.corrections.exist == 1)
    #expect(opened.corrections.issues == 2)
    #expect(
      opened.corrections.remark?.contains("2 samples whose corrections no longer apply") == true)
    // Once the file is back, relinking the dataset is enough.
    try CorrectionFixture.picture(1, world.size, in: world.world.folder)
    let dataset = try world.world.catalog.dataset(named: "set")
    try world.world.catalog.relink(
      dataset: dataset.id, root: dataset.root, isSingleFile: false)
    #expect(try open(world, .corrected).corrections.exist == 2)
  }

  @Test("Without a ledger nothing is said, and nothing is written")
  func noLedger() throws {
    let world = try SegmentCatalog()
    try world.importPictures([[]], size: ImageSize(width: 4, height: 2), classes: [])
    let opened = try CorrectedCatalog.open(
      world.catalog.path, .readOnly, reportingTo: NoProgress())
    #expect(opened.corrections == .none)
    #expect(opened.corrections.remark == nil)
    #expect(opened.corrections.members == [])
    #expect(
      !FileManager.default.fileExists(atPath: Ledger.path(forCatalog: world.catalog.path)))
    #expect(try world.catalog.sql("SELECT count(*) FROM truthState").rows == [[.integer(0)]])
    let corrected = try CorrectedCatalog.open(
      world.catalog.path, .readOnly, truth: .corrected, reportingTo: NoProgress())
    #expect(corrected.corrections.remark == "0 corrections used")
    #expect(throws: TruthError.noSuchEntry(4, last: 0)) {
      try CorrectedCatalog.open(
        world.catalog.path, .readOnly, truth: TruthChoice(corrected: true, at: 4),
        reportingTo: NoProgress())
    }
  }

  @Test("A ledger that is gone or damaged is told, and stops only those who want it")
  func lostLedger() throws {
    let world = try CorrectionFixture()
    try world.add(.reject("x"))
    _ = try open(world)
    let path = world.ledger.path
    try FileManager.default.moveItem(atPath: path, toPath: path + ".kept")
    #expect(
      try open(world).corrections.remark?.contains("is missing, and the catalog has seen 1 entry")
        == true)
    try Data("no ledger at all, but long enough to be one".utf8)
      .write(to: URL(fileURLWithPath: path))
    #expect(try open(world).corrections.remark?.contains("the corrections cannot be read") == true)
    #expect(try open(world).corrections.json["problem"]?.text != nil)
    #expect(throws: LedgerError.self) { try open(world, .corrected) }
  }
}
