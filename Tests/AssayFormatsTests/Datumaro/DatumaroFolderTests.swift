import AssayCore
import AssayTestSupport
import Testing

@testable import AssayFormats

@Suite("The folder of Datumaro's images")
struct DatumaroFolderTests {
  private static func json(_ ids: [String]) -> String {
    let items = ids.map { id in
      #"{"id":"\#(id)","annotations":[],"attr":{},"image":{"path":"\#(id).png","size":[10,10]}}"#
    }.joined(separator: ",")
    return
      #"{"info":{},"categories":{"label":{"labels":[{"name":"cat","parent":"","attributes":[]}]}},"#
      + #""items":[\#(items)]}"#
  }

  @Test("Two folders that have the images are refused, and both are named")
  func tie() throws {
    let tree = try MemoryTree(
      images: ["left/1.png", "right/1.png"], texts: ["annotations/train.json": Self.json(["1"])])
    let error = #expect(throws: FormatError.self) { try CollectedObjects(tree, as: .datumaro) }
    #expect(
      error?.description.contains("left/ as in right/") == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("images/train/") == true)
  }

  @Test("The usual folder, and else the folder of the split, decide")
  func decided() throws {
    for folders in [["images/train/", "right/"], ["x/train/", "x/val/"], ["a/", "images/"]] {
      let tree = try MemoryTree(
        images: folders.map { $0 + "1.png" }, texts: ["annotations/train.json": Self.json(["1"])])
      let found = try CollectedObjects(tree, as: .datumaro)
      #expect(found.keys == [folders[folders[0] == "a/" ? 1 : 0] + "1.png"])
    }
  }
}
