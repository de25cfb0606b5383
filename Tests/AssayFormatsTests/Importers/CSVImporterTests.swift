import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("Tables of boxes")
struct CSVImporterTests {
  private let images = FileTree(fixture: "csv")

  private func options(
    _ columns: String?, _ coordinates: BoxCoordinates? = .pixels, classes: [String]? = nil
  ) throws -> ImportOptions {
    ImportOptions(
      classes: classes, images: images,
      columns: try columns.map { try BoxTableColumns(parsing: $0) }, coordinates: coordinates)
  }

  @Test("TensorFlow's header needs no option; other tables of boxes are refused with a proposal")
  func detection() throws {
    let detection = try FormatDetector.detect(FileTree(fixture: "csv/tensorflow.csv"))
    #expect(detection.format == .csv)
    #expect(detection.reason.hasPrefix("its header has the columns filename, width, height"))
    #expect(try FormatFixtures.taken(by: CSVImporter()) == ["csv/tensorflow.csv"])
    let error = #expect(throws: FormatError.self) {
      try FormatDetector.detect(FileTree(fixture: "csv/retina.csv"))
    }
    #expect(
      "\(try #require(error))".contains(
        "csv: the meaning of its columns must be stated: import PATH:csv --columns "
          + "image=1,box=2:3:4:5,label=6 --coordinates pixels\n"))
  }

  @Test(
    "The proposal for a table names its columns, or numbers them where names are ambiguous",
    arguments: [
      (
        "img_path,label,x1,y1,x2,y2\n",
        "image=img_path,label=label,box=x1:y1:x2:y2 --coordinates pixels|relative"
      ),
      (
        "file;class;x;y;w;h\na.png;c;1;2;3;4\n",
        "image=file,label=class,boxwh=x:y:w:h,delimiter=semicolon --coordinates pixels"
      ),
      (
        "image_id,width,bbox,name\na,3,\"[1, 2, 3, 4]\",b\n",
        "image=image_id,label=name,boxwh=bbox --coordinates pixels"
      ),
      (
        "path,a:b,left,top,right,bottom\n",
        "image=path,box=left:top:right:bottom --coordinates pixels|relative"
      ),
      ("a.jpg,0.1,0.2,0.3,0.4,cat\n", "image=1,box=2:3:4:5,label=6 --coordinates pixels|relative"),
    ])
  func proposals(text: String, expected: String) throws {
    let probe = try CSVImporter().probe(MemoryTree(text))
    #expect(!probe.isMatch)
    #expect(
      probe.reason
        == "the meaning of its columns must be stated: import PATH:csv --columns \(expected)")
    let error = #expect(throws: FormatError.self) {
      try CollectedObjects(MemoryTree(text), as: .csv)
    }
    #expect("\(try #require(error))".contains("--columns \(expected)"))
  }

  private static let header = "filename,width,height,class,xmin,ymin,xmax,ymax\n"

  @Test("Tables beside their images in a folder are one dataset; folders called like splits are")
  func folder() throws {
    let photos = ["train/a.png", "valid/a.png", "valid/b.png"].map { ($0, (width: 10, height: 10)) }
    let tree = try MemoryTree(
      masks: [:], photos: Dictionary(uniqueKeysWithValues: photos),
      texts: [
        "train/_annotations.csv": Self.header + "a.png,10,10,c,1,1,2,2\n",
        "valid/_annotations.csv": Self.header + "b.png,10,10,d,1,1,2,2\na.png,10,10,c,0,0,5,5\n"
          + "gone.png,10,10,c,0,0,5,5\n",
      ])
    #expect(try FormatDetector.detect(tree).format == .csv)
    let found = try CollectedObjects(tree, as: .csv)
    #expect(found.keys == ["train/a.png", "valid/a.png", "valid/b.png", "valid/gone.png"])
    #expect(found.splits == ["train", "valid", "valid", "valid"])
    #expect(found.objects.map(\.label) == ["c", "c", "d", "c"] && found.names == ["c", "d"])
    #expect(found.objects[1].box == Box(x: 0, y: 0, width: 5, height: 5))
    #expect(found.places == ["missingImage warning valid/gone.png"] && found.isBalanced)
    let closed = try CollectedObjects(tree, as: .csv, ImportOptions(classes: ["d"]))
    #expect(closed.names == ["d"])
    #expect(closed.places.first == "unknownLabel error train/_annotations.csv:2")
    #expect(throws: FormatError.self) {
      try CollectedObjects(
        tree, as: .csv, ImportOptions(columns: BoxTableColumns(parsing: "image=1")))
    }
  }

  @Test("VoTT's export with its name of an image, and Roboflow's tables without a header")
  func exports() throws {
    let voTT = try MemoryTree(
      masks: [:], photos: ["vott-csv-export/a 1.png": (10, 10)],
      texts: [
        "vott-csv-export/p-export.csv":
          "\"image\",\"xmin\",\"ymin\",\"xmax\",\"ymax\",\"label\"\n\"a%201.png\",1.5,2,3,4,\"cat\"\n"
      ])
    let found = try CollectedObjects(detecting: voTT)
    #expect(found.keys == ["vott-csv-export/a 1.png"] && found.splits == [nil])
    #expect(found.objects[0].box == Box(x: 1.5, y: 2, width: 1.5, height: 2))
    #expect(found.issues.isEmpty)
    let retina = try MemoryTree(
      masks: [:], photos: ["test/a.png": (10, 10), "test/b.png": (10, 10)],
      texts: [
        "test/_annotations.csv": "a.png,1,2,3,4,cat\nb.png,,,,,\n",
        "test/_classes.csv": "dog,0\ncat,1\n",
      ])
    let rows = try CollectedObjects(detecting: retina)
    #expect(rows.samples.map(\.objects.count) == [1, 0] && rows.names == ["dog", "cat"])
    #expect(rows.objects[0].box == Box(x: 1, y: 2, width: 2, height: 2) && rows.issues.isEmpty)
  }

  @Test(
    "Tables of the same images, far from their images, or beside other annotations are no dataset")
  func otherFolders() throws {
    let row = Self.header + "a.png,10,10,c,1,1,2,2\n"
    func refusal(_ texts: [String: String]) throws -> String? {
      let tree = try MemoryTree(masks: [:], photos: ["x/a.png": (10, 10)], texts: texts)
      #expect(try !CSVImporter().probe(tree).isMatch)
      do {
        _ = try FormatDetector.detect(tree)
        return nil
      } catch { return "\(error)" }
    }
    let two = try #require(try refusal(["x/1.csv": row, "x/2.csv": row]))
    #expect(two.contains("import one of these instead: PATH/x/1.csv or PATH/x/2.csv"))
    #expect(try refusal(["x/1.csv": row, "1.csv": row]) != nil)
    #expect(try refusal(["y/1.csv": row]) != nil)
    let voc = try #require(try refusal(["x/1.csv": row, "x/a.xml": DatasetLayout.voc]))
    #expect(voc.contains("as voc it would lose annotations"))
  }

  @Test("TensorFlow's rows: pixels, several rows per image, classes in byte order")
  func tensorFlow() throws {
    let found = try CollectedObjects(
      FileTree(fixture: "csv/tensorflow.csv"), as: .csv, options(nil, nil))
    #expect(found.keys == ["images/a.png", "images/b.png"])
    #expect(found.names == ["cat", "dog", "dog, old"])
    #expect(found.samples[0].size == ImageSize(width: 20, height: 10))
    #expect(
      found.samples[0].objects.map(\.box) == [
        Box(x: 1, y: 2, width: 4, height: 6), Box(x: 6, y: 1, width: 14, height: 8),
      ])
    #expect(found.samples[0].objects.map(\.label) == ["cat", "dog, old"])
    #expect(found.issues.isEmpty && found.isBalanced)
    #expect(found.run.notes == ["the images were found in images/"])
  }

  @Test("RetinaNet's rows by column numbers; a row with the image alone is one without objects")
  func retinaNet() throws {
    let found = try CollectedObjects(
      FileTree(fixture: "csv/retina.csv"), as: .csv, options("image=1,box=2:3:4:5,label=6"))
    #expect(found.samples.map(\.objects.count) == [2, 0])
    #expect(
      found.objects.map(\.box) == [
        Box(x: 1, y: 2, width: 4, height: 6), Box(x: 6, y: 1, width: 14, height: 8),
      ])
    #expect(found.run.lists?.annotationsRead == 2 && found.issues.isEmpty && found.isBalanced)
  }

  @Test("Boxes in one column, relative coordinates, polygons, splits, scores and attributes")
  func oneColumn() throws {
    let tree = MemoryTree(
      """
      file\tbbox\toutline\tsource\tpart\tp
      images/a.png\t[0.25, 0.5, 0.5, 0.25]\t\tarvalis_1\ttrain\t0.5
      images/b.png\t[0, 0, 1, 1]\t0,0 1,0 1,0.5\t7\tval\t
      """, name: "wheat.tsv")
    let found = try CollectedObjects(
      tree, as: .csv,
      options(
        "image=file,boxwh=bbox,polygon=outline,split=part,score=p,attributes=source", .relative))
    #expect(found.splits == ["train", "val"] && found.names == ["object"])
    #expect(found.objects[0].box == Box(x: 5, y: 5, width: 10, height: 2.5))
    #expect(found.objects[0].attributes == #"{"score":0.5,"source":"arvalis_1"}"#)
    #expect(found.objects[1].box == Box(x: 0, y: 0, width: 10, height: 10))
    #expect(found.objects[1].polygons == [[0, 0, 10, 0, 10, 5]])
    #expect(found.objects[1].attributes == #"{"source":7}"#)
    #expect(
      found.run.notes == ["there is no column of labels; every object has the class object"])
  }

  @Test("--classes names all classes; a label is one of them or its number from 0")
  func classes() throws {
    let tree = MemoryTree(
      "i,c,b\nimages/a.png,1,1 1 2 2\nimages/a.png,dog,1 2 2 2\nimages/a.png,2,1 1 3 3\n")
    let found = try CollectedObjects(
      tree, as: .csv, options("image=i,label=c,box=b", classes: ["dog", "cat"]))
    #expect(found.names == ["dog", "cat"] && found.objects.map(\.label) == ["cat", "dog"])
    #expect(found.places == ["unknownLabel error rows.csv:4", "badShape warning rows.csv:3"])
  }

  @Test(
    "Without a unit, coordinates above 1 in each of the first rows are pixels; others are refused")
  func unstated() throws {
    func found(_ rows: [String]) throws -> CollectedObjects {
      let tree = MemoryTree("i,b\n" + rows.map { "images/a.png,\($0)\n" }.joined())
      return try CollectedObjects(tree, as: .csv, options("image=i,box=b", nil))
    }
    let pixels = try found(["0 0 2 2", "", "0.5 0.5 1.5 1"])
    #expect(pixels.objects.map(\.box?.width) == [2, 1])
    #expect(
      pixels.run.notes.contains(
        "the coordinates are read as pixels, because each of the first rows has one above 1"))
    for rows in [["0 0 2 2", "0 0 1 1"], ["0.1 0.1 0.2 0.2"], [""], ["a b c d"]] {
      let error = #expect(throws: FormatError.self) { try found(rows) }
      #expect(
        "\(try #require(error))".contains("add --coordinates pixels or --coordinates relative"))
    }
  }

  @Test("Unknown columns and other options are refused")
  func refused() throws {
    let tree = FileTree(fixture: "csv/tensorflow.csv")
    func text(_ options: ImportOptions) throws -> String {
      let error = #expect(throws: FormatError.self) {
        try CollectedObjects(tree, as: .csv, options)
      }
      return "\(try #require(error))"
    }
    #expect(
      try text(options("image=filename,box=xmin:ymin:xmax:ymaxx"))
        == "tensorflow.csv:1: no column is called “ymaxx”, named by --columns (did you mean “ymax”?)"
    )
    #expect(try text(options("image=9,box=1:2:3:4")).contains("there is no column 9"))
    #expect(
      try text(options("image=filename,box=xmin:ymin:xmax:ymax,delimiter=semicolon"))
        .contains("add delimiter=comma"))
    #expect(throws: FormatError.unusedOption("--size", format: .csv)) {
      try CollectedObjects(tree, as: .csv, ImportOptions(size: ImageSize(width: 1, height: 1)))
    }
    #expect(throws: FormatError.self) {
      try CollectedObjects(MemoryTree(folder: [:]), as: .csv, ImportOptions())
    }
  }
}
