import AssayCore
import AssayTestSupport
import Foundation
import Testing

@Suite("The labels of a pipeline's objects are evaluated", .openVINO)
struct ObjectLabelsTests {
  /// A program with the run `r` of a pipeline whose classifier gives each object `bright` or `dark`, on objects of which
  /// each second one has the field `shade`, by turns one of both.
  private func program() throws -> Program {
    let program = try Program()
    let shapes = PackageFolder.fixture("detect/shapes").path
    var truth =
      try JSONSerialization.jsonObject(
        with: Data(contentsOf: URL(fileURLWithPath: shapes + "/instances_val.json")))
      as? [String: Any]
    var annotations = try #require(truth?["annotations"] as? [[String: Any]])
    for place in annotations.indices where place % 2 == 0 {
      annotations[place]["attributes"] = ["shade": place % 4 == 0 ? "bright" : "dark"]
    }
    truth?["annotations"] = annotations
    let data = try JSONSerialization.data(withJSONObject: try #require(truth))
    try program.folder.write("set/instances_val.json", Array(data))
    try FileManager.default.copyItem(
      atPath: shapes + "/val", toPath: program.folder.path("set/val"))
    try program.folder.write(
      "p.yaml", Array("name: p\nsteps:\n  - detect: boxes\n  - classify: tiny\n".utf8))
    try program.addShapesModels()
    for arguments in [
      ["import", "set:coco", "--name", "set"],
      ["pipeline", "run", "p.yaml", "set", "--name", "r"],
      ["predict", "set", "--model", "boxes", "--name", "plain"],
    ] {
      let outcome = try program.run(arguments)
      try #require(outcome.status == 0, "\(arguments): \(outcome.stderr)")
    }
    return program
  }

  private struct Object {
    var box: [Double]
    var label: String?
    var score = 0.0
  }

  private static func iou(_ a: [Double], _ b: [Double]) -> Double {
    let width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    let height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    guard width > 0, height > 0 else { return 0 }
    return width * height / (a[2] * a[3] + b[2] * b[3] - width * height)
  }

  /// The pairs of true and found label, computed here from the files alone.
  private func pairs(
    _ program: Program, _ label: (JSONValue) -> String?
  ) throws -> (pairs: [(String, String)], missed: Int) {
    let outcome = try program.run(
      "predictions", "export", "r", "--format", "coco", "--out", "r.json")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    let found = try JSONValue(parsing: try program.folder.read("r.json")).elements ?? []
    let truth = try JSONValue(parsing: try program.folder.read("set/instances_val.json"))
    var truths: [String: [Object]] = [:]
    for one in truth["annotations"]?.elements ?? [] where one["iscrowd"]?.double != 1 {
      truths[one["image_id"]?.text() ?? "", default: []].append(
        Object(box: one["bbox"]?.elements?.compactMap(\.double) ?? [], label: label(one)))
    }
    var objects: [String: [Object]] = [:]
    for one in found {
      objects[one["image_id"]?.text() ?? "", default: []].append(
        Object(
          box: one["bbox"]?.elements?.compactMap(\.double) ?? [],
          label: one["attributes"]?["label"]?.text, score: one["score"]?.double ?? 0))
    }
    var (pairs, missed): ([(String, String)], Int) = ([], 0)
    for (image, all) in truths {
      var left = all
      for object in (objects[image] ?? []).sorted(by: { $0.score > $1.score }) {
        let best = left.indices.max {
          Self.iou(left[$0].box, object.box) < Self.iou(left[$1].box, object.box)
        }
        guard let best, Self.iou(left[best].box, object.box) >= 0.5 else { continue }
        if let label = left.remove(at: best).label { pairs.append((label, object.label ?? "")) }
      }
      missed += left.count { $0.label != nil }
    }
    return (pairs, missed)
  }

  @Test("A field of the true objects that are matched is the ground truth")
  func field() throws {
    let program = try program()
    let (pairs, missed) = try pairs(program) { $0["attributes"]?["shade"]?.text }
    #expect(pairs.count > 4 && Set(pairs.map(\.0)) == ["bright", "dark"])
    let outcome = try program.run("evaluate", "r", "--attribute", "label=shade", "--json")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    let json = try outcome.json()
    #expect(json["n"]?.double == Double(pairs.count))
    let right = Double(pairs.count { $0.0 == $0.1 }) / Double(pairs.count)
    #expect(abs((json["accuracy"]?.double ?? 0) - right) < 1e-12)
    #expect(json["classes"]?.elements?.compactMap(\.text) == ["bright", "dark"])
    #expect(json["attribute"]?.text == "label" && json["field"]?.text == "shade")
    let notes = (json["notes"]?.elements ?? []).compactMap(\.text).joined(separator: "\n")
    #expect(
      notes.contains("has no field shade") || notes.contains("have no field shade"), "\(notes)")
    #expect(missed == 0 || notes.contains("\(missed) true object"), "\(notes)")
    let text = try program.run("evaluate", "r", "--attribute", "label=shade")
    #expect(text.stdout.contains("label of the objects of r against shade of those on set"))
    #expect(text.stdout.contains("accuracy"))
    // Nothing is stored.
    #expect(try program.run("evaluate", "r@default").status == 2)
  }

  @Test("Without a field the class of the true objects is the ground truth")
  func classes() throws {
    let program = try program()
    let names =
      try JSONValue(parsing: try program.folder.read("set/instances_val.json"))["categories"]?
      .elements ?? []
    let (pairs, _) = try pairs(program) { one in
      names.first { $0["id"] == one["category_id"] }?["name"]?.text
    }
    let outcome = try program.run("evaluate", "r", "--attribute", "label", "--json")
    let json = try outcome.json()
    #expect(json["n"]?.double == Double(pairs.count) && json["accuracy"]?.double == 0)
    #expect(json["field"] == .null)
  }

  @Test("What has no such labels is refused with the reason")
  func refusals() throws {
    let program = try program()
    for (arguments, says, status) in [
      (["plain", "--attribute", "label"], "no object of plain has the attribute “label”", 2),
      (["r", "--attribute", "mood=shade"], "no object of r has the attribute “mood”", 2),
      (["r", "--attribute", "label=none"], "leaves nothing to evaluate", 2),
      (["r", "--attribute", "="], "NAME=FIELD", 64),
      (["r", "--attribute", "label", "--as", "x"], "--as does not apply to --attribute", 64),
    ] as [([String], String, Int32)] {
      let outcome = try program.run(["evaluate"] + arguments)
      #expect(outcome.status == status && outcome.stderr.contains(says), "\(outcome.stderr)")
    }
  }
}
