import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("Folders of tables of pixels")
struct PixelTableFolderTests {
  private static func table(_ rows: [(label: String, pixel: Int)]) -> String {
    "label,1x1,1x2,2x1,2x2\n"
      + rows.map { "\($0.label),\($0.pixel),0,0,0\n" }.joined()
  }

  private func tree(_ texts: [String: String]) -> MemoryTree {
    MemoryTree(folder: texts.mapValues { Array($0.utf8) })
  }

  @Test("A table for each split is one dataset with the classes of all")
  func splits() throws {
    let tree = tree([
      "mnist_test.csv": Self.table([("3", 5), ("x", 6), ("10", 7)]),
      "mnist_train.csv": Self.table([("10", 1), ("3", 2), ("9", 3), ("3", 300)]), "README.md": "x",
    ])
    let detection = try FormatDetector.detect(tree)
    #expect(detection.format == .pixelCSV)
    #expect(
      detection.reason == "mnist_test.csv, mnist_train.csv are tables of labels and pixels")
    let found = try Collected(tree, as: .pixelCSV)
    #expect(
      found.keys == [
        "mnist_test/0", "mnist_test/1", "mnist_test/2", "mnist_train/0", "mnist_train/1",
        "mnist_train/2",
      ])
    #expect(found.splits == ["test", "test", "test", "train", "train", "train"])
    #expect(found.labels == ["3", "x", "10", "10", "3", "9"])
    #expect(found.classes == ["10", "3", "9", "x"])
    #expect(found.issues.map(\.location.file) == ["mnist_train.csv"] && found.isBalanced)
    let named = try Collected(
      self.tree(["train.csv": Self.table([("1", 1)]), "val.csv": Self.table([("0", 1)])]),
      as: .pixelCSV, ImportOptions(classes: ["a", "b"]))
    #expect(named.labels == ["b", "a"] && named.classes == ["a", "b"])
  }

  @Test(
    "Several tables without a split of their own, and other files, are refused",
    arguments: [
      (["a.csv", "train.csv"], "the name of a.csv states no split"),
      (["digits-train.csv", "letters-train.csv"], "are both of the split train"),
      (["train.csv", "notes.xyz"], "other files than CSV files, such as notes.xyz"),
    ])
  func refused(names: [String], says: String) throws {
    let tree = tree(
      Dictionary(uniqueKeysWithValues: names.map { ($0, Self.table([("1", 1)])) }))
    let error = #expect(throws: FormatError.self) { try Collected(tree, as: .pixelCSV) }
    #expect("\(try #require(error))".contains(says))
    #expect(throws: FormatError.self) { try FormatDetector.detect(tree) }
  }
}
