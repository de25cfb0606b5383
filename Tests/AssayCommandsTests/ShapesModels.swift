import AssayTestSupport
import Testing

extension Program {
  /// Adds the detector `boxes` of three classes, and the classifier `tiny` (the mean of four pixels, and 0, as a softmax)
  /// of the classes bright and dark.
  func addShapesModels() throws {
    let (shapes, models) = (
      PackageFolder.fixture("detect/shapes").path, PackageFolder.fixture("models").path
    )
    try folder.write(
      "tiny.yaml",
      Array(
        """
        task: classification
        input: {width: 2, height: 2, layout: NCHW, color: gray, scale: 1/255, offset: 0, resize: stretch}
        classes: [bright, dark]
        """.utf8))
    for arguments in [
      [
        "model", "add", models + "/detect_yolox.onnx", "--manifest", shapes + ".yaml", "--name",
        "boxes",
      ],
      ["model", "add", models + "/tiny.onnx", "--manifest", "tiny.yaml", "--name", "tiny"],
    ] {
      let outcome = try run(arguments)
      try #require(outcome.status == 0, "\(arguments): \(outcome.stderr)")
    }
  }
}
