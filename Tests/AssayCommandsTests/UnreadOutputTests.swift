import AssayCore
import AssayTestSupport
import Testing

/// Detectors with outputs beside those that a manifest reads.
@Suite("Outputs that a manifest leaves out", .openVINO)
struct UnreadOutputTests {
  private static let input = """
    task: detection
    input: {width: 64, height: 32, layout: NCHW, color: rgb, scale: 1/255, offset: 0, resize: stretch}

    """

  /// Adds a model of the fixtures.
  private func add(
    _ program: Program, _ model: String, _ keys: String
  ) throws -> Program.Outcome {
    try program.folder.write(model + ".yaml", Self.input + keys)
    return try program.run(
      "model", "add", PackageFolder.fixture("models/\(model).onnx").path, "--manifest",
      model + ".yaml", "--name", model)
  }

  @Test("An output that is called like an objectness is a factor of the scores: refused")
  func objectness() throws {
    let program = try Program()
    let keys = """
      head: boxes
      box-order: cxcywh
      box-units: pixels
      boxes-output: boxes
      scores-output: scores
      classes: [a, b, c]

      """
    let added = try add(program, "unread_object", keys)
    #expect(
      added.status == 2 && added.stderr.contains("obj: f32 [1, 8, 1]")
        && added.stderr.contains("called like an objectness"), "\(added.stderr)")
  }

  @Test("Detectron2's size of the image is no number of boxes")
  func imageSize() throws {
    let program = try Program()
    let keys = """
      head: final
      box-order: xyxy
      box-units: pixels
      boxes-output: pred_boxes
      labels-output: pred_classes
      scores-output: scores
      class-base: 0
      classes: [a, b]

      """
    let added = try add(program, "unread_size", keys)
    #expect(added.status == 0, "\(added.stderr)")
  }

  @Test(
    "Negative widths of the worst boxes are those of background; of the best ones, another order")
  func widths() throws {
    let program = try Program()
    let shapes = PackageFolder.fixture("detect/shapes").path
    #expect(try program.run("import", shapes + ":coco", "--name", "shapes").status == 0)
    let keys = """
      head: boxes
      box-order: cxcywh
      box-units: pixels
      objectness: no
      score: 0.01
      classes: [a]

      """
    for (model, status) in [("widths_low", Int32(0)), ("widths_high", 2)] {
      let added = try add(program, model, keys)
      #expect(added.status == 0, "\(added.stderr)")
      let run = try program.run("predict", "shapes", "--model", model, "--ignore-missing")
      #expect(run.status == status, "\(model): \(run.stderr)")
      #expect(run.stderr.contains("negative width or height") == (status == 2), "\(run.stderr)")
    }
  }
}
