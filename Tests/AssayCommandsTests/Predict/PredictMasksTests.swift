import AssayCore
import Foundation
import Testing

@testable import AssayCommands

/// Masks of people on real pictures, from import to COCO results.
@Suite(
  "assay predict, masks",
  .enabled(
    if: RealInput.has("coco/mini/instances_val2017.json")
      && RealInput.has("models/selfie_segmentation.xml"), "needs ../shared/data"))
struct PredictMasksTests {
  private static let manifest = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Datasets/models/selfie.yaml").path

  /// The pictures that the book's rule lets through, with the person model.
  private func people() throws -> Program {
    let program = try Program()
    let imported = try program.run("import", RealInput.root + "/coco/mini:coco", "--name", "mini")
    #expect(imported.status == 0, "\(imported.stderr)")
    try program.run(
      "view", "save", "people", "--in", "mini", "--where",
      "count(person) in 1..2 and count(person, crowd) = 0 and coverage(person) in 0.2..0.7")
    let added = try program.run(
      "model", "add", RealInput.root + "/models/selfie_segmentation.xml", "--manifest",
      Self.manifest)
    #expect(added.status == 0, "\(added.stderr)")
    return program
  }

  private func goldens() throws -> JSONValue {
    let file = URL(fileURLWithPath: Self.manifest)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Tests/Fixtures/maps/people.json")
    return try JSONValue(parsing: try String(contentsOf: file, encoding: .utf8))
  }

  @Test("Its masks are those of an independent program, pixel for pixel, and so is the mean Dice")
  func dice() throws {
    let program = try people()
    let outcome = try program.run("predict", "people", "--model", "selfie", "--name", "r")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.hasPrefix("8 samples in "))
    #expect(outcome.stdout.contains("masks of person at the threshold 0.5; the probability maps"))
    let exported = try program.run(
      "predictions", "export", "r", "--format", "coco", "--out", "r.json")
    #expect(exported.stdout == "8 masks (person) of 8 images written to r.json\n")
    let results = try #require(try JSONValue(parsing: program.folder.read("r.json")).elements)
    let goldens = try goldens()
    let images = try #require(goldens["images"]?.elements)
    #expect(results.count == 8 && images.count == 8)
    for image in images {
      let result = results.first { $0["image_id"] == image["image_id"] }
      #expect(result?["segmentation"]?["counts"] == image["counts"])
    }
    let scores = try program.run("evaluate", "r", "--json").json()
    for key in ["mean_dice", "dice"] {
      let (ours, theirs) = (scores[key]?.double ?? 0, goldens[key]?.double ?? 1)
      #expect(abs(ours - theirs) < 1e-12, "\(key): \(ours)")
    }
  }

  @Test("Without maps the masks are the same, and what will not work is said")
  func noMaps() throws {
    let program = try people()
    try program.run("predict", "people", "--model", "selfie", "--name", "r")
    let outcome = try program.run("predict", "people", "--model", "selfie", "--no-maps")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    for word in ["--no-maps", "--threshold", "--sweep", "slider"] {
      #expect(outcome.stdout.contains(word))
    }
    let json = try program.run("predict", "people", "--model", "selfie", "--no-maps", "--json")
      .json()
    #expect(json["status"]?.text == "already_done" && json["task"]?.text == "segmentation")
    #expect(json["settings"]?["maps"] == .bool(false))
    let name = try #require(json["run"]?.text)
    for (run, file) in [("r", "r.json"), (name, "n.json")] {
      try program.run("predictions", "export", run, "--format", "coco", "--out", file)
    }
    #expect(try program.folder.read("r.json") == program.folder.read("n.json"))
  }

  @Test("Formats that do not fit the run's task are refused with the one that does")
  func formats() throws {
    let program = try people()
    try program.run("predict", "people", "--model", "selfie", "--name", "r")
    let table = try program.run("predictions", "export", "r", "--out", "r.csv")
    #expect(table.status == 2 && table.stderr.contains("--format coco"))
    let oracle = try program.run(
      "predictions", "export", "r", "--format", "coco", "--for", "oracle", "--out", "r.json")
    #expect(oracle.status == 64)
  }
}
