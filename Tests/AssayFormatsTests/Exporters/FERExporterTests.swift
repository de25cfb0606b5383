import AssayCore
import AssayFormats
import Testing

@Suite("Writing FER-2013's CSV")
struct FERExporterTests {
  private let faces: [[UInt8]] = [[0, 1, 2, 255], [9, 10, 99, 100], [7, 7, 7, 7], [3, 2, 1, 0]]

  private func written(
    _ classes: [String], _ labels: [Int?], splits: [String?] = ["train", "validation", "test", nil]
  ) -> [UInt8] {
    let exporter = FERExporter(classes: classes)
    var bytes = FERExporter.header
    for (index, pixels) in faces.enumerated() {
      exporter.append(
        category: labels[index], pixels: pixels, split: splits[index], to: &bytes)
    }
    return bytes
  }

  @Test("A row is the class's number, the pixels with blanks between, and FER-2013's usage")
  func spelling() {
    let text = String(decoding: written(FERImporter.classes, [3, 0, nil, 6]), as: UTF8.self)
    #expect(
      text == """
        emotion,pixels,Usage
        3,0 1 2 255,Training
        0,9 10 99 100,PublicTest
        ,7 7 7 7,PrivateTest
        6,3 2 1 0,

        """)
  }

  @Test(
    "What is written reads back the same: pixels, labels, splits",
    arguments: [
      FERImporter.classes, ["happy", "angry"], ["cat", "dog", "eel"],
      // Names that are the numbers of other positions.
      ["1", "0", "02", "=x"], (0...9).map { "\($0)" }, ["01", "1", "001"],
    ])
  func roundTrip(classes: [String]) throws {
    let exporter = FERExporter(classes: classes)
    let labels: [Int?] = [1, 0, nil, classes.count - 1]
    let tree = MemoryTree(written(classes, labels))
    var options = ImportOptions()
    if exporter.needsClasses { options.classes = exporter.classes }
    let found = try Collected(detecting: tree, options)
    #expect(found.pixels == faces)
    #expect(found.labels == labels.map { $0.map { classes[$0] } })
    #expect(found.splits == ["train", "validation", "test", nil])
    #expect(found.rejected == 0 && found.classes == exporter.classes)
  }

  @Test("FER-2013's own classes keep their numbers, whatever the data set's order")
  func numbers() {
    let exporter = FERExporter(classes: ["neutral", "angry"])
    #expect(!exporter.needsClasses && exporter.classes == FERImporter.classes)
    #expect(FERExporter(classes: ["neutral", "cat"]).needsClasses)
    var bytes: [UInt8] = []
    exporter.append(category: 0, pixels: [1], split: nil, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "6,1,\n")
  }

  @Test(
    "A split that a spreadsheet would take for a formula is made harmless",
    arguments: ["=1+1", "+a", "-a", "@a", "\ta"])
  func formula(split: String) throws {
    let bytes = written(["a", "b"], [0, 0, 0, 0], splits: [split, "a,b", "\"", "fold 1"])
    let rows = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    #expect(rows[1].hasSuffix(",\"'\(split)\""))
    let found = try Collected(
      MemoryTree(bytes), as: .fer, ImportOptions(classes: ["a", "b"]))
    #expect(found.splits == ["'\(split)", "a,b", "\"", "fold 1"])
  }
}
