import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@Suite("assay predict --flip", .openVINO)
struct FlippedPredictionTests {
  @Test("Scores are those of the mirrored images, and combine averages both runs")
  func scores() throws {
    let program = try Program()
    try program.folder.write("d.csv", "label,pixels\nbright,0 90 8 250\ndark,7 1 30 2\n")
    try program.folder.write("mirrored.csv", "label,pixels\nbright,90 0 250 8\ndark,1 7 2 30\n")
    try program.folder.write("m.yaml", ModelCommandTests.manifest)
    for name in ["d", "mirrored"] {
      let imported = try program.run("import", "\(name).csv:pixel-csv", "--name", name)
      #expect(imported.status == 0, "\(imported.stderr)")
    }
    _ = try program.run(
      "model", "add", ModelCommandTests.models + "/tiny.onnx", "--manifest", "m.yaml", "--name", "t"
    )
    for arguments in [
      ["d", "--name", "plain"], ["d", "--flip", "--name", "flip"], ["mirrored", "--name", "m"],
    ] {
      let outcome = try program.run(["predict", "--model", "t"] + arguments)
      #expect(outcome.status == 0, "\(outcome.stderr)")
      _ = try program.run(
        "predictions", "export", arguments.last ?? "", "--out", "\(arguments.last ?? "").csv")
    }
    #expect(try program.folder.read("flip.csv") == program.folder.read("m.csv"))
    let again = try program.run("predict", "d", "--model", "t", "--flip", "--json").json()
    #expect(again["status"]?.text == "already_done" && again["run"]?.text == "flip")
    #expect(again["settings"]?["flip"] == .bool(true))
    let combined = try program.run("predictions", "combine", "plain", "flip", "--name", "both")
    #expect(combined.status == 0, "\(combined.stderr)")
    _ = try program.run("predictions", "export", "both", "--out", "both.csv")
    func rows(_ file: String) throws -> [[Float]] {
      try program.folder.read(file).split(separator: "\n").dropFirst().map { line in
        line.split(separator: ",").dropFirst().compactMap { Float($0) }
      }
    }
    let (plain, flip) = (try rows("plain.csv"), try rows("flip.csv"))
    let mean = zip(plain, flip).map { zip($0, $1).map { Float((Double($0) + Double($1)) / 2) } }
    #expect(try rows("both.csv") == mean && mean.count == 2)
  }

  @Test("Boxes are those of the mirrored images, mirrored back")
  func boxes() throws {
    let program = try Program()
    let shapes = PackageFolder.fixture("detect/shapes").path
    for name in ["0", "1"] {
      let bytes = try Array(Data(contentsOf: URL(filePath: "\(shapes)/val/\(name).png")))
      try program.folder.write("plain/\(name).png", bytes)
      let raster = Orientation.upMirrored.apply(to: try ImageCodec.decode(bytes, as: .native))
      try program.folder.write("mirrored/\(name).png", try ImageCodec.encodePNG(raster))
    }
    let added = try program.run(
      "model", "add", ModelCommandTests.models + "/detect_yolox.onnx", "--manifest",
      shapes + ".yaml",
      "--name", "y")
    #expect(added.status == 0, "\(added.stderr)")
    func boxes(_ folder: String, _ options: [String]) throws -> [[Double]] {
      let run = folder + (options.isEmpty ? "" : "-flip")
      _ = try program.run("import", folder + ":image-folder", "--name", folder)
      let outcome = try program.run(["predict", folder, "--model", "y", "--name", run] + options)
      #expect(outcome.status == 0, "\(outcome.stderr)")
      _ = try program.run("predictions", "export", run, "--format", "coco", "--out", "\(run).json")
      return try JSONValue(parsing: program.folder.read("\(run).json")).elements?.map {
        ($0["bbox"]?.elements ?? []).compactMap(\.double) + [$0["score"]?.double ?? 0]
      } ?? []
    }
    let (flip, mirrored) = (try boxes("plain", ["--flip"]), try boxes("mirrored", []))
    #expect(flip.count == mirrored.count && flip.count > 4)
    for (found, expected) in zip(flip, mirrored) {
      // The images are 61 pixels wide.
      #expect(abs(found[0] - (61 - expected[0] - expected[2])) < 1e-9)
      #expect(found[1...].elementsEqual(expected[1...]))
    }
  }

  @Test("Maps are flipped back; the mean of a run and its flip is the run for a model of pixels")
  func maps() throws {
    let program = try PeopleInput.small.program()
    for (name, options) in [("plain", []), ("flip", ["--flip"])] {
      let outcome = try program.run(
        ["predict", "people", "--model", "selfie", "--name", name] + options)
      #expect(outcome.status == 0, "\(outcome.stderr)")
    }
    let combined = try program.run("predictions", "combine", "plain", "flip", "--name", "both")
    #expect(combined.status == 0, "\(combined.stderr)")
    for name in ["plain", "flip", "both"] {
      let exported = try program.run(
        "predictions", "export", name, "--format", "coco", "--out", "\(name).json")
      #expect(exported.status == 0, "\(exported.stderr)")
    }
    let plain = try program.folder.read("plain.json")
    #expect(try program.folder.read("both.json") == plain)
    #expect(try program.folder.read("flip.json") == plain && plain.count > 500)
  }
}
