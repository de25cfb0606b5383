import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@Suite("assay predictions refine and objects")
struct RefineCommandTests {
  /// The image and masks that Tests/Fixtures/refinement/make_goldens.py draws.
  private struct Scene: Decodable {
    var width: Int
    var height: Int
    var image: [UInt8]
    var inside: [UInt8]
    var rough: [UInt8]
  }

  /// A catalog with the dataset `d` of one person, and a run `r` of masks that are too small.
  private func program() throws -> Program {
    let scene: Scene = try GoldenJSON.decode("refinement/goldens.json")
    func raster(_ pixels: [UInt8], channels: Int = 1) throws -> Raster<UInt8> {
      try #require(
        Raster(
          width: scene.width, height: scene.height, channels: channels, elements: pixels))
    }
    let program = try Program()
    let folder = program.folder.url
    for name in ["images", "masks"] {
      try FileManager.default.createDirectory(
        at: folder.appending(path: name), withIntermediateDirectories: true)
    }
    try Data(try ImageCodec.encodePNG(raster(scene.image, channels: 3)))
      .write(to: folder.appending(path: "images/a.png"))
    let truth = Mask(try raster(scene.inside))
    let json: JSONValue = [
      "images": [
        [
          "id": 1, "file_name": "a.png", "width": JSONValue(scene.width),
          "height": JSONValue(scene.height),
        ]
      ],
      "categories": [["id": 1, "name": "person"]],
      "annotations": [
        [
          "id": 1, "image_id": 1, "category_id": 1, "iscrowd": 0, "area": JSONValue(truth.area),
          "bbox": .array(
            truth.bounds.map { [$0.x, $0.y, $0.width, $0.height].map { JSONValue($0) } } ?? []),
          "segmentation": [
            "size": [JSONValue(scene.height), JSONValue(scene.width)],
            "counts": .string(String(decoding: truth.compressed, as: UTF8.self)),
          ],
        ]
      ],
    ]
    try program.folder.write("d.json", json.text())
    try Data(try ImageCodec.encodePNG(raster(scene.rough.map { $0 * 255 })))
      .write(to: folder.appending(path: "masks/a.png"))
    let imported = try program.run(
      "import", "d.json:coco", "--images", "images", "--name", "d")
    try #require(imported.status == 0, "\(imported.stderr)")
    let run = try program.run("predictions", "import", "masks", "--name", "r", "--in", "d")
    try #require(run.status == 0, "\(run.stderr)")
    return program
  }

  private func iou(_ run: String, _ program: Program) throws -> Double {
    let outcome = try program.run("evaluate", run, "--json")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    return try #require(try outcome.json()["mean_iou"]?.double)
  }

  @Test("A refined run is evaluated and compared like any other, and says what it is made of")
  func refine() throws {
    let program = try program()
    let refined = try program.run(
      "predictions", "refine", "r", "--name", "g", "--steps", "grabcut:6,holes", "--json")
    try #require(refined.status == 0, "\(refined.stderr)")
    let json = try refined.json()
    #expect(json["refined"] == .bool(true) && json["masks"]?.whole == 1)
    #expect(json["changed"]?.whole == 1 && json["emptied"]?.whole == 0)
    #expect(try iou("r", program) < 0.8)
    #expect(try iou("g", program) > 0.98)
    #expect(try program.run("compare", "r", "g").status == 0)
    let made = try program.run(
      "sql",
      "SELECT settings->>'$.refined.run' AS run, settings->'$.refined.steps' AS steps FROM run WHERE name = 'g'",
      "--json")
    #expect(made.stdout.contains("grabcut:6") && made.stdout.contains("holes"))
    let again = try program.run(
      "predictions", "refine", "r", "--name", "g", "--steps", "grabcut:6,holes")
    #expect(again.status == 0 && again.stdout.contains("already refined"))
    let other = try program.run("predictions", "refine", "r", "--name", "g", "--steps", "holes")
    #expect(other.status == 2 && other.stderr.contains("g"))
    // Without steps that look at it, the image is not needed.
    try FileManager.default.removeItem(at: program.folder.url.appending(path: "images/a.png"))
    #expect(
      try program.run("predictions", "refine", "r", "--name", "h", "--steps", "holes").status == 0)
    let missing = try program.run(
      "predictions", "refine", "r", "--name", "i", "--steps", "guided:4")
    #expect(missing.status == 2 && missing.stderr.contains("a.png"))
    // Nothing is left of a run that was not completed.
    #expect(try !program.run("ls", "--json").stdout.contains("\"i\""))
  }

  @Test("Objects of masks are evaluated by their regions, and can be refined")
  func objects() throws {
    let program = try program()
    let made = try program.run(
      "predictions", "objects", "r", "--name", "o", "--separate", "--json")
    try #require(made.status == 0, "\(made.stderr)")
    let json = try made.json()
    #expect(json["objects"]?.whole == 1 && json["parts"]?.whole == 1)
    // A mask from a file has no probabilities.
    #expect(json["has_scores"] == .bool(false))
    let evaluated = try program.run("evaluate", "o", "--iou-type", "segm", "--json").json()
    #expect(abs((evaluated["AP50"]?.double ?? 0) - 1) < 1e-12)
    let refined = try program.run(
      "predictions", "refine", "o", "--name", "p", "--steps", "grabcut:6")
    #expect(
      refined.status == 0 && refined.stdout.contains("1 of 1 mask changed"), "\(refined.stderr)")
    let better = try program.run("evaluate", "p", "--iou-type", "segm", "--json").json()
    #expect(try #require(better["AP"]?.double) > (try #require(evaluated["AP"]?.double)))
    let small = try program.run(
      "predictions", "objects", "r", "--name", "q", "--min-area", "5000")
    #expect(small.stdout.contains("1 left out as too small"))
  }

  @Test(
    "Refusals",
    arguments: [
      (["refine", "r", "--name", "x", "--steps", "grab:3"], 64, "unknown step “grab:3”"),
      (["refine", "r", "--name", "x", "--steps", ""], 64, "unknown step"),
      (["refine", "none", "--name", "x", "--steps", "holes"], 2, "none"),
      (["objects", "o", "--name", "x"], 2, "made of the masks of a segmentation run"),
      (["objects", "r", "--name", "x", "--neck", "0.5"], 64, "part of --separate"),
      (["objects", "r", "--name", "x", "--separate", "--neck", "2"], 64, "from 0 to 1"),
      (["objects", "r", "--name", "x", "--min-area", "0"], 64, "at least 1"),
    ] as [([String], Int32, String)])
  func refusals(arguments: [String], status: Int32, message: String) throws {
    let program = try program()
    _ = try program.run("predictions", "objects", "r", "--name", "o")
    let outcome = try program.run(["predictions"] + arguments)
    #expect(outcome.status == status && outcome.stderr.contains(message), "\(outcome.stderr)")
  }
}
