import AssayCore
import Testing

@testable import AssayFormats

@Suite("Pairs of image and mask")
struct MaskPairingTests {
  private func pairs(_ paths: String...) -> [String] {
    pairing(paths).pairs.map { "\($0.image.path) \($0.mask.path) \($0.split ?? "-")" }
  }

  private func pairing(_ paths: [String]) -> MaskPairing {
    let sorted = paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return MaskPairing(sorted.map { SourceFile(path: $0, size: 1, modified: 0) })
  }

  @Test(
    "Folders side by side pair, with splits above or below them",
    arguments: [
      ("images/train/x.jpg", "masks/train/x.png", "train"),
      ("train/images/x.jpg", "train/labels/x.png", "train"),
      ("val/x.jpg", "valannot/x.png", "val"),
      ("train/x.jpg", "train_masks/x_mask.png", "train"),
      ("JPEGImages/x.jpg", "SegmentationClass/x.png", "-"),
      ("701_StillsRaw_full/x.png", "LabeledApproved_full/x_L.png", "-"),
      ("x.jpg", "x_mask.png", "-"), ("x.jpg", "masks/x.png", "-"),
      ("test/x.jpg", "test/masks/x.png", "test"), ("a/x.jpg", "a/x_label.png", "-"),
      ("street1/x.png", "street1annot/x.png", "street1"),
      ("images/val2017/x.png", "masks/val2017/x.png", "val2017"),
    ])
  func layouts(image: String, mask: String, split: String) {
    #expect(pairs(image, mask) == ["\(image) \(mask) \(split)"])
  }

  @Test("The first folder that says so decides, so that exported keys may hold any folder")
  func nested() {
    #expect(
      pairs("images/masks/x.png", "masks/masks/x.png")
        == ["images/masks/x.png masks/masks/x.png -"])
    #expect(
      pairs("images/images/x.png", "masks/images/x.png")
        == ["images/images/x.png masks/images/x.png -"])
    #expect(
      pairs("images/trainannot/x.png", "masks/trainannot/x.png")
        == ["images/trainannot/x.png masks/trainannot/x.png -"])
  }

  @Test("Classes of one name do not pair")
  func classes() {
    #expect(pairs("cat/1.png", "dog/1.png").isEmpty)
    #expect(pairs("with_mask/1.png", "without_mask/1.png").isEmpty)
    #expect(pairs("images/1.png", "notes/1.txt").isEmpty)
  }

  @Test("A second mask, a second image and files without partner are issues, one a file")
  func leftOver() {
    let found = pairing([
      "images/a.jpg", "images/a.png", "images/b.jpg", "masks/a.png", "labels/a.png", "masks/c.png",
    ])
    #expect(found.pairs.count == 1 && found.rejected == 4)
    #expect(
      found.issues.map { "\($0.kind) \($0.location)" } == [
        "duplicateID masks/a.png", "unpairedMask images/b.jpg", "unpairedMask masks/c.png",
        "duplicateID images/a.png",
      ])
  }

  @Test("A folder in which nothing pairs is one issue")
  func lonelyFolder() {
    let found = pairing(["images/a.jpg", "masks/a.png", "extra/x.png", "extra/y.png"])
    #expect(found.pairs.count == 1 && found.rejected == 2)
    #expect(found.issues.count == 1)
    #expect(found.issues.first?.message.hasPrefix("2 files, extra/x.png") == true)
  }
}
