import AssayCore
import AssayImaging
import Testing

import AssayFormats

@Suite("Laying images out in folders")
struct ImageFolderExporterTests {
  private typealias Item = ImageFolderExporter.Item

  private func read(_ paths: [String]) throws -> Collected {
    let png = try ImageCodec.encodePNG(Raster(repeating: 7, width: 1, height: 1))
    let tree = MemoryTree(
      folder: Dictionary(paths.map { ($0, png) }, uniquingKeysWith: { a, _ in a }))
    return try Collected(detecting: tree)
  }

  @Test("Splits and classes are folders, and are read again as they were")
  func roundTrip() throws {
    let items = [
      Item(key: "a/1.JPG", location: "a/1.JPG", split: "train", category: "traffic light"),
      Item(key: "a/2.png", location: "a/2.png", split: "val2017", category: "cat"),
      Item(key: "b/3.png", location: "b/3.png", split: "val2017", category: nil),
    ]
    let layout = ImageFolderExporter(items)
    #expect(layout.paths == ["train/traffic light/1.jpg", "val2017/cat/2.png", "val2017/3.png"])
    #expect(layout.notes.isEmpty && layout.renamed.isEmpty)
    let found = try read(layout.paths)
    #expect(found.splits == ["train", "val2017", "val2017"])
    #expect(Set(found.labels) == ["traffic light", "cat", nil])
  }

  @Test("Without splits the classes are the first folders")
  func noSplits() throws {
    let items = ["x", "y"].map { Item(key: "1.png", location: nil, split: nil, category: $0) }
    let layout = ImageFolderExporter(items)
    #expect(layout.paths == ["x/1.png.png", "y/1.png.png"])
    #expect(try read(layout.paths).labels == ["x", "y"])
  }

  @Test("Rows keep their order by name")
  func rows() {
    let items = ["0", "7", "12"].map { Item(key: $0, location: nil, split: nil, category: "a") }
    #expect(ImageFolderExporter(items).paths == ["a/00.png", "a/07.png", "a/12.png"])
  }

  @Test("Names that differ in their case or folder alone get names of their own")
  func unique() {
    let items = ["p/a.png", "q/a.png", "A.png", "p_a.png", "q/A.PNG"].map {
      Item(key: $0, location: $0, split: nil, category: "c")
    }
    let paths = ImageFolderExporter(items).paths
    #expect(paths == ["c/a.png", "c/q_a.png", "c/A-2.png", "c/p_a.png", "c/A-3.png"])
    #expect(Set(paths.map { $0.lowercased() }).count == 5)
  }

  @Test(
    "A class's folder is one that every disk takes, and the change is told",
    arguments: [
      ("a/b", "a_b"), ("..", "__"), (".git", "_git"), ("con", "_con"), ("x.", "x_"), ("", "_"),
      ("a\u{202E}b", "a_b"), ("<b>", "_b_"), ("a\nb", "a_b"), (" x", "_x"), ("C:\\x", "C__x"),
      (String(repeating: "é", count: 100), String(repeating: "é", count: 60)),
    ])
  func safe(name: String, folder: String) {
    let layout = ImageFolderExporter([Item(key: "1", location: nil, split: nil, category: name)])
    #expect(layout.paths == [folder + "/1.png"])
    #expect(layout.renamed.map(\.folder) == [folder])
  }

  @Test("Classes that come to one folder name are kept apart")
  func classes() {
    let items = ["a/b", "a_b", "A_B"].map {
      Item(key: "1", location: nil, split: nil, category: $0)
    }
    let folders = ImageFolderExporter(items).paths.map { $0.split(separator: "/")[0].lowercased() }
    #expect(Set(folders).count == 3)
  }

  @Test("What would be read otherwise is told: splits that nobody knows, images without a split")
  func notes() {
    let odd = ImageFolderExporter([
      Item(key: "1", location: nil, split: "fold1", category: "a"),
      Item(key: "2", location: nil, split: "fold2", category: "a"),
    ])
    #expect(odd.notes.count == 1 && odd.notes[0].contains("2 of the images"), "\(odd.notes)")
    let mixed = ImageFolderExporter([
      Item(key: "1", location: nil, split: "train", category: "a"),
      Item(key: "2", location: nil, split: nil, category: "a"),
    ])
    #expect(mixed.paths == ["train/a/1.png", "nosplit/a/2.png"])
    #expect(mixed.notes == ["images without a split are in the folder nosplit"])
  }
}
