import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("WebDataset importer")
struct WebDatasetImporterTests {
  /// The rows of an import: key, split and class, in the order of the samples.
  private struct Rows {
    var rows: [String] = []
    var issues: [AssayCore.Issue] = []
    var classes: [String] = []
    var outcome = ImportOutcome()

    init(_ tree: some SourceTree, _ options: ImportOptions = ImportOptions()) throws {
      var names: [String] = []
      let run = try WebDatasetImporter().run(tree, options) { batch in
        names += batch.newCategories.map(\.name)
        issues += batch.issues
        rows += batch.samples.map { sample in
          "\(sample.key) \(sample.split ?? "-") \(sample.category.map { names[$0] } ?? "-")"
        }
      }
      outcome = run.outcome
      classes = names.indices.sorted { outcome.ordinals[$0] < outcome.ordinals[$1] }.map {
        names[$0]
      }
      #expect(outcome.read == outcome.accepted + outcome.rejected)
      #expect(outcome.accepted == rows.count)
    }
  }

  private static func one() throws -> ArchiveTree {
    let tree = FileTree(fixture: "webdataset/one.tar")
    return try ArchiveTree(.tar, tree, #require(try tree.files().first))
  }

  @Test("Shards with .cls are detected; the class list names the numbers, the shard the split")
  func numbers() throws {
    let tree = FileTree(fixture: "webdataset/numbers")
    let detection = try FormatDetector.detect(tree)
    #expect(detection.format == .webDataset)
    #expect(detection.reason.contains("3 tar files"))
    for workers in [1, 3] {
      let found = try Rows(tree, ImportOptions(workers: workers))
      #expect(
        found.rows == [
          "train-000000.tar/000000.png train dog", "train-000000.tar/000001.jpg train cat",
          "train-000001.tar/000002.PNG train dog", "val-000000.tar/000000.png val cat",
        ])
      #expect(found.classes == ["cat", "dog"])
      #expect(
        found.issues.map { "\($0.kind.rawValue) \($0.location.file)" } == [
          "unknownLabel train-000001.tar/a/b.c/000003.v1.png",
          "missingImage val-000000.tar/000004", "unsupportedFile val-000000.tar/000005.png",
        ])
    }
  }

  @Test("Classes of a JSON are read; captions, masks and further fields are named as not read")
  func names() throws {
    let tree = FileTree(fixture: "webdataset/names")
    #expect(try FormatDetector.detect(tree).format == .webDataset)
    let found = try Rows(tree)
    #expect(
      found.rows == [
        "shard-train-0.tar/x.jpg train owl", "shard-train-0.tar/y.jpg train cat",
        "shard-train-0.tar/z.jpg train -",
      ])
    #expect(found.classes == ["cat", "owl"])
    #expect(
      found.issues.map { "\($0.kind.rawValue) \($0.location.file)" } == [
        "badField shard-train-0.tar/z.json", "unsupportedField names", "unsupportedField names",
        "unsupportedField names", "missingLabel names",
      ])
    let texts = found.issues.map(\.message).joined(separator: "\n")
    #expect(texts.contains("1 .seg.png member is not read"))
    #expect(texts.contains("2 .txt members are not read (captions are not kept)"))
    #expect(texts.contains("the JSON field 'score' of 1 sample is not read"))
    #expect(!texts.contains("url"))
  }

  @Test("One tar archive is a source, too; given classes keep their order")
  func single() throws {
    let tree = try Self.one()
    #expect(try FormatDetector.detect(tree).format == .webDataset)
    let found = try Rows(tree)
    #expect(found.rows == ["1.png - b", "2.png - a", "3.input.png - a"])
    #expect(found.classes == ["a", "b"])
    let named = try Rows(tree, ImportOptions(split: "test", classes: ["b", "a", "c"]))
    #expect(named.rows == ["1.png test b", "2.png test a", "3.input.png test a"])
    #expect(named.classes == ["b", "a", "c"])
  }

  @Test("Tar files with nothing but images, and images beside tar files, are no shards")
  func others() throws {
    let png = try FileTree(fixture: "image-folder/splits").readAll(
      "train/cat/1.png", limit: 1 << 20)
    let splits = try FileTree(fixture: "archives/splits.tar").readAll("splits.tar", limit: 1 << 20)
    let alone = MemoryTree(folder: ["cat.tar": splits])
    #expect(try !WebDatasetImporter().probe(alone).isMatch)
    let numbers = FileTree(fixture: "webdataset/numbers")
    let shard = try numbers.readAll("train-000000.tar", limit: 1 << 20)
    #expect(try WebDatasetImporter().probe(MemoryTree(folder: ["a.tar": shard])).isMatch)
    #expect(
      try !WebDatasetImporter().probe(MemoryTree(folder: ["a.tar": shard, "b.png": png])).isMatch)
    #expect(try !WebDatasetImporter().probe(MemoryTree(folder: ["a.png": png])).isMatch)
    // Annotations of another format beside the shards would be dropped.
    let mixed = MemoryTree(folder: ["a.tar": shard, "x.parquet": Array("PAR1".utf8)])
    #expect(throws: FormatError.self) { try FormatDetector.detect(mixed) }
  }

  @Test("Damaged shards are imported in part or refused")
  func mutations() throws {
    let numbers = FileTree(fixture: "webdataset/names")
    let seed = try numbers.readAll("shard-train-0.tar", limit: 1 << 20)
    var random = SplitMix64(seed: 77)
    var imported = 0
    for _ in 0..<(LongTests.areOn ? 100_000 : 400) {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        // The last third of the archive is padding.
        let place = Int.random(in: 0..<(bytes.count * 2 / 3), using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      do {
        _ = try Rows(MemoryTree(folder: ["a.tar": bytes]), ImportOptions(workers: 1))
        imported += 1
      } catch is ArchiveError {
      } catch is FormatError {
      }
    }
    #expect(imported > 50)
  }
}
