import AssayCore
import AssayTestSupport
import Testing

@testable import AssayFormats

@Suite("Tables of boxes for each split in one folder")
struct SplitTablesTests {
  private static let head = "filename,width,height,class,xmin,ymin,xmax,ymax\n"

  private static func rows(_ names: [String], _ label: String = "cat") -> String {
    head + names.map { "\($0),10,10,\(label),1,2,4,6\n" }.joined()
  }

  private func refusal(_ tree: MemoryTree) -> String? {
    do {
      _ = try CollectedObjects(detecting: tree)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "Images in a folder per split, in one folder, or in a folder beside that of the tables",
    arguments: [
      (["images/train/", "images/test/"], ""), (["images/", "images/"], ""),
      (["train/", "test/"], ""), (["images/", "images/"], "data/"), (["", ""], ""),
      (["images/train/", "images/test/"], "annotations/csv/"),
    ])
  func tensorFlow(folders: [String], table: String) throws {
    let tree = try MemoryTree(
      images: [folders[0] + "1.png", folders[0] + "2.png", folders[1] + "3.png"],
      texts: [
        table + "train_labels.csv": Self.rows(["1.png", "1.png", "2.png"]),
        table + "test_labels.csv": Self.rows(["3.png"], "dog"),
      ])
    #expect(try FormatDetector.detect(tree).format == .csv)
    let found = try CollectedObjects(detecting: tree)
    let keys = Dictionary(uniqueKeysWithValues: zip(found.keys, found.splits))
    #expect(
      keys == [
        folders[0] + "1.png": "train", folders[0] + "2.png": "train", folders[1] + "3.png": "test",
      ])
    #expect(found.objects.count == 3 && found.names == ["cat", "dog"])
    #expect(found.objects.first?.box == Box(x: 1, y: 2, width: 3, height: 4))
    #expect(found.kinds == [.duplicateID] && found.isBalanced)
  }

  @Test("Equal names in the folders of both splits belong to the table of their split")
  func equalNames() throws {
    let found = try CollectedObjects(
      detecting: try MemoryTree(
        images: ["images/train/1.png", "images/test/1.png"],
        texts: [
          "train_labels.csv": Self.rows(["1.png"]),
          "test_labels.csv": Self.rows(["1.png"], "dog"),
        ]))
    #expect(found.keys == ["images/test/1.png", "images/train/1.png"])
    #expect(found.splits == ["test", "train"])
    #expect(found.objects.map(\.label) == ["dog", "cat"])
    #expect(found.issues.isEmpty)
  }

  @Test("An image in both tables belongs to the first, and the other's rows are left out")
  func both() throws {
    let found = try CollectedObjects(
      detecting: try MemoryTree(
        images: ["images/1.png", "images/2.png"],
        texts: [
          "train_labels.csv": Self.rows(["1.png", "2.png"]),
          "test_labels.csv": Self.rows(["2.png"], "dog"),
        ]))
    #expect(found.keys == ["images/1.png", "images/2.png"])
    #expect(found.splits == ["train", "test"])
    #expect(found.objects.map(\.label) == ["cat", "dog"])
    #expect(found.places == ["duplicateID error train_labels.csv"])
    #expect(found.isOutcomeBalanced && found.run.outcome.rejected == 1)
  }

  @Test("Tables whose names do not state two splits, and images that are not there, are refused")
  func refused() throws {
    var tree = try MemoryTree(
      images: ["images/1.png"],
      texts: ["train_labels.csv": Self.rows(["1.png"]), "labels.csv": Self.rows(["1.png"])])
    #expect(refusal(tree)?.contains("labels.csv") == true)
    tree = try MemoryTree(
      images: ["images/1.png"],
      texts: ["train_labels.csv": Self.rows(["8.png"]), "test_labels.csv": Self.rows(["9.png"])])
    #expect(refusal(tree)?.contains("test_labels.csv") == true)
    // Nothing says which of two folders is meant.
    tree = try MemoryTree(
      images: ["a/1.png", "b/1.png", "c/2.png"],
      texts: ["train_labels.csv": Self.rows(["1.png"]), "test_labels.csv": Self.rows(["2.png"])])
    #expect(refusal(tree) != nil)
  }
}
