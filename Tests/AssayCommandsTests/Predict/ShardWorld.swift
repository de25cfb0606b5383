import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

/// A catalog of one task with the dataset `d` and the model `m`, to be predicted in shards and whole.
struct ShardWorld {
  let program: Program
  /// Variables for all commands.
  var environment: [String: String] = [:]

  enum Input: String, CaseIterable, CustomTestStringConvertible {
    case labels, embeddings, labelSets, maps, masks, boxes, keypoints, regions

    var testDescription: String { rawValue }

    /// Further options of `assay predict`.
    var options: [String] {
      switch self {
      case .masks: ["--no-maps"]
      case .keypoints, .regions: ["--ignore-missing"]
      default: []
      }
    }
  }

  init(_ input: Input, images: Int = 11) throws {
    program = try Program()
    let models = ModelCommandTests.models
    switch input {
    case .labels, .embeddings:
      try writeImages(images, size: ImageSize(width: 2, height: 2)) { number in
        (number % 3 == 0 ? "dark/" : "bright/") + "\(number).png"
      }
      try run("import", "images:image-folder", "--name", "d")
      try program.folder.write(
        "m.yaml",
        ModelCommandTests.manifest
          + (input == .embeddings ? "\noutput: y\nembedding: pooled\n" : ""))
      let model = input == .embeddings ? "embedded" : "tiny"
      try run("model", "add", "\(models)/\(model).onnx", "--manifest", "m.yaml", "--name", "m")
    case .labelSets:
      try writeImages(images, size: ImageSize(width: 2, height: 2)) { "\($0).png" }
      let rows = (0..<images).map { "\($0).png,\(["boat", "sky|tree", "", "tree"][$0 % 4])" }
      try program.folder.write(
        "images/labels.csv", (["image,labels"] + rows).joined(separator: "\n") + "\n")
      try run("import", "images/labels.csv:multilabel-csv", "--name", "d")
      try program.folder.write(
        "m.yaml",
        """
        task: multilabel
        input: {width: 2, height: 2, layout: NCHW, color: gray, scale: 1/255, offset: 0, resize: stretch}
        activation: none
        classes: [sky, tree, person, car, boat]
        """)
      try run(
        "model", "add", models + "/labels_sigmoid.onnx", "--manifest", "m.yaml", "--name", "m")
    case .maps, .masks:
      let people = PeopleInput.small
      try run("import", people.images + ":coco", "--name", "d")
      try run("model", "add", people.model, "--manifest", people.manifest, "--name", "m")
    case .boxes:
      try writeObjects(images, classes: ["a", "b", "c"])
      try run(
        "model", "add", models + "/detect_yolox.onnx", "--manifest",
        PackageFolder.fixture("detect/shapes.yaml").path, "--name", "m")
    case .keypoints, .regions:
      let isPose = input == .keypoints
      try writeObjects(images, classes: isPose ? ["person"] : ["a", "b"])
      try program.folder.write(
        "m.yaml",
        """
        task: detection
        input: {width: 64, height: 32, layout: NCHW, color: rgb, scale: 1, offset: 0, resize: letterbox, fill: 114, rounding: nearest}
        classes: [\(isPose ? "person" : "a, b")]
        head: boxes
        box-order: cxcywh
        box-units: pixels
        objectness: no
        nms: 1
        \(isPose ? "keypoints: 3x3" : "masks: 4\nmasks-output: p\noutput: y")
        """)
      try run(
        "model", "add", "\(models)/\(isPose ? "pose" : "seg").onnx", "--manifest", "m.yaml",
        "--name", "m")
    }
  }

  /// Runs a command that must succeed.
  @discardableResult
  func run(_ arguments: String...) throws -> Program.Outcome {
    let outcome = try program.run(arguments, environment: environment)
    try #require(outcome.status == 0, "\(arguments): \(outcome.stderr)\(outcome.stdout)")
    return outcome
  }

