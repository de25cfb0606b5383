import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("VoTT datasets")
struct VoTTImporterTests {
  @Test("An export, and a file for each asset: the same boxes and polygons")
  func layouts() throws {
    let export = FileTree(fixture: "vott/export")
    #expect(try FormatDetector.detect(export).format == .voTT)
    let found = try CollectedObjects(export, as: .voTT)
    #expect(found.keys == ["a.png", "b.png"] && found.names == ["dog", "cat"])
    #expect(found.objects[0].box == Box(x: 1.5, y: 2, width: 8, height: 6))
    #expect(found.objects[1].polygons == [[0, 0, 4, 0, 4, 4, 0, 4]])
    #expect(found.places.isEmpty && found.isBalanced && found.run.lists?.annotationsRead == 2)
    let assets = FileTree(fixture: "vott/assets")
    #expect(try FormatDetector.detect(assets).format == .voTT)
    let apart = try CollectedObjects(assets, as: .voTT)
    #expect(apart.objects == found.objects && apart.names == ["cat", "dog"])
    #expect(apart.places.isEmpty)
  }

  @Test("An export alone is recognized")
  func alone() throws {
    let tree = FileTree(fixture: "vott/export/Animals-export.json")
    #expect(try FormatDetector.detect(tree).format == .voTT)
    let images = FileTree(fixture: "vott/export")
    let found = try CollectedObjects(tree, as: .voTT, ImportOptions(images: images))
    #expect(found.keys == ["a.png", "b.png"] && found.places.isEmpty)
  }

  @Test("Names of images with %20 and the like, as VoTT writes them")
  func percentNames() throws {
    let tree = try MemoryTree(
      pngs: ["a 1.png", "100%25.png"],
      texts: [
        "x.json": """
        {"assets": {"1": {"asset": {"name": "a%201.png"}, "regions": []},
        "2": {"asset": {"name": "100%25.png"}, "regions": []}}}
        """
      ])
    let found = try CollectedObjects(detecting: tree)
    #expect(found.keys == ["100%25.png", "a 1.png"] && found.places.isEmpty)
  }

  private static func tree(_ regions: String, name: String = "a.png") throws -> MemoryTree {
    try MemoryTree(
      pngs: ["a.png", "b.png"],
      texts: [
        "x.json": #"{"assets": {"1": {"asset": {"name": "\#(name)", "size": {"width": 20, "#
          + #""height": 10}}, \#(regions)}, "2/3": {"asset": {"name": "b.png"}, "regions": []}}}"#
      ])
  }

  @Test("A region without a tag is kept as unlabeled")
  func untagged() throws {
    let found = try CollectedObjects(
      detecting: Self.tree(
        #""regions": [{"type": "RECTANGLE", "tags": [], "boundingBox": {"left": 1, "top": 2, "width": 3, "height": 4}}]"#
      ))
    #expect(found.places == ["missingLabel warning x.json#/assets/1/regions/0"])
    #expect(found.samples[0].objects.map(\.label) == ["unlabeled"] && found.isBalanced)
  }

  @Test(
    "Every region that cannot be read is an issue with its pointer",
    arguments: [
      (#"{"type": "RECTANGLE", "tags": ["a"]}"#, "badShape error", "/boundingBox"),
      (#"{"type": "POLYGON", "tags": ["a"]}"#, "badField error", "/points"),
      (#"{"type": "CUBE", "tags": ["a"]}"#, "badShape error", "/type"), ("4", "badField error", ""),
    ])
  func odd(region: String, kind: String, pointer: String) throws {
    let found = try CollectedObjects(detecting: Self.tree(#""regions": [\#(region)]"#))
    #expect(found.places == ["\(kind) x.json#/assets/1/regions/0\(pointer)"])
    #expect(found.keys == ["a.png", "b.png"] && found.isBalanced)
  }

  @Test(
    "Regions that are missing or no list are never an image without objects",
    arguments: [
      (#""regions": {}"#, "badField error x.json#/assets/1/regions"),
      (#""region": []"#, "missingField error x.json#/assets/1"),
    ])
  func lists(member: String, place: String) throws {
    let found = try CollectedObjects(detecting: Self.tree(member))
    #expect(found.keys == ["b.png"] && found.places == [place])
  }

  @Test("Names that leave the source are issues; only VoTT's fixtures are taken")
  func others() throws {
    let found = try CollectedObjects(Self.tree(#""regions": []"#, name: "../../x.png"), as: .voTT)
    #expect(found.places.contains("outsideRoot error x.json#/assets/1"))
    #expect(try ForeignFixtures.taken(by: VoTTImporter()) == ["vott/export", "vott/assets"])
  }

  @Test("Damaged files are imported in part or refused")
  func damage() throws {
    let run = try JSONDamage(format: .voTT, fixtures: ["vott/export", "vott/assets"]).run(seed: 34)
    #expect(run.imported > run.rounds / 8 && run.objects > run.rounds / 8)
  }
}
