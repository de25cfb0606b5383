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

  @Test("Classes of a JSON and captions are read; masks and further fields are named as not read")
  func names() throws {
    let tree = FileTree(fixture: "webdataset/names")
    #expect(try FormatDetector.detect(tree).format == .webDataset)
    let found = try Rows(tree)
    #expect(
      found.rows == [
        "shard-train-0.tar/x.jpg train owl", "shard-train-0.tar/y.jpg train cat",
        "shard-train-0.tar/z.jpg train -",
      ])
    #expect(found.classes == ["caption", "cat", "owl"])
    #expect(
      found.issues.map { "\($0.kind.rawValue) \($0.location.file)" } == [
        "badField shard-train-0.tar/z.json", "unsupportedField names", "unsupportedField names",
        "missingLabel names",
      ])
    let texts = found.issues.map(\.message).joined(separator: "\n")
    #expect(texts.contains("1 .seg.png member is not read"))
    #expect(!texts.contains(".txt"))
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

  private static func shard(_ path: String) throws -> [UInt8] {
    let parts = path.split(separator: "/")
    return try FileTree(fixture: "webdataset/\(parts[0])").readAll(
      String(parts[1]), limit: 1 << 20)
  }

  @Test("Compressed shards are read as shards; their names state the split without the suffixes")
  func compressed() throws {
    let train = try Self.shard("numbers/train-000000.tar")
    let val = try Self.shard("numbers/val-000000.tar")
    let tree = MemoryTree(folder: [
      "a/train-000000.tar.gz": ZipBuilder.gzip(train), "a/val-000000.tgz": ZipBuilder.gzip(val),
      "a/train-000001.TAR": train,
    ])
    #expect(try FormatDetector.detect(tree).format == .webDataset)
    for workers in [1, 3] {
      let found = try Rows(tree, ImportOptions(workers: workers))
      #expect(
        found.rows == [
          "a/train-000000.tar.gz/000000.png train 1", "a/train-000000.tar.gz/000001.jpg train 0",
          "a/train-000001.TAR/000000.png train 1", "a/train-000001.TAR/000001.jpg train 0",
          "a/val-000000.tgz/000000.png val 0",
        ])
    }
  }

  @Test("A damaged compressed shard, and one that expands without end, are refused")
  func damagedCompressed() throws {
    let packed = ZipBuilder.gzip(try Self.shard("numbers/train-000000.tar"))
    for bytes in [
      Array(packed.dropLast(20)), Array(packed.dropLast(8)) + [UInt8](repeating: 1, count: 8),
    ] {
      #expect(throws: ArchiveError.self) { try Rows(MemoryTree(folder: ["a.tar.gz": bytes])) }
    }
    let text = ZipBuilder.gzip(Array("no tar archive".utf8))
    #expect(throws: (any Error).self) { try Rows(MemoryTree(folder: ["a.tar.gz": text])) }
    // An interruption ends the unpacking.
    struct Stop: Error {}
    var options = ImportOptions()
    options.checkInterruption = { throw Stop() }
    #expect(throws: Stop.self) { try Rows(MemoryTree(folder: ["a.tar.gz": packed]), options) }
  }

  @Test("Few compressed shards are kept in memory")
  func recentArchives() throws {
    var recent = RecentArchives<Int>(byteLimit: 1)
    let packed = ZipBuilder.gzip(try Self.shard("numbers/train-000000.tar"))
    let tree = MemoryTree(folder: ["a.tar.gz": packed])
    for number in 0..<5 {
      let archive = try ArchiveTree(.gzippedTar, tree, tree.files()[0])
      #expect(archive.memory >= archive.fileCount && archive.fileCount == 4)
      recent.add(archive, number)
    }
    #expect((0..<5).filter { recent.find($0) != nil } == [3, 4])
    #expect(recent.find(3) != nil)
    recent.add(try ArchiveTree(.gzippedTar, tree, tree.files()[0]), 5)
    #expect((0..<6).filter { recent.find($0) != nil } == [3, 5])
  }

  @Test(
    "One archive that is called like a shard is recognized by its members; its name is the split")
  func singleShard() throws {
    let names = try Self.shard("names/shard-train-0.tar")
    for name in ["shard-train-0.tar", "shard-train-0.tar.gz"] {
      let isTar = name.hasSuffix(".tar")
      let file = MemoryTree(isTar ? names : ZipBuilder.gzip(names), name: name)
      let tree = try ArchiveTree(isTar ? .tar : .gzippedTar, file, file.files()[0])
      #expect(try FormatDetector.detect(tree).format == .webDataset)
      #expect(try Rows(tree).rows == ["x.jpg train owl", "y.jpg train cat", "z.jpg train -"])
    }
    // Another name can be that of any archive.
    let file = MemoryTree(names, name: "data.tar")
    let other = try ArchiveTree(.tar, file, file.files()[0])
    #expect(throws: FormatError.self) { try FormatDetector.detect(other) }
  }

  @Test("Shards whose members look like annotations of another format are not taken")
  func foreign() throws {
    let image = try FileTree(fixture: "image-folder/splits").readAll(
      "train/cat/1.png", limit: 1 << 20)
    let labels: [(String, String)] = [
      ("json", #"{"version": "5", "shapes": [], "imagePath": "1.png", "imageData": null}"#),
      ("txt", "0 0.5 0.5 0.2 0.2\n"),
    ]
    for (suffix, text) in labels {
      let tar = TarBuilder.archive([("1.png", image), ("1." + suffix, Array(text.utf8))])
      for shard in ["a-0.tar": tar, "a-0.tgz": ZipBuilder.gzip(tar)] {
        let probe = try WebDatasetImporter().probe(
          MemoryTree(folder: [shard.key: shard.value]))
        #expect(!probe.isMatch && probe.reason.contains("look like"), "\(probe.reason)")
      }
    }
    let own = TarBuilder.archive([
      ("1.png", image), ("1.json", Array(#"{"file_name": "1.png", "label": "cat"}"#.utf8)),
    ])
    #expect(try WebDatasetImporter().probe(MemoryTree(folder: ["a-0.tar": own])).isMatch)
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
