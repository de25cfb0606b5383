import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("IDX files of MNIST and EMNIST")
struct MNISTImporterTests {
  /// An IDX file of bytes.
  private static func idx(_ sizes: [Int], _ values: [UInt8], type: UInt8 = 8) -> [UInt8] {
    [0, 0, type, UInt8(sizes.count)]
      + sizes.flatMap { size in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } }
      + values
  }

  private static let pair: [String: [UInt8]] = [
    "train-images-idx3-ubyte": idx([2, 1, 2], [1, 2, 3, 4]),
    "train-labels-idx1-ubyte": idx([2], [7, 3]),
  ]

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

  @Test("Images and labels of both splits are read, gzip or not")
  func plain() throws {
    let tree = FileTree(fixture: "mnist/plain")
    let detection = try FormatDetector.detect(tree)
    #expect(detection.format == .mnist)
    #expect(detection.reason.contains("IDX file (unsigned bytes, 2×2×3)"))
    let found = try Collected(tree, as: .mnist)
    #expect(
      found.keys == ["train/0", "train/1", "train/2", "train/3", "train/4", "test/0", "test/1"])
    #expect(found.splits == Array(repeating: "train", count: 5) + ["test", "test"])
    #expect(found.labels == ["5", "0", "4", "1", "9", "7", "0"])
    #expect(found.classes == ["0", "1", "4", "5", "7", "9"])
    #expect(found.sourceIDs.first == .integer(0))
    #expect(found.samples.allSatisfy { $0.size == ImageSize(width: 3, height: 2) })
    #expect(found.samples.allSatisfy { $0.location == nil })
    #expect(found.format == .gray8)
    #expect(found.pixels[0] == [0, 1, 2, 10, 11, 12])
    #expect(found.pixels[4] == [200, 201, 202, 210, 211, 212])
    #expect(found.pixels[6] == [50, 51, 52, 60, 61, 62])
    #expect(found.issues.isEmpty && found.isBalanced && found.run.notes.isEmpty)
  }

  @Test("EMNIST's images are exchanged back, and its table names the classes; both are said")
  func letters() throws {
    let found = try Collected(detecting: FileTree(fixture: "mnist/letters"))
    #expect(found.keys == ["train/0", "train/1", "train/2", "test/0"])
    #expect(found.labels == ["W", "A", "B", "A"])
    #expect(found.classes.count == 26 && found.classes.first == "A" && found.classes.last == "Z")
    #expect(found.sourceIDs.last == .integer(26))
    #expect(found.pixels[1] == [50, 51, 52, 60, 61, 62, 70, 71, 72])
    #expect(found.run.notes.contains { $0.contains("rows and columns exchanged") })
    #expect(
      found.run.notes.contains { $0.contains("emnist-letters-mapping.txt names the classes") })
    #expect(found.issues.isEmpty && found.isBalanced)
  }

  @Test("Files in folders of their own names are one dataset")
  func kaggle() throws {
    let found = try Collected(detecting: FileTree(fixture: "mnist/kaggle"))
    #expect(found.keys == ["train/0", "test/0"])
    #expect(found.labels == ["3", "3"])
    #expect(found.issues.isEmpty)
  }

  @Test("Without a name that says EMNIST nothing is exchanged")
  func notExchanged() throws {
    let found = try Collected(
      detecting: MemoryTree(
        folder: [
          "emnist/train-images-idx3-ubyte": Self.idx([1, 2, 3], [1, 2, 3, 4, 5, 6]),
          "emnist/train-labels-idx1-ubyte": Self.idx([1], [0]),
        ]))
    #expect(found.pixels == [[1, 2, 3, 4, 5, 6]])
    let other = try Collected(
      detecting: MemoryTree(
        folder: [
          "emnist-x-train-images-idx3-ubyte": Self.idx([1, 2, 3], [1, 2, 3, 4, 5, 6]),
          "emnist-x-train-labels-idx1-ubyte": Self.idx([1], [0]),
        ]))
    #expect(other.pixels == [[1, 4, 2, 5, 3, 6]])
    #expect(other.samples[0].size == ImageSize(width: 2, height: 3))
    #expect(other.run.notes.contains { $0.contains("no mapping file") })
  }

  @Test("Given classes name the numbers, and too few of them are refused")
  func classes() throws {
    let names = (0..<8).map { "c\($0)" }
    let found = try Collected(
      MemoryTree(folder: Self.pair), as: .mnist, ImportOptions(classes: names))
    #expect(found.labels == ["c7", "c3"])
    #expect(found.classes == names)
    let text = try #require(refusal(Self.pair, ImportOptions(classes: ["a", "b"])))
    #expect(text.contains("its labels go up to 7, and --classes names 2 classes"))
    #expect(
      refusal(Self.pair, ImportOptions(size: ImageSize(width: 1, height: 1)))?.contains("--size")
        == true)
  }

  @Test("Other numbers of images and labels, and two files of one role, are refused")
  func refused() throws {
    var files = Self.pair
    files["train-labels-idx1-ubyte"] = Self.idx([3], [7, 3, 1])
    #expect(refusal(files)?.contains("states 2 images") == true)
    files = Self.pair
    files["train-images.idx3-ubyte"] = Self.idx([2, 1, 2], [1, 2, 3, 5])
    #expect(refusal(files)?.contains("are both the images of the split train") == true)
    files = Self.pair
    files["fashion/train-images-idx3-ubyte"] = files["train-images-idx3-ubyte"]
    #expect(refusal(files)?.contains("several datasets") == true)
    files = Self.pair
    files["train-images-idx3-ubyte"] = Self.idx([2, 0, 2], [])
    #expect(refusal(files)?.contains("images of 2×0 pixels") == true)
    files["train-images-idx3-ubyte"] = Self.idx([0xFFFF_FFFF, 1, 1], [])
    files["train-labels-idx1-ubyte"] = nil
    #expect(refusal(files)?.contains("more than 10000000 rows") == true)
    let one = MemoryTree(Self.idx([1, 1, 1], [5]), name: "train-images-idx3-ubyte")
    #expect(try FormatDetector.detect(one).format == .mnist)
    #expect(throws: FormatError.self) { try Collected(one, as: .mnist) }
  }

  @Test("Several datasets are listed, each with the command that imports it")
  func severalDatasets() {
    var files: [String: [UInt8]] = [:]
    for set in ["balanced", "letters"] {
      for (name, bytes) in Self.pair { files["gzip/emnist-\(set)-\(name)"] = bytes }
      files["gzip/emnist-\(set)-mapping.txt"] = Array("0 65\n".utf8)
    }
    let words = refusal(files)
    for set in ["balanced", "letters"] {
      #expect(
        words?.contains(
          "mkdir emnist-\(set) && ln PATH/gzip/emnist-\(set)-* emnist-\(set)/ && assay import emnist-\(set)"
        )
          == true, "\(words ?? "")")
    }
    files = [:]
    for folder in ["fashion", "kuzushiji"] {
      for (name, bytes) in Self.pair { files["\(folder)/\(name)"] = bytes }
    }
    #expect(refusal(files)?.contains("assay import PATH/fashion") == true)
    #expect(refusal(files)?.contains("assay import PATH/kuzushiji") == true)
  }

  @Test("A file that ends early gives the images that are there, and one issue")
  func truncated() throws {
    var files = Self.pair
    files["train-images-idx3-ubyte"]?.removeLast()
    var found = try Collected(detecting: MemoryTree(folder: files))
    #expect(found.keys == ["train/0"])
    #expect(found.kinds == [.truncated] && found.rejected == 1 && found.isBalanced)
    files = Self.pair
    files["train-labels-idx1-ubyte"]?.removeLast()
    found = try Collected(detecting: MemoryTree(folder: files))
    #expect(found.labels == ["7"])
    #expect(found.kinds == [.truncated] && found.rejected == 1 && found.isBalanced)
  }

  @Test("Other bytes at the end, missing partners and other types are issues")
  func odd() throws {
    var files = Self.pair
    files["train-images-idx3-ubyte"]?.append(9)
    files["train-labels-idx1-ubyte"]?.append(9)
    files["t10k-labels-idx1-ubyte"] = Self.idx([3], [1, 2, 3])
    files["val-images-idx3-ubyte"] = Self.idx([1, 1, 1], [8])
    files["qmnist-train-labels-idx2-int"] = nil
    files["train-extra-idx2-int"] = nil
    let found = try Collected(detecting: MemoryTree(folder: files))
    #expect(found.keys == ["train/0", "train/1", "val/0"])
    #expect(found.labels == ["7", "3", nil])
    #expect(Set(found.kinds) == [.badField, .missingLabel, .missingImage])
    #expect(found.rejected == 3 && found.isBalanced)
    let typed = try Collected(
      detecting: MemoryTree(
        folder: [
          "train-images-idx3-ubyte": Self.idx([1, 1, 2], [1, 2]),
          "train-labels-idx2-int": Self.idx([1, 2], [0, 0, 0, 1, 0, 0, 0, 2], type: 0x0C),
          "x-idx": [1, 2, 3],
        ]))
    #expect(typed.labels == [nil])
    #expect(
      typed.kinds.sorted { $0.rawValue < $1.rawValue } == [
        .missingLabel, .unsupportedFile, .unsupportedFile,
      ])
  }

  @Test("A packed copy beside its file is not read; another one is refused")
  func copies() throws {
    let packed = try FileTree(fixture: "mnist/plain").readAll(
      "t10k-images-idx3-ubyte.gz", limit: 1 << 20)
    var files: [String: [UInt8]] = [
      "t10k-images-idx3-ubyte": Self.idx([2, 2, 3], Array(repeating: 1, count: 12)),
      "t10k-images-idx3-ubyte.gz": packed,
    ]
    let found = try Collected(detecting: MemoryTree(folder: files))
    #expect(found.samples.count == 2)
    #expect(found.run.notes.contains { $0.contains("compressed copy") })
    files["t10k-images-idx3-ubyte"] = Self.idx([1, 1, 1], [1])
    #expect(refusal(files)?.contains("have other contents") == true)
  }

  @Test("An invalid table of classes is refused with its line")
  func mapping() {
    for (text, problem) in [
      ("1 65\n1 66\n", "mapping.txt:2: the label 1 is repeated"),
      ("a b\n", "mapping.txt:1: expected a label"), ("300 65\n", "mapping.txt:1: expected a label"),
      ("1 55296\n", "expected a label"), ("1\n", "expected a label"),
    ] {
      let files = [
        "emnist-x-train-images-idx3-ubyte": Self.idx([1, 1, 1], [1]),
        "emnist-x-train-labels-idx1-ubyte": Self.idx([1], [1]),
        "emnist-x-mapping.txt": Array(text.utf8),
      ]
      #expect(refusal(files)?.contains(problem) == true)
    }
    // A label that the table does not have.
    let found = try? Collected(
      detecting: MemoryTree(
        folder: [
          "emnist-x-train-images-idx3-ubyte": Self.idx([2, 1, 1], [1, 2]),
          "emnist-x-train-labels-idx1-ubyte": Self.idx([2], [1, 2]),
          "emnist-x-mapping.txt": Array("1 65\n".utf8),
        ]))
    #expect(found?.labels == ["A"])
    #expect(found?.kinds == [.unknownLabel])
  }

  @Test("No tree of another format is taken, and annotations beside the files are named")
  func detection() throws {
    #expect(try FixtureTrees.claimed(by: .mnist).isEmpty)
    #expect(try FixtureTrees.wronglyDetected().isEmpty)
    var files = Self.pair
    files["labels.json"] = Array(#"{"images": [], "annotations": []}"#.utf8)
    #expect(refusal(files)?.contains("COCO annotations") == true)
    files = Self.pair
    files["a/1.png"] = DatasetLayout.png
    #expect(refusal(files)?.contains("IDX files") == true)
  }

  @Test("Damaged files are imported in part or refused")
  func mutations() throws {
    var trees = MutatedTree(
      fixtures: ["mnist/plain", "mnist/letters", "mnist/kaggle"], words: ["\u{8}", "\u{0}\u{0}"],
      seed: 51)
    var imported = 0
    let rounds = LongTests.areOn ? 50_000 : 1_000
    for round in 0..<rounds {
      guard let tree = trees.next(round) else { continue }
      do {
        if round % 3 == 0 { _ = try FormatDetector.detect(tree) }
        let found = try Collected(tree, as: .mnist)
        imported += 1
        #expect(found.isBalanced && Set(found.keys).count == found.keys.count)
        for sample in found.samples { #expect(sample.pixels?.count == sample.size?.area) }
      } catch is FormatError {
        continue
      }
    }
    #expect(imported > rounds / 3)
  }

  @Test(
    "Both files of Datumaro's MNIST as CSV are pixel-csv, and so is their folder",
    .outsideData("formats/mnist_csv_dataset", twin: "FormatDetectorTests.noImages"))
  func datumaroCSV() throws {
    for (name, labels) in [("mnist_test.csv", 3), ("mnist_train.csv", 2)] {
      let found = try Collected(detecting: FileTree(outside: "formats/mnist_csv_dataset/\(name)"))
      #expect(found.samples.count == labels)
      #expect(found.samples.allSatisfy { $0.size == ImageSize(width: 28, height: 28) })
    }
    let both = try Collected(detecting: FileTree(outside: "formats/mnist_csv_dataset"))
    #expect(both.splits == ["test", "test", "test", "train", "train"])
    #expect(both.labels == ["0", "2", "1", "5", "7"])
  }
}
