import AssayCore
import Foundation
import Testing

@Suite("assay import of COCO")
struct COCOImportCommandTests {
  private static let json = """
    {"info":{},"licenses":[],"images":[{"id":5,"width":3,"height":2,"file_name":"a.png"}],
    "annotations":[{"id":1,"image_id":5,"category_id":1,"bbox":[0,0,2,1],"area":2,"iscrowd":0,
    "segmentation":[[0,0,2,0,2,1,0,1]]},{"id":2,"image_id":9,"category_id":1}],
    "categories":[{"id":1,"name":"cat"}]}
    """

  @Test("The result for annotations and images is reported, and each issue has its JSON pointer")
  func import_() throws {
    let program = try Program()
    try program.folder.write("instances_val2017.json", Self.json)
    let first = try program.run("import", "instances_val2017.json")
    #expect(first.status == 0, "\(first.stderr)")
    #expect(first.stdout.contains("annotations: read 2 = kept 1 + rejected 1"))
    #expect(first.stdout.contains("images: 0 of 1 found (assay relink instances_val2017 DIR"))
    let issues = try program.run("issues", "instances_val2017", "--json").json()
    let pointers = issues["issues"]?.elements?.compactMap { $0["pointer"]?.text }
    #expect(pointers == ["/annotations/1/image_id"])
    let shown = try program.run("show", "instances_val2017", "--json").json()
    #expect(shown["images"] == ["files": 1, "found": 0])
  }

  @Test("--images says where images lie, and show counts them; relink follows a move")
  func images() throws {
    let program = try Program()
    try program.folder.write("set.json", Self.json)
    try program.folder.write("pictures/a.png", [0x89])
    let imported = try program.run("import", "set.json", "--images", "pictures", "--json").json()
    #expect(imported["images"] == ["listed": 1, "found": 1])
    #expect(imported["annotations"] == ["read": 2, "kept": 1, "rejected": 1])
    #expect(try program.run("show", "set").stdout.contains("1 of 1 found"))
    try FileManager.default.createDirectory(
      atPath: program.folder.path + "/moved", withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: program.folder.path + "/pictures", toPath: program.folder.path + "/moved/pictures")
    #expect(try program.run("show", "set").stdout.contains("0 of 1 found (moved?"))
    let relinked = try program.run("relink", "set", "moved")
    #expect(relinked.stdout.contains("1 of its 1 file found"))
    let checked = try program.run(
      "import", "set.json", "--images", "moved/pictures", "--check-images", "--replace", "--json")
    #expect(try checked.json()["issues"]?["unreadableImage"] == 1)
  }

  @Test("A file that is cut off is refused with the byte, and nothing is imported")
  func cutOff() throws {
    let program = try Program()
    try program.folder.write("cut.json", String(Self.json.dropLast(40)))
    let refused = try program.run("import", "cut.json")
    #expect(refused.status == 2)
    #expect(refused.stderr.contains("broken JSON at byte \(Self.json.utf8.count - 40)"))
    #expect(!program.folder.has("assay.db"))
  }
}
