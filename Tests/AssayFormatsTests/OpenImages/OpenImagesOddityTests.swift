import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("Odd Open Images datasets")
struct OpenImagesOddityTests {
  private let header = "ImageID,LabelName,XMin,XMax,YMin,YMax,IsOccluded,IsGroupOf\n"

  private func tree(
    _ rows: String, _ more: [String: String] = [:], images: [String] = ["train/a.png"]
  ) throws -> MemoryTree {
    var texts = more
    texts["train-annotations-bbox.csv"] = header + rows
    return try MemoryTree(
      masks: [:], photos: Dictionary(uniqueKeysWithValues: images.map { ($0, (10, 10)) }),
      texts: texts)
  }

  @Test("Rows without a certain meaning are left out, each as an issue with its place")
  func rows() throws {
    let found = try CollectedObjects(
      tree(
        """
        a,x,0,1,0,1,0,0
        a,x,0,1,0,1
        a,x,0,nan,0,1,0,0

        a,x,0,2,0,1,0,0
        a,x,0.5,0.25,0,1,0,0
        a,,0,1,0,1,0,0
        a,x,0,1,0,1,7,0
        a,x,0,1,0,1,0,0
        a,"x,0,1,0,1,0,0
        b,x,0,1,0,1,0,0
        """), as: .openImages)
    let file = "train-annotations-bbox.csv"
    #expect(
      found.places == [
        "missingImage error \(file):12", "fieldCount error \(file):3", "badField error \(file):4",
        "badShape error \(file):6", "missingField error \(file):8", "badField warning \(file):9",
        "duplicateID warning \(file):10", "fieldCount error \(file):11",
        "badShape error \(file):7",
      ])
    #expect(found.objects.count == 2)
    #expect(found.run.lists?.annotationsRead == 10 && found.isBalanced)
    #expect(
      found.run.notes == [
        "no class-descriptions.csv names the classes, so their ids are their names"
      ])
  }

  @Test("Masks without the corners of a box, as Datumaro writes them, are objects of their own")
  func masksWithoutBoxes() throws {
    let table =
      "MaskPath,ImageID,LabelName,BoxID,BoxXMin,BoxXMax,BoxYMin,BoxYMax,PredictedIoU,Clicks\n"
      + "a_x_1.png,a,x,00000001,,,,,,\na_x_2.png,a,x,2,0,nan,0,1,,\n"
    let tree = try MemoryTree(
      masks: ["masks/a_x_1.png": [[0, 1], [1, 1]]], photos: ["train/a.png": (2, 2)],
      texts: ["train-annotations-object-segmentation.csv": table])
    let found = try CollectedShapes(tree, as: .openImages)
    #expect(found.shapes.map(\.kind) == [.mask] && found.shapes.map(\.area) == [3])
    #expect(found.places == ["badField error train-annotations-object-segmentation.csv:3"])
    #expect(found.run.lists?.annotationsRead == 2 && found.isBalanced)
  }

  @Test("Images of one name in two folders: the rows belong to the folder of the table's split")
  func twins() throws {
    let found = try CollectedObjects(
      tree("a,x,0,1,0,1,0,0\n", images: ["test/a.png", "train/a.png"]), as: .openImages)
    #expect(found.samples.map(\.objects.count) == [0, 1])
    #expect(found.places == ["duplicateID warning train/a.png"])
  }

  @Test("Annotations of other formats beside the tables are refused")
  func companions() throws {
    let other = try tree("", ["labels.csv": "filename,xmin,ymin,xmax,ymax\na.png,1,1,2,2\n"])
    let error = #expect(throws: FormatError.self) { try FormatDetector.detect(other) }
    #expect("\(try #require(error))".contains("tables of boxes"))
    let kin = try tree(
      "",
      [
        "rel.csv": "ImageID,LabelName1,LabelName2,XMin1\n",
        "train-x.csv": "ImageID,Subset,Rotation\n",
      ])
    #expect(try FormatDetector.detect(kin).format == .openImages)
  }

  @Test("Any number of workers gives the same samples and issues")
  func workers() throws {
    let tree = FileTree(fixture: "openimages/v6")
    let one = try CollectedObjects(tree, as: .openImages, ImportOptions(workers: 1))
    #expect(try CollectedObjects(tree, as: .openImages, ImportOptions(workers: 4)) == one)
  }

  @Test("Damaged tables and images are imported in part or refused")
  func mutations() throws {
    let trees = DamagedTrees(
      format: .openImages, fixtures: ["openimages/v6", "openimages/v5"],
      words: ["ImageID", "LabelName", "/m/0k4j", "0.5", "-1", "MaskPath", ",,", "\"\"", "\r\n"],
      texts: [".csv", ".json"])
    let found = try trees.run(seed: 5303)
    #expect(found.imported > found.rounds / 2 && found.objects > found.rounds)
  }
}
