import AssayCore
import AssayFormats
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@Suite("Folders of images")
struct ImageFolderImporterTests {
  static let png =
    (try? Data(
      contentsOf: PackageFolder.fixture("image-folder/classes/cat/1.png")))
    .map { Array($0) } ?? []

  @Test("Folders are classes; contents decide, not suffixes; sizes are as looked at")
  func classes() throws {
    let tree = FileTree(fixture: "image-folder/classes")
    #expect(try FormatDetector.detect(tree).format == .imageFolder)
    let found = try Collected(tree, as: .imageFolder)
    #expect(found.keys == ["cat/1.png", "cat/WRONG.PNG", "dog/turned.jpeg"])
    #expect(found.samples.map(\.location) == found.keys.map { $0 })
    #expect(found.labels == ["cat", "cat", "dog"])
    #expect(found.splits == [nil, nil, nil])
    // 3×2 as PNG, 4×5 as JPEG with a wrong extension, 6×2 rotated by 90°.
    #expect(
      found.samples.map(\.size) == [
        ImageSize(width: 3, height: 2), ImageSize(width: 4, height: 5),
        ImageSize(width: 2, height: 6),
      ])
    #expect(found.issues.map(\.location.file) == ["dog/cut.png", "dog/text.jpg"])
    #expect(found.kinds == [.unreadableImage, .unsupportedFile])
    #expect(found.run.outcome.read == 5)
    #expect(found.isBalanced)
  }

  @Test("First folders that are called splits are splits")
  func splits() throws {
    let found = try Collected(detecting: FileTree(fixture: "image-folder/splits"))
    #expect(found.keys == ["train/cat/1.png", "train/dog/1.png", "val/dog/2.jpg"])
    #expect(found.splits == ["train", "train", "val"])
    #expect(found.labels == ["cat", "dog", "dog"])
    #expect(found.classes == ["cat", "dog"])
    #expect(found.issues.isEmpty)
  }

  @Test(
    "Class folders whose names differ in Unicode normalization are one class, with an issue and a note"
  )
  func normalization() throws {
    let found = try Collected(
      detecting: MemoryTree(
        folder: [
          "train/caf\u{E9}/1.png": Self.png, "train/cafe\u{301}/2.png": Self.png,
          "val/cafe\u{301}/3.png": Self.png, "val/tea/4.png": Self.png,
        ]))
    #expect(found.classes.count == 2 && Set(found.labels) == ["caf\u{E9}", "tea"])
    #expect(found.keys.count == 4 && found.kinds == [.duplicateID])
    let note =
      #"the folders “cafe\u{301}” and “caf\u{e9}” have one name in two Unicode normalizations; their images "#
      + "have one class"
    #expect(found.issues.map(\.message) == [note] && found.run.notes == [note])
    let plain = try Collected(
      detecting: MemoryTree(folder: ["a\u{E9}/1.png": Self.png, "e\u{301}/2.png": Self.png]))
    #expect(plain.issues.isEmpty)
  }

  @Test("A folder called test among classes that hold images is a class")
  func mixedClasses() throws {
    let found = try Collected(
      detecting: MemoryTree(folder: ["cat/1.png": Self.png, "test/1.png": Self.png]))
    #expect(found.labels == ["cat", "test"])
    #expect(found.splits == [nil, nil])
  }

  @Test("A folder among splits that holds classes too is a split, with a warning")
  func mixedSplits() throws {
    let found = try Collected(
      detecting: MemoryTree(
        folder: ["extra/cat/1.png": Self.png, "train2017/cat/1.png": Self.png]))
    #expect(found.splits == ["extra", "train2017"])
    #expect(found.labels == ["cat", "cat"])
    #expect(found.kinds == [.unknownSplit])
    #expect(found.issues[0].severity == .warning)
  }

  /// The refusal of a folder of PNGs, and the classes if it is imported nevertheless.
  static func refusal(_ tree: MemoryTree) throws -> (text: String, classes: [String]) {
    let error = #expect(throws: FormatError.self) { try FormatDetector.detect(tree) }
    var options = ImportOptions()
    options.ignoresCompanions = true
    return (
      "\(try #require(error))", try Collected(tree, as: .imageFolder, options).classes
    )
  }

  @Test(
    "Folders called like splits that only hold folders are no classes",
    arguments: [
      (
        ["train/cat/1.png", "train/dog/1.png", "test/cat/1.png", "more/1.png"],
        "test, train are called like splits and only hold"
      ),
      (
        ["train_a/cat/1.png", "train_b/dog/1.png"],
        "train_a, train_b are called like splits and only hold"
      ),
      (
        ["seg_train/seg_train/sea/1.png", "seg_pred/1.png"],
        "the folder seg_train is called like a split and only holds"
      ),
    ])
  func splitsAsClasses(paths: [String], says: String) throws {
    let tree = MemoryTree(folder: Dictionary(uniqueKeysWithValues: paths.map { ($0, Self.png) }))
    let (text, classes) = try Self.refusal(tree)
    #expect(text.contains("\(says) folders with images"), "\(text)")
    #expect(classes.isEmpty)
  }

  @Test("Masks beside JPEGs of their names, and a folder of masks among splits, are no images")
  func masksAmongImages() throws {
    let noise = (0..<3 * 16 * 16).map { UInt8(truncatingIfNeeded: $0 * 77) }
    let jpeg = try ImageCodec.encodeJPEG(
      #require(Raster(width: 16, height: 16, channels: 3, elements: noise)), quality: 90)
    let mask = try ImageCodec.encodePNG(
      #require(Raster<UInt8>(width: 16, height: 16, elements: (0..<256).map { $0 < 99 ? 255 : 0 })))
    for name in ["1.png", "1_matte.png", "1.mask.png", "1_bin_mask_x.png"] {
      let tree = MemoryTree(folder: ["1.jpg": jpeg, name: mask, "2.jpg": jpeg])
      guard name != "1_bin_mask_x.png" else {
        #expect(try FormatDetector.detect(tree).format == .imageFolder)
        continue
      }
      let text = try Self.refusal(tree).text
      #expect(
        text.contains("1 .png file looks like a mask of the image beside it (\(name)"), "\(text)")
    }
    let anomaly = MemoryTree(folder: [
      "train/good/1.png": Self.png, "test/crack/1.png": Self.png,
      "ground_truth/crack/1_x.png": Self.png,
    ])
    #expect(try Self.refusal(anomaly).text.contains("the folder ground_truth is part of"))
    // Two images of one name are no masks.
    let twice = MemoryTree(folder: ["a/1.jpg": jpeg, "a/1.png": Self.png])
    #expect(try FormatDetector.detect(twice).format == .imageFolder)
  }

  @Test("An image outside of the classes is kept without a label")
  func missingLabel() throws {
    let found = try Collected(
      detecting: MemoryTree(folder: ["1.png": Self.png, "10/1.png": Self.png, "9/1.png": Self.png]))
    #expect(found.labels == [nil, "10", "9"])
    #expect(found.classes == ["9", "10"])
    #expect(found.kinds == [.missingLabel])
  }

  @Test("Two levels of folders that may both be classes are refused, unless the format is given")
  func levels() throws {
    let tree = MemoryTree(folder: [
      "amazon/images/bike/1.png": Self.png, "amazon/images/mug/1.png": Self.png,
      "dslr/images/bike/1.png": Self.png, "dslr/images/pen/1.png": Self.png,
    ])
    let error = #expect(throws: FormatError.self) { try Collected(detecting: tree) }
    let message = "\(try #require(error))"
    #expect(
      message.contains(
        "folders of the same names (bike) are in several of the folders amazon, dslr, so either may be"
      ),
      "\(message)")
    let given = try Collected(tree, as: .imageFolder)
    #expect(given.labels == ["amazon", "amazon", "dslr", "dslr"])
    #expect(given.kinds.allSatisfy { $0 == .nestedFolder } && given.kinds.count == 4)
    // One image directly in a class folder says which level it is.
    let clear = MemoryTree(folder: [
      "amazon/1.png": Self.png, "amazon/bike/1.png": Self.png, "dslr/bike/1.png": Self.png,
    ])
    #expect(try Collected(detecting: clear).labels == ["amazon", "amazon", "dslr"])
    let splits = MemoryTree(folder: [
      "train/cat/1.png": Self.png, "train/dog/1.png": Self.png, "test/cat/1.png": Self.png,
    ])
    #expect(try Collected(detecting: splits).labels == ["cat", "cat", "dog"])
  }

  @Test("Images of nested folders get the class of the outer folder, and that is said")
  func nestedFolders() throws {
    let found = try Collected(
      detecting: MemoryTree(
        folder: [
          "a/1.png": Self.png, "a/b/1.png": Self.png, "c/d/1.png": Self.png,
          "c/e/1.png": Self.png, "f/images/1.png": Self.png,
        ]))
    #expect(found.labels == ["a", "a", "c", "c", "f"])
    #expect(found.kinds == [.nestedFolder, .nestedFolder, .nestedFolder])
    #expect(found.issues.map(\.location.file) == ["a/b", "c/d", "c/e"])
    #expect(found.issues.allSatisfy { $0.severity == .warning })
    let note = try #require(found.run.notes.first)
    #expect(
      note.hasPrefix("the images of 3 nested folders (a/b, c/d, c/e) have the class of the outer "))
    let splits = try Collected(
      detecting: MemoryTree(folder: ["train/a/1.png": Self.png, "train/a/b/1.png": Self.png]))
    #expect(splits.issues.map(\.location.file) == ["train/a/b"])
  }

  @Test("Images in one folder are a set without labels, and that is no issue")
  func flat() throws {
    let found = try Collected(
      detecting: MemoryTree(folder: ["1.png": Self.png]), ImportOptions(split: "test"))
    #expect(found.labels == [nil])
    #expect(found.splits == ["test"])
    #expect(found.issues.isEmpty)
  }

  @Test("Named classes rename folders with numbers and reject others")
  func namedClasses() throws {
    let tree = MemoryTree(folder: ["0/1.png": Self.png, "7/1.png": Self.png])
    let found = try Collected(tree, as: .imageFolder, ImportOptions(classes: ["a", "b"]))
    #expect(found.labels == ["a"])
    #expect(found.kinds == [.unknownLabel])
    #expect(found.isBalanced)
  }

  @Test("Hundreds of files in any number of workers give one order")
  func workers() throws {
    var files: [String: [UInt8]] = [:]
    for number in 0..<300 {
      files["c\(number % 7)/\(number).png"] = number % 11 == 0 ? [1, 2, 3] : Self.png
    }
    let tree = MemoryTree(folder: files)
    let serial = try Collected(tree, as: .imageFolder, ImportOptions(workers: 1))
    #expect(serial.issues.count == 28)
    for workers in [2, 4] {
      #expect(try Collected(tree, as: .imageFolder, ImportOptions(workers: workers)) == serial)
    }
  }

  @Test("An image over the pixel limit is an issue")
  func tooLarge() throws {
    var huge = Self.png
    // The width in IHDR, big-endian at byte 16; this also makes the checksum wrong.
    huge.replaceSubrange(16..<20, with: [0x7F, 0, 0, 0])
    let found = try Collected(
      MemoryTree(folder: ["a/1.png": Self.png, "a/2.png": huge]), as: .imageFolder)
    #expect(found.samples.count == 1)
    #expect(found.issues.count == 1)
    #expect([.imageTooLarge, .unreadableImage].contains(found.kinds[0]))
  }

  @Test(
    "420 real faces in folders: 60 a class",
    .outsideData("fer/folders", twin: "ImageFolderImporterTests.splits"))
  func realFolders() throws {
    let found = try Collected(detecting: FileTree(outside: "fer/folders"))
    #expect(found.samples.count == 420)
    #expect(Set(found.splits) == ["train"])
    #expect(found.classes == FERImporter.classes.sorted())
    #expect(Dictionary(grouping: found.labels, by: { $0 }).values.allSatisfy { $0.count == 60 })
    #expect(found.samples.allSatisfy { $0.size == ImageSize(width: 48, height: 48) })
    #expect(found.issues.isEmpty)
  }
}
