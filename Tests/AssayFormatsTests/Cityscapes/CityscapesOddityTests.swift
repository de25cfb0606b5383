import AssayCore
import AssayFormats
import AssayImaging
import AssayTestSupport
import Testing

@Suite("Odd Cityscapes datasets")
struct CityscapesOddityTests {
  private let image = "leftImg8bit/train/a/a_leftImg8bit.png"
  private let file = "gtFine/train/a/a_gtFine_polygons.json"

  private func tree(
    _ objects: String, size: String = #""imgHeight": 4, "imgWidth": 6"#,
    more: [String: String] = [:]
  ) throws -> MemoryTree {
    var texts = more
    texts[file] = "{\(size), \"objects\": \(objects)}"
    return try MemoryTree(masks: [:], photos: [image: (6, 4)], texts: texts)
  }

  @Test("Objects without a meaning are left out, each as an issue with its place")
  func objects() throws {
    let square = "[[0, 0], [2, 0], [2, 2], [0, 2]]"
    let found = try CollectedObjects(
      tree(
        """
        [5, {"polygon": \(square)}, {"label": "car"}, {"label": "car", "polygon": [[0, 0], [1, 1]]},
         {"label": "car", "polygon": [[0, 0], [1, "x"], [2, 2]]},
         {"label": "car", "polygon": [[0, 0], [1, 1e300], [2, 2]]},
         {"label": "car", "polygon": \(square), "deleted": true},
         {"label": "person", "polygon": \(square)}, {"label": "car", "polygon": \(square)},
         {"label": "persongroup", "polygon": [[2, 0], [9, 0], [9, 2], [2, 2]]}]
        """), as: .cityscapes)
    #expect(
      found.places == [
        "badField error \(file)#/objects/0", "missingField error \(file)#/objects/1",
        "badShape error \(file)#/objects/2", "badShape error \(file)#/objects/3",
        "badShape error \(file)#/objects/4", "badShape error \(file)#/objects/5",
        "unsupportedField error \(file)#/objects/6", "badShape error \(file)#/objects/7",
        "badShape warning \(file)#/objects/9",
      ])
    #expect(found.objects.map(\.label) == ["car", "person", "unlabeled"])
    #expect(found.run.lists?.annotationsRead == 11 && found.isBalanced)
  }

  @Test("A file that is not JSON of objects rejects its image")
  func brokenFiles() throws {
    for (text, kind) in [
      ("{", IssueKind.badField), ("{\"imgWidth\": 6}", .missingField), ("[]", .missingField),
      (String(repeating: "[", count: 100), .badField),
    ] {
      let tree = try MemoryTree(masks: [:], photos: [image: (6, 4)], texts: [file: text])
      let found = try CollectedObjects(tree, as: .cityscapes)
      #expect(found.kinds == [kind] && found.samples.isEmpty, "\(text)")
      #expect(found.run.outcome.rejected == 1)
    }
  }

  @Test("Another stated size is reported, and a label image of another size rejects its image")
  func sizes() throws {
    let stated = try CollectedObjects(
      tree("[]", size: #""imgHeight": 5, "imgWidth": 6"#), as: .cityscapes)
    #expect(
      stated.kinds == [.imageSize] && stated.samples[0].size == ImageSize(width: 6, height: 4))
    let labels = "gtFine/train/a/a_gtFine_labelIds.png"
    let other = try MemoryTree(masks: [labels: [[7, 7]]], photos: [image: (6, 4)])
    let found = try CollectedObjects(other, as: .cityscapes)
    #expect(found.kinds == [.maskSize] && found.samples.isEmpty)
  }

  @Test("Annotations without an image are kept without a file")
  func missingImage() throws {
    let lone = try MemoryTree(
      masks: ["gtFine/val/b/b_gtFine_labelIds.png": [[7, 26]]], photos: [:],
      texts: [
        file:
          #"{"imgHeight": 4, "imgWidth": 6, "objects": [{"label": "road", "polygon": [[0,0],[6,0],[6,4],[0,4]]}]}"#
      ])
    let found = try CollectedObjects(detecting: lone)
    #expect(found.keys == [image, "leftImg8bit/val/b/b_leftImg8bit.png"])
    #expect(
      found.samples.map(\.size) == [ImageSize(width: 6, height: 4), ImageSize(width: 2, height: 1)])
    #expect(found.objects.map(\.area) == [24, 1, 1])
    #expect(found.kinds == [.missingImage])
  }

  @Test("Colors as a label image, JPEGs and damaged images reject their image")
  func labelImages() throws {
    let labels = "gtFine/train/a/a_gtFine_labelIds.png"
    let colors = try MemoryTree(masks: [:], photos: [image: (6, 4), labels: (6, 4)])
    let found = try CollectedObjects(colors, as: .cityscapes)
    #expect(found.kinds == [.unreadableImage] && found.samples.isEmpty)
    #expect(found.issues[0].message.contains("one value per pixel"))
  }

  @Test("Two datasets in one tree, and annotations of other formats beside it, are refused")
  func companions() throws {
    let two = try MemoryTree(
      masks: [:], photos: ["x/" + image: (6, 4), "y/" + image: (6, 4)],
      texts: [
        "x/" + file: #"{"imgWidth": 6, "imgHeight": 4, "objects": []}"#,
        "y/" + file: #"{"imgWidth": 6, "imgHeight": 4, "objects": []}"#,
      ])
    let error = #expect(throws: FormatError.self) { try FormatDetector.detect(two) }
    #expect("\(try #require(error))".contains("several datasets"))
    let beside = try tree(
      "[]", more: ["boxes.csv": "filename,xmin,ymin,xmax,ymax\na.png,1,2,3,4\n"])
    let other = #expect(throws: FormatError.self) { try FormatDetector.detect(beside) }
    #expect("\(try #require(other))".contains("tables of boxes"))
    let camera = try tree("[]", more: ["camera/train/a/a_camera.json": #"{"extrinsic": {}}"#])
    #expect(try FormatDetector.detect(camera).format == .cityscapes)
  }

  @Test("Any number of workers gives the same samples and issues")
  func workers() throws {
    let tree = FileTree(fixture: "cityscapes/official")
    let one = try CollectedObjects(tree, as: .cityscapes, ImportOptions(workers: 1))
    #expect(try CollectedObjects(tree, as: .cityscapes, ImportOptions(workers: 4)) == one)
  }

  @Test("Damaged annotations and images are imported in part or refused")
  func mutations() throws {
    let trees = DamagedTrees(
      format: .cityscapes, fixtures: ["cityscapes/official", "cityscapes/datumaro"],
      words: ["\"deleted\": 1", "\"label\"", "cargroup", "[[0,0],[1,1]]", "0 0 0", "background"],
      texts: [".json", ".txt"])
    let found = try trees.run(seed: 5101)
    #expect(found.imported > found.rounds / 2 && found.objects > found.rounds)
  }
}
