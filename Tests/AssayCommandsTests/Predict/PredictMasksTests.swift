import AssayCore
import AssayTestSupport
import Foundation
import Testing

/// Masks of people in images, from import to COCO results.
@Suite("assay predict, masks", .openVINO)
struct PredictMasksTests {
  /// Compares the masks of the view `people` and their Dice with an independent program's.
  ///
  /// - Parameter goldens: its masks, and `mean_dice` and `dice`.
  private func expectMasks(of input: PeopleInput, _ goldens: JSONValue?) throws {
    let program = try input.program()
    let outcome = try program.run("predict", "people", "--model", "selfie", "--name", "r")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.hasPrefix("\(input.count) samples in "))
    #expect(
      outcome.stdout.contains(
        "masks of \(input.category) at the threshold 0.5; the probability maps"))
    let exported = try program.run(
      "predictions", "export", "r", "--format", "coco", "--out", "r.json")
    #expect(
      exported.stdout
        == "\(input.count) masks (\(input.category)) of \(input.count) images written to r.json\n")
    let results = try #require(try JSONValue(parsing: program.folder.read("r.json")).elements)
    let images = try #require(goldens?["images"]?.elements)
    #expect(results.count == input.count && images.count == input.count)
    for image in images {
      let result = results.first { $0["image_id"] == image["image_id"] }
      #expect(result?["segmentation"]?["counts"] == image["counts"])
    }
    let scores = try program.run("evaluate", "r", "--json").json()
    for key in ["mean_dice", "dice"] {
      let (ours, theirs) = (scores[key]?.double ?? 0, goldens?[key]?.double ?? 1)
      #expect(abs(ours - theirs) < 1e-12, "\(key): \(ours)")
    }
  }

  private func goldens(_ name: String) throws -> JSONValue {
    try JSONValue(
      parsing: String(contentsOf: PackageFolder.fixture("maps/" + name), encoding: .utf8))
  }

  @Test(
    "Its masks are those of an independent program, pixel for pixel, and so is the mean Dice",
    .outsideData(
      "coco/mini", "models/selfie_segmentation.xml", twin: "PredictMasksTests.smallDice"))
  func dice() throws {
    try expectMasks(of: .real, goldens("people.json"))
  }

  @Test("A small model's masks are numpy's, pixel for pixel, and so is the mean Dice")
  func smallDice() throws {
    try expectMasks(of: .small, goldens("small.json")["people"])
  }

  @Test(
    "Without maps the masks are the same, and what will not work is said",
    .outsideData(
      "coco/mini", "models/selfie_segmentation.xml", twin: "PredictMasksTests.smallNoMaps"))
  func noMaps() throws { try expectSameWithoutMaps(.real) }

  @Test("Without maps a small model's masks are the same, and what will not work is said")
  func smallNoMaps() throws { try expectSameWithoutMaps(.small) }

  private func expectSameWithoutMaps(_ input: PeopleInput) throws {
    let program = try input.program()
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

  @Test(
    "Formats that do not fit the run's task are refused with the one that does",
    .outsideData(
      "coco/mini", "models/selfie_segmentation.xml", twin: "PredictMasksTests.smallFormats"))
  func formats() throws { try expectRefusedFormats(.real) }

  @Test("Formats that do not fit a small model's task are refused with the one that does")
  func smallFormats() throws { try expectRefusedFormats(.small) }

  private func expectRefusedFormats(_ input: PeopleInput) throws {
    let program = try input.program()
    try program.run("predict", "people", "--model", "selfie", "--name", "r")
    let table = try program.run("predictions", "export", "r", "--out", "r.csv")
    #expect(table.status == 2 && table.stderr.contains("--format coco"))
    let oracle = try program.run(
      "predictions", "export", "r", "--format", "coco", "--for", "oracle", "--out", "r.json")
    #expect(oracle.status == 64)
  }
}
