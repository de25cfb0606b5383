import AssayCore
import AssayFormats
import Testing

@Suite("CSVs of images and sets of labels")
struct MultiLabelCSVImporterTests {
  /// A CSV next to its images, which are one PNG of 3×2 pixels each.
  private func collected(
    _ text: String, images names: [String] = ["a.png", "b.png", "c.png"],
    classes: [String]? = nil, separator: LabelSeparator? = nil
  ) throws -> Collected {
    let fixture = FileTree(fixture: "multilabel-csv/images")
    let png = try fixture.readAll("a.png", limit: 1 << 20)
    let folder = Dictionary(uniqueKeysWithValues: names.map { ($0, png) })
    return try Collected(
      MemoryTree(text, name: "labels.csv"), as: .multiLabelCSV,
      ImportOptions(
        classes: classes, images: MemoryTree(folder: folder), labelSeparator: separator))
  }

  private func sets(_ found: Collected) -> [[String]] { found.samples.map(\.labels) }

  /// The text of the error.
  private func refusal(
    _ text: String, classes: [String]? = nil, separator: LabelSeparator? = nil
  ) -> String {
    do {
      _ = try collected(text, classes: classes, separator: separator)
      return "imported"
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "A list of labels and a column per class give the same samples", arguments: ["list", "columns"])
  func fixtures(name: String) throws {
    let tree = FileTree(fixture: "multilabel-csv/\(name).csv")
    #expect(try FormatDetector.detect(tree).format == .multiLabelCSV)
    let found = try Collected(
      tree, as: .multiLabelCSV,
      ImportOptions(images: FileTree(fixture: "multilabel-csv")))
    #expect(found.classes == ["cat", "dog", "traffic light"])
    #expect(
      sets(found) == [
        ["dog"], ["cat", "traffic light"], [], ["cat", "dog"], ["traffic light"],
        ["cat", "dog", "traffic light"],
      ])
    #expect(found.keys == ["a", "b", "c", "d", "e", "f"].map { "images/\($0).png" })
    #expect(found.splits == ["train", "train", "train", "val", "val", "val"])
    #expect(found.samples.allSatisfy { $0.size == ImageSize(width: 3, height: 2) })
    #expect(found.samples.allSatisfy { $0.label == nil })
    #expect(found.issues.isEmpty)
    #expect(found.isBalanced)
    #expect(found.run.contentHash != nil)
  }

