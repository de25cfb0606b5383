import AssayCore
import Foundation
import GRDB
import Testing

@testable import AssayStore

@Suite("Importing")
struct ImportTests {
  @Test("A dataset comes out as it went in, with the classes in their final order")
  func roundTrip() throws {
    let house = try TemporaryCatalog()
    let summary = try house.catalog.importFaces(sixFaces, hash: "abc")
    #expect(summary.added == 6)
    #expect((summary.kept, summary.retired) == (0, 0))
    let dataset = try house.catalog.dataset(named: "faces")
    #expect(dataset == summary.dataset)
    #expect(dataset.format == .fer)
    #expect((dataset.samples, dataset.importVersion) == (6, 1))
    #expect((dataset.read, dataset.accepted, dataset.rejected) == (6, 6, 0))
    #expect(dataset.inputHash == "abc")
    // Added as happy, sad, angry; ordered by name.
    #expect(try house.catalog.taxonomy(of: dataset.id).names == ["angry", "happy", "sad"])
    let samples = try house.catalog.samples(in: house.catalog.resolve("faces"))
    #expect(samples.map(\.id) == [1, 2, 3, 4, 5, 6])
    #expect(samples.map(\.key) == ["0", "1", "2", "3", "4", "5"])
    #expect(samples.map(\.category) == [1, 2, 1, 0, nil, 2])
    #expect(samples.map(\.split) == ["train", "train", "validation", "validation", "test", nil])
    #expect(samples[0].size == ImageSize(width: 2, height: 1))
    #expect(try house.catalog.samples(ids: [6, 1, 99]).map(\.key) == ["5", "0"])
  }

