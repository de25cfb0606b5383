import AssayCore
import AssayTestSupport
import Foundation
import Testing

@Suite("assay evaluate: COCO's files without a catalog")
struct DetectionFilesTests {
  /// Ground truth and results in COCO files: the COCO API's example, and a small counterpart.
  private enum Example {
    case published, small

    var truth: String {
      switch self {
      case .published: OutsideFiles.path("coco/val2014_100/instances_val2014_100.json")
      case .small: PackageFolder.fixture("detect/example/instances.json").path
      }
    }

    func results(_ type: String) -> String {
      switch self {
      case .published:
        OutsideFiles.path("coco/val2014_100/instances_val2014_fake\(type)100_results.json")
      case .small: PackageFolder.fixture("detect/example/\(type).json").path
      }
    }

    /// The lines of a type: as published, with the spacing of current pycocotools; as printed by
    /// pycocotools 2.0.11.
    func lines(_ type: String) throws -> [String] {
      switch self {
      case .published:
        let text = try String(
          contentsOf: OutsideFiles.url("coco/val2014_100/val2014_fake_eval_res.txt"),
          encoding: .utf8)
        let lines = text.split(separator: "\n").map(String.init)
        let start = try #require(lines.firstIndex(of: "type=\(type)"))
        return lines[start...].filter { $0.hasPrefix(" Average") }.prefix(12).map {
          $0.replacing("Precision (AP)", with: "Precision  (AP)").replacing(
            "Recall    (AR)", with: "Recall     (AR)")
        }
      case .small:
        let file = PackageFolder.fixture("detect/example/goldens.json")
        let goldens = try JSONValue(parsing: String(contentsOf: file, encoding: .utf8))
        return try #require(goldens[type]?["lines"]?.elements).compactMap(\.text)
      }
    }
  }

  private func evaluate(_ example: Example, _ program: Program, _ type: String, _ more: String...)
    throws -> Program.Outcome
  {
    try program.run(["evaluate", "--gt", example.truth, "--dt", example.results(type)] + more)
  }

  private func expectLines(of example: Example, _ type: String) throws {
    let program = try Program()
    let outcome = try evaluate(example, program, type, "--iou-type", type)
    #expect(outcome.status == 0 && outcome.stderr.isEmpty)
    let printed = outcome.stdout.split(separator: "\n").map(String.init)
    let first = try #require(printed.firstIndex { $0.hasPrefix(" Average") })
    #expect(Array(printed[first..<(first + 12)]) == (try example.lines(type)))
    // The health check of the files is printed before them.
    let health = try #require(printed.firstIndex { $0.hasPrefix("check of the results") })
    #expect(health < first)
    #expect(!program.folder.has("assay.db"))
  }

  @Test(
    "The twelve lines are those that the COCO API publishes, letter for letter",
    .outsideData("coco/val2014_100", twin: "DetectionFilesTests.smallLines"),
    arguments: ["bbox", "segm"])
  func lines(_ type: String) throws { try expectLines(of: .published, type) }

  @Test(
    "The twelve lines of a small example are pycocotools', letter for letter",
    arguments: ["bbox", "segm"])
  func smallLines(_ type: String) throws { try expectLines(of: .small, type) }

  private func expectSwapped(_ example: Example) throws {
    for (gt, dt) in [(example.results("bbox"), example.truth), (example.truth, example.truth)] {
      let outcome = try Program().run("evaluate", "--gt", gt, "--dt", dt, "--iou-type", "bbox")
      #expect(outcome.status == 2)
      #expect(outcome.stderr.contains("swap") || outcome.stderr.contains("truth"))
    }
  }

  @Test(
    "Swapped files, or ground truth given as the results, are reported",
    .outsideData("coco/val2014_100", twin: "DetectionFilesTests.smallSwapped"))
  func swapped() throws { try expectSwapped(.published) }

  @Test("Small files that are swapped, or ground truth given as the results, are reported")
  func smallSwapped() throws { try expectSwapped(.small) }

  private func expectChosenType(_ example: Example) throws {
    let program = try Program()
    #expect(
      try evaluate(example, program, "bbox").stdout.contains(
        "note: boxes are compared (--iou-type bbox)"))
    #expect(try evaluate(example, program, "segm").stdout.contains("note: regions are compared"))
  }

  @Test(
    "Without a type it says which was taken",
    .outsideData("coco/val2014_100", twin: "DetectionFilesTests.smallType"))
  func type() throws { try expectChosenType(.published) }

  @Test("Without a type it says for small files which was taken")
  func smallType() throws { try expectChosenType(.small) }

  @Test("--json has the numbers, the classes, the health and what the reference would print")
  func json() throws {
    let program = try Program()
    try program.folder.write(
      "gt.json",
      """
      {"images":[{"id":1,"width":50,"height":40}],"categories":[{"id":1,"name":"cat"},{"id":2,"name":"dog"}],
       "annotations":[{"id":0,"image_id":1,"category_id":1,"bbox":[5,5,20,20],"area":400,"iscrowd":0}]}
      """)
    try program.folder.write(
      "dt.json", "[{\"image_id\":1,\"category_id\":1,\"bbox\":[5,5,20,20],\"score\":0.9}]")
    let outcome = try program.run(
      "evaluate", "--gt", "gt.json", "--dt", "dt.json", "--iou-type", "bbox", "--json")
    let json = try outcome.json()
    // The only result is correct; its precision is 1 / (1 + 2⁻⁵²).
    #expect(abs((json["stats"]?["AP"]?.double ?? 0) - 1) < 1e-15)
    #expect(json["stats"]?["APl"] == .null)
    #expect(json["per_category_ap"]?["cat"] == json["stats"]?["AP"])
    #expect(json["per_category_ap"]?["dog"] == .null)
    #expect(json["iou_type"]?.text == "bbox")
    #expect(json["health"]?["lowest_score"]?.double == 0.9)
    #expect(json["findings"]?.elements?.first?["kind"]?.text == "zero_id")
    // Ground truth with id 0 never matches there.
    #expect(json["reference"]?["stats"]?["AP"]?.double == 0)
    let compatible = try program.run(
      "evaluate", "--gt", "gt.json", "--dt", "dt.json", "--iou-type", "bbox", "--json", "--compat",
      "pycocotools")
    #expect(try compatible.json()["stats"]?["AP"]?.double == 0)
  }

  @Test("An empty list of results is AP 0, and a broken one is an error with its place")
  func broken() throws {
    let program = try Program()
    try program.folder.write(
      "gt.json",
      """
      {"images":[{"id":1}],"categories":[{"id":1,"name":"cat"}],
       "annotations":[{"id":1,"image_id":1,"category_id":1,"bbox":[5,5,20,20],"area":400,"iscrowd":0}]}
      """)
    try program.folder.write("dt.json", "[]")
    let empty = try program.run("evaluate", "--gt", "gt.json", "--dt", "dt.json")
    #expect(empty.status == 0)
    #expect(
      empty.stdout.contains(
        " Average Precision  (AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = 0.000\n"))
    #expect(empty.stdout.contains("results: the list of results is empty: nothing is found"))
    try program.folder.write("dt.json", "[{\"image_id\":1,")
    let cut = try program.run("evaluate", "--gt", "gt.json", "--dt", "dt.json")
    #expect(cut.status == 2)
    #expect(cut.stderr.contains("dt.json: broken JSON at byte 15"))
  }
}
