import AssayCore
import AssayTestSupport
import Testing

@testable import AssayFormats

@Suite("Labeled Faces in the Wild from Kaggle")
struct LFWKaggleTests {
  private static let folder = "lfw-deepfunneled/lfw-deepfunneled"

  private static let images = [
    "\(folder)/Aaron_Eckhart/Aaron_Eckhart_0001.png",
    "\(folder)/Abel_Pacheco/Abel_Pacheco_0001.png",
    "\(folder)/Abel_Pacheco/Abel_Pacheco_0004.png", "\(folder)/Zico/Zico_0003.png",
  ]

  private static let lists = [
    "people.csv": "name,images\nAaron_Eckhart,1\nAbel_Pacheco,2\n",
    "peopleDevTrain.csv": "name,images\nAaron_Eckhart,1\nAbel_Pacheco,2\n",
    "peopleDevTest.csv": "name,images\nZico,1\n",
    "lfw_allnames.csv": "name,images\nAaron_Eckhart,1\nAbel_Pacheco,2\nZico,1\n",
    "pairs.csv": "name,imagenum1,imagenum2,\nAbel_Pacheco,1,4,\nAbel_Pacheco,1,Zico,3\n",
    "matchpairsDevTrain.csv": "name,imagenum1,imagenum2\nAbel_Pacheco,1,4\n",
    "mismatchpairsDevTrain.csv":
      "name,imagenum1,name.1,imagenum2\nAbel_Pacheco,1,Aaron_Eckhart,1\n",
    "mismatchpairsDevTest.csv": "name,imagenum1,name.1,imagenum2\nZico,3,Aaron_Eckhart,1\n",
    "lfw_readme.csv": "\"LFW\"\n\"Labeled Faces in the Wild, 13233 images\"\n",
  ]

  @Test(
    "Folders are people, the lists of people give splits and order, pairs are named and counted")
  func kaggle() throws {
    let tree = try MemoryTree(images: Self.images, texts: Self.lists)
    #expect(try FormatDetector.detect(tree).format == .lfw)
    let found = try Collected(detecting: tree)
    #expect(found.keys == Self.images)
    #expect(found.labels == ["Aaron_Eckhart", "Abel_Pacheco", "Abel_Pacheco", "Zico"])
    #expect(found.splits == ["train", "train", "train", "test"])
    #expect(found.classes == ["Aaron_Eckhart", "Abel_Pacheco", "Zico"])
    #expect(
      found.issues.map { "\($0.kind) \($0.location) \($0.message.prefix(8))" } == [
        "unsupportedField matchpairsDevTrain.csv 1 of 1 p",
        "unsupportedField mismatchpairsDevTest.csv 1 of 1 p",
        "unsupportedField mismatchpairsDevTrain.csv 1 of 1 p",
        "unsupportedField pairs.csv 2 of 2 p",
      ])
    #expect(found.isBalanced)
  }

  @Test("Lines of the tables that cannot be read, and people who are not there, are issues")
  func odd() throws {
    var lists = Self.lists.filter { $0.key.hasPrefix("people") }
    lists["people.csv"] = "name,images\nAaron_Eckhart,5\nZico\n,,\n\"Abel_Pacheco\", 2 \n"
    let found = try Collected(detecting: try MemoryTree(images: Self.images, texts: lists))
    #expect(
      found.issues.map { "\($0.kind) \($0.location)" } == [
        "missingImage people.csv:2", "fieldCount people.csv:3",
      ])
    #expect(found.classes == ["Aaron_Eckhart", "Abel_Pacheco", "Zico"])
  }

  @Test("A list that is not UTF-8 is refused with its line and the command that converts it")
  func encoding() throws {
    let name = Array("Jos".utf8) + [0xE9]
    let png = DatasetLayout.png
    let tree = MemoryTree(folder: [
      "a/a_0001.png": png, "people.txt": Array("2\na\t1\n".utf8) + name + Array("\t1\n".utf8),
    ])
    let error = #expect(throws: FormatError.self) { try Collected(detecting: tree) }
    #expect(error?.description.contains("people.txt:3") == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("iconv -f ISO-8859-1 -t UTF-8 PATH/people.txt") == true)
  }
}
