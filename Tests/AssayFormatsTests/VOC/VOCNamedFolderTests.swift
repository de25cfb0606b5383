import AssayCore
import AssayFormats
import Testing

@Suite("Images of annotations in folders of other names")
struct VOCNamedFolderTests {
  private static let text = VOCText.annotation(
    size: (10, 10), objects: [VOCText.object("cat", 1, 1, 3, 2)])

  @Test("The folder with the names of the annotations has their images, and that is said")
  func named() throws {
    for (images, xmls) in [
      (["train/a.png", "val/b.png"], ["train_xml/a.xml", "val_xml/b.xml"]),
      (
        ["img_train/n01/a.png", "img_train/n02/b.png"],
        ["boxes_v2/n01/a.xml", "boxes_v2/n02/b.xml"]
      ),
    ] {
      let tree = try MemoryTree(
        images: images, texts: Dictionary(uniqueKeysWithValues: xmls.map { ($0, Self.text) }))
      let found = try CollectedShapes(tree, as: .voc, ImportOptions())
      #expect(found.keys == images)
      #expect(found.shapes.count == 2)
      #expect(
        found.run.notes.contains { $0.contains("2 annotations belong to images in another folder") }
      )
    }
  }

  @Test("ILSVRC's detection set has the images in Data/DET, with their splits")
  func detection() throws {
    let names = ["train/ILSVRC2013_train/n01/x", "train/ILSVRC2014_train_0000/y", "val/z"]
    let tree = try MemoryTree(
      images: names.map { "ILSVRC/Data/DET/\($0).png" },
      texts: Dictionary(
        uniqueKeysWithValues: names.map { ("ILSVRC/Annotations/DET/\($0).xml", Self.text) }))
    let found = try CollectedShapes(tree, as: .voc, ImportOptions())
    #expect(found.keys == names.map { "ILSVRC/Data/DET/\($0).png" })
    #expect(found.splits == ["train", "train", "val"] && found.shapes.count == 3)
  }

  @Test("Two folders with the names, and a folder of which only few names fit, are not chosen")
  func notNamed() throws {
    for images in [["one/a.png", "two/a.png"], ["one/c.png"]] {
      let tree = try MemoryTree(
        images: images + ["more/x.png"],
        texts: ["boxes/a.xml": Self.text, "boxes/b.xml": Self.text, "boxes/c.xml": Self.text])
      let found = try CollectedShapes(tree, as: .voc, ImportOptions())
      #expect(found.keys.allSatisfy { !images.contains($0) })
    }
  }
}
