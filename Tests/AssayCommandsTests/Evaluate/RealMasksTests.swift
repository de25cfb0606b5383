import AssayCore
import AssayTestSupport
import Foundation
import Testing

import AssayCommands

/// The book's workflow from COCO to IoU and Dice, with real images and their model, and with small
/// ones.
@Suite("Masks of images", .openVINO)
struct RealMasksTests {
  /// A Python with numpy and pycocotools, for `../shared/tools/oracle.py`.
  private static let python =
    ProcessInfo.processInfo.environment["ASSAY_ORACLE_PYTHON"]
    ?? OutsideFiles.path("../tools/.oracle/bin/python")
  private static let oracle = OutsideFiles.path("../tools/oracle.py")

  /// A catalog with the images, the book's view `people`, and the run `p` on a view.
  private func predicted(_ view: String, _ input: PeopleInput) throws -> Program {
    let program = try input.program()
    let outcome = try program.run("predict", view, "--model", "selfie", "--name", "p")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    return program
  }

  /// Evaluates and sweeps the run on the view `people`; returns the mean Dice.
  private func swept(_ input: PeopleInput) throws -> Double {
    let program = try predicted("people", input)
    let json = try program.run(
      "evaluate", "p", "--json", "--sweep", "threshold=0.3..0.7:0.2", "--samples", "s.csv"
    ).json()
    let count = Double(input.count)
    #expect(json["n"]?.double == count && json["defined"]?.double == count)
    let points = try #require(json["sweep"]?.elements)
    #expect(points[1]["mean_iou"]?.double == json["mean_iou"]?.double)
    let alone = try program.run("evaluate", "p", "--threshold", "0.3", "--json").json()
    for key in ["mean_iou", "mean_dice", "iou", "dice"] {
      #expect(points[0][key]?.double == alone[key]?.double)
    }
    #expect(try program.folder.read("s.csv").split(separator: "\n").count == input.count + 1)
    let best = try program.run("query", "run(p).iou > 0.9", "--in", "people", "--count", "--json")
    #expect(best.status == 0, "\(best.stderr)")
    return try #require(json["mean_dice"]?.double)
  }

  @Test(
    "The eight images of the book's rule are evaluated, and swept to the bit",
    .outsideData(
      "coco/mini", "models/selfie_segmentation.xml", twin: "RealMasksTests.smallPeople"))
  func people() throws {
    // The book quotes 0.8192 for another model on other images.
    let dice = try swept(.real)
    #expect(dice > 0.7 && dice < 0.9)
  }

  @Test("Seven small images of the book's rule are evaluated as numpy does, and swept to the bit")
  func smallPeople() throws {
    let golden = try #require(try smallGoldens()["people"]?["mean_dice"]?.double)
    #expect(try abs(swept(.small) - golden) <= 1e-12)
  }

  private func smallGoldens() throws -> JSONValue {
    try JSONValue(
      parsing: String(contentsOf: PackageFolder.fixture("maps/small.json"), encoding: .utf8))
  }

  @Test("Mean IoU and Dice of small images equal numpy's, to 1e-12")
  func smallReference() throws {
    let program = try predicted("coco", .small)
    let json = try program.run("evaluate", "p", "--json", "--samples", "s.csv").json()
    try expect(json, program.folder.read("s.csv"), #require(try smallGoldens()["all"]), images: 10)
  }

  @Test(
    "Mean IoU and Dice equal the reference's on the exported masks, to 1e-12",
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: python),
      "needs ASSAY_ORACLE_PYTHON with pycocotools"),
    .outsideData(
      "coco/mini", "models/selfie_segmentation.xml", "../tools/oracle.py",
      twin: "RealMasksTests.smallReference"))
  func reference() throws {
    let program = try predicted("coco", .real)
    let json = try program.run("evaluate", "p", "--json", "--samples", "s.csv").json()
    let exported = try program.run(
      "predictions", "export", "p", "--format", "coco", "--out", "p.json")
    #expect(exported.status == 0, "\(exported.stderr)")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.python)
    process.arguments = [
      Self.oracle, "masks", OutsideFiles.path("coco/mini/instances_val2017.json"),
      program.folder.path + "/p.json", "--category", "person",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let reference = try JSONValue(parsing: String(decoding: output, as: UTF8.self))
    try expect(json, program.folder.read("s.csv"), reference, images: 79)
  }

  /// Compares an evaluation and the table of its samples with a reference's.
  private func expect(
    _ json: JSONValue, _ table: String, _ reference: JSONValue, images count: Int
  ) throws {
    for key in ["n", "defined"] { #expect(json[key]?.double == reference[key]?.double) }
    for key in ["mean_iou", "mean_dice"] {
      let (ours, theirs) = (
        try #require(json[key]?.double), try #require(reference[key]?.double)
      )
      #expect(abs(ours - theirs) <= 1e-12, "\(key)")
    }
    // Sample by sample: our keys end in the reference's file names.
    var ours: [Substring: [Substring]] = [:]
    for line in table.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      ours[fields[0].split(separator: "/").last ?? ""] = fields
    }
    let images = try #require(reference["images"]?.elements)
    #expect(images.count == count)
    for image in images {
      let fields = try #require(ours[Substring(image["file"]?.text ?? "")])
      for (place, key) in [(1, "iou"), (2, "dice")] {
        let (mine, theirs) = (Double(fields[place]), image[key]?.double)
        #expect((mine == nil) == (theirs == nil), "\(fields[0])")
        #expect(abs((mine ?? 0) - (theirs ?? 0)) <= 1e-12, "\(fields[0])")
      }
    }
  }
}