  @Test("Splits are counted by label")
  func splitCounts() throws {
    let house = try TemporaryCatalog()
    let dataset = try house.catalog.importFaces(sixFaces).dataset
    #expect(
      try house.catalog.splitCounts(of: dataset.id) == [
        SplitCount(split: nil, category: 2, count: 1),
        SplitCount(split: "test", category: nil, count: 1),
        SplitCount(split: "train", category: 1, count: 1),
        SplitCount(split: "train", category: 2, count: 1),
        SplitCount(split: "validation", category: 0, count: 1),
        SplitCount(split: "validation", category: 1, count: 1),
      ])
  }

  @Test("Class ids keep the type they had in the source")
  func sourceIDs() throws {
    let house = try TemporaryCatalog()
    let draft = ImportDraft(name: "d", format: .fer, root: "/d", isSingleFile: true)
    let categories = [
      Category(name: "ten", sourceID: .integer(10)), Category(name: "nine", sourceID: .text("9")),
      Category(name: "none"),
    ]
    let dataset = try house.catalog.importDataset(draft) { writer in
      var batch = ImportedBatch()
      batch.newCategories = categories
      try writer.write(batch)
      var outcome = ImportOutcome()
      outcome.ordinals = [0, 1, 2]
      return (outcome, nil)
    }.dataset
    #expect(try house.catalog.taxonomy(of: dataset.id).categories == categories)
  }

  @Test("An import that throws leaves the earlier state, and no new catalog")
  func rollback() throws {
    struct Interrupted: Error {}
    let house = try TemporaryCatalog()
    let draft = ImportDraft(name: "more", format: .fer, root: "/m", isSingleFile: true)
    try house.catalog.importFaces(sixFaces)
    #expect(throws: Interrupted.self) {
      try house.catalog.importDataset(draft) { writer in
        try writer.write(Catalog.batch(sixFaces).0)
        throw Interrupted()
      }
    }
    #expect(try house.catalog.datasets().map(\.name) == ["faces"])
    #expect(try house.catalog.sql("SELECT count(*) FROM sample").rows == [[.integer(6)]])

    let path = house.path("fresh.db")
    do {
      let fresh = try Catalog.open(path, .create)
      #expect(throws: Interrupted.self) {
        try fresh.importDataset(draft) { _ in throw Interrupted() }
      }
      #expect(FileManager.default.fileExists(atPath: path))
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("A name that is taken or malformed is refused before anything is read")
  func names() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    #expect(throws: StoreError.nameTaken(.dataset, "faces")) {
      try house.catalog.importFaces(sixFaces)
    }
    _ = try house.catalog.addView(
      named: "glad", in: house.catalog.resolve("faces"), where: "label = happy")
    #expect(throws: StoreError.nameTaken(.view, "glad")) {
      try house.catalog.importFaces(sixFaces, as: "glad")
    }
    #expect(throws: StoreError.nameTaken(.view, "glad")) {
      try house.catalog.importFaces(sixFaces, as: "glad", replace: true)
    }
    #expect(throws: StoreError.badName("a/b")) {
      try house.catalog.importFaces(sixFaces, as: "a/b")
    }
  }

  @Test("One key twice is an error, in the first import and in a later one")
  func duplicates() throws {
    let house = try TemporaryCatalog()
    let twice = [sixFaces[0], sixFaces[1], sixFaces[0]]
    #expect(throws: StoreError.duplicateKey("0")) { try house.catalog.importFaces(twice) }
    try house.catalog.importFaces(sixFaces)
    #expect(throws: StoreError.duplicateKey("0")) {
      try house.catalog.importFaces(twice, replace: true)
    }
    #expect(try house.catalog.dataset(named: "faces").importVersion == 1)
  }

  @Test("Batches that do not fit together are refused")
  func badBatches() throws {
    let house = try TemporaryCatalog()
    let draft = ImportDraft(name: "d", format: .fer, root: "/d", isSingleFile: true)
    func run(_ change: (inout ImportedBatch, inout ImportOutcome) -> Void) throws {
      _ = try house.catalog.importDataset(draft) { writer in
        var (batch, outcome) = Catalog.batch(sixFaces)
        change(&batch, &outcome)
        try writer.write(batch)
        return (outcome, nil)
      }
    }
    #expect(throws: StoreError.self) { try run { batch, _ in batch.samples[0].category = 3 } }
    #expect(throws: StoreError.self) { try run { batch, _ in batch.samples[0].pixels = 0..<3 } }
    #expect(throws: StoreError.self) { try run { batch, _ in batch.samples[5].pixels = 11..<13 } }
    #expect(throws: StoreError.self) { try run { batch, _ in batch.samples[0].size = nil } }
    #expect(throws: StoreError.self) { try run { _, outcome in outcome.ordinals = [0, 0, 1] } }
    #expect(throws: StoreError.self) { try run { _, outcome in outcome.accepted = 5 } }
    #expect(throws: StoreError.self) { try run { _, outcome in outcome.rejected = 1 } }
    try run { _, _ in }
  }

  /// Samples with these keys, and other texts that are empty, absent or have several bytes per character.
  private static func batch(_ keys: [String]) -> ImportedBatch {
    var batch = ImportedBatch()
    batch.samples = keys.enumerated().map { place, key in
      ImportedSample(
        key: key, location: [nil, key, "é/\(place)", ""][place % 4],
        split: place % 3 == 0 ? nil : "train", size: ImageSize(width: 3, height: 2),
        sourceID: [nil, .integer(Int64(place)), .text("id \(place)")][place % 3],
        attributes: place % 5 == 0 ? #"{"a":"ü"}"# : nil)
    }
    return batch
  }

  private static func write(_ batches: [ImportedBatch], to catalog: Catalog) throws {
    let draft = ImportDraft(name: "keys", format: .imageFolder, root: "/k", isSingleFile: false)
    try catalog.importDataset(draft) { writer in
      for batch in batches { try writer.write(batch) }
      var outcome = ImportOutcome()
      outcome.accepted = batches.reduce(0) { $0 + $1.samples.count }
      outcome.read = outcome.accepted
      return (outcome, nil)
    }
  }

  @Test(
    "All fields of samples are as delivered, whatever the size of a batch", arguments: [1, 24, 61])
  func fields(count: Int) throws {
    let house = try TemporaryCatalog()
    // The second key is equal to the third one as text, and has other bytes.
    let keys = ["", "e\u{301}.png", "\u{e9}.png"] + (0..<count).map { "\($0).png" }
    try Self.write([Self.batch(keys), Self.batch(["z"])], to: house.catalog)
    let samples = try house.catalog.samples(in: house.catalog.resolve("keys"))
    #expect(samples.map { Array($0.key.utf8) } == (keys + ["z"]).map { Array($0.utf8) })
    let expected = Self.batch(keys).samples + Self.batch(["z"]).samples
    #expect(samples.map(\.location) == expected.map(\.location))
    #expect(samples.map(\.split) == expected.map(\.split))
    #expect(samples.map(\.sourceID) == expected.map(\.sourceID))
    let texts = try house.catalog.sql("SELECT count(*) FROM sample WHERE attributes LIKE '%ü%'")
      .rows
    #expect(texts == [[.integer(Int64(expected.count { $0.attributes != nil }))]])
  }

  @Test("A repeated key is named, in one batch or in two")
  func repeated() throws {
    let keys = (0..<60).map { "\($0)" }
    for batches in [[keys + ["41"]], [["41"] + keys], [keys, ["x", "59"]], [["7"], keys]] {
      let house = try TemporaryCatalog()
      let key = batches.joined().first { key in batches.joined().count { $0 == key } == 2 }
      #expect(throws: StoreError.duplicateKey(try #require(key))) {
        try Self.write(batches.map(Self.batch), to: house.catalog)
      }
      #expect(try house.catalog.datasets().isEmpty)
    }
  }
}
