import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("CelebA")
struct CelebAImporterTests {
  private func tree(_ images: [String], _ texts: [String: String]) throws -> MemoryTree {
    try MemoryTree(images: images, texts: texts)
  }

  private func refusal(
    _ tree: some SourceTree, as format: DatasetFormat? = nil,
    _ options: ImportOptions = ImportOptions()
  ) -> String? {
    do {
      _ = try Collected(tree, as: FormatDetector.detect(tree, forced: format).format, options)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("Attributes are a set of labels per image; the other tables are named")
  func attributes() throws {
    let tree = FileTree(fixture: "celeba")
    #expect(try FormatDetector.detect(tree).format == .celebA)
    #expect(DatasetFormat.celebA.isMultiLabel && !DatasetFormat.celebAFaces.isMultiLabel)
    let found = try Collected(detecting: tree)
    let folder = "Img/img_align_celeba"
    #expect(found.keys == ["\(folder)/000001.jpg", "\(folder)/000002.jpg", "\(folder)/000003.jpg"])
    #expect(
      found.samples.map(\.labels) == [
        ["Bald", "Smiling", "Young"], [], ["5_o_Clock_Shadow", "Male"],
      ])
    #expect(found.labels == [nil, nil, nil])
    #expect(found.splits == ["train", "val", "test"])
    #expect(found.classes == ["5_o_Clock_Shadow", "Bald", "Male", "Smiling", "Young"])
    #expect(found.samples[0].size == ImageSize(width: 4, height: 5))
    #expect(found.kinds == Array(repeating: .unsupportedField, count: 4))
    #expect(
      found.issues.map(\.location.file) == [
        "Anno/list_bbox_celeba.txt", "Anno/list_landmarks_celeba.txt",
        "Anno/list_landmarks_align_celeba.txt", "Anno/identity_CelebA.txt",
      ])
    #expect(found.issues[0].message.contains("the unaligned images, which are not here"))
    #expect(found.issues[2].message.contains("import PATH:celeba-faces"))
    #expect(found.isBalanced && found.run.lists == nil)
  }

