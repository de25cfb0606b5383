import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("Tables with one label per image")
struct LabelColumnTests {
  private static let photos = ["a.png": (10, 10), "b.png": (10, 10), "d/c.jpg": (10, 10)]

  private func imported(_ text: String, _ columns: String?) throws -> Collected {
    try Collected(
      MemoryTree(text, name: "t.csv"), as: .csv,
      ImportOptions(
        images: MemoryTree(masks: [:], photos: Self.photos),
        columns: columns.map { try BoxTableColumns(parsing: $0) }))
  }

  private func tree(_ texts: [String: String]) throws -> MemoryTree {
    try MemoryTree(masks: [:], photos: Self.photos, texts: texts)
  }

  @Test("Stated columns of images and labels give each image its class; names without a suffix fit")
  func stated() throws {
    let found = try imported(
      "id,breed,split\na,golden retriever,train\nd/c,cat,\nb,,test\nnone,cat,test\n",
      "image=id,label=breed,split=split")
    #expect(found.keys == ["a.png", "b.png", "d/c.jpg", "none"])
    #expect(found.labels == ["golden retriever", nil, "cat", "cat"])
    #expect(found.splits == ["train", "test", nil, "test"])
    #expect(found.classes == ["cat", "golden retriever"])
    #expect(found.kinds == [.missingImage])
    #expect(found.run.notes.contains { $0.hasPrefix("each image has the label of its row") })
    let given = try Collected(
      MemoryTree("i,n\na.png,1\nb.png,0\n", name: "t.csv"), as: .csv,
      ImportOptions(
        classes: ["x", "y"], images: MemoryTree(masks: [:], photos: Self.photos),
        columns: BoxTableColumns(parsing: "image=i,label=n")))
    #expect(given.labels == ["y", "x"])
  }

  @Test(
    "An image with two labels has both as labels beside, and no class; a repeated row counts once")
  func several() throws {
    let found = try CollectedObjects(
      MemoryTree("i,c\na.png,x\na.png,y\nb.png,x\nb.png,x\n", name: "t.csv"), as: .csv,
      ImportOptions(
        images: MemoryTree(masks: [:], photos: Self.photos),
        columns: BoxTableColumns(parsing: "image=i,label=c")))
    #expect(found.samples.map(\.objects.count) == [2, 0])
    #expect(found.issues.map(\.kind) == [.duplicateID])
  }

  @Test("A name without a suffix that two images have is neither of them")
  func twoImages() throws {
    let photos = ["a.png": (10, 10), "a.jpg": (10, 10), "b.png": (10, 10)]
    let found = try Collected(
      MemoryTree("id,label\na,x\nb,y\n", name: "t.csv"), as: .csv,
      ImportOptions(
        images: MemoryTree(masks: [:], photos: photos),
        columns: BoxTableColumns(parsing: "image=id,label=label")))
    #expect(found.keys == ["a", "b.png"] && found.kinds == [.missingImage])
  }

  @Test("Rows of one image under two names with one label are one; the table must reach its images")
  func names() throws {
    let found = try CollectedObjects(
      MemoryTree("i,c\n/home/x/a.png,x\na.png,x\n", name: "t.csv"), as: .csv,
      ImportOptions(
        images: MemoryTree(masks: [:], photos: Self.photos),
        columns: BoxTableColumns(parsing: "image=i,label=c")))
    #expect(found.samples.map(\.objects.count) == [0] && found.issues.map(\.kind) == [.duplicateID])
    let classes = try MemoryTree(
      masks: [:], photos: ["cat/a.png": (3, 3), "dog/b.png": (3, 3)],
      texts: ["l.csv": "filename,label\na.png,dog\nb.png,cat\n"])
    let error = #expect(throws: FormatError.self) { try FormatDetector.detect(classes) }
    #expect("\(try #require(error))".contains("PATH/l.csv"))
  }

