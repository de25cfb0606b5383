import AssayCore
import AssayImaging
import AssayTestSupport
import Testing

@testable import AssayFormats

@Suite("BDD100K's masks of semantic segmentation")
struct BDD100KMasksTests {
  /// A gray PNG of 10×10: the first row has a value, the last void, the others road.
  private static func mask(_ value: UInt8) throws -> [UInt8] {
    let elements =
      [UInt8](repeating: value, count: 10)
      + [UInt8](repeating: 0, count: 80) + [UInt8](repeating: 255, count: 10)
    let raster = try #require(Raster(width: 10, height: 10, channels: 1, elements: elements))
    return try ImageCodec.encodePNG(raster)
  }

  private static func tree(
    _ more: [String: [UInt8]] = [:], masks: String = "labels/sem_seg/masks",
    images: String = "images/10k"
  ) throws -> MemoryTree {
    let photo = try mask(7)
    var files = more
    for split in ["train", "val"] {
      files["\(images)/\(split)/\(split).png"] = photo
      files["\(masks)/\(split)/\(split).png"] = try mask(split == "train" ? 13 : 18)
      files["labels/sem_seg/colormaps/\(split)/\(split).png"] = photo
    }
    files["\(images)/test/other.png"] = photo
    return MemoryTree(folder: files)
  }

  private func refusal(_ tree: MemoryTree) -> String? {
    do {
      _ = try CollectedShapes(detecting: tree)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("Training ids are Cityscapes' 19 classes, 255 is void, folders are splits")
  func masks() throws {
    let tree = try Self.tree()
    #expect(try FormatDetector.detect(tree).format == .bdd100k)
    let found = try CollectedShapes(detecting: tree)
    #expect(found.keys == ["images/10k/train/train.png", "images/10k/val/val.png"])
    #expect(found.splits == ["train", "val"])
    #expect(
      found.names == [
        "road", "sidewalk", "building", "wall", "fence", "pole", "traffic light", "traffic sign",
        "vegetation", "terrain", "sky", "person", "rider", "car", "truck", "bus", "train",
        "motorcycle", "bicycle", "void",
      ])
    #expect(
      found.samples.map { $0.regions.map(\.label) } == [
        ["road", "car", "void"], ["road", "bicycle", "void"],
      ])
    #expect(found.samples[0].regions.map(\.area) == [80, 10, 10])
    #expect(found.samples[0].regions[1].box == Box(x: 0, y: 0, width: 10, height: 1))
    #expect(found.classes.last?.isVoid == true)
    #expect(found.run.imagesLeftOut == 1 && found.issues.isEmpty && found.isOutcomeBalanced)
  }

  @Test(
    "Images in another folder than that of the masks; the folder of the masks alone if the format is given"
  )
  func apart() throws {
    let tree = try Self.tree()
    for (root, format) in [
      ("labels/sem_seg", nil), ("labels/sem_seg/masks", DatasetFormat.bdd100k),
    ] {
      let masks = SubtreeView(tree, folder: root)
      let options = ImportOptions(images: tree)
      let found =
        try format.map { try CollectedShapes(masks, as: $0, options) }
        ?? CollectedShapes(detecting: masks, options)
      #expect(found.keys == ["images/10k/train/train.png", "images/10k/val/val.png"])
      #expect(found.samples.map(\.regions.count) == [3, 3])
    }
  }

  @Test("A mask without an image and a value without a class are issues")
  func odd() throws {
    let found = try CollectedShapes(
      detecting: try Self.tree([
        "labels/sem_seg/masks/val/alone.png": Self.mask(1),
        "labels/sem_seg/masks/train/odd.png": Self.mask(19),
        "images/10k/train/odd.png": Self.mask(7),
      ]))
    #expect(
      found.places == [
        "unpairedMask error labels/sem_seg/masks/val/alone.png",
        "maskValue warning labels/sem_seg/masks/train/odd.png",
      ])
    #expect(found.isOutcomeBalanced && found.run.outcome.rejected == 1)
  }

  @Test("Masks of other tasks beside them are named, and so are masks beside JSON")
  func others() throws {
    let drivable = try Self.tree(["labels/drivable/masks/train/train.png": Self.mask(2)])
    #expect(refusal(drivable)?.contains("labels/drivable/masks/train/train.png") == true)
    let json =
      #"[{"name":"train.png","labels":[{"id":"1","category":"car","box2d":{"x1":1,"y1":1,"x2":3,"y2":3}}]}]"#
    let both = try Self.tree(["labels/det_20/det_train.json": Array(json.utf8)])
    #expect(refusal(both)?.contains("PATH/labels/sem_seg/masks:bdd100k --images PATH") == true)
  }
}
