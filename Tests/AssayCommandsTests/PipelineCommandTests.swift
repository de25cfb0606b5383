import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@Suite("assay pipeline", .openVINO)
struct PipelineCommandTests {
  private static let models = PackageFolder.fixture("models").path

  /// A program with the dataset `shapes`, the detector `boxes` of three classes, the classifier `tiny` (the mean of four
  /// pixels, and 0, as a softmax) and the segmentation model `mask`, which returns its input.
  private func shapes() throws -> Program {
    let program = try Program()
    let shapes = PackageFolder.fixture("detect/shapes").path
    try program.folder.write(
      "mask.yaml",
      Array(
        """
        task: segmentation
        input: {width: 4, height: 4, layout: NCHW, color: gray, scale: 1/255, offset: 0, resize: stretch}
        classes: [block]
        """.utf8))
    try program.addShapesModels()
    for arguments in [
      ["import", shapes + ":coco", "--name", "shapes"],
      [
        "model", "add", Self.models + "/mask_nchw.onnx", "--manifest", "mask.yaml", "--name",
        "mask",
      ],
      ["predict", "shapes", "--model", "boxes", "--name", "plain"],
    ] {
      let outcome = try program.run(arguments)
      try #require(outcome.status == 0, "\(arguments): \(outcome.stderr)")
    }
    return program
  }

  private func write(_ program: Program, _ steps: String, _ name: String = "p.yaml") throws {
    try program.folder.write(name, Array("name: p\nsteps:\n\(steps)".utf8))
  }

  /// The detections of a run as COCO results.
  private func results(_ program: Program, _ run: String) throws -> [JSONValue] {
    let outcome = try program.run(
      "predictions", "export", run, "--format", "coco", "--out", run + ".json")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    return try JSONValue(parsing: try program.folder.read(run + ".json")).elements ?? []
  }

  @Test("Objects are those of the detector; each has what the steps found, or the reason")
  func run() throws {
    let program = try shapes()
    try write(
      program,
      """
        - detect: boxes
          classes: [b, a]
          min-score: 0.35
        - qualify: {min-side: 12}
        - classify: tiny
        - segment: mask
          crop: {scale: 1.2}

      """)
    let outcome = try program.run("pipeline", "run", "p.yaml", "shapes", "--name", "r", "--json")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    let json = try outcome.json()
    let plain = try results(program, "plain").filter {
      ($0["score"]?.double ?? 0) >= 0.35 && $0["category_id"]?.double != 3
    }
    let found = try results(program, "r")
    #expect(!found.isEmpty && found.count == plain.count)
    #expect(json["objects"]?.double == Double(found.count) && json["classes"]?.elements?.count == 2)
    func boxes(_ all: [JSONValue]) -> Set<String> {
      Set(
        all.map {
          "\($0["image_id"]?.text() ?? "") \($0["bbox"]?.text() ?? "") \($0["category_id"]?.text() ?? "")"
        })
    }
    #expect(boxes(found) == boxes(plain))
    var (qualified, small) = (0, 0)
    for object in found {
      let attributes = try #require(object["attributes"])
      let box = object["bbox"]?.elements?.compactMap(\.double) ?? []
      let isSmall = min(box[2], box[3]) < 12
      #expect(attributes["qualifies"] == .bool(!isSmall) || attributes["reason"]?.text == "no mask")
      if isSmall {
        small += 1
        #expect(attributes["reason"]?.text?.hasPrefix("side ") == true)
        #expect(attributes["label"] == nil && attributes["mask_score"] == nil)
      } else {
        qualified += 1
        let scores = attributes["scores"]
        let bright = try #require(scores?["bright"]?.double)
        let dark = try #require(scores?["dark"]?.double)
        #expect(abs(bright + dark - 1) < 1e-6 && bright >= 0.5)
        #expect(attributes["label"]?.text == "bright" && attributes["score"]?.double == bright)
      }
      #expect(object["segmentation"] != nil)
    }
    #expect(qualified > 0 && small > 0)
    #expect(json["reasons"]?["side"]?.double == Double(small))
    #expect(json["settings"]?["pipeline"]?["steps"]?.elements?.count == 4)
    // The run is one of detection like any other.
    for command in [
      ["evaluate", "r"], ["evaluate", "r", "--iou-type", "segm"], ["report", "r", "--out", "rep"],
    ] {
      let outcome = try program.run(command)
      #expect(outcome.status == 0, "\(command): \(outcome.stderr)")
    }
    let again = try program.run("pipeline", "run", "p.yaml", "shapes", "--name", "r", "--json")
    #expect(try again.json()["status"]?.text == "already_done")
    #expect(try again.json()["objects"]?.double == json["objects"]?.double)
  }

