import AssayCore
import AssayFormats
import AssayTestSupport
import Foundation
import Testing

@Suite("Folders of images and masks")
struct MasksImporterTests {
  @Test("Masks of 0 and 255 are of one class; an empty one has no region")
  func binary() throws {
    let tree = FileTree(fixture: "masks/binary")
    #expect(try FormatDetector.detect(tree).format == .masks)
    let found = try CollectedMasks(tree, as: .masks)
    #expect(found.keys == ["images/train/a.jpg", "images/val/b.png"])
    #expect(found.samples.map(\.split) == ["train", "val"])
    #expect(found.names == ["foreground"])
    #expect(found.areas("images/train/a.jpg") == ["foreground": 3])
    #expect(found.samples[0].regions[0].box == Box(x: 1, y: 0, width: 2, height: 2))
    #expect(found.samples[1].regions.isEmpty)
    #expect(found.isBalanced)
    let named = try CollectedMasks(tree, as: .masks, ImportOptions(classes: ["person"]))
    #expect(named.names == ["person"] && named.areas("images/train/a.jpg") == ["person": 3])
  }

  @Test("A mask without an image, an image without a mask and another size are issues, left out")
  func unpaired() throws {
    let found = try CollectedMasks(FileTree(fixture: "masks/binary"), as: .masks)
    let places = found.issues.map { "\($0.kind) \($0.severity) \($0.location)" }
    #expect(
      places == [
        "unpairedMask error images/val/alone.png", "unpairedMask error masks/val/nobody.png",
        "maskSize error masks/val/other-size.png",
      ])
    #expect(found.run.outcome.read == 5 && found.run.outcome.rejected == 3)
  }

  @Test("VOC's palette PNGs: 0 is background, 255 void, classes.txt names the rest")
  func palette() throws {
    let found = try CollectedMasks(detecting: FileTree(fixture: "masks/index"))
    #expect(found.names == ["aeroplane", "bicycle", "void"])
    #expect(found.classes.map(\.isVoid) == [false, false, true])
    #expect(found.areas("JPEGImages/a.jpg") == ["aeroplane": 2, "bicycle": 1, "void": 1])
    // The value 7 is not a class and is void, like 255.
    #expect(found.areas("JPEGImages/b.jpg") == ["bicycle": 3, "void": 2])
    #expect(found.kinds == [.maskValue] && found.issues[0].severity == .warning)
    #expect(found.issues[0].sampleKey == "JPEGImages/b.jpg")
  }

  @Test("x.jpg and x_mask.png in one folder are a pair; 0 and 1 are of one class")
  func oneFolder() throws {
    let found = try CollectedMasks(detecting: FileTree(fixture: "masks/one-folder"))
    #expect(found.keys == ["a.jpg", "b.jpg"] && found.names == ["foreground"])
    #expect(found.areas("a.jpg") == ["foreground": 3] && found.areas("b.jpg") == ["foreground": 1])
    #expect(found.issues.isEmpty)
  }

  @Test("Values without names are numbered classes, and 255 is void beside them")
  func unnamed() throws {
    let found = try CollectedMasks(detecting: FileTree(fixture: "masks/unnamed"))
    #expect(found.names == ["class 1", "class 3", "void"])
    #expect(found.areas("images/a.png") == ["class 1": 2, "void": 1])
    #expect(found.areas("images/b.png") == ["class 1": 1, "class 3": 2])
  }

  @Test("Roboflow's _classes.csv in each split names the values; lists that differ are refused")
  func roboflow() throws {
    func tree(_ valid: String) throws -> MemoryTree {
      let photos = ["train/a.png", "valid/a.png"].map { ($0, (width: 3, height: 1)) }
      return try MemoryTree(
        masks: ["train/a_mask.png": [[0, 1, 2]], "valid/a_mask.png": [[2, 2, 0]]],
        photos: Dictionary(uniqueKeysWithValues: photos),
        texts: [
          "train/_classes.csv": "Pixel Value, Class\n0, background\n1, big cat\n2, dog\n",
          "valid/_classes.csv": valid,
        ])
    }
    let same = try tree("Pixel Value, Class\r\n0, background\r\n1, big cat\r\n2, dog\r\n")
    #expect(try FormatDetector.detect(same).format == .masks)
    let found = try CollectedMasks(same, as: .masks)
    #expect(found.names == ["big cat", "dog"] && found.issues.isEmpty)
    #expect(found.areas("valid/a.png") == ["dog": 2])
    #expect(throws: FormatError.self) {
      try FormatDetector.detect(tree("Pixel Value, Class\n0, background\n1, dog\n"))
    }
  }

  @Test("A second folder of masks of the same images is refused; other images are not")
  func secondSet() throws {
    let mask = Array(repeating: Array(repeating: UInt8(1), count: 20), count: 20)
    func refusal(_ other: String) throws -> String? {
      let tree = try MemoryTree(
        masks: ["masks/a.png": mask, other: mask], photos: ["images/a.png": (20, 20)])
      do {
        _ = try FormatDetector.detect(tree, forced: .masks)
        return nil
      } catch let error {
        return "\(error)"
      }
    }
    #expect(
      try refusal("instances/a.png")?.contains(
        "1 file in instances looks like a mask of images whose masks are read from another folder")
        == true)
    #expect(try refusal("more/b.png") == nil)
  }

  @Test(
    "Masks of 0 and 1 beside masks of 0 and 255: void only if a mask has all three, else refused")
  func mixedValues() throws {
    func tree(_ masks: [UInt8]...) throws -> MemoryTree {
      let names = masks.indices.map { "\($0).png" }
      return try MemoryTree(
        masks: Dictionary(
          uniqueKeysWithValues: zip(names.map { "masks/\($0)" }, masks.map { [$0] })),
        photos: Dictionary(uniqueKeysWithValues: names.map { ("images/\($0)", (3, 1)) }))
    }
    let found = try CollectedMasks(tree([0, 1, 1], [0, 0, 255], [0, 1, 255]), as: .masks)
    #expect(found.names == ["class 1", "void"] && found.areas("images/1.png") == ["void": 1])
    for classes in [nil, ["person"]] {
      let error = #expect(throws: FormatError.self) {
        try CollectedMasks(
          tree([0, 0, 0], [0, 1, 1], [0, 255, 0]), as: .masks, ImportOptions(classes: classes))
      }
      #expect(
        "\(try #require(error))".hasPrefix(
          "masks/2.png: it has only 0 and 255, and masks/1.png only 0 and 1: "))
    }
  }

  @Test("Folders with images and their masks can be classes: refused with both commands")
  func classFolders() throws {
    let folders = ["benign", "malignant"]
    let paths = folders.flatMap { ["\($0)/1", "\($0)/2"] }
    func tree(_ paths: [String]) throws -> MemoryTree {
      try MemoryTree(
        masks: Dictionary(uniqueKeysWithValues: paths.map { ("\($0)_mask.png", [[0, 255, 0]]) }),
        photos: Dictionary(
          uniqueKeysWithValues: paths.map { ("\($0).png", (width: 3, height: 1)) }))
    }
    let error = #expect(throws: FormatError.self) { try FormatDetector.detect(tree(paths)) }
    let text = "\(try #require(error))"
    #expect(text.contains("the folders benign, malignant can be classes of the images"), "\(text)")
    #expect(text.contains("PATH:masks --ignore-companions"))
    // Splits are no classes.
    #expect(
      try FormatDetector.detect(tree(["train/1", "train/2", "val/1", "val/2"])).format == .masks)
  }

  @Test("A mask fits its image as that is stored or as it is looked at")
  func turned() throws {
    let found = try CollectedMasks(detecting: FileTree(fixture: "masks/turned"))
    #expect(found.issues.isEmpty)
    let regions = found.samples.map(\.regions)
    #expect(regions.count == 2 && regions[0] == regions[1])
    #expect(regions[0].first?.box == Box(x: 1, y: 5, width: 1, height: 1))
  }

  @Test("An image folder of classes is no set of masks, even where names agree")
  func imageFolders() throws {
    let classes = try MemoryTree(
      masks: [:], photos: ["cat/1.png": (3, 2), "dog/1.png": (3, 2), "mask/2.png": (3, 2)])
    #expect(try FormatDetector.detect(classes).format == .imageFolder)
    #expect(
      try FormatDetector.detect(FileTree(fixture: "image-folder/classes")).format == .imageFolder)
    // Photographs with 20 × 20 different colors each are not masks; folders with these names are
    // not classes.
    let photos = try MemoryTree(
      masks: [:], photos: ["image/1.png": (20, 20), "label/1.png": (20, 20)])
    let error = #expect(throws: FormatError.self) { try FormatDetector.detect(photos) }
    #expect("\(try #require(error))".contains("the folders image, label are part of a dataset's"))
    let faces = try MemoryTree(
      masks: [:], photos: ["with_mask/1.png": (3, 2), "without_mask/1.png": (3, 2)])
    #expect(try FormatDetector.detect(faces).format == .imageFolder)
  }

  @Test(
    "Masks in colors of 16 bits, in colors without names and soft masks are left out and said so")
  func refused() throws {
    func color16() throws -> [UInt8] {
      let url = PackageFolder.fixture("images/rgb16.png")
      return Array(try Data(contentsOf: url))
    }
    let size = try #require(try? ImageHeaderSize.of(color16()))
    var folder: [String: [UInt8]] = ["images/a.png": [], "masks/a.png": try color16()]
    let soft = (0..<100).map { [UInt8($0)] }
    let tree = try MemoryTree(
      masks: ["images/c.png": soft, "masks/c.png": soft],
      photos: [
        "images/a.png": size, "images/b.png": (3, 2), "masks/b.png": (3, 2),
      ])
    for file in try tree.files() where folder[file.path] == nil || folder[file.path] == [] {
      folder[file.path] = try tree.readAll(file.path, limit: 1 << 20)
    }
    let found = try CollectedMasks(MemoryTree(folder: folder), as: .masks)
    #expect(found.kinds == [.unsupportedFile, .maskValue, .maskValue])
    #expect(
      found.issues.map(\.message).map { $0.contains("16 bits per channel") } == [
        true, false, false,
      ])
    #expect(found.issues[1].message.contains("label_colors.txt"))
    #expect(found.samples.isEmpty && found.isBalanced)
  }

  @Test("Any number of workers gives the same samples and issues")
  func workers() throws {
    var masks: [String: [[UInt8]]] = [:]
    var photos: [String: (width: Int, height: Int)] = [:]
    for number in 0..<70 {
      photos["images/\(number).png"] = (4, 2)
      // Every seventh mask has another size; from the fiftieth on, a value makes it an index mask.
      masks["masks/\(number).png"] =
        number % 7 == 3
        ? [[0]]
        : number >= 50
          ? [[7, 255, 7, 7], [7, 7, 7, 7]] : [[0, 255, 0, 0], [0, 0, 0, UInt8(number % 2) * 255]]
    }
    let tree = try MemoryTree(masks: masks, photos: photos)
    let serial = try CollectedMasks(tree, as: .masks, ImportOptions(workers: 1))
    #expect(serial.issues.count == 10 && serial.names == ["class 7", "void"])
    // Regions of 255 that were read before the first 7 are void, too.
    #expect(serial.areas("images/1.png") == ["void": 2])
    for workers in [2, 4] {
      #expect(try CollectedMasks(tree, as: .masks, ImportOptions(workers: workers)) == serial)
    }
  }
}
