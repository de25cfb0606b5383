import AssayCore
import AssayStore
import Foundation
import Testing

@testable import AssayWorkflows

@Suite("Splitting a dataset")
struct DatasetSplitTests {
  /// A catalog with 60 samples of `faces`: 40 train, 20 test; labels a, b, b and none in turn.
  private func catalog() throws -> (Catalog, folder: String) {
    let folder = NSTemporaryDirectory() + "assay-split-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let catalog = try Catalog.open(folder + "/assay.db", .create)
    var batch = ImportedBatch()
    batch.newCategories = [Category(name: "a"), Category(name: "b")]
    batch.samples = (0..<60).map { number in
      ImportedSample(
        key: "\(number)", location: "\(number).png", split: number % 3 == 2 ? "test" : "train",
        category: [0, 1, 1, nil][number % 4])
    }
    var outcome = ImportOutcome()
    (outcome.read, outcome.accepted, outcome.ordinals) = (60, 60, [0, 1])
    let (part, done) = (batch, outcome)
    _ = try catalog.importDataset(
      ImportDraft(name: "faces", format: .imageFolder, root: folder, isSingleFile: false)
    ) { writer in
      try writer.write(part)
      return (done, inputHash: nil)
    }
    return (catalog, folder)
  }

  private func split(
    _ catalog: Catalog, _ parts: String, from: String? = nil, seed: UInt64 = 42,
    stratify: Bool = false, name: String? = nil
  ) throws -> DatasetSplit.Summary {
    try DatasetSplit(catalog: catalog).run(
      "faces", parts: PartShare.parse(parts), from: from, seed: seed, stratify: stratify, name: name
    )
  }

  @Test("Parts are a partition of the split they come from, and can be asked for")
  func partition() throws {
    let (catalog, folder) = try catalog()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let summary = try split(catalog, "fit=0.8,held=0.2", from: "train")
    #expect(summary.partition.name == "fit-held")
    #expect(summary.partition.parts.map(\.count) == [32, 8])
    let fit = try catalog.samples(in: catalog.resolve("faces/fit"))
    let held = try catalog.samples(in: catalog.resolve("faces/held"))
    let train = try catalog.samples(in: catalog.resolve("faces/train"))
    #expect((fit + held).map(\.id).sorted() == train.map(\.id))
    #expect(summary.counts.map { $0.reduce(0, +) } == [32, 8])
  }

  @Test("Stratified parts of a multi-label dataset share every set of labels")
  func stratifiedSets() throws {
    // 20 samples with both labels, 20 with the first, 10 with the second, 10 with none, in seeded
    // order.
    let samples = (0..<60).map { number in
      SampleRecord(
        id: Int64(number), key: "\(number)",
        categories: [[0, 1], [0], [0, 1], [0], [1], []][number % 6])
    }
    let parts = try PartShare.parse("fit=0.8,held=0.2")
    let members = DatasetSplit.members(
      DatasetSplit.ordered(samples, seed: 7), parts, stratify: true)
    let counts = members.map { part in
      [[0, 1], [0], [1], []].map { set in part.count { $0.categories == set } }
    }
    #expect(counts == [[16, 16, 8, 8], [4, 4, 2, 2]])
    #expect(members.joined().map(\.id).sorted() == samples.map(\.id))
  }

  @Test("Stratified parts share every class, samples without a label among them")
  func stratified() throws {
    let (catalog, folder) = try catalog()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let summary = try split(catalog, "x=0.4,y=0.6", stratify: true)
    // 15 of a, 30 of b, 15 without: · 0.4 = 6, 12, 6.
    #expect(summary.counts == [[6, 12, 6], [9, 18, 9]])
  }

  @Test("The order is that of SHA-256 over seed and key")
  func order() throws {
    let samples = ["0", "1", "2", "3", "4"].enumerated().map {
      SampleRecord(id: Int64($0), key: $1)
    }
    // python3: sorted("01234", key=lambda k: hashlib.sha256((42).to_bytes(8, "little") +
    // k.encode()).digest())
    #expect(DatasetSplit.ordered(samples, seed: 42).map(\.key) == ["0", "1", "2", "4", "3"])
    #expect(
      DatasetSplit.ordered(samples.reversed(), seed: 42).map(\.key) == ["0", "1", "2", "4", "3"])
    #expect(DatasetSplit.ordered(samples, seed: 43).map(\.key) == ["2", "1", "3", "4", "0"])
  }

  @Test("A part that exists is not overwritten, in the source or in a partition")
  func taken() throws {
    let (catalog, folder) = try catalog()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    _ = try split(catalog, "fit=0.5,held=0.5", from: "train")
    for parts in ["fit=0.5,other=0.5", "training=0.5,other=0.5"] {
      #expect(throws: StoreError.self) { try split(catalog, parts, name: "again") }
    }
    #expect(throws: StoreError.nameTaken(.partition, "fit-held")) {
      try split(catalog, "p=0.5,q=0.5", name: "fit-held")
    }
    #expect(throws: SplitError.noSamples("faces/empty")) {
      _ = try split(catalog, "all=0.999999999,empty=0.000000001", name: "e")
      _ = try split(catalog, "v=1", from: "empty")
    }
    #expect(throws: StoreError.self) { try split(catalog, "v=1", from: "nowhere") }
  }

  @Test(
    "Shares are exact decimals over 0 that add up to 1",
    arguments: [
      ("a=1", [1_000_000_000]), ("a=.25,b=0.75", [250_000_000, 750_000_000]),
      ("a=0.1,b=0.2,c=0.7", [100_000_000, 200_000_000, 700_000_000]),
      ("a=0.333333333,b=0.666666667", [333_333_333, 666_666_667]),
    ])
  func shares(text: String, weights: [Int]) throws {
    #expect(try PartShare.parse(text).map(\.weight) == weights)
  }

  @Test(
    "Other shares are refused",
    arguments: [
      ("", SplitError.badPart("")), ("a", .badPart("a")), ("a=", .badPart("a=")),
      ("=1", .badPart("=1")), ("a=0,b=1", .badPart("a=0")), ("a=-1,b=2", .badPart("a=-1")),
      ("a=1.0000000001", .badPart("a=1.0000000001")), ("a=2", .badPart("a=2")),
      ("a=.", .badPart("a=.")), ("a=1e0", .badPart("a=1e0")), ("a=0.5,a=0.5", .partTwice("a")),
      ("a=0.5,b=0.4", .sharesNotWhole("a=0.5,b=0.4")), ("a=1=1", .badPart("a=1=1")),
    ])
  func refused(text: String, error: SplitError) {
    #expect(throws: error) { try PartShare.parse(text) }
  }
}