  @Test("The scores of a crop are those of the classifier for that part of the image")
  func crops() throws {
    let program = try shapes()
    try write(program, "  - detect: boxes\n    min-score: 0.35\n  - classify: tiny\n")
    let outcome = try program.run(
      "pipeline", "run", "p.yaml", "shapes", "--name", "r", "--labels", "moods", "--json")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    let all = try results(program, "r")
    let table = try program.run("sql", "SELECT location, sourceId FROM sample", "--json").json()
    let locations = Dictionary(
      (table["rows"]?.elements ?? []).map {
        ($0["sourceId"]?.text() ?? "", $0["location"]?.text ?? "")
      },
      uniquingKeysWith: { first, _ in first })
    for object in all.prefix(12) {
      let location = try #require(locations[object["image_id"]?.text() ?? ""])
      let numbers = object["bbox"]?.elements?.compactMap(\.double)
      let box = try #require(numbers)
      let bytes = [UInt8](
        try Data(contentsOf: PackageFolder.fixture("detect/shapes").appending(path: location)))
      let gray = try ImageCodec.decode(bytes, as: .gray8)
      var (sum, count) = (0.0, 0.0)
      for y in Int(box[1])..<min(Int((box[1] + box[3]).rounded(.up)), gray.height) {
        for x in Int(box[0])..<min(Int((box[0] + box[2]).rounded(.up)), gray.width) {
          (sum, count) = (sum + Double(gray[x, y]), count + 1)
        }
      }
      let mean = sum / max(count, 1) / 255
      let expected = exp(mean) / (exp(mean) + 1)
      let bright = try #require(object["attributes"]?["scores"]?["bright"]?.double)
      // The resize to 2 x 2 pixels weights pixels differently.
      #expect(abs(bright - expected) < 0.06)
    }
    #expect(all.count > 5)
    #expect(try outcome.json()["label_run"]?.text == "moods")
    let export = try program.run("predictions", "export", "moods", "--out", "moods.csv")
    #expect(export.status == 0, "\(export.stderr)")
    // The best object of each image gives its row.
    let best = Dictionary(
      grouping: all, by: { $0["image_id"]?.text() ?? "" }
    ).mapValues { $0.max { ($0["score"]?.double ?? 0) < ($1["score"]?.double ?? 0) } }
    #expect(best.count == (try program.folder.read("moods.csv")).split(separator: "\n").count - 1)
  }

