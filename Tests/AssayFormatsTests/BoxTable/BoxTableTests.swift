import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("Odd tables of boxes")
struct BoxTableTests {
  private func imported(
    _ text: String, _ columns: String = "image=i,label=c,box=l:t:r:b",
    _ coordinates: BoxCoordinates = .pixels
  ) throws -> CollectedObjects {
    let images = try MemoryTree(masks: [:], photos: ["a.png": (10, 10), "d/b.png": (10, 10)])
    return try CollectedObjects(
      MemoryTree(text), as: .csv,
      ImportOptions(
        images: images, columns: BoxTableColumns(parsing: columns), coordinates: coordinates))
  }

  @Test("VoTT's CSV needs no option; other orders and RetinaNet's rows are told the right ones")
  func voTT() throws {
    let text =
      "\"image\",\"xmin\",\"ymin\",\"xmax\",\"ymax\",\"label\"\n\"a.png\",1.5,2,4.5,6,\"cat\"\n"
      + "\"a.png\",0,0,2,2,\"dog\"\n"
    let tree = MemoryTree(text, name: "export.csv")
    let detection = try FormatDetector.detect(tree)
    #expect(detection.format == .csv)
    #expect(detection.reason == "its header has the columns image, xmin, ymin, xmax, ymax, label")
    let images = try MemoryTree(pngs: ["a.png"], texts: [:])
    let found = try CollectedObjects(tree, as: .csv, ImportOptions(images: images))
    #expect(
      found.objects.map(\.box) == [
        Box(x: 1.5, y: 2, width: 3, height: 4), Box(x: 0, y: 0, width: 2, height: 2),
      ])
    #expect(found.names == ["cat", "dog"] && found.issues.isEmpty)
    for (text, options) in [
      (
        "image,label,xmin,ymin,xmax,ymax\na.png,cat,1,2,4,6\n",
        "import PATH:csv --columns image=image,label=label,box=xmin:ymin:xmax:ymax --coordinates pixels"
      ),
      (
        "img/a.png,10,20,30,40,cat\nimg/b.png,,,,,\n",
        "import PATH:csv --columns image=1,box=2:3:4:5,label=6 --coordinates pixels"
      ),
    ] {
      let error = #expect(throws: FormatError.self) {
        try FormatDetector.detect(MemoryTree(text, name: "x.csv"))
      }
      #expect(
        "\(try #require(error))".contains(
          "\n  csv: the meaning of its columns must be stated: " + options))
    }
  }

  @Test("Rows without a certain meaning are left out, each as an issue with its place")
  func rows() throws {
    let found = try imported(
      """
      i,c,l,t,r,b
      a.png,x,1,1,5,5
      a.png,x,1,1,5
      a.png,x,1,1,nan,5
      a.png,x,5,1,1,5

      a.png,,1,1,5,5
      a.png,x,,,,
      a.png,,,,,
      ,x,1,1,5,5
      ../a.png,x,1,1,5,5
      a.png,x,1,1,5,5
      e.png,x,1,1,50,5
      d/b.png,x,1,1,50,5
      a.png,"x,1,1,5,5
      """)
    #expect(
      found.places == [
        "missingField error rows.csv:10", "outsideRoot error rows.csv:11",
        "fieldCount error rows.csv:3", "badField error rows.csv:4", "missingLabel error rows.csv:7",
        "missingField error rows.csv:8", "duplicateID warning rows.csv:12",
        "fieldCount error rows.csv:15", "badShape error rows.csv:5", "badShape warning rows.csv:14",
        "missingImage warning e.png",
      ])
    #expect(found.samples.map(\.objects.count) == [1, 1, 1])
    #expect(found.keys == ["a.png", "d/b.png", "e.png"])
    #expect(found.run.lists?.annotationsRead == 12 && found.isBalanced)
  }

  @Test("Relative coordinates need a size; outside of 0 to 1 they are left out")
  func relative() throws {
    let text = "i,c,l,t,r,b\na.png,x,0,0,0.5,1\na.png,x,0,0,5,1\ne.png,x,0,0,1,1\n"
    let found = try imported(text, "image=i,label=c,box=l:t:r:b", .relative)
    #expect(found.objects.map(\.box) == [Box(x: 0, y: 0, width: 5, height: 10)])
    #expect(found.places == ["badShape error rows.csv:3", "missingImage error rows.csv:4"])
    let pixels = try imported("i,c,l,t,r,b\na.png,x,0,0,0.5,1\n")
    #expect(
      pixels.run.notes == [
        "all coordinates are from 0 to 1; if they are relative, import again with --coordinates relative"
      ])
  }

  @Test("A box in pixels beside a polygon of parts of the image is left out")
  func mixedUnits() throws {
    let text = "i,c,b,p\na.png,x,1 1 8 8,1 1 8 1 8 8\na.png,x,1 1 8 8,0.1 0.1 0.8 0.1 0.8 0.8\n"
    let found = try imported(text, "image=i,label=c,box=b,polygon=p")
    #expect(found.objects.count == 1)
    #expect(found.places.first == "badShape error rows.csv:3")
  }

  @Test("Another stated size, another split and columns that are not named are reported")
  func statements() throws {
    let found = try imported(
      "i,c,b,w,h,s,z\na.png,x,1 1 5 5,20,10,train,0\na.png,x,2 2 5 5,10,10,val,0\n",
      "image=i,label=c,box=b,width=w,height=h,split=s")
    #expect(
      found.places == [
        "unsupportedField warning rows.csv:1", "badField warning rows.csv:3",
        "imageSize warning rows.csv:3", "imageSize warning a.png",
      ])
    #expect(found.splits == ["train"])
  }

  @Test(
    "A description of columns that says nothing certain is refused with the reason",
    arguments: [
      ("label=a", "image= is missing"),
      ("image=a,box=1:2:3", "box= needs four columns"),
      ("image=a,image=b,box=c", "image= is repeated"),
      ("image=a,box=b,boxwh=c", "exclude each other"),
      ("image=a,lable=b,box=c", "did you mean “label”?"),
      ("image=,box=c", "image= names no column"),
      ("image=a,box=c,x", "expected key=column, found “x”"),
      ("image=0,box=c", "numbered from 1"), ("image=a,box=c,delimiter=xx", "delimiter= takes"),
      ("image=a,box=c,header=maybe", "header= takes"), ("image=a,box=c,width=w", "need each other"),
      ("image=a,box=1:2::4", "names an empty column"), ("", "expected key=column"),
    ])
  func columns(text: String, problem: String) throws {
    let error = #expect(throws: BoxTableColumns.Problem.self) {
      try BoxTableColumns(parsing: text)
    }
    #expect("\(try #require(error))".contains(problem))
  }

  @Test(
    "A table needs a column of boxes or polygons, and has no masks",
    arguments: [
      ("image=n", "box=, boxwh=, polygon= or, for one label per image, label= is missing"),
      ("image=n,box=o,mask=m", "mask= is only for parquet"),
    ])
  func tableColumns(text: String, problem: String) throws {
    let error = #expect(throws: FormatError.self) {
      try imported("n,m,o\na.png,x,1 1 5 5\n", text)
    }
    #expect("\(try #require(error))".contains(problem))
  }

  @Test("Numbers with header=yes skip the header; semicolons, bars and quotes separate as stated")
  func delimiters() throws {
    let numbered = try imported("n,m,o\na.png,x,1 1 5 5\n", "image=1,label=2,box=3,header=yes")
    #expect(numbered.objects.count == 1 && numbered.issues.map(\.kind) == [])
    let semicolon = try imported(
      "i;c;b\n\"a.png\";\"x;y\";1,1,5,5\n", "image=i,label=c,box=b,delimiter=semicolon")
    #expect(semicolon.objects.map(\.label) == ["x;y"])
    let bar = try imported("a.png|x|1 1 5 5\n", "image=1,label=2,box=3,delimiter=bar")
    #expect(bar.objects[0].box == Box(x: 1, y: 1, width: 4, height: 4))
  }

  @Test("Any number of workers gives the same samples and issues")
  func workers() throws {
    var text = "i,c,l,t,r,b\n"
    for row in 0..<2000 { text += "\(row * 7 % 300).png,c\(row % 5),\(row % 9),1,8,9\n" }
    func found(_ workers: Int) throws -> CollectedObjects {
      try CollectedObjects(
        MemoryTree(text), as: .csv,
        ImportOptions(
          workers: workers, columns: BoxTableColumns(parsing: "image=i,label=c,box=l:t:r:b"),
          coordinates: .pixels))
    }
    let one = try found(1)
    #expect(one.samples.count == 300 && one.isBalanced)
    #expect(try found(4) == one)
  }

  @Test("Damaged tables are imported in part or refused")
  func mutations() throws {
    let options = ImportOptions(
      workers: 1,
      columns: try BoxTableColumns(
        parsing: "image=1,label=4,box=5:6:7:8,width=2,height=3,header=yes"),
      coordinates: .pixels)
    let trees = DamagedTrees(
      format: .csv, fixtures: ["csv/tensorflow.csv"],
      words: ["filename", "xmin", "a.png", "..", "\"\"", ",,,", "\r\n", "0.5"], texts: [".csv"],
      options: options)
    let found = try trees.run(seed: 5404)
    #expect(found.imported > found.rounds / 2 && found.objects > found.rounds / 2)
  }
}
