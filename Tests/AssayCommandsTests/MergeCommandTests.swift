import AssayCore
import AssayTestSupport
import Foundation
import Testing

@Suite("assay merge")
struct MergeCommandTests {
  private func check(_ outcome: Program.Outcome) throws -> JSONValue {
    #expect(outcome.status == 0, "\(outcome.stderr)")
    return try outcome.json()
  }

  @Test("Corrected labels are merged with --corrected, and samples that users excluded are not")
  func corrected() throws {
    let world = try CorrectedProgram()
    let program = world.program
    let rows = (0..<3).map { "\($0),\($0 + 7) 2 3 4,Training\n" }
    try program.folder.write("more.csv", "emotion,pixels,Usage\n" + rows.joined())
    _ = try check(
      program.run(
        "import", "more.csv:fer", "--name", "more", "--classes", "happy,neutral,sad", "--json"))
    try world.corrections("add", "--sample", "faces:0", "--label", "sad")
    try world.corrections("add", "--sample", "faces:1", "--reject", "two faces")

    let plain = try check(
      program.run("merge", "faces", "more", "--name", "plain", "--prefix-keys", "--json"))
    #expect(plain["samples"] == 8)
    let remark = try program.run("merge", "faces", "more", "--name", "p2", "--prefix-keys")
    #expect(remark.stderr.contains("not used (--corrected uses"))
    let fixed = try check(
      program.run(
        "merge", "faces", "more", "--name", "fixed", "--prefix-keys", "--corrected", "--json"))
    #expect(fixed["samples"] == 7)
    #expect(fixed["sources"]?.elements?.map { $0["left_out"] } == [1, 0])
    func count(_ view: String, _ filter: String) throws -> JSONValue? {
      try check(program.run("query", filter, "--in", view, "--count", "--json"))["count"]
    }
    #expect(try count("plain", "key = 'faces/0' and label = happy") == 1)
    #expect(try count("fixed", "key = 'faces/0' and label = sad") == 1)
    // The merged dataset has corrections of its own.
    try world.corrections("add", "--sample", "fixed:faces/0", "--label", "neutral")
    let own = try check(
      program.run(
        "query", "label = neutral and key = 'faces/0'", "--in", "fixed", "--corrected", "--count",
        "--json"))
    #expect(own["count"] == 1)
    #expect(try count("faces", "key = '0' and label = happy") == 1)
  }

  @Test("Corrected masks are merged, in place of the imported ones")
  func masks() throws {
    let world = try CorrectedProgram()
    let program = world.program
    try world.mask("m.png", "###...", "###...", "......", "......")
    try world.corrections("add", "--sample", "street:a.png", "--mask", "m.png", "--category", "car")
    try program.shell("mkdir lane && cp street/d.png lane/e.png && printf x >> lane/e.png")
    try program.folder.write(
      "lane/boxes.json",
      """
      {"images": [{"id": 7, "file_name": "e.png", "width": 6, "height": 4}],
       "categories": [{"id": 1, "name": "lane"}],
       "annotations": [{"id": 5, "image_id": 7, "category_id": 1, "bbox": [1, 1, 2, 2], "area": 4,
         "iscrowd": 0}]}
      """)
    _ = try check(program.run("import", "lane/boxes.json:coco", "--name", "lane", "--json"))
    func covered(_ view: String, _ coverage: String) throws -> JSONValue? {
      try check(
        program.run(
          "query", "key = 'a.png' and coverage(car) = \(coverage)", "--in", view, "--count",
          "--json")
      )["count"]
    }
    let plain = try check(program.run("merge", "street", "lane", "--name", "plain", "--json"))
    #expect(plain["samples"] == 4 && plain["classes"] == ["car", "road", "lane"])
    #expect(try covered("plain", "0.25") == 0)
    _ = try check(program.run("merge", "street", "lane", "--name", "all", "--corrected", "--json"))
    #expect(try covered("all", "0.25") == 1)
    let verified = try program.run(
      "export", "all", "--to", "coco", "--out", "out", "--copy-images", "--verify", "--json")
    #expect(verified.status == 0, "\(verified.stdout)")
    // Paths of a COCO file are relative to one folder.
    let refused = try program.run("export", "all", "--to", "coco", "--out", "other")
    #expect(refused.status == 2 && refused.stderr.contains("--copy-images"))
    let source = try program.run("export", "all", "--to", "csv", "--out", "lane", "--force")
    #expect(source.status == 2)
    let moved = try program.run("relink", "all", "lane")
    #expect(moved.status == 2 && moved.stderr.contains("--source street"))
    let shown = try program.run("show", "all")
    #expect(shown.stdout.contains("merged: coco\n"))
  }

  @Test("Sources are merged into files, and read back")
  func files() throws {
    let program = try Program()
    for seed in ["1", "2"] {
      try program.folder.write(
        "\(seed)/labels.csv", "image,cat,dog\na.png,1,1\nb.png,0,\(seed == "1" ? 1 : 0)\n")
      for name in ["a", "b"] {
        try program.folder.write("\(seed)/\(name).png", Data(Self.png(seed: seed + name)))
      }
    }
    let merged = try check(
      program.run(
        "merge", "1/labels.csv", "2/labels.csv", "--to", "multilabel-csv", "out", "--verify",
        "--rename", "dog=hound", "--json"))
    #expect(merged["lost"] == 0 && merged["images"] == 4)
    #expect(merged["merge"]?["sources"]?.elements?.map { $0["dataset"] } == ["labels", "labels-2"])
    let table = try program.folder.read("out/labels.csv")
    #expect(table.contains("hound") && !table.contains("dog"))
    let certificate = try JSONValue(parsing: program.folder.read("out/certificate.json"))
    #expect(certificate["source"]?["merged"]?.elements?.count == 2)
    #expect(!program.folder.has("assay.db"))
  }

  @Test("Mistakes of usage and wrong input are named")
  func mistakes() throws {
    let program = try Program.withScenes()
    for arguments in [
      ["merge", "scenes", "--name", "x"], ["merge", "scenes", "scenes"],
      ["merge", "a", "b", "--name", "x", "--verify"], ["merge", "a", "b", "--to", "coco"],
      ["merge", "a", "b", "c", "--to", "coco", "--name", "x"],
    ] {
      #expect(try program.run(arguments).status == 64, "\(arguments)")
    }
    #expect(
      try program.run("merge", "no/parts", "--name", "x").stderr.contains(
        "there is no folder no/parts"))
    #expect(
      try program.run("merge", "scenes", "nothing", "--name", "x").stderr.contains("nothing"))
  }

  /// A PNG of one pixel whose bytes differ by the seed: readers ignore what follows the image.
  private static func png(seed: String) -> [UInt8] {
    Array(
      Data(
        base64Encoded:
          "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
      ) ?? Data()) + Array(seed.utf8)
  }
}
