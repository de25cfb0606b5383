import AssayCore
import AssayImaging
import AssayTestSupport
import Testing

@testable import AssayInference

/// Boxes that a model with one class chose, without class numbers, with the models of `make_variants.py`.
@Suite("Chosen boxes without class numbers", .openVINO)
struct OneClassBoxTests {
  private static let keys = "head: final\nbox-order: xyxy\nbox-units: pixels\n"
  private static let pose =
    keys + "boxes-output: dets\nkeypoints-output: keypoints\nkeypoints: 2x3\n"

  private func pool(
    _ name: String, _ rest: String, classes: String = "[person]"
  ) throws -> DetectorPool {
    let text = """
      task: detection
      input: {width: 64, height: 32, layout: NCHW, color: rgb, scale: 1, offset: 0, resize: stretch}
      classes: \(classes)
      \(rest)
      """
    let model = try ValidatedModel(
      try ModelFile.read(Fixture.path(name + ".onnx")),
      manifest: try ModelManifest(yaml: text, path: "m.yaml"))
    return try DetectorPool(model, workers: 1, batch: 1, probe: [picture(9)])
  }

  private func picture(_ value: UInt8) -> NamedRaster {
    NamedRaster("\(value)", Raster(repeating: value, width: 64, height: 32, channels: 3))
  }

  @Test(
    "Rows of a box and its score, and boxes with keypoints, are of the only class",
    arguments: [("chosen_five", keys + "row: box-score"), ("chosen_pose", pose)])
  func boxes(_ name: String, _ rest: String) throws {
    let found = try pool(name, rest).answers(worker: 0, of: [picture(9), picture(0)])
    #expect(found[0].map(\.class) == [0, 0] && found[0].map(\.score) == [0.9, 0.8])
    let edges = found[0].map { [$0.edges.left, $0.edges.top, $0.edges.right, $0.edges.bottom] }
    #expect(edges == [[2, 2, 20, 12], [30, 4, 60, 28]])
    let keypoints = found[0].map { $0.keypoints.map(Float.init) }
    #expect(
      keypoints
        == (name == "chosen_pose"
          ? [[2, 2, 0.9, 20, 12, 0.9], [30, 4, 0.8, 60, 28, 0.8]] as [[Float]] : [[], []]))
    #expect(found[1].isEmpty)
  }

  @Test("Class numbers that are missing, unread, or of several classes are no single class")
  func faults() {
    let row = Self.keys + "row: box-score"
    expectFault("“classes” must name one class, not 2", "labels-output: NAME") {
      _ = try pool("chosen_five", row, classes: "[a, b]")
    }
    expectFault("the boxes have no class numbers", "remove “class-base”") {
      _ = try pool("chosen_five", row + "\nclass-base: 0")
    }
    expectFault("“labels-output: labels”", "all boxes would be of the same class") {
      _ = try pool("chosen_dets", Self.keys + "boxes-output: dets")
    }
    expectFault("“labels-output: labels”", "all boxes would be of the same class") {
      _ = try pool("chosen_dets", row + "\noutput: dets")
    }
    // Without “row: box-score” the number of the class is not guessed to be missing.
    expectFault("reads [N, boxes, 6]", "box-score,") {
      _ = try pool("chosen_five", Self.keys + "class-base: 0")
    }
    expectFault("“class-base” is missing") { _ = try pool("chosen_five", Self.keys) }
  }

  @Test("Scores that are no probabilities are refused without a class")
  func scores() throws {
    let reader = try pool("chosen_five", Self.keys + "row: box-score").reader
    var values = [Float](repeating: 0, count: reader.layout.count)
    values.replaceSubrange(0..<5, with: [1, 1, 9, 9, 7.5])
    let refused = values
    expectFault("with the score 7.5, which is not from 0 to 1; “head: final” reads") {
      _ = try reader.answer(of: refused, sample: "s")
    }
  }

  @Test("Drafts have no class numbers, and one class")
  func drafts() throws {
    for (name, lines) in [
      ("chosen_five", ["row: box-score  # TODO"]),
      ("chosen_pose", ["boxes-output: \"dets\"  # TODO", "keypoints: 2x3"]),
    ] {
      let file = try ModelFile.read(Fixture.path(name + ".onnx"))
      let text = ModelManifest.draft(for: try ModelSignature.read(file), name: name)
      for line in lines + ["head: final  # TODO", "one, for the boxes have no class numbers"] {
        #expect(text.contains(line), "\(line)\n\(text)")
      }
      #expect(!text.contains("class-base") && !text.contains("labels-output"))
    }
  }
}
