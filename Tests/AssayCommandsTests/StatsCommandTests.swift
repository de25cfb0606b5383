import ArgumentParser
import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@testable import AssayCommands

@Suite("assay stats")
struct StatsCommandTests {
  /// A program whose folder holds `pets`: two gray cats of 0 and 2, one dog of 11, 4×3 pixels.
  private func pets() throws -> Program {
    let program = try Program()
    for (name, level) in [("cat/1.png", 0), ("cat/2.png", 2), ("dog/1.png", 11)] {
      let raster = Raster<UInt8>(repeating: UInt8(level), width: 4, height: 3)
      try program.folder.write("pets/" + name, ImageCodec.encodePNG(raster))
    }
    let outcome = try program.run("import", "pets", "--name", "pets")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    return program
  }

  @Test("A size is two whole numbers within the limit")
  func size() {
    #expect(ImageSize(text: "64x48") == ImageSize(width: 64, height: 48))
    #expect(ImageSize(text: "64X48") == ImageSize(width: 64, height: 48))
    for text in ["64", "64x", "x", "64x48x1", "0x4", "-1x4", "4.5x4", "100000x100000", "axb"] {
      #expect(ImageSize(text: text) == nil, "\(text)")
    }
  }

  @Test("Resizing without images to write, or to no size, is a usage error")
  func usage() throws {
    #expect(throws: (any Error).self) { try StatsCommand.parse(["set", "--resize", "4x4"]) }
    #expect(throws: (any Error).self) {
      try StatsCommand.parse(["set", "--out", "o", "--resize", "4"])
    }
    #expect(try StatsCommand.parse(["set", "--out", "o", "--resize", "4x4"]).resize == "4x4")
  }

  @Test("Images that go through a link named as the output are said to be where it leads")
  func link() throws {
    let program = try pets()
    try FileManager.default.createDirectory(
      at: URL(fileURLWithPath: program.folder.path + "/real"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: program.folder.path + "/o", withDestinationPath: "real")
    let outcome = try program.run("stats", "pets", "--out", "o")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(outcome.stderr.contains("note: o is a symbolic link; the files are in /"))
    #expect(outcome.stderr.contains("/real"))
  }

  @Test("The text counts the classes and says how unequal they are")
  func counts() throws {
    let outcome = try pets().run("stats", "pets")
    #expect(
      outcome.stdout == """
        pets: 3 samples, 2 classes, 4×3

        class  n  share
        cat    2  0.667
        dog    1  0.333
        all    3      –

        imbalance 2.0: cat is the most frequent class, dog the least frequent

        """)
    #expect(outcome.status == 0 && outcome.stderr.isEmpty)
  }

  @Test("With --out there are images and values, and JSON names them")
  func files() throws {
    let program = try pets()
    let json = try program.run("stats", "pets", "--out", "looks", "--json").json()
    #expect(json["samples"] == 3 && json["imbalance"]?["ratio"]?.double == 2)
    let names = json["files"]?.elements?.compactMap(\.text) ?? []
    #expect(names.count == 13 && names.allSatisfy { program.folder.has("looks/" + $0) })
    // Cats: mean (0 + 2) / 2, standard deviation 1. Means range from 1 to 11.
    let cats = json["pixels"]?["classes"]?.elements?.first
    #expect(cats?["mean"]?.elements?.first?.double == 1)
    #expect(cats?["std"]?.elements?.first?.double == 1)
    #expect(json["pixels"]?["mean_scale"]?["white"]?.double == 11)
    #expect(try program.run("stats", "pets", "--out", "looks").status == 0)
  }

  @Test("A foreign file is not overwritten without --force")
  func foreign() throws {
    let program = try pets()
    try program.folder.write("looks/classes.png", "mine")
    let outcome = try program.run("stats", "pets", "--out", "looks")
    #expect(outcome.status == 2 && outcome.stderr.contains("--force"))
    #expect(try program.folder.read("looks/classes.png") == "mine")
    #expect(!program.folder.has("looks/mean-all.png"))
    #expect(try program.run("stats", "pets", "--out", "looks", "--force").status == 0)
  }

  @Test("Images of several sizes are refused with their sizes, or resized")
  func sizes() throws {
    let program = try pets()
    let raster = Raster<UInt8>(repeating: 7, width: 8, height: 6)
    try program.folder.write("pets/dog/2.png", ImageCodec.encodePNG(raster))
    _ = try program.run("import", "pets", "--name", "pets", "--replace")
    let refused = try program.run("stats", "pets", "--out", "looks")
    #expect(refused.status == 2 && refused.stderr.contains("4×3 (3), 8×6 (1)"))
    #expect(!program.folder.has("looks"))
    let resized = try program.run("stats", "pets", "--out", "looks", "--resize", "4x3", "--json")
    #expect(try resized.json()["pixels"]?["resized"] == true)
  }

  @Test(
    "The real faces' means are numpy's",
    .outsideData("fer/fer2013_publictest.csv.gz", twin: "StatsCommandTests.files"))
  func realFaces() throws {
    let program = try Program()
    let source = OutsideFiles.path("fer/fer2013_publictest.csv.gz")
    try #require(try program.run("import", source, "--name", "faces").status == 0)
    let json = try program.run("stats", "faces", "--out", "looks", "--json").json()
    let rows = json["pixels"]?["classes"]?.elements ?? []
    let happy = rows.first { $0["name"]?.text == "happy" }
    #expect(happy?["n"] == 895)
    // numpy 2.4.6, mean and std of all pixels of the 895 rows of emotion 3, float64.
    #expect(abs((happy?["mean"]?.elements?.first?.double ?? 0) - 130.44111770639356) < 1e-9)
    #expect(abs((happy?["std"]?.elements?.first?.double ?? 0) - 77.27267548698225) < 1e-9)
  }
}
