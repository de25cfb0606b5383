import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("FER-2013's CSV")
struct FERImporterTests {
  /// The faces of `Fixtures/fer/make.py`: 10·i + (0…8), the last 247…255.
  static let faces: [[UInt8]] = [0, 10, 20, 30, 247].map { start in (0..<9).map { start + $0 } }
  static let labels = ["angry", "disgust", "happy", "neutral", "angry"]
  static let splits = ["train", "train", "validation", "test", "train"]

  @Test(
    "Every variant of the file gives the same faces, labels and splits",
    arguments: [
      "fer2013.csv", "icml_face_data.csv", "other_order.csv", "bom_crlf.csv", "quoted.csv",
      "quoted_pixels.csv", "no_last_line_end.csv", "names.csv", "extra_column.csv",
      "fer2013.csv.gz", "members.csv.gz",
    ])
  func variants(name: String) throws {
    let tree = FileTree(fixture: "fer/\(name)")
    let detection = try FormatDetector.detect(tree)
    #expect(detection.format == .fer)
    let found = try Collected(tree, as: .fer)
    #expect(found.pixels == Self.faces)
    #expect(found.labels == Self.labels)
    #expect(found.splits == Self.splits)
    #expect(found.keys == ["0", "1", "2", "3", "4"])
    #expect(found.samples.allSatisfy { $0.size == ImageSize(width: 3, height: 3) })
    #expect(found.issues.isEmpty)
    #expect(found.classes == FERImporter.classes)
    #expect(found.sourceIDs == (0..<7).map { .integer($0) })
    #expect(found.isBalanced)
  }

  @Test("Without Usage there is no split but the stated one")
  func noUsage() throws {
    let tree = FileTree(fixture: "fer/train.csv")
    let found = try Collected(detecting: tree)
    #expect(found.splits == [nil, nil, nil, nil, nil])
    #expect(found.labels == Self.labels)
    #expect(found.issues.isEmpty)
    let stated = try Collected(detecting: tree, ImportOptions(split: "train"))
    #expect(stated.splits == ["train", "train", "train", "train", "train"])
  }

  @Test("A stated split does not replace the file's own")
  func statedSplit() throws {
    let tree = FileTree(fixture: "fer/fer2013.csv")
    #expect(try Collected(tree, as: .fer, ImportOptions(split: "held")).splits == Self.splits)
  }

  @Test("Without emotion there are no labels, and that is no issue")
  func noEmotion() throws {
    let found = try Collected(detecting: FileTree(fixture: "fer/no_emotion.csv"))
    #expect(found.labels == [nil, nil, nil, nil, nil])
    #expect(found.splits == Self.splits)
    #expect(found.issues.isEmpty)
  }

  @Test("Pixels alone are FER where they are 48×48")
  func pixelsOnly() throws {
    let found = try Collected(detecting: FileTree(fixture: "fer/test.csv"))
    #expect(found.samples.count == 2)
    // The fixture's pixel (x, y) of the second face is (x·y + 100) mod 256: (47, 47) gives 2309 mod
    // 256.
    #expect(found.pixels[1]?.first == 100)
    #expect(found.pixels[1]?.last == 5)
    #expect(try FormatDetector.detect(MemoryTree("pixels\n1 2 3 4\n")).format == .pixelCSV)
  }

  @Test("The hash is that of the file on disk, packed or not")
  func contentHash() throws {
    // sha256sum (GNU coreutils 9.1) of the two fixtures.
    #expect(
      try Collected(FileTree(fixture: "fer/fer2013.csv"), as: .fer).run.contentHash
        == "365d53235183707acad396a3e79bb062b25e96ecbbc69c7e8b11eb88229563c5")
    #expect(
      try Collected(FileTree(fixture: "fer/members.csv.gz"), as: .fer).run.contentHash
        == "f583f97095ffc356965bb7c28041fa17615be339be63e5adcd46992b97c6696c")
  }

  @Test("Stated classes replace the seven")
  func statedClasses() throws {
    let classes = ["zero", "one", "two", "three", "four", "five", "six"]
    let found = try Collected(
      FileTree(fixture: "fer/fer2013.csv"), as: .fer, ImportOptions(classes: classes))
    #expect(found.labels == ["zero", "one", "three", "six", "zero"])
    #expect(found.classes == classes)
  }

  @Test("A stated size that the rows do not have rejects them all")
  func statedSize() throws {
    let size = ImageSize(width: 9, height: 2)
    let found = try Collected(
      FileTree(fixture: "fer/fer2013.csv"), as: .fer, ImportOptions(size: size))
    #expect(found.kinds == Array(repeating: .pixelCount, count: 5))
    #expect(found.run.outcome.rejected == 5)
    #expect(found.isBalanced)
  }

  @Test(
    "3,589 real faces have the counts that Python found",
    .outsideData("fer/fer2013_publictest.csv.gz", twin: "FERImporterTests.variants"))
  func realData() throws {
    let found = try Collected(detecting: FileTree(outside: "fer/fer2013_publictest.csv.gz"))
    #expect(found.run.outcome == found.expected(read: 3589))
    #expect(found.issues.isEmpty)
    // zcat … | python3 -c "import csv, sys, collections; print(collections.Counter(r['emotion'] for
    // …))"
    let counts = Dictionary(grouping: found.labels, by: { $0 }).mapValues(\.count)
    #expect(
      counts == [
        "angry": 467, "disgust": 56, "fear": 496, "happy": 895, "sad": 653, "surprise": 415,
        "neutral": 607,
      ])
    #expect(Set(found.splits) == ["validation"])
    // sum(int(v) for r in rows for v in r["pixels"].split()) in the same program.
    let sum = found.pixels.reduce(0) { $0 + ($1 ?? []).reduce(0) { $0 + Int($1) } }
    #expect(sum == 1_081_550_910)
  }
}

extension Collected {
  func expected(read: Int) -> ImportOutcome {
    var outcome = ImportOutcome()
    outcome.read = read
    outcome.accepted = read
    outcome.ordinals = Array(0..<7)
    return outcome
  }
}
