import AssayCore
import AssayTestSupport
import Foundation
import Testing

@Suite("Images that no annotation belongs to")
struct LeftOutImagesTests {
  @Test("One annotated image among many is refused as a dataset, and imported on request")
  func mostLeftOut() throws {
    let program = try Program()
    let image = try Data(contentsOf: PackageFolder.fixture("yolo/loose/a.png"))
    let root = URL(fileURLWithPath: program.folder.path).appending(path: "set")
    for name in ["cat/1.png", "cat/2.png", "dog/3.png", "dog/4.png"] {
      let url = root.appending(path: name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try image.write(to: url)
    }
    let label = "{\"imagePath\":\"1.png\",\"shapes\":[{\"label\":\"cat\",\"points\":[[0,0],[4,4]],"
    try Data((label + "\"shape_type\":\"rectangle\"}]}").utf8)
      .write(to: root.appending(path: "cat/1.json"))
    let refused = try program.run("import", "set")
    #expect(refused.status == 2)
    #expect(
      refused.stderr.contains(
        "its labelme annotations belong to 1 image, and 3 images would be left out"))
    #expect(refused.stderr.contains("set:labelme"))
    let forced = try program.run("import", "set:labelme")
    #expect(forced.status == 0)
    #expect((forced.stdout + forced.stderr).contains("3 images without annotations are left out"))
  }
}
