import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("Labeled CSVs of pixels")
struct PixelCSVImporterTests {
  /// The images of `Fixtures/pixel-csv/make.py`: 10·i + (5…8).
  static let images: [[UInt8]] = [5, 15, 25].map { start in (0..<4).map { start + $0 } }

  @Test(
    "Every variant gives the same images, with numbers as labels",
    arguments: [
      "mnist_header.csv", "pixel_names.csv", "bare_numbers.csv", "label_last.csv",
      "label_among.csv", "no_header.csv",
    ])
  func numbers(name: String) throws {
    let tree = FileTree(fixture: "pixel-csv/\(name)")
    #expect(try FormatDetector.detect(tree).format == .pixelCSV)
    let found = try Collected(tree, as: .pixelCSV)
    #expect(found.pixels == Self.images)
    #expect(found.labels == ["7", "1", "7"])
    #expect(found.classes == ["1", "7"])
    #expect(found.sourceIDs == [.integer(1), .integer(7)])
    #expect(found.format == .gray8)
    #expect(found.issues.isEmpty)
    #expect(found.isBalanced)
  }

  @Test(
    "Names as labels are sorted bytewise",
    arguments: ["text_labels.csv", "text_no_header.csv", "with_split.csv"])
  func names(name: String) throws {
    let found = try Collected(detecting: FileTree(fixture: "pixel-csv/\(name)"))
    #expect(found.pixels == Self.images)
    #expect(found.labels == ["dog", "cat", "dog"])
    #expect(found.classes == ["cat", "dog"])
    #expect(found.sourceIDs == [.text("cat"), .text("dog")])
    #expect(
      found.splits == (name == "with_split.csv" ? ["train", "val", "train"] : [nil, nil, nil]))
  }

  @Test("Numbers are sorted by value and written without leading zeros")
  func numberOrder() throws {
    let found = try Collected(
      MemoryTree("label,pixels\n10,1 2 3 4\n9,1 2 3 4\n0010,1 2 3 4\n-2,1 2 3 4\n"), as: .pixelCSV)
    #expect(found.classes == ["-2", "9", "10"])
    #expect(found.labels == ["10", "9", "10", "-2"])
  }

  @Test("Named classes take the numbers' places, and other numbers are unknown")
  func namedClasses() throws {
    let tree = FileTree(fixture: "pixel-csv/mnist_header.csv")
    let found = try Collected(tree, as: .pixelCSV, ImportOptions(classes: ["a", "b", "c"]))
    #expect(found.classes == ["a", "b", "c"])
    #expect(found.labels == ["b"])
    #expect(found.kinds == [.unknownLabel, .unknownLabel])
  }

  @Test("Without a label column there are no labels")
  func noLabel() throws {
    let found = try Collected(detecting: FileTree(fixture: "pixel-csv/no_label.csv"))
    #expect(found.pixels == Self.images)
    #expect(found.labels == [nil, nil, nil])
    #expect(found.issues.isEmpty)
  }

  @Test("Six values are no square, and RGB where 2×1 is stated")
  func rgb() throws {
    let tree = FileTree(fixture: "pixel-csv/rgb.csv")
    #expect(throws: FormatError.noSize("rgb.csv", pixels: 6)) {
      try Collected(detecting: tree)
    }
    let options = ImportOptions(size: ImageSize(width: 2, height: 1))
    let found = try Collected(tree, as: .pixelCSV, options)
    #expect(found.format == .rgb8)
    #expect(found.pixels[1] == [15, 16, 17, 18, 200, 201])
    let wide = ImportOptions(size: ImageSize(width: 6, height: 1))
    #expect(try Collected(tree, as: .pixelCSV, wide).format == .gray8)
  }

  @Test("Values between whole numbers are issues and are not scaled")
  func floats() throws {
    let found = try Collected(detecting: FileTree(fixture: "pixel-csv/floats.csv"))
    #expect(found.kinds == [.pixelValue])
    #expect(found.pixels == [[1, 2, 3, 4]])
    #expect(found.keys == ["1"])
  }

  @Test("A stated size that the columns do not fit is refused")
  func sizeMismatch() {
    let size = ImageSize(width: 3, height: 3)
    #expect(throws: FormatError.sizeMismatch("mnist_header.csv", size: size, pixels: 4)) {
      try Collected(
        FileTree(fixture: "pixel-csv/mnist_header.csv"), as: .pixelCSV, ImportOptions(size: size))
    }
  }

  @Test("Without a header, a first column that never changes is no label where the last changes")
  func labelLastWithoutHeader() throws {
    let rows = (0..<10).map { "0,5,13,\($0),\($0 % 3)" }.joined(separator: "\n")
    let found = try Collected(detecting: MemoryTree(rows))
    #expect(found.classes == ["0", "1", "2"])
    #expect(found.pixels[1] == [0, 5, 13, 1])
  }

  @Test("More than 10,000 different labels are refused")
  func tooManyClasses() {
    let rows = (0...10_000).map { "x\($0),1 2 3 4\n" }.joined()
    #expect(throws: FormatError.tooManyClasses("rows.csv", limit: 10_000)) {
      try Collected(MemoryTree("label,pixels\n" + rows), as: .pixelCSV)
    }
  }

  @Test(
    "MNIST's CSV of Datumaro's tests is read without a header",
    .outsideData("formats/mnist_csv_dataset", twin: "PixelCSVImporterTests.numbers"))
  func realMNIST() throws {
    let found = try Collected(
      detecting: FileTree(outside: "formats/mnist_csv_dataset/mnist_test.csv"))
    #expect(found.labels == ["0", "2", "1"])
    #expect(found.samples.allSatisfy { $0.size == ImageSize(width: 28, height: 28) })
    #expect(found.pixels.allSatisfy { $0 == Array(repeating: 1, count: 784) })
  }
}