  @Test("Faces of aligned images have their landmarks, attributes and identity, and no boxes")
  func alignedFaces() throws {
    let found = try CollectedObjects(FileTree(fixture: "celeba"), as: .celebAFaces)
    #expect(found.names == ["face"])
    #expect(found.objects.count == 3 && found.isBalanced)
    let face = try #require(found.objects.first)
    #expect(face.box == Box(x: 1, y: 1, width: 2, height: 3))
    #expect(face.area == nil)
    #expect(
      face.attributes
        == #"{"5_o_Clock_Shadow":-1,"Bald":1,"Male":-1,"Smiling":1,"Young":1,"identity":2880,"#
        + #""keypoints":[1.0,1.0,2,3.0,1.0,2,2.0,2.0,2,1.0,4.0,2,3.0,4.0,2],"num_keypoints":5}"#)
    #expect(
      found.places == [
        "unsupportedField warning Anno/list_bbox_celeba.txt",
        "unsupportedField warning Anno/list_landmarks_celeba.txt",
      ])
    #expect(found.run.lists?.annotationsRead == 3)
  }

  @Test("Faces of unaligned images have boxes, with Kaggle's tables")
  func unalignedFaces() throws {
    let tree = FileTree(fixture: "celeba-faces")
    #expect(try FormatDetector.detect(tree).format == .celebAFaces)
    let found = try CollectedObjects(detecting: tree)
    #expect(found.keys == ["img_celeba/000001.jpg", "img_celeba/000002.jpg"])
    #expect(found.splits == ["train", "test"])
    #expect(
      found.objects.map(\.box) == [
        Box(x: 1, y: 0, width: 2, height: 3), Box(x: 0, y: 1, width: 4, height: 4),
      ])
    #expect(found.objects[0].attributes?.contains("\"num_keypoints\":5") == true)
    #expect(found.objects[1].attributes == nil)
    #expect(found.issues.isEmpty && found.isBalanced)
  }

  @Test("Faces are advised only where they can be imported")
  func advice() throws {
    let attributes = ["list_attr_celeba.txt": "1\nBald\n1.jpg 1\n"]
    let boxes = "1.jpg 1 2 3 4\n"
    func advice(_ images: [String], _ more: [String: String]) throws -> [String] {
      let tree = try tree(images, attributes.merging(more) { $1 })
      let issues = try Collected(tree, as: .celebA).issues
      let says = issues.filter { $0.kind == .unsupportedField }.map(\.message)
      let works = (try? CollectedObjects(tree, as: .celebAFaces)) != nil
      #expect(says.contains { $0.contains("import PATH:celeba-faces") } == works || says.isEmpty)
      return says
    }
    #expect(
      try advice(["img_align_celeba/1.png"], ["list_bbox_celeba.txt": boxes]) == [
        "the boxes of list_bbox_celeba.txt are not kept: they belong to the unaligned images, which "
          + "are not here"
      ])
    #expect(
      try advice(["img_align_celeba/1.png"], ["identity_CelebA.txt": "1.jpg 7\n"])[0].contains(
        "which needs list_landmarks_align_celeba beside these aligned images"))
    #expect(
      try advice(["img_celeba/1.png"], ["list_bbox_celeba.txt": boxes])[0].contains(
        "import PATH:celeba-faces"))
  }

  @Test("With both sets of images each format takes its own, and the other set is named")
  func bothSets() throws {
    let texts = [
      "list_attr_celeba.txt": "1\nBald\n1.jpg 1\n", "list_bbox_celeba.txt": "1.jpg 1 2 3 4\n",
      "list_landmarks_align_celeba.txt": "1.jpg 1 1 2 2 3 3 4 4 5 5\n",
    ]
    let tree = try tree(["img_align_celeba/1.png", "img_celeba/1.png"], texts)
    let labels = try Collected(tree, as: .celebA)
    #expect(labels.keys == ["img_align_celeba/1.png"])
    #expect(labels.run.notes.contains { $0.contains("1 image of img_celeba was not imported") })
    let faces = try CollectedObjects(tree, as: .celebAFaces)
    #expect(faces.keys == ["img_celeba/1.png"])
    #expect(faces.objects[0].box == Box(x: 1, y: 2, width: 3, height: 4))
    #expect(faces.issues.map(\.location.file) == ["list_landmarks_align_celeba.txt"])
  }

  @Test("Boxes are never used for aligned images, nor aligned landmarks for unaligned ones")
  func neverMixed() throws {
    let boxes = ["list_bbox_celeba.txt": "1.jpg 1 2 3 4\n"]
    #expect(
      refusal(try tree(["img_align_celeba/1.png"], boxes))?.contains(
        "its images are the aligned ones") == true)
    let aligned = ["list_landmarks_align_celeba.txt": "1.jpg 1 1 2 2 3 3 4 4 5 5\n"]
    #expect(
      refusal(try tree(["img_celeba/1.png"], aligned))?.contains(
        "its images are the unaligned ones") == true)
    // Without a name that says it, the size decides.
    let size = try MemoryTree(
      masks: [:], photos: ["x/1.png": (width: 178, height: 218)], texts: aligned)
    let found = try CollectedObjects(detecting: size)
    #expect(found.objects.count == 1)
    #expect(found.run.notes.contains { $0.contains("178×218") })
    #expect(refusal(try tree(["x/1.png"], aligned)) != nil)
  }

  @Test("Given classes choose attributes; an unknown one is refused")
  func classes() throws {
    let tree = FileTree(fixture: "celeba")
    let found = try Collected(tree, as: .celebA, ImportOptions(classes: ["Young", "Male"]))
    #expect(found.classes == ["Young", "Male"])
    #expect(found.samples.map(\.labels) == [["Young"], [], ["Male"]])
    #expect(
      refusal(tree, as: .celebA, ImportOptions(classes: ["Smilin"]))?.contains(
        "did you mean “Smiling”?") == true)
    #expect(
      refusal(tree, as: .celebAFaces, ImportOptions(classes: ["x"]))?.contains("--classes") == true)
  }

  @Test("Odd rows are issues with their lines")
  func odd() throws {
    let tree = try tree(
      ["img_align_celeba/1.png", "img_align_celeba/2.png", "img_align_celeba/9.png"],
      [
        "list_attr_celeba.txt": """
        9
        Bald Male
        1.jpg 1 -1
        2.jpg 1 2
        3.jpg 1
        1.jpg -1 -1
        1.jpg 1 -1
        ../4.jpg 1 1
        x 1 1
        5.jpg 1 0
        """, "list_eval_partition.txt": "1.jpg 7\n5.jpg 1\n",
      ])
    let found = try Collected(detecting: tree)
    #expect(found.keys == ["img_align_celeba/1.png", "img_align_celeba/5.jpg"])
    #expect(found.samples.map(\.labels) == [["Bald"], ["Bald"]])
    #expect(found.splits == [nil, "val"])
    let attributes = "list_attr_celeba.txt"
    #expect(
      found.issues.map { "\($0.kind) \($0.location)" }.sorted() == [
        "badField \(attributes):4", "badField \(attributes):9",
        "badField list_eval_partition.txt:1", "duplicateID \(attributes):6",
        "duplicateID \(attributes):7", "fieldCount \(attributes):5",
        "missingImage img_align_celeba/5.jpg", "missingLabel img_align_celeba/2.png",
        "missingLabel img_align_celeba/9.png", "outsideRoot \(attributes):8",
        "truncated \(attributes)", "unknownSplit img_align_celeba/1.png",
      ])
    #expect(found.rejected == 2 && found.isBalanced)
  }

  @Test("Invalid headers and two tables of a kind are refused")
  func refused() throws {
    for (name, text, problem) in [
      (
        "list_attr_celeba.txt", "1\nBald Bald\n1.jpg 1 1\n",
        ":2: expected 1 to 1000 different names"
      ),
      ("list_bbox_celeba.csv", "image_id,x,y\n1.jpg,1,1\n", ":1: expected 4 columns of boxes"),
      ("list_attr_celeba.txt", "Bald\u{0}\n", "not UTF-8"),
    ] {
      let text = refusal(try tree(["img/1.png"], [name: text]))
      #expect(text?.contains(problem) == true, "\(text ?? "")")
    }
    let twice = try tree(
      ["img_align_celeba/1.png"],
      ["a/list_attr_celeba.txt": "Bald\n1.jpg 1\n", "list_attr_celeba.csv": "image_id,Bald\n"])
    #expect(refusal(twice)?.contains("two tables of attributes") == true)
    let beside = try tree(
      ["img_align_celeba/1.png"],
      ["list_attr_celeba.txt": "Bald\n1.jpg 1\n", "img_align_celeba/1.xml": DatasetLayout.voc])
    // The XML is read, and the table would be lost.
    #expect(refusal(beside)?.contains("as voc it would lose annotations") == true)
  }

  @Test("No tree of another format is taken")
  func detection() throws {
    #expect(try FixtureTrees.claimed(by: .celebA).isEmpty)
    // The attributes come first; faces are there on demand.
    #expect(try FixtureTrees.claimed(by: .celebAFaces) == ["celeba"])
    #expect(try FixtureTrees.wronglyDetected().isEmpty)
  }

  @Test("Damaged tables are imported in part or refused")
  func mutations() throws {
    var trees = MutatedTree(
      fixtures: ["celeba", "celeba-faces"], words: ["000001.jpg", " -1", "1 1", "image_id"],
      seed: 54)
    var imported = 0
    let rounds = LongTests.areOn ? 100_000 : 1_000
    for round in 0..<rounds {
      guard let tree = trees.next(round) else { continue }
      do {
        if round % 3 == 0 { _ = try FormatDetector.detect(tree) }
        if round % 2 == 0 {
          let found = try Collected(tree, as: .celebA)
          #expect(found.isBalanced && Set(found.keys).count == found.keys.count)
        }
        let faces = try CollectedObjects(tree, as: .celebAFaces)
        imported += 1
        #expect(faces.isBalanced && Set(faces.keys).count == faces.keys.count)
      } catch is FormatError {
        continue
      }
    }
    #expect(imported > rounds / 4)
  }
}