  @Test("Tables of 0/1 columns beside their images in a folder are one dataset, a split each")
  func folder() throws {
    let png = try FileTree(fixture: "multilabel-csv/images").readAll("a.png", limit: 1 << 20)
    func tree(_ valid: String) -> MemoryTree {
      MemoryTree(folder: [
        "train/a.png": png, "valid/a.png": png, "valid/b.png": png, "valid/c.png": png,
        "train/_classes.csv": Array("filename, cat, dog\na.png, 1, 0\n".utf8),
        "valid/_classes.csv": Array(valid.utf8), "README.txt": Array("x".utf8),
      ])
    }
    let valid = tree("filename, cat, dog\na.png, 1, 1\nb.png, 0, 0\ngone.png, 0, 1\n")
    let detection = try FormatDetector.detect(valid)
    #expect(detection.format == .multiLabelCSV)
    #expect(
      detection.reason == "train/_classes.csv and 1 more list the labels of images beside them")
    let found = try Collected(valid, as: .multiLabelCSV)
    #expect(found.keys == ["train/a.png", "valid/a.png", "valid/b.png", "valid/gone.png"])
    #expect(found.samples.map(\.location) == found.keys.map { $0 })
    #expect(sets(found) == [["cat"], ["cat", "dog"], [], ["dog"]])
    #expect(found.splits == ["train", "valid", "valid", "valid"])
    #expect(found.classes == ["cat", "dog"])
    #expect(found.issues.map(\.sampleKey) == ["valid/gone.png", nil])
    #expect(found.kinds == [.missingImage, .missingLabel] && found.run.imagesLeftOut == 1)
    #expect(found.isBalanced)
    let other = #expect(throws: FormatError.self) {
      try FormatDetector.detect(tree("filename, cat, owl\na.png, 1, 1\n"))
    }
    #expect("\(try #require(other))".contains("import one of these instead: "))
  }

  @Test(
    "Each separator is found where it can only be that",
    arguments: [
      ("a|b", "a"), ("a;b", "a"), ("\"a,b\"\nb.png,b", "a"), ("a b\nb.png,b", "a"),
      ("a | b", "a"), ("  a   b \nb.png,b", "a"),
    ])
  func separators(first: String, second: String) throws {
    let found = try collected("image,labels\na.png,\(first)\nc.png,\(second)\n")
    #expect(sets(found).first == ["a", "b"])
    #expect(sets(found).last == ["a"])
    #expect(found.classes == ["a", "b"])
    #expect(found.run.notes.contains { $0.contains("separated by") })
  }

  @Test("Blanks and commas that may be part of a name are refused, and taken where they are told")
  func ambiguous() throws {
    let blanks = "image,labels\na.png,traffic light\nb.png,traffic\n"
    #expect(
      refusal(blanks).contains("labels.csv:2: “light” occurs only together with other words"))
    #expect(refusal(blanks).contains("--label-separator space"))
    #expect(try sets(collected(blanks, separator: .space)) == [["light", "traffic"], ["traffic"]])
    #expect(try sets(collected(blanks, separator: .bar)) == [["traffic light"], ["traffic"]])
    let commas = "image,labels\na.png,\"tench, Tinca tinca\"\n"
    #expect(refusal(commas).contains("--label-separator ','"))
    #expect(try sets(collected(commas, separator: .comma)) == [["Tinca tinca", "tench"]])
    #expect(refusal("image,labels\na.png,a|b\nb.png,a;b\n").contains("read in several ways"))
    #expect(refusal("image,labels\na.png,\"a,b\"\nb.png,a|b\n").contains("read in several ways"))
  }

  @Test("Given classes decide what separates the labels")
  func givenClasses() throws {
    let text = "image,labels\na.png,\"traffic light, car\"\nb.png,car\nc.png,\n"
    let found = try collected(text, classes: ["traffic light", "car", "bus"])
    #expect(sets(found) == [["car", "traffic light"], ["car"], []])
    #expect(found.classes == ["traffic light", "car", "bus"])
    #expect(
      refusal("image,labels\na.png,cat dog\n", classes: ["cat", "dog", "cat dog"])
        .contains("read in several ways"))
    #expect(
      refusal("image,labels\na.png,cat dig\n", classes: ["cat", "dog"])
        .contains("labels.csv:2: the labels “cat dig”"))
    #expect(
      refusal("image,labels\na.png,cat dig\n", classes: ["cat", "dog"], separator: .space)
        .contains("labels.csv:2: unknown class “dig”"))
  }

  @Test("Given classes choose the columns; the others are said not to be kept")
  func givenColumns() throws {
    let text = "image,width,dog,cat\na.png,640,1,0\nb.png,480,1,1\n"
    let found = try collected(text, classes: ["cat", "dog"])
    #expect(found.classes == ["cat", "dog"])
    #expect(sets(found) == [["dog"], ["cat", "dog"]])
    #expect(found.kinds == [.unsupportedField])
    #expect(refusal(text, classes: ["cow"]).contains("no column is called “cow”"))
  }

  @Test(
    "A value of a class column that is neither 0 nor 1 is refused with its place",
    arguments: ["", "-1", "0.5", "NaN", "nan", "1.0", "2", "yes", "cat dog"])
  func badValues(value: String) {
    let text = refusal("image,cat,dog\na.png,0,1\nb.png,1,\(value)\n")
    #expect(text.contains("labels.csv:3: column “dog”: expected 0 or 1"))
    #expect(text.contains(value.isEmpty ? "found nothing" : "found “\(value)”"))
  }

  @Test("true and false count as 1 and 0 in any case")
  func words() throws {
    let found = try collected("file,cat,dog\na.png,True,FALSE\nb.png,false,true\n")
    #expect(sets(found) == [["cat"], ["dog"]])
  }

  @Test("Equal rows of an image are one, other labels or another split are refused")
  func duplicates() throws {
    let found = try collected("image,labels\na.png,x|y\n./a.png,y|x\nb.png,\n")
    #expect(sets(found) == [["x", "y"], []])
    #expect(found.kinds == [.duplicateID])
    #expect(found.rejected == 1)
    #expect(found.isBalanced)
    #expect(
      refusal("image,labels\na.png,x|y\na.png,x\n")
        == "labels.csv:3: a.png has other labels than in line 2; remove one of the rows")
    #expect(
      refusal("image,labels,split\na.png,x,train\na.png,x,val\n").contains("another split"))
  }

  @Test("Images that are missing, damaged or outside are issues")
  func oddImages() throws {
    let found = try collected("image,labels\na.png,x\n../b.png,x\nz.png,x\n")
    #expect(found.keys == ["a.png", "z.png"])
    #expect(found.samples.map(\.size) == [ImageSize(width: 3, height: 2), nil])
    #expect(found.kinds == [.outsideRoot, .missingImage])
    #expect(found.isBalanced)
    let none = try collected("image,labels\nx.png,x\ny.png,x\n", images: [])
    #expect(none.keys == ["x.png", "y.png"])
    #expect(none.kinds == [.missingImage])
  }

  @Test(
    "What cannot be read is refused with its place",
    arguments: [
      ("name,labels\na.png,x\n", "no column of its first line"),
      ("image,file,labels\na.png,a.png,x\n", "may both name the image"),
      ("image,labels,tags\na.png,x,y\n", "may both list the labels"),
      ("image\na.png\n", "no column besides"),
      ("image,cat,cat\na.png,0,1\n", "two columns are called “cat”"),
      ("image,cat,\na.png,0,1\n", "column 3 has no name"),
      ("image,labels\n", "nothing to import"),
      ("image,labels\na.png\n", "labels.csv:2: 1 field where the header has 2"),
      ("image,labels\na.png,\"x\n", "labels.csv:2: a quote is opened"),
      ("image,labels\n,x\n", "labels.csv:2: no image is named"),
      ("image,labels,cat,dog\na.png,0,1,0\nb.png,1,0,0\n", "holds 0 and 1 alone"),
    ])
  func refusals(text: String, words: String) {
    #expect(refusal(text).contains(words), "\(refusal(text))")
  }

  @Test(
    "What other formats read, and files that may mean something else, are not detected",
    arguments: [
      "emotion,pixels,Usage\n0,1 2 3 4,Training\n",
      "label,pixel0,pixel1,pixel2,pixel3\n1,0,0,1,1\n",
      "image,label\na.png,cat\n", "sample,cat,dog\na.png,0.5,0.5\n",
      "file,cat,dog\na.png,0.9,0.1\n", "image,labels\n17,cat\n",
      "image,label,x1,x2,x3,x4\n1,0,0,0,0,1\n",
    ])
  func notDetected(text: String) throws {
    let probe = try MultiLabelCSVImporter().probe(MemoryTree(text))
    #expect(!probe.isMatch, "\(probe.reason)")
  }

  @Test("A single label per image is read where the format is given")
  func forced() throws {
    let found = try collected("image,label\na.png,cat\nb.png,\n")
    #expect(sets(found) == [["cat"], []])
  }

  @Test("The result does not depend on workers, and a large file is read in bounded pieces")
  func many() throws {
    let names = (0..<3_000).map { "i\($0).png" }
    let rows = names.enumerated().map { "\($1),\($0 % 2),\($0 % 3 == 0 ? 1 : 0)" }
    let text = (["image,even,third"] + rows).joined(separator: "\r\n")
    func run(_ workers: Int) throws -> Collected {
      try Collected(
        MemoryTree(text), as: .multiLabelCSV,
        ImportOptions(workers: workers, images: MemoryTree(folder: [:])))
    }
    let one = try run(1)
    #expect(one.samples.count == 3_000)
    #expect(one.samples[3].labels == ["even", "third"])
    #expect(try run(3) == one)
  }
}
