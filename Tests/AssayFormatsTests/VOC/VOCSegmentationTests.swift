import AssayCore
import AssayFormats
import Testing

@Suite("Masks of Pascal VOC")
struct VOCSegmentationTests {
  /// A dataset of one image of 6×2 pixels.
  private func tree(
    _ objects: [String]?, classes: [[UInt8]]? = nil, instances: [[UInt8]]? = nil,
    texts: [String: String] = [:]
  ) throws -> MemoryTree {
    var texts = texts
    if let objects {
      texts["Annotations/1.xml"] = VOCText.annotation(size: nil, objects: objects)
    }
    var masks: [String: [[UInt8]]] = [:]
    masks["SegmentationClass/1.png"] = classes
    masks["SegmentationObject/1.png"] = instances
    return try MemoryTree(
      masks: masks, photos: ["JPEGImages/1.png": (width: 6, height: 2)], texts: texts)
  }

  private let cat = VOCText.object("cat", 1, 1, 2, 2)
  private let dog = VOCText.object("dog", 4, 1, 6, 2)

  @Test(
    "Objects of the mask join those of the annotation in order; others are regions of their own")
  func join() throws {
    let classes: [[UInt8]] = [[8, 8, 0, 12, 12, 12], [8, 8, 255, 12, 12, 12]]
    let joined = try CollectedShapes(
      detecting: tree(
        [cat, dog], classes: classes, instances: [[1, 1, 0, 2, 2, 2], [1, 1, 255, 2, 2, 2]]))
    #expect(joined.shapes.map(\.label) == ["cat", "dog", "void"])
    #expect(joined.shapes.map(\.kind) == [.mask, .mask, .mask])
    #expect(joined.shapes.map(\.area) == [4, 6, 1] && joined.issues.isEmpty)
    let exchanged = try CollectedShapes(
      detecting: tree(
        [dog, cat], classes: classes, instances: [[1, 1, 0, 2, 2, 2], [1, 1, 0, 2, 2, 2]]))
    #expect(exchanged.shapes.map(\.label) == ["dog", "cat", "cat", "dog", "void"])
    #expect(exchanged.shapes.map(\.kind) == [.box, .box, .mask, .mask, .mask])
    #expect(
      exchanged.places
        == Array(repeating: "unpairedMask warning SegmentationObject/1.png", count: 2))
    #expect(joined.isBalanced && exchanged.isBalanced)
    #expect(exchanged.run.lists?.annotationsRead == 5)
  }

  @Test("SegmentationClassAug is read alone, and told where SegmentationClass has masks")
  func augmented() throws {
    let mask: [[UInt8]] = [[8, 8, 0, 12, 12, 12], [8, 8, 255, 12, 12, 12]]
    let photos = [
      "JPEGImages/1.png": (width: 6, height: 2), "JPEGImages/2.png": (width: 6, height: 2),
    ]
    let texts = ["ImageSets/Segmentation/train.txt": "1\n2\n"]
    let more = ["SegmentationClassAug/1.png": mask, "SegmentationClassAug/2.png": mask]
    let alone = try CollectedShapes(
      detecting: MemoryTree(masks: more, photos: photos, texts: texts))
    #expect(alone.shapes.count == 6 && alone.issues.isEmpty)
    let both = try CollectedShapes(
      detecting: MemoryTree(
        masks: more.merging(["SegmentationClass/1.png": mask]) { $1 }, photos: photos, texts: texts)
    )
    #expect(both.shapes.count == 3 && !both.run.notes.contains { $0.contains("drawing") })
    #expect(
      both.run.notes.contains {
        $0.hasPrefix(
          "2 masks in SegmentationClassAug are not read beside those in SegmentationClass")
      }, "\(both.run.notes)")
  }

  @Test("A mask of objects without a class mask takes the classes of objects that agree")
  func noClasses() throws {
    let found = try CollectedShapes(
      detecting: tree([cat], instances: [[1, 1, 0, 2, 2, 2], [1, 1, 0, 2, 2, 2]]))
    #expect(found.shapes.map(\.kind) == [.mask] && found.shapes.map(\.label) == ["cat"])
    #expect(found.places == ["missingLabel error SegmentationObject/1.png"])
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 2)
  }

  @Test("A class mask alone: a single object gets it, several ones keep their boxes and a crowd")
  func classesAlone() throws {
    let classes: [[UInt8]] = [[8, 8, 0, 12, 12, 12], [8, 8, 255, 12, 12, 12]]
    let one = try CollectedShapes(detecting: tree([cat, dog], classes: classes))
    #expect(one.shapes.map(\.kind) == [.mask, .mask, .mask] && one.issues.isEmpty)
    let two = try CollectedShapes(
      detecting: tree([cat, VOCText.object("cat", 2, 1, 2, 2)], classes: classes))
    #expect(two.shapes.map(\.label) == ["cat", "cat", "cat", "dog", "void"])
    #expect(two.shapes.map(\.isCrowd) == [false, false, true, false, false])
    #expect(two.places == ["unpairedMask warning SegmentationClass/1.png"])
    #expect(one.isBalanced && two.isBalanced)
  }

  @Test("Names of the values: label map, list, --classes, VOC's own, else numbers")
  func names() throws {
    let classes: [[UInt8]] = [[1, 1, 0, 2, 2, 2], [1, 1, 0, 2, 2, 3]]
    func names(
      _ objects: [String]?, _ texts: [String: String], _ given: [String]? = nil
    ) throws -> [String] {
      var texts = texts
      texts["ImageSets/Segmentation/train.txt"] = "1\n"
      let tree = try tree(objects, classes: classes, texts: texts)
      #expect(try FormatDetector.detect(tree).format == .voc)
      let found = try CollectedShapes(tree, as: .voc, .init(classes: given))
      #expect(found.splits == ["train"])
      return found.names
    }
    #expect(try names(nil, [:]) == ["class 1", "class 2", "class 3"])
    #expect(try names([], [:]) == ["class 1", "class 2", "class 3"])
    #expect(
      try names([VOCText.object("x", 1, 1, 1, 1)], [:]) == ["class 1", "class 2", "class 3", "x"])
    #expect(
      try names([VOCText.object("cow", 1, 1, 1, 1)], [:]) == [
        "aeroplane", "bicycle", "bird", "cow",
      ])
    #expect(try names(nil, ["class_names.txt": "_background_\nz\ny\nx\n"]) == ["z", "y", "x"])
    #expect(try names(nil, ["labelmap.txt": "z:::\ny:::\nx:::\n"]) == ["z", "y", "x"])
    #expect(try names(nil, [:], ["c", "b", "a"]) == ["c", "b", "a"])
  }

  @Test("Masks that cannot be used leave the boxes; values without a class are void")
  func odd() throws {
    let small: [[UInt8]] = [[8, 8]]
    let size = try CollectedShapes(detecting: tree([cat], classes: small))
    #expect(size.shapes.map(\.kind) == [.box])
    #expect(size.places == ["maskSize error SegmentationClass/1.png"])
    let unknown = try CollectedShapes(
      detecting: tree([cat], classes: [[8, 8, 0, 0, 0, 77], [8, 8, 0, 0, 0, 0]]))
    #expect(unknown.shapes.map(\.label) == ["cat", "void"])
    #expect(unknown.places == ["maskValue warning SegmentationClass/1.png"])
    let background = try CollectedShapes(
      detecting: tree(
        [cat], classes: [[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]],
        instances: [[1, 1, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0]]))
    #expect(background.shapes.map(\.kind) == [.box])
    #expect(background.places == ["maskValue error SegmentationObject/1.png"])
    let alone = try MemoryTree(
      masks: ["SegmentationClass/9.png": [[1]]],
      photos: ["JPEGImages/1.png": (width: 2, height: 1)],
      texts: ["Annotations/1.xml": VOCText.annotation(size: nil, objects: [])])
    #expect(
      try CollectedShapes(detecting: alone).places
        == ["unpairedMask error SegmentationClass"])
    for found in [size, unknown, background] { #expect(found.isBalanced) }
  }
}
