extension InferenceError {
  /// The next step for a model with several outputs, of which the manifest chooses none; empty unless they look like the
  /// raw grids of a detector.
  static func remedy(forOutputs outputs: [TensorSignature]) -> String {
    AnchorGuess.looksLikeGrids(outputs)
      ? ". They look like a detector's raw grids with anchors: “head: anchors” reads all of them (assay model add without"
        + " --manifest drafts it)" : ""
  }

  /// The next step for a model that OpenVINO cannot read, after its reason; empty if there is none to name.
  static func remedy(forRefused reason: String) -> String {
    if reason.contains("TFLite_Detection_PostProcess") {
      return
        ". Convert it to ONNX: python3 -m tf2onnx.convert --tflite FILE --output FILE.onnx --opset 16 (pip"
        + " install tf2onnx tensorflow), or let a program of yours run it (--runner; assay model runner-template)"
    }
    if reason.contains("Loop"), reason.contains("onversion is failed") {
      return
        ". torchvision's Mask R-CNN pastes its masks in a loop: export it with model.transform.postprocess ="
        + " lambda result, *sizes: result, or let a program of yours run it (--runner; assay model runner-template"
        + " --onnxruntime)"
    }
    if reason.contains("Failed to allocate") || reason.contains("bad_alloc") {
      return ". The process that runs models has a limit of memory: raise it, --max-memory 20G"
    }
    if reason.contains("GatherElements"), reason.contains("not consistent") {
      return
        ". ONNX Runtime allows these shapes, OpenVINO does not: export the model without its end-to-end head (Ultralytics:"
        + " yolo export … end2end=False), or let a program of yours run the file (--runner; assay model runner-template"
        + " --onnxruntime)"
    }
    let isOperator = [
      "onversion is failed", "not supported", "No translator found", "No conversion rule", "CUSTOM",
    ].contains { reason.contains($0) }
    guard isOperator else { return "" }
    return
      ". OpenVINO does not read all operators, among them most of ai.onnx.ml (scikit-learn) and those of other"
      + " programs: let a program of yours run the file, --runner, which assay model runner-template --onnxruntime writes"
  }
}
