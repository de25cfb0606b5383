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

  @Test("Text that is no table is refused with the reasons of the formats of tables, not with all")
  func unrecognized() throws {
    let error = #expect(throws: FormatError.self) {
      try FormatDetector.detect(MemoryTree("name,x,y\nann,1,2\n", name: "people.csv"))
    }
    let text = "\(try #require(error))"
    #expect(text.contains("people.csv: unrecognized dataset format"))
    #expect(text.contains("'name,x,y'"))
    for format in DatasetFormat.allCases {
      let isTable = [DatasetFormat.fer, .pixelCSV, .multiLabelCSV, .csv].contains(format)
      #expect(text.contains("\n  \(format.rawValue): ") == isTable)
    }
    #expect(text.contains("it is none of fer, pixel-csv, multilabel-csv, csv, frames, mnist, "))
    #expect(text.split(separator: "\n").count == 7)
  }

  /// The error for a tree of files with these contents; `nil` for an image.
  private func refusal(_ files: [String: String?]) throws -> String {
    let png = DatasetLayout.png
    let tree = MemoryTree(folder: files.mapValues { $0.map { Array($0.utf8) } ?? png })
    let error = #expect(throws: FormatError.self) { try FormatDetector.detect(tree) }
    return "\(try #require(error))"
  }

  @Test("What stands between a folder and the format that it looks like comes first")
  func hints() throws {
    let box = "<annotations><image id=\"0\" name=\"a.png\" width=\"3\" height=\"2\"/></annotations>"
    let doctype = "<?xml version=\"1.0\"?>\n<!DOCTYPE annotations>\n" + box
    let says =
      "cvat: annotations.xml: line 2: a document type declaration (<!DOCTYPE …>); remove it"
    let alone = try refusal(["annotations.xml": doctype, "notes.txt": "x"])
    #expect(alone.contains(": it is a folder with 2 files (1 .txt, 1 .xml)"))
    #expect(alone.split(separator: "\n")[1].hasPrefix("  " + says), "\(alone)")
    // Beside images, which could be imported without it.
    let beside = try refusal(["annotations.xml": doctype, "a.png": nil])
    #expect(beside.contains("\n  " + says), "\(beside)")
    // YOLO labels whose images have other names.
    let yolo = try refusal(["labels/b.txt": "0 0.5 0.5 0.1 0.1\n", "images/a.png": nil])
    #expect(yolo.contains("\n  yolo: "), "\(yolo)")
  }

  @Test("The encoding of a JSON file and the place of its error are named")
  func brokenJSON() throws {
    let json = SmallCOCO.file(annotations: SmallCOCO.annotation())
    let wide = json.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    for (mark, name) in [([0xFF, 0xFE] as [UInt8], "UTF-16"), ([], "UTF-16LE")] {
      let error = #expect(throws: FormatError.self) {
        try FormatDetector.detect(MemoryTree(folder: ["annotations/a b.json": mark + wide]))
      }
      let text = "\(try #require(error))"
      #expect(
        text.contains(
          "\n  annotations/a b.json is text in \(name); convert it to UTF-8: "
            + "iconv -f \(name) -t UTF-8 'a b.json' > 'utf8-a b.json'"), "\(text)")
    }
    let alone = #expect(throws: FormatError.self) {
      try FormatDetector.detect(MemoryTree([0xFF, 0xFE] + wide, name: "x.json"))
    }
    #expect("\(try #require(alone))".contains("iconv -f UTF-16 -t UTF-8 x.json > utf8-x.json"))
    let image = try refusal(["x.json": #"{"images" [{"id": 1}], "annotations": []}"#, "a.png": nil])
    #expect(image.contains("x.json: broken JSON at byte 10"), "\(image)")
    #expect(throws: FormatError.self) {
      try FormatDetector.detect(MemoryTree(#"{"name": "x" "other": 1}"#, name: "x.json"))
    }
    let list = #expect(throws: FormatError.self) {
      try FormatDetector.detect(MemoryTree(#"[{"a": 1}, {"b" 2}]"#, name: "x.json"))
    }
    #expect("\(try #require(list))".contains("broken JSON at byte"))
  }

  @Test("A table of pixels in a folder is named, with the command that imports it")
  func tableInFolder() throws {
    let faces = "emotion,pixels,Usage\n0,1 2 3 4,Training\n"
    let deep = try refusal(["fer 2013/fer2013.csv": faces, "fer 2013/README.md": "x", "x.bin": "y"])
    #expect(
      deep.contains(
        "fer 2013/fer2013.csv holds faces as pixels (fer): import it with assay "
          + "import 'PATH/fer 2013/fer2013.csv'"), "\(deep)")
    let beside = try refusal(["cat/a.png": nil, "dog/b.png": nil, "data/fer2013.csv": faces])
    #expect(beside.contains("import that file instead: PATH/data/fer2013.csv;"), "\(beside)")
    let digits = try refusal([
      "x/train.csv": "label,pixel0,pixel1,pixel2,pixel3\n1,0,0,0,9\n", "x.bin": "y",
    ])
    #expect(digits.contains("x/train.csv holds images as pixels (pixel-csv)"), "\(digits)")
    let numbers = try refusal(["x/run.csv": "epoch,loss,a,b,c\n1,2,3,4,5\n2,2,3,4,5\n"])
    #expect(!numbers.contains("as pixels"))
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
