import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@Suite("Corrections of index masks")
struct LabelMapCorrectionTests {
  /// A program that has imported one image of 4×2 with an index mask: road (1), car (2) and void (255).
  private func street() throws -> Program {
    let program = try Program()
    let photo = Raster<UInt8>(repeating: 90, width: 4, height: 2, channels: 3)
    try program.folder.write("street/images/a.png", ImageCodec.encodePNG(photo))
    try program.folder.write("street/masks/a.png", try png([1, 1, 2, 255, 1, 1, 2, 255]))
    try program.folder.write("street/classes.txt", "road\ncar\n")
    let outcome = try program.run("import", "street", "--name", "street")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    return program
  }

  private func png(_ values: [UInt8]) throws -> [UInt8] {
    try ImageCodec.encodePNG(try #require(Raster(width: 4, height: 2, elements: values)))
  }

  /// The values of the exported mask.
  private func exported(_ program: Program) throws -> [UInt8] {
    let outcome = try program.run(
      "export", "street", "--to", "masks", "--out", "out", "--corrected", "--force")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    let masks = program.folder.path + "/out/masks/"
    let names = try FileManager.default.subpathsOfDirectory(atPath: masks)
    let name = try #require(names.first { $0.hasSuffix(".png") })
    let data = try Data(contentsOf: URL(filePath: masks + name))
    return try ImageCodec.decode(Array(data), as: .gray8).elements
  }

  private func key(_ program: Program) throws -> String {
    let found = try program.run("query", "--in", "street", "--json").json()
    return "street:" + (try #require(found["samples"]?.elements?.first?["key"]?.text))
  }

  @Test("A taken prediction is the mask, with parts of single pixels: none is left without a class")
  func taken() throws {
    let program = try Program()
    let side = 40
    func png(_ values: [UInt8]) throws -> [UInt8] {
      try ImageCodec.encodePNG(try #require(Raster(width: side, height: side, elements: values)))
    }
    var truth = [UInt8](repeating: 1, count: side * side)
    for place in truth.indices where place % side >= 20 { truth[place] = 2 }
    var found = truth
    // The outline is one pixel off, and single pixels are of the other class.
    for row in 0..<side { found[row * side + 20] = 1 }
    for place in [5 * side + 5, 30 * side + 33] { found[place] = 3 - found[place] }
    let photo = Raster<UInt8>(repeating: 90, width: side, height: side, channels: 3)
    try program.folder.write("street/images/a.png", ImageCodec.encodePNG(photo))
    try program.folder.write("street/masks/a.png", try png(truth))
    try program.folder.write("street/classes.txt", "road\ncar\n")
    try program.folder.write("found/a.png", try png(found))
    _ = try program.run("import", "street", "--name", "street")
    let run = try program.run(
      "predictions", "import", "found", "--name", "r1", "--in", "street", "--classes",
      "background,road,car")
    try #require(run.status == 0, "\(run.stderr)")
    let saved = try program.run(
      "corrections", "add", "--sample", try key(program), "--take", "r1", "--author", "anna")
    #expect(saved.status == 0 && !saved.stdout.contains("dropped"), "\(saved)")
    #expect(try exported(program) == found)
  }

  @Test("Pixels given to a class are taken from the others, void included; undo gives them back")
  func painted() throws {
    let program = try street()
    let before = try exported(program)
    #expect(before == [1, 1, 2, 255, 1, 1, 2, 255])
    try program.folder.write("road.png", try png([255, 255, 255, 255, 255, 255, 0, 255]))
    let saved = try program.run(
      "corrections", "add", "--sample", try key(program), "--mask", "road.png", "--category",
      "road", "--author", "anna")
    #expect(saved.status == 0, "\(saved.stderr)")
    #expect(try exported(program) == [1, 1, 1, 1, 1, 1, 2, 1])
    try program.folder.write("car.png", try png([0, 0, 0, 255, 0, 0, 255, 255]))
    try program.run(
      "corrections", "add", "--sample", try key(program), "--mask", "car.png", "--category", "car",
      "--author", "anna")
    #expect(try exported(program) == [1, 1, 1, 2, 1, 1, 2, 2])
    for _ in 0..<2 { try program.run("corrections", "undo", "--last", "--author", "anna") }
    #expect(try exported(program) == before)
  }
}
