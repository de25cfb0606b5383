import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("Binary files of CIFAR and STL-10")
struct CIFARImporterTests {
  private func files(_ fixture: String) throws -> [String: [UInt8]] {
    let tree = FileTree(fixture: "cifar/\(fixture)")
    return try Dictionary(
      uniqueKeysWithValues: tree.files().map {
        ($0.path, try tree.readAll($0.path, limit: 1 << 20))
      })
  }

  private func refusal(_ files: [String: [UInt8]], _ options: ImportOptions = ImportOptions())
    -> String?
  {
    do {
      let tree = MemoryTree(folder: files)
      _ = try Collected(tree, as: FormatDetector.detect(tree).format, options)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Channel `c` of pixel (x, y) in record `n`, as the script writes it.
  private func value(_ x: Int, _ y: Int, _ c: Int, _ n: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: 3 * x + 5 * y + 80 * c + n)
  }

  private func isRight(_ pixels: [UInt8]?, side: Int, record: Int) -> Bool {
    guard let pixels, pixels.count == 3 * side * side else { return false }
    return pixels.indices.allSatisfy { place in
      let (pixel, c) = (place / 3, place % 3)
      return pixels[place] == value(pixel % side, pixel / side, c, record)
    }
  }

  @Test("CIFAR-10: batches are train, planes become interleaved pixels")
  func ten() throws {
    let tree = FileTree(fixture: "cifar/ten")
    #expect(try FormatDetector.detect(tree).reason == "data_batch_1.bin is a file of CIFAR-10")
    let found = try Collected(detecting: tree)
    #expect(found.keys == ["data_batch_1/0", "data_batch_1/1", "data_batch_2/0", "test_batch/0"])
    #expect(found.splits == ["train", "train", "train", "test"])
    #expect(found.labels == ["frog", "truck", "airplane", "cat"])
    #expect(found.classes.count == 10 && found.classes[3] == "cat" && found.classes[9] == "truck")
    #expect(found.sourceIDs[9] == .integer(9))
    #expect(found.format == .rgb8)
    #expect(found.samples.allSatisfy { $0.size == ImageSize(width: 32, height: 32) })
    #expect(isRight(found.pixels[1], side: 32, record: 1))
    #expect(found.issues.isEmpty && found.isBalanced && found.run.notes.isEmpty)
  }

  @Test("CIFAR-100: the fine label is the class, the coarse one the class above")
  func hundred() throws {
    let tree = FileTree(fixture: "cifar/hundred")
    let found = try Collected(detecting: tree)
    #expect(found.keys == ["train/0", "train/1", "test/0"])
    #expect(found.labels == ["baby", "apple", "bear"])
    #expect(found.classes == ["apple", "aquarium_fish", "baby", "bear"])
    #expect(isRight(found.pixels[1], side: 32, record: 1))
    var above: [String: String?] = [:]
    _ = try Importers.importer(for: .cifar).run(tree, ImportOptions()) { batch in
      for category in batch.newCategories { above[category.name] = category.supercategory }
    }
    #expect(above["baby"] == "people and bears" && above["apple"] == "fruit")
    #expect(above["bear"] == "people and bears" && above["aquarium_fish"] == .some(nil))
  }

  @Test("STL-10: labels count from 1 in a file of their own, planes are stored by column")
  func stl() throws {
    let found = try Collected(detecting: FileTree(fixture: "cifar/stl"))
    #expect(found.keys == ["train_X/0"])
    #expect(found.labels == ["truck"])
    #expect(found.sourceIDs.last == .integer(10))
    #expect(isRight(found.pixels[0], side: 96, record: 0))
    #expect(found.issues.isEmpty)
    var other = try files("stl")
    other["fold_indices.txt"] = Array("0 1 2\n".utf8)
    other["unlabeled_X.bin"] = other["train_X.bin"]
    let more = try Collected(detecting: MemoryTree(folder: other))
    #expect(more.labels == ["truck", nil])
    #expect(more.splits == ["train", "unlabeled"])
    #expect(more.kinds == [.unsupportedField])
    #expect(more.run.notes.contains { $0.contains("unlabeled_X.bin have no label") })
    other["train_y.bin"] = [1, 2]
    #expect(refusal(other)?.contains("do not belong together") == true)
    other["train_y.bin"] = nil
    #expect(try Collected(detecting: MemoryTree(folder: other)).kinds.contains(.missingLabel))
  }

  @Test("Pickles are refused with the reason and the way out, and are not read beside binary files")
  func pickles() throws {
    let text = try #require(refusal(try files("python")))
    #expect(text.contains("data_batch_1") || text.contains("batches.meta"))
    #expect(text.contains("is a Python pickle") && text.contains("cifar-10-binary.tar.gz"))
    #expect(throws: FormatError.self) {
      try Collected(FileTree(fixture: "cifar/python"), as: .cifar)
    }
    let both = try files("ten").merging(files("python")) { first, _ in first }
    let found = try Collected(detecting: MemoryTree(folder: both))
    #expect(found.samples.count == 4)
    #expect(found.run.notes.contains { $0.contains("pickles beside the binary files") })
    #expect(throws: FormatError.self) {
      try Collected(detecting: MemoryTree([0x80, 2, 0x7D], name: "data_batch_1"))
    }
  }

  @Test("One batch alone is imported, and classes without names are numbers")
  func single() throws {
    let bytes = try #require(try files("ten")["data_batch_1.bin"])
    let tree = MemoryTree(bytes, name: "data_batch_1.bin")
    let found = try Collected(detecting: tree)
    #expect(found.labels == ["6", "9"])
    #expect(found.classes == ["6", "9"])
    #expect(found.run.notes.contains { $0.contains("no batches.meta.txt") })
    let names = (0..<10).map { "c\($0)" }
    let named = try Collected(tree, as: .cifar, ImportOptions(classes: names))
    #expect(named.labels == ["c6", "c9"])
    #expect(throws: FormatError.self) {
      try Collected(tree, as: .cifar, ImportOptions(classes: ["a"]))
    }
  }

  @Test("Without names, labels that CIFAR-10 does not have are left out")
  func beyond() throws {
    var bytes = try #require(try files("ten")["data_batch_1.bin"])
    bytes[0] = 200
    let found = try Collected(detecting: MemoryTree(bytes, name: "data_batch_1.bin"))
    #expect(found.labels == ["9"])
    #expect(found.kinds == [.unknownLabel])
    #expect(found.rejected == 1 && found.isBalanced)
  }

  @Test("Labels without a name, cut records and contradicting coarse labels are issues")
  func odd() throws {
    var files = try files("ten")
    files["data_batch_1.bin"]?[0] = 200
    files["data_batch_2.bin"]?.removeLast()
    let found = try Collected(detecting: MemoryTree(folder: files))
    #expect(found.labels == ["truck", "cat"])
    #expect(Set(found.kinds) == [.unknownLabel, .truncated])
    #expect(found.rejected == 2 && found.isBalanced)
    files = try self.files("hundred")
    files["train.bin"]?[3074] = 0
    files["train.bin"]?[3075] = 2
    let coarse = try Collected(detecting: MemoryTree(folder: files))
    #expect(coarse.labels == ["baby", "baby", "bear"])
    #expect(coarse.kinds == [.badField])
    files["fine_label_names.txt"] = Array("a\n\nb\n".utf8)
    #expect(refusal(files)?.contains("fine_label_names.txt:2: a blank line") == true)
  }

  @Test("Several datasets are refused, and no tree of another format is taken")
  func detection() throws {
    var files: [String: [UInt8]] = [:]
    for name in ["ten", "hundred"] {
      for (path, bytes) in try self.files(name) { files["\(name)/\(path)"] = bytes }
    }
    #expect(refusal(files)?.contains("several datasets") == true)
    #expect(try FixtureTrees.claimed(by: .cifar).isEmpty)
    files = try self.files("ten")
    files["labels.json"] = Array(#"{"images": [], "annotations": []}"#.utf8)
    #expect(refusal(files)?.contains("COCO annotations") == true)
  }

  @Test("Damaged files are imported in part or refused")
  func mutations() throws {
    var trees = MutatedTree(
      fixtures: ["cifar/ten", "cifar/hundred", "cifar/stl"], words: ["\u{1}"], seed: 52)
    var imported = 0
    let rounds = LongTests.areOn ? 10_000 : 300
    for round in 0..<rounds {
      guard let tree = trees.next(round) else { continue }
      do {
        if round % 3 == 0 { _ = try FormatDetector.detect(tree) }
        let found = try Collected(tree, as: .cifar)
        imported += 1
        #expect(found.isBalanced && Set(found.keys).count == found.keys.count)
      } catch is FormatError {
        continue
      }
    }
    #expect(imported > rounds / 3)
  }
}