  /// Makes one part of a run.
  @discardableResult
  func predict(
    _ shard: String, _ options: [String] = [], out: String = "parts",
    environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    try program.run(
      ["predict", "d", "--model", "m", "--shard", shard, "--out", out] + options,
      environment: self.environment.merging(environment) { $1 })
  }

  /// Makes all parts of a run.
  func predictAll(_ count: Int, _ options: [String] = []) throws {
    for number in 1...count {
      let outcome = try predict("\(number)/\(count)", options)
      try #require(outcome.status == 0, "\(outcome.stderr)")
    }
  }

  /// Writes images of different pixels; the fifth one is damaged.
  private func writeImages(
    _ count: Int, size: ImageSize, _ name: (Int) -> String
  ) throws {
    for number in 0..<count {
      var raster = Raster<UInt8>(
        repeating: 0, width: size.width, height: size.height, channels: 1)
      for index in raster.elements.indices {
        raster.elements[index] = UInt8((number + 1) * (index + 7) * 37 & 255)
      }
      let bytes = try ImageCodec.encodePNG(raster)
      let isDamaged = number == 4
      try program.folder.write("images/" + name(number), bytes.prefix(isDamaged ? 45 : bytes.count))
    }
  }

  /// Writes and imports images with two boxes each.
  private func writeObjects(_ count: Int, classes: [String]) throws {
    let size = ImageSize(width: 61, height: 40)
    try writeImages(count, size: size) { "\($0).png" }
    let images = (0..<count).map {
      "{\"id\": \($0 + 1), \"file_name\": \"\($0).png\", \"width\": 61, \"height\": 40}"
    }
    let boxes = (0..<2 * count).map {
      """
      {"id": \($0 + 1), "image_id": \($0 / 2 + 1), "category_id": \($0 % classes.count + 1), \
      "bbox": [\($0 % 9), \($0 % 5), \(20 + $0 % 2 * 20), \(15 + $0 % 2 * 10)], "area": 300, "iscrowd": 0}
      """
    }
    let categories = classes.enumerated().map { "{\"id\": \($0 + 1), \"name\": \"\($1)\"}" }
    try program.folder.write(
      "images/instances.json",
      """
      {"images": [\(images.joined(separator: ", "))],
      "annotations": [\(boxes.joined(separator: ", "))],
      "categories": [\(categories.joined(separator: ", "))]}
      """)
    try run("import", "images:coco", "--name", "d")
  }

  /// All rows of a run, with the values of all columns but the ids of the run and of maps.
  func rows(_ run: String, db: String = "assay.db") throws -> [String] {
    var rows: [String] = []
    let tables: [(String, String)] = [
      ("runSample", "sample, position, status, message"),
      ("prediction", "sample, ordinal, class, confidence, margin, hex(scores)"),
      ("maskPrediction", "sample, class, area, meanInside, meanDistance, hex(counts)"),
      ("probabilityMap", "sample, class, width, height, hex(bytes)"),
      (
        "detection",
        "sample, ordinal, class, confidence, x, y, width, height, area, hex(counts), hex(scores), hex(keypoints)"
      ), ("embedding", "sample, hex(vector)"), ("runClass", "ordinal, name"),
    ]
    for (table, columns) in tables {
      let outcome = try self.run(
        "sql",
        "SELECT \(columns) FROM \(table) WHERE run = (SELECT id FROM run WHERE name = '\(run)') ORDER BY 1, 2",
        "--limit", "0", "--json", "--db", db)
      rows += try (outcome.json()["rows"]?.elements ?? []).map { "\(table) \($0.text())" }
    }
    let outcome = try self.run(
      "sql",
      "SELECT model, dataset, datasetVersion, view, settings, versions, samplesHash, task FROM run WHERE name = '\(run)'",
      "--limit", "0", "--json", "--db", db)
    return rows + (try outcome.json()["rows"]?.elements ?? []).map { $0.text() }
  }
}
