extension InferenceError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .libraryNotFound(let searched, let failures):
      failures.isEmpty
        ? "OpenVINO (\(LibrarySearch.fileName)) is in none of these places: "
          + searched.joined(separator: ", ")
          + ". Run Scripts/setup, or name its folder in $\(LibrarySearch.variable)"
        : "OpenVINO cannot be loaded: " + failures.joined(separator: "; ")
          + ". Run Scripts/setup, or name another folder in $\(LibrarySearch.variable)"
    case .noProcess(let reason):
      "models are read and run in a process of their own, and none can be started: \(reason)"
    case .precisionUnsupported(let precision, let supported):
      "this processor has no \(precision.rawValue) arithmetic; it has "
        + Self.list(supported.map(\.rawValue))
    case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
    case .tooLarge(let path, let limit): "\(path) is larger than \(limit) bytes, the limit"
    case .unknownModelFormat(let path, let looksLike):
      "\(path) is no model that assay can run"
        + (looksLike.map { "; it looks like \($0)" } ?? "") + ". Accepted are "
        + Self.list(ModelFormat.allCases.map(\.title)) + "; convert it to one of them"
    case .weightsMissing(let xml, let expected):
      "\(xml) is OpenVINO IR, but its weights are missing: put \(expected) beside it"
    case .onnxRefused(let path, let fault): "\(path) \(fault)"
    case .modelRefused(let path, let reason): "OpenVINO refuses \(path): \(reason)"
    case .manifest(let path, let line, let fault):
      "\(path)\(line.map { ":\($0)" } ?? ""): \(fault)"
    case .inputCount(let inputs):
      "the model has \(inputs.count) inputs (\(Self.list(inputs.map(\.description))));"
        + " assay feeds one picture to one input"
    case .outputUnclear(let wanted?, let outputs):
      "the manifest reads the output “\(wanted)”, but the model has "
        + Self.list(outputs.map(\.description))
    case .outputUnclear(nil, let outputs):
      "the model has \(outputs.count) outputs; say in the manifest which one to read, “output: NAME” (of a"
        + " detector's two, “boxes-output” and “scores-output”): "
        + Self.list(outputs.map(\.description))
    case .elementType(let tensor, let isInput):
      "the model's \(isInput ? "input" : "output") \(tensor) is not of f32; export the model with"
        + " float32 inputs and outputs"
    case .inputShape(let manifest, let layout, let model):
      "the manifest does not fit the model: it gives \(TensorSignature.text(manifest)) (\(layout)),"
        + " the model's input \(model.name) takes \(model.shapeText)"
    case .outputShape(let classes, let model):
      "the manifest does not fit the model: it names \(classes) classes, [N, \(classes)], the model's"
        + " output \(model.name) gives \(model.shapeText)"
    case .mapShape(let classes, let model):
      "the manifest does not fit the model: for \(classes) \(classes == 1 ? "class" : "classes") task"
        + " segmentation reads \(classes == 1 ? "[N, H, W], " : "")[N, \(classes), H, W] or"
        + " [N, H, W, \(classes)], the model's output \(model.name) gives \(model.shapeText)"
    case .mapLayoutUnclear(let classes, let model):
      "the model's output \(model.name), \(model.shapeText), can be [N, \(classes), H, W] and"
        + " [N, H, W, \(classes)]; say which in the manifest: “output-layout: NCHW” or “output-layout:"
        + " NHWC”"
    case .mapShapeOpen(let model):
      "the model's output \(model.name) is \(model.shapeText) even for an input of known size; export"
        + " the model with a fixed input size"
    case .gridShape, .boxShape, .boxPairShape, .boxLayoutUnclear, .boxCountOpen, .tooManyBoxes,
      .scoresOutOfRange, .noBox, .boxesDoubtful:
      boxesDescription
    case .otherTask(let task, let model):
      "\(model) is a model for \(task.rawValue), and something else is asked of it"
    case .inferenceFailed(let reason): "OpenVINO failed while it ran the model: \(reason)"
    case .selfCheckFailed(let failure): failure.description
    case .notFinite(let sample, let outputs):
      "the model gives no numbers for sample \(sample): \(Self.values(outputs)). Is the manifest's scale"
        + " right?"
    case .notProbabilities(let sample, let outputs, let activation):
      Self.notProbabilities(sample, outputs, activation)
    case .scoreOutOfRange(let sample, let name, let value):
      "the score of “\(name)” for sample \(sample) is \(value), but must be from 0 to 1. If these are logits, set"
        + " “activation: sigmoid” in the manifest (now none)"
    case .mapsOutOfRange(let sample, let low, let high, let activation):
      "the maps of sample \(sample) run from \(low) to \(high), which are no probabilities but look like"
        + " logits. Set “activation:” in the manifest (now \(activation.rawValue)): sigmoid for one class,"
        + " softmax for several"
    case .alreadyProbabilities(let sample, let outputs, let activation):
      "the model gives probabilities already: sample \(sample) gives \(Self.values(outputs)) before"
        + " “activation: \(activation.rawValue)”. Set “activation: none” in the manifest"
    }
  }

  private static func notProbabilities(
    _ sample: String, _ outputs: [Float], _ activation: Activation
  ) -> String {
    let values =
      "sample \(sample) gives \(Self.values(outputs)), with the sum "
      + "\(outputs.reduce(0, +))"
    let sumsToOne = outputs.allSatisfy { $0 >= 0 && $0 <= 1 }
    return sumsToOne
      ? "the outputs are no probabilities of one class an image: \(values). Set “activation:” in the"
        + " manifest: softmax for logits. Where an image can have several of the classes, set “task: multilabel”"
      : "these look like logits: \(values). Set “activation: softmax” in the manifest"
        + (activation == .none ? "" : " (now \(activation.rawValue))")
  }

  /// The first eight values.
  static func values(_ values: [Float]) -> String {
    let head = values.prefix(8).map { "\($0)" }.joined(separator: ", ")
    return "[\(head)\(values.count > 8 ? ", …" : "")]"
  }

  private static func list(_ items: [String]) -> String {
    guard let last = items.last, items.count > 1 else { return items.first ?? "none" }
    return items.dropLast().joined(separator: ", ") + " and " + last
  }
}

extension SelfCheckFailure: CustomStringConvertible {
  package var description: String {
    "the run's check of itself failed: for sample \(sample) it computed"
      + " \(text(inRun)) in a batch of \(batch), but a model compiled anew gives"
      + " \(text(alone)) for it alone. Nothing computed here can be trusted; run again,"
      + " with --batch 1 if the model mixes the samples of a batch"
  }

  /// All values of a few; of many the first that differs.
  private func text(_ values: [Float]) -> String {
    guard let place, values.count > 8 else { return InferenceError.values(values) }
    return "\(values[place]) at place \(place) of \(values.count)"
  }
}

extension ONNXFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .truncated(let offset):
      "is a damaged ONNX file: it ends within the field at byte \(offset)"
    case .malformed(let offset): "is a damaged ONNX file: no field at byte \(offset)"
    case .tooDeep(let limit): "is nested more than \(limit) levels deep, which no ONNX model needs"
    case .cycle(let node):
      "is no valid ONNX model: the node “\(String(node.prefix(200)))” needs its own result, directly or"
        + " through others; export the model again"
    case .externalData(let tensor, let location):
      "keeps the values of “\(tensor)” outside itself"
        + (location.isEmpty ? "" : " (in “\(location)”)")
        + ", which is refused; save the model as one file (onnx.save with"
        + " save_as_external_data=False)"
    }
  }
}