  @Test("Semicolons and tabs are proposed, not assumed")
  func delimiters() throws {
    for (text, name) in [
      ("filename;label\na.png;x\nb.png;y\n", "semicolon"), ("image\tclass\na.png\tx\n", "tab"),
    ] {
      let error = #expect(throws: FormatError.self) {
        try FormatDetector.detect(tree(["t.csv": text]))
      }
      #expect("\(try #require(error))".contains(",delimiter=\(name)"))
    }
  }

  @Test("Coordinates are no option of a table without boxes")
  func coordinates() {
    #expect(
      throws: FormatError.unusedOption("--coordinates without a box or polygon", format: .csv)
    ) {
      try Collected(
        MemoryTree("i,c\na.png,x\n", name: "t.csv"), as: .csv,
        ImportOptions(
          images: MemoryTree(masks: [:], photos: Self.photos),
          columns: BoxTableColumns(parsing: "image=i,label=c"), coordinates: .pixels))
    }
  }

  @Test(
    "A header of images and one label is recognized, alone or beside its images",
    arguments: [
      "filename,label\na.png,cat\nb.png,golden retriever\n", "image_id,class\na.png,0\nb.png,3\n",
      "label,path\ncat,a.png\ncat,b.png\n", "image,label,split\na.png,cat,train\nb.png,dog,test\n",
    ])
  func recognized(text: String) throws {
    #expect(try FormatDetector.detect(MemoryTree(text, name: "t.csv")).format == .csv)
    let folder = try tree(["t.csv": text])
    let detection = try FormatDetector.detect(folder)
    #expect(detection.format == .csv)
    #expect(detection.reason == "t.csv is a table of labels beside its images")
    let found = try Collected(folder, as: .csv)
    #expect(found.labels.filter { $0 != nil }.count == 2)
    // The image that the table does not list.
    #expect(found.kinds == [.missingLabel] && found.run.imagesLeftOut == 1)
  }

  @Test(
    "What may be a list, a result of a model or something else is not guessed",
    arguments: [
      "filename,label\na.png,cat dog\nb.png,dog\nd/c.jpg,cat\n",
      "filename,label\na.png,\"cat,dog\"\nb.png,dog\n", "filename,label\na.png,cat|dog\nb.png,x\n",
      "filename,label,score\na.png,cat,0.5\nb.png,dog,0.75\n",
      "filename,label\na.png,cat\na.png,dog\n", "id,label\na,cat\nb,dog\n",
      "filename,breed\na.png,cat\nb.png,dog\n", "image,label\na.png,0\nb.png,1\n",
      "filename,class,label\na.png,0,cat\nb.png,1,dog\n",
      "filename,width,height,class,xmin,ymin\na.png,3,2,a,0,0\nb.png,3,2,b,0,0\n",
    ])
  func ambiguous(text: String) throws {
    let alone = #expect(throws: FormatError.self) {
      try FormatDetector.detect(MemoryTree(text, name: "t.csv"))
    }
    let folder = #expect(throws: FormatError.self) {
      try FormatDetector.detect(tree(["t.csv": text]))
    }
    guard !text.contains("class,label") else { return }
    for error in [alone, folder] {
      let message = "\(try #require(error))"
      #expect(message.contains("--columns image="), "\(message)")
    }
  }

  @Test("Of two tables neither is taken: one may be a sample of results")
  func two() throws {
    let error = #expect(throws: FormatError.self) {
      try FormatDetector.detect(
        tree([
          "sample_submission.csv": "image_id,label\nd/c.jpg,4\n",
          "train.csv": "image_id,label\na.png,0\nb.png,2\n",
        ]))
    }
    #expect("\(try #require(error))".contains("import that file instead: PATH/train.csv"))
    let two = #expect(throws: FormatError.self) {
      try FormatDetector.detect(
        tree([
          "results.csv": "image_id,label\nd/c.jpg,4\n",
          "train.csv": "image_id,label\na.png,0\nb.png,2\n",
        ]))
    }
    #expect(
      "\(try #require(two))".contains(
        "import one of these instead: PATH/results.csv or PATH/train.csv"))
  }

  @Test("A folder with stated columns names the file to import")
  func folder() throws {
    let error = #expect(throws: FormatError.self) {
      try Collected(
        tree(["t.csv": "a,b\n1,2\n"]), as: .csv,
        ImportOptions(columns: BoxTableColumns(parsing: "image=a,label=b")))
    }
    #expect("\(try #require(error))".contains("name the file, PATH/t.csv"))
  }
}
