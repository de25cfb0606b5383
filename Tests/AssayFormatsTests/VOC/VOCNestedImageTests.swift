import AssayCore
import AssayTestSupport
import Testing

@testable import AssayFormats

@Suite("Pascal VOC with images in folders of splits")
struct VOCNestedImageTests {
  private static func xml(_ name: String) -> String {
    """
    <annotation><filename>\(name)</filename><object><name>cat</name><bndbox><xmin>1</xmin>
    <ymin>1</ymin><xmax>3</xmax><ymax>2</ymax></bndbox></object></annotation>
    """
  }

  @Test(
    "Annotations in one folder find their images below that of the images",
    arguments: [("annotations/", "images/"), ("set/Annotations/", "set/JPEGImages/")])
  func flat(xmls: String, images: String) throws {
    let found = try CollectedObjects(
      detecting: MemoryTree(texts: [
        images + "train/1.png": nil, images + "val/2.png": nil, images + "val/3.png": nil,
        xmls + "1.xml": Self.xml("1.png"), xmls + "2.xml": Self.xml("2.png"),
      ]))
    #expect(found.keys == [images + "train/1.png", images + "val/2.png"])
    #expect(found.splits == ["train", "val"])
    #expect(found.objects.count == 2 && found.samples.map(\.size?.width) == [3, 3])
    #expect(found.kinds == [.missingLabel] && found.isBalanced)
  }

  @Test("An annotation whose name images of both splits have is left out, and they are named")
  func tie() throws {
    let found = try CollectedObjects(
      detecting: MemoryTree(texts: [
        "images/train/1.png": nil, "images/val/1.png": nil, "images/val/2.png": nil,
        "annotations/1.xml": Self.xml("1.png"), "annotations/2.xml": Self.xml("2.png"),
      ]))
    #expect(found.keys == ["images/val/2.png"])
    let issue = found.issues.first { $0.kind == .duplicateID }
    #expect(issue?.location == IssueLocation(file: "annotations/1.xml"))
    #expect(
      issue?.message.contains("images/train/1.png and images/val/1.png have its name") == true)
    #expect(found.run.outcome.rejected == 1 && found.isOutcomeBalanced)
  }
}
