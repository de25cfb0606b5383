import AssayCore
import AssayFormats
import Testing

@Suite("Finding out the format")
struct FormatDetectorTests {
  @Test("The format comes with its reason, and with the reasons against the others")
  func reasons() throws {
    let detection = try FormatDetector.detect(FileTree(fixture: "pixel-csv/mnist_header.csv"))
    #expect(detection.format == .pixelCSV)
    #expect(detection.reason.contains("4 pixel columns ('1x1' to '2x2')"))
    #expect(detection.others[.fer] == "its first line has no column pixels")
    #expect(detection.others[.imageFolder]?.contains("single file") == true)
    let forced = try FormatDetector.detect(MemoryTree("anything"), forced: .fer)
    #expect(forced.format == .fer)
    #expect(forced.others.count == DatasetFormat.allCases.count - 1)
  }

  @Test("Every format tells what it is")
  func formats() {
    #expect(Importers.all.map(\.format) == DatasetFormat.allCases)
    for importer in Importers.all {
      #expect(!importer.summary.isEmpty && !importer.recognizedBy.isEmpty)
    }
  }

  @Test("A file that cannot be in any format is refused with what was found")
  func refused() {
    #expect(throws: FormatError.emptyFile("e.csv")) {
      try FormatDetector.detect(MemoryTree("", name: "e.csv"))
    }
    #expect(throws: FormatError.emptyFile("e.csv")) {
      try FormatDetector.detect(MemoryTree("\u{FEFF} \r\n\n", name: "e.csv"))
    }
    #expect(throws: FormatError.binaryFile("b", found: "a binary file (byte 3 is 0)")) {
      try FormatDetector.detect(MemoryTree([1, 2, 3, 0, 5], name: "b"))
    }
    #expect(throws: FormatError.binaryFile("z", found: "a ZIP archive")) {
      try FormatDetector.detect(MemoryTree("PK\u{3}\u{4}…", name: "z"))
    }
    #expect(throws: FormatError.binaryFile("u", found: "text in UTF-16")) {
      try FormatDetector.detect(MemoryTree([0xFF, 0xFE, 0x65, 0], name: "u"))
    }
  }

  @Test("Text that is no CSV of pixels is refused with the reason of every format")
  func unrecognized() throws {
    let error = #expect(throws: FormatError.self) {
      try FormatDetector.detect(MemoryTree("name,x,y\nann,1,2\n", name: "people.csv"))
    }
    let text = "\(try #require(error))"
    #expect(text.contains("people.csv: unrecognized dataset format"))
    #expect(text.contains("'name,x,y'"))
    for format in DatasetFormat.allCases { #expect(text.contains("\n  \(format.rawValue): ")) }
  }

  @Test("A folder without images is refused, and its CSV files are named")
  func noImages() throws {
    let tree = MemoryTree(folder: ["fer2013.csv": Array("a,b".utf8), "notes.txt": []])
    let error = #expect(throws: FormatError.self) { try FormatDetector.detect(tree) }
    #expect("\(try #require(error))".contains("to import a CSV file, name it: fer2013.csv"))
    #expect(throws: FormatError.self) { try Collected(tree, as: .imageFolder) }
    #expect(throws: FormatError.self) { try FormatDetector.detect(MemoryTree(folder: [:])) }
  }

  @Test(
    "A header without rows is refused",
    arguments: ["emotion,pixels,Usage\n", "label,pixels\n", "label,p0,p1,p2,p3"])
  func noRows(text: String) {
    #expect(throws: FormatError.noRows("rows.csv")) { try Collected(detecting: MemoryTree(text)) }
  }

  @Test("A format that was asked for and does not fit is refused with the reason")
  func mismatch() {
    for format in [DatasetFormat.fer, .pixelCSV] {
      #expect(throws: FormatError.self) { try Collected(MemoryTree("a,b\n1,2\n"), as: format) }
      #expect(throws: FormatError.self) { try Collected(MemoryTree(folder: [:]), as: format) }
    }
    #expect(throws: FormatError.self) { try Collected(MemoryTree("a,b\n"), as: .imageFolder) }
    let size = ImportOptions(size: ImageSize(width: 1, height: 1))
    #expect(throws: FormatError.unusedOption("--size", format: .imageFolder)) {
      try Collected(FileTree(fixture: "image-folder/splits"), as: .imageFolder, size)
    }
  }
}
