import AssayCore
import Foundation
import Testing

@testable import AssayCommands

/// The book's way from COCO to IoU and Dice, with the real pictures and model.
@Suite("Masks of real pictures")
struct RealMasksTests {
  private static let images = "coco/mini"
  private static let model = "models/selfie_segmentation.xml"
  private static let hasData = RealInput.has(images) && RealInput.has(model)

  /// A Python with numpy and pycocotools, for `../shared/tools/oracle.py`.
  private static let python =
    ProcessInfo.processInfo.environment["ASSAY_ORACLE_PYTHON"]
    ?? RealInput.root + "/../tools/.oracle/bin/python"
  private static let oracle = RealInput.root + "/../tools/oracle.py"
  private static let hasOracle =
    hasData && FileManager.default.isExecutableFile(atPath: python)
    && FileManager.default.fileExists(atPath: oracle)

  private static let manifest = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Datasets/models/selfie.yaml").path

  /// A catalog with the pictures, the book's view `people`, and the run `p` over a view.
  private func predicted(_ view: String) throws -> Program {
    let program = try Program()
    for arguments in [
      ["import", RealInput.root + "/\(Self.images):coco", "--name", "coco"],
      [
        "view", "save", "people", "--in", "coco", "--where",
        "count(person) in 1..2 and count(person, crowd) = 0 and coverage(person) in 0.2..0.7",
      ],
      [
        "model", "add", RealInput.root + "/\(Self.model)", "--manifest", Self.manifest, "--name",
        "selfie",
      ],
      ["predict", view, "--model", "selfie", "--name", "p"],
    ] {
      let outcome = try program.run(arguments)
      #expect(outcome.status == 0, "\(arguments): \(outcome.stderr)")
    }
    return program
  }

  @Test(
    "The eight pictures of the book's rule are judged, and swept to the bit",
    .enabled(if: hasData, "needs ../shared/data"))
  func people() throws {
    let program = try predicted("people")
    let json = try program.run(
      "evaluate", "p", "--json", "--sweep", "threshold=0.3..0.7:0.2", "--samples", "s.csv"
    ).json()
    #expect(json["n"]?.double == 8 && json["defined"]?.double == 8)
    // The book quotes 0.8192 for another model on other pictures.
    let dice = try #require(json["mean_dice"]?.double)
    #expect(dice > 0.7 && dice < 0.9)
    let points = try #require(json["sweep"]?.elements)
    #expect(points[1]["mean_iou"]?.double == json["mean_iou"]?.double)
    let alone = try program.run("evaluate", "p", "--threshold", "0.3", "--json").json()
    for key in ["mean_iou", "mean_dice", "iou", "dice"] {
      #expect(points[0][key]?.double == alone[key]?.double)
    }
    #expect(try program.folder.read("s.csv").split(separator: "\n").count == 9)
    let best = try program.run("query", "run(p).iou > 0.9", "--in", "people", "--count", "--json")
    #expect(best.status == 0, "\(best.stderr)")
  }

  @Test(
    "Mean IoU and Dice equal the reference's on the exported masks, to 1e-12",
    .enabled(if: hasOracle, "needs ../shared/data and ASSAY_ORACLE_PYTHON with pycocotools"))
  func reference() throws {
    let program = try predicted("coco")
    let json = try program.run("evaluate", "p", "--json", "--samples", "s.csv").json()
    let exported = try program.run(
      "predictions", "export", "p", "--format", "coco", "--out", "p.json")
    #expect(exported.status == 0, "\(exported.stderr)")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.python)
    process.arguments = [
      Self.oracle, "masks", RealInput.root + "/\(Self.images)/instances_val2017.json",
      program.folder.path + "/p.json", "--category", "person",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let reference = try JSONValue(parsing: String(decoding: output, as: UTF8.self))
    for key in ["n", "defined"] { #expect(json[key]?.double == reference[key]?.double) }
    for key in ["mean_iou", "mean_dice"] {
      let (ours, theirs) = (
        try #require(json[key]?.double), try #require(reference[key]?.double)
      )
      #expect(abs(ours - theirs) <= 1e-12, "\(key)")
    }
    // Sample by sample: our keys end in the reference's file names.
    var ours: [Substring: [Substring]] = [:]
    for line in try program.folder.read("s.csv").split(separator: "\n").dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      ours[fields[0].split(separator: "/").last ?? ""] = fields
    }
    let images = try #require(reference["images"]?.elements)
    #expect(images.count == 79)
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
