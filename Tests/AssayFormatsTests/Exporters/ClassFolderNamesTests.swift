import AssayCore
import Testing

@testable import AssayFormats

@Suite("Names of class folders")
struct ClassFolderNamesTests {
  @Test(
    "No class is called like a part of another layout, and not all are called like splits",
    arguments: [
      (["cat", "images", "Labels", "train"], ["cat", "images-class", "Labels-class", "train"]),
      (["train", "Test", "val2017"], ["train-class", "Test-class", "val2017-class"]),
      (["mask", "no_mask"], ["mask", "no_mask"]),
      (["mask", "image"], ["mask-class", "image-class"]),
      (
        ["a/b", "A_b", "images", "images-class"],
        ["a_b", "A_b-2", "images-class", "images-class-2"]
      ),
    ])
  func names(classes: [String], folders: [String]) {
    #expect(ClassFolderNames.of(classes) == folders)
    let paths = folders.map { $0 + "/1.png" }
    #expect(FolderLayout(paths).classes(of: paths) == folders.sorted())
  }

  @Test(
    "Names without blanks at their ends, where readers drop them",
    arguments: [ExportFormat.voc, .cvat, .hfImageFolder, .webDataset])
  func blanks(format: ExportFormat) {
    let can = DatasetExporters.capabilities(of: format, nil)
    let names = can.names(of: ["\ta b ", "a b", " "].map { Category(name: $0) })
    #expect(names == ["a b", "a b-2", "_"])
  }
}