  @Test(
    "Other settings make another run; a name that is taken is refused; a model can be exchanged")
  func names() throws {
    let program = try shapes()
    try write(program, "  - detect: boxes\n    min-score: 0.35\n  - classify: tiny\n")
    try write(program, "  - detect: boxes\n    min-score: 0.4\n  - classify: tiny\n", "q.yaml")
    #expect(
      try program.run("pipeline", "run", "p.yaml", "shapes").stdout.contains("the run p-shapes"))
    let other = try program.run("pipeline", "run", "q.yaml", "shapes")
    #expect(other.status == 2 && other.stderr.contains("p-shapes"), "\(other.stderr)")
    let named = try program.run(
      "pipeline", "run", "q.yaml", "shapes", "--name", "q", "--limit", "2")
    #expect(named.status == 0 && named.stdout.contains("2 samples in"), "\(named.stderr)")
    // The labels of one pipeline are not those of another, nor of other samples.
    let labeled = ["pipeline", "run", "p.yaml", "shapes", "--name", "a", "--labels", "l"]
    #expect(try program.run(labeled).status == 0 && program.run(labeled).status == 0)
    for arguments in [
      ["q.yaml", "shapes", "--name", "other-1"],
      ["p.yaml", "shapes", "--name", "other-2", "--limit", "2"],
      ["p.yaml", "shapes", "--name", "other-3"],
    ] {
      let outcome = try program.run(["pipeline", "run"] + arguments + ["--labels", "l"])
      #expect(outcome.status == 2 && outcome.stderr.contains("--labels: the run “l” exists"))
    }
    #expect(try program.run("sql", "SELECT name FROM run").stdout.contains("other-") == false)
    try program.run("rm", "run", "a")
    let replaced = try program.run(
      "pipeline", "run", "q.yaml", "shapes", "--name", "a", "--labels", "l")
    #expect(replaced.status == 2 && replaced.stderr.contains("the run “l” exists"))
    let added = try program.run(
      "model", "add", Self.models + "/tiny.onnx", "--manifest", "tiny.yaml", "--name", "mine")
    #expect(added.status == 0, "\(added.stderr)")
    let mine = try program.run(
      "pipeline", "run", "p.yaml", "shapes", "--use", "tiny=mine", "--name", "m")
    #expect(mine.status == 0 && mine.stdout.contains("classify: mine"), "\(mine.stderr)")
  }

  @Test("What cannot work is refused with the reason, and no run is made")
  func refusals() throws {
    let program = try shapes()
    let cases: [(steps: String, arguments: [String], text: String)] = [
      ("  - detect: none\n", [], "“none” is not in the catalog: add it with assay model add"),
      ("  - detect: tiny\n", [], "cannot use the model “tiny”"),
      ("  - detect: boxes\n  - classify: mask\n", [], "cannot use the model “mask”"),
      ("  - detect: boxes\n    classes: [d]\n", [], "has no class “d”"),
      (
        "  - detect: boxes\n  - classify: tiny\n    crop: {align: yes}\n", [], "needs the keypoints"
      ),
      ("  - detect: boxes\n", ["--labels", "l"], "needs a step with a classifier"),
      ("  - detect: boxes\n", ["--use", "fer=tiny"], "no model “fer”; it has boxes"),
      ("  - detect: boxes\n  - segment: mask\n    class: cat\n", [], "has no class “cat”"),
    ]
    for (steps, arguments, text) in cases {
      try write(program, steps)
      let outcome = try program.run(
        ["pipeline", "run", "p.yaml", "shapes", "--name", "r"] + arguments)
      #expect(outcome.status == 2 && outcome.stderr.contains(text), "\(steps): \(outcome.stderr)")
    }
    let unknown = try program.run("pipeline", "run", "feces", "shapes")
    #expect(unknown.status == 2 && unknown.stderr.contains("faces, people, small-faces"))
    let empty = try program.folder.url.appending(path: "none").path
    let missing = try program.run("pipeline", "run", "faces", "shapes", "--models", empty)
    #expect(missing.status == 2 && missing.stderr.contains("Scripts/models faces fetches it"))
    #expect(try program.run("ls", "--json").stdout.contains("\"r\"") == false)
  }

  @Test(
    "Images without objects and damaged ones are counted; ready-made pipelines are listed and shown"
  )
  func oddities() throws {
    let program = try shapes()
    let black = try ImageCodec.encodePNG(Raster<UInt8>(repeating: 0, width: 64, height: 64))
    try program.folder.write("odd/a.png", black)
    try program.folder.write("odd/b.png", Array(black.dropLast(12)))
    try program.folder.write("odd/c.png", Array(black.prefix(40)))
    let imported = try program.run("import", "odd:image-folder", "--name", "odd")
    try #require(imported.status == 0, "\(imported.stderr)")
    try write(program, "  - detect: boxes\n    min-score: 1\n  - classify: tiny\n")
    let outcome = try program.run("pipeline", "run", "p.yaml", "odd", "--name", "o", "--json")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    #expect(try outcome.json()["objects"]?.double == 0)
    let list = try program.run("pipeline", "ls")
    #expect(list.status == 0 && list.stdout.contains("faces: Faces with their expressions"))
    let shown = try program.run("pipeline", "show", "people")
    #expect(shown.status == 0 && shown.stdout.contains("name: people\n"))
  }

  @Test("200 objects in an image: those that the detector keeps are told from all")
  func crowd() throws {
    let program = try shapes()
    let manifest = """
      task: detection
      input: {width: 64, height: 64, layout: NCHW, color: rgb, scale: 1, offset: 0, resize: stretch}
      head: final
      box-order: xyxy
      box-units: pixels
      class-base: 0
      classes: [face]

      """
    for (name, limit) in [("some", ""), ("all", "max: 300\n")] {
      try program.folder.write(name + ".yaml", Array((manifest + limit).utf8))
      let added = try program.run(
        "model", "add", Self.models + "/detect_many.onnx", "--manifest", name + ".yaml", "--name",
        name)
      try #require(added.status == 0, "\(added.stderr)")
      try write(program, "  - detect: \(name)\n  - classify: tiny\n")
      let outcome = try program.run("pipeline", "run", "p.yaml", "shapes", "--name", "r-" + name)
      try #require(outcome.status == 0, "\(outcome.stderr)")
      let found = try results(program, "r-" + name)
      let images = Set(found.compactMap { $0["image_id"]?.text() }).count
      #expect(images > 0 && found.count == (name == "some" ? 100 : 200) * images)
      #expect(found.allSatisfy { $0["attributes"]?["label"]?.text != nil })
      #expect(
        outcome.stdout.contains("as many objects as some keeps, 100 of a class")
          == (name == "some"), "\(outcome.stdout)")
    }
  }

  @Test(
    "The faces of the book's portraits, with their expressions",
    .outsideData(
      "faces/face_1.jpg", "models/face_detection_short_range.tflite", "models/face_landmark.tflite",
      "models/emotion_model_quantized.tflite", twin: "PipelineCommandTests.run"))
  func portraits() throws {
    let program = try Program()
    let imported = try program.run("import", OutsideFiles.path("faces"), "--name", "portraits")
    try #require(imported.status == 0, "\(imported.stderr)")
    let shown = try program.run("pipeline", "show", "faces")
    // The full-range detector is not among the shared files.
    try program.folder.write(
      "short.yaml",
      Array(shown.stdout.replacing("detect: face-full", with: "detect: face-short").utf8))
    let outcome = try program.run(
      "pipeline", "run", "short.yaml", "portraits", "--name", "r", "--models",
      OutsideFiles.path("models"), "--json")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    let found = try results(program, "r")
    #expect(found.count == 2)
    let labels = found.sorted { ($0["image_id"]?.text() ?? "") < ($1["image_id"]?.text() ?? "") }
      .map { $0["attributes"]?["label"]?.text }
    #expect(labels == ["neutral", "happy"])
    #expect(found.allSatisfy { ($0["attributes"]?["mesh_score"]?.double ?? 0) > 0.9 })
  }
}
