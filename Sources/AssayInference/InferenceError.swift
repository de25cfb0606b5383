package import AssayCore

/// The errors of loading and running a model. The messages are in ``description``.
package enum InferenceError: Error, Hashable {
  // The runtime
  /// OpenVINO is in none of the searched folders, or the library found cannot be loaded.
  case libraryNotFound(searched: [String], failures: [String])
  /// A child process to run a model in cannot be created.
  case noProcess(reason: String)
  case precisionUnsupported(Precision, supported: [Precision])
  /// A precision for a model that a runner computes.
  case precisionOfRunner(Precision)
  /// A runner that cannot be started, died, or answered something that is not allowed; with the end of what
  /// it printed to its standard error, and the signal by which something else than assay ended it.
  case runnerFailed(command: String, reason: String, messages: String, signal: Int32? = nil)
  /// A runner that reads image files, and a sample whose image is in no file of its own.
  case runnerNeedsFiles(command: String, sample: String)
  /// A runner that reads image files, where assay must decide about the input.
  case runnerReadsFiles(command: String, purpose: String)

  // Files
  case unreadable(path: String, reason: String)
  case tooLarge(path: String, limit: Int)
  case unknownModelFormat(path: String, looksLike: String?)
  /// A model in a recognized format that must be converted first, with the commands.
  case foreignModel(path: String, name: String, conversion: String?)
  case weightsMissing(xml: String, expected: String)
  case onnxRefused(path: String, ONNXFault)
  /// OpenVINO cannot read or compile the model.
  case modelRefused(path: String, reason: String)
  case manifest(path: String, line: Int?, ManifestFault)

  // A manifest and its model
  case inputCount(model: [TensorSignature])
  /// A model without an input that takes images of one or three channels.
  case noImageInput(model: [TensorSignature])
  /// A model that gives a class and a mask for each query.
  case queryMasks(classes: String, masks: String)
  /// A constant input that the model does not have.
  case constantUnknown(String, model: [TensorSignature])
  /// A constant input with lengths that are open, or that do not fit its number of values.
  case constantShape(TensorSignature, values: Int)
  /// Boxes whose number depends on the image's size, with an activation that missing ones would change.
  case rowsVary(TensorSignature, Activation)
  case outputUnclear(wanted: String?, model: [TensorSignature])
  case elementType(TensorSignature, isInput: Bool)
  case inputShape(manifest: [Int?], layout: String, model: TensorSignature)
  /// An input of whole numbers, and a value of the manifest's preprocessing that it does not hold.
  case integerInput(TensorSignature, value: Double)
  /// An output of whole numbers whose meaning the manifest does not state.
  case integerOutput(TensorSignature, ModelTask)
  case outputShape(classes: Int, positive: String?, model: TensorSignature)
  /// Outputs of a classifier that are not the numbers of classes, with or without a score each.
  case classNumberShape(hasScores: Bool, model: [TensorSignature])
  /// An output that does not have one map per class, or is no label map.
  case mapShape(classes: Int, isLabelMap: Bool, model: TensorSignature)
  /// An output that can be read as maps in two ways.
  case mapLayoutUnclear(classes: Int, model: TensorSignature)
  /// An output whose size is not known before the model runs.
  case mapShapeOpen(model: TensorSignature)
  /// An output that does not have one row of values per grid cell.
  case gridShape(
    input: ImageSize, strides: [Int], rows: Int, values: Int, model: TensorSignature)
  /// An output that is not a raw grid with anchors.
  case anchorShape(anchors: Int, height: Int, width: Int, values: Int, model: TensorSignature)
  /// Offsets from a cell that did not go through a sigmoid, of a model that is said to apply it.
  case offsetsOutOfRange(sample: String, values: [Float])
  /// An output that is not boxes with scores.
  case boxShape(classes: Int, hasObjectness: Bool?, extra: Int, model: TensorSignature)
  /// An output of boxes with scores whose manifest does not say whether there is an objectness.
  case objectnessOpen(classes: Int, model: TensorSignature)
  /// An output that is not boxes with a score and a class each.
  case finalShape(DetectorRule.Row, width: Int, model: TensorSignature)
  /// Outputs that are not boxes, their scores and their classes.
  case chosenShape(keypoints: KeypointForm?, model: [TensorSignature])
  /// Two outputs that are not boxes and their scores.
  case boxPairShape(classes: Int, boxes: TensorSignature, scores: TensorSignature)
  /// Offsets from centers that the model's outputs do not give.
  case centerShape(
    input: ImageSize, rule: CenterRule, rows: Int, values: Int, model: [TensorSignature])
  /// Offsets from centers for a number of classes other than one.
  case centerClasses(Int)
  /// Outputs that can be read as boxes with scores in two ways.
  case boxLayoutUnclear(classes: Int, model: [TensorSignature])
  /// A number of boxes that is not known before the model runs.
  case boxCountOpen(model: TensorSignature)
  /// An output with the numbers of the boxes' classes that the manifest does not read.
  case labelsUnread(TensorSignature)
  /// An output with the boxes of the rows that the manifest reads from another output.
  case boxesUnread(TensorSignature, read: TensorSignature)
  /// An output with a factor of the scores, by its name, that the manifest does not read.
  case objectnessUnread(TensorSignature)
  /// A manifest with another number of classes than the file's own metadata.
  case otherClassCount(manifest: Int, file: [String])
  /// An output that ends in a sigmoid or softmax, which the manifest's activation would apply again.
  case activationRepeated(TensorSignature, operator: String, Activation)
  /// An output with the number of boxes that a model chose, which the manifest does not read.
  case countUnread(TensorSignature)
  /// An output with the numbers of the classes of a classifier's scores, which the manifest does not read.
  case classNumbersUnread(TensorSignature, scores: TensorSignature)
  case tooManyBoxes(Int, limit: Int, model: TensorSignature)
  /// An output for features that the model does not have, or must be named (`nil`).
  case featureOutput(wanted: String?, model: [TensorSignature])
  /// An output whose number of values is not known, below 2, or above the limit.
  case featureShape(model: TensorSignature, limit: Int)
  /// A vector for each image from an output that the model does not have.
  case embeddingOutput(wanted: String, model: [TensorSignature])
  /// An output that has no single vector of a fixed length for each image.
  case embeddingShape(model: TensorSignature, limit: Int)
  case embeddingNotFinite(sample: String, output: String)
  /// A model of a task other than the required one.
  case otherTask(ModelTask, model: String)

  // A run
  case inferenceFailed(reason: String)
  /// Two computations of one sample that should be bitwise equal.
  case selfCheckFailed(SelfCheckFailure)
  case notFinite(sample: String, outputs: [Float])
  case notProbabilities(sample: String, outputs: [Float], activation: Activation)
  /// The value of a binary classifier, which is not a probability.
  case binaryOutOfRange(sample: String, value: Float, activation: Activation)
  /// A number that a classifier gives, which is not that of a class.
  case classNumberOutOfRange(sample: String, value: Float, classes: Int, base: Int)
  /// A value of a label map that is not the number of a class.
  case labelOutOfRange(sample: String, value: Float, classes: Int)
  /// A multi-label model's score of a class, outside 0...1.
  case scoreOutOfRange(sample: String, className: String, value: Float)
  /// Maps with values that are not probabilities.
  /// Maps of whole numbers from 0 to this one.
  case mapsAreNumbers(highest: Float)
  case mapsOutOfRange(sample: String, low: Float, high: Float, activation: Activation)
  /// Scores of boxes that are not probabilities.
  case scoresOutOfRange(sample: String, low: Float, high: Float, activation: Activation)
  /// A score of a box that the model chose itself, which is not a probability; with its row.
  case finalScoreOutOfRange(sample: String, row: [Float], order: DetectorRule.Row)
  /// A number of boxes that the model chose, which is not whole, negative, or more than it gives.
  case chosenCount(sample: String, value: Float, rows: Int)
  /// A class of a box that the model chose itself, which the manifest does not name; with its row.
  case classOutOfRange(
    sample: String, row: [Float], order: DetectorRule.Row, classes: Int, base: Int)
  /// Four values of a model that do not form a box.
  case noBox(sample: String, values: [Float], head: DetectorRule.Head)
  /// An output that is not the prototypes of masks.
  case prototypeShape(maps: Int, model: TensorSignature)
  /// An output that is not a grid of probabilities for each box.
  case cellShape(MaskFrame, input: ImageSize, model: TensorSignature)
  /// A number of masks that is not the number of boxes.
  case gridCount(sample: String, values: Int, boxes: Int, width: Int, height: Int)
  /// Masks of boxes with values that are not probabilities.
  case gridOutOfRange(sample: String, low: Float, high: Float)
  /// Outputs that do not have the shapes of a model's keypoints of one object.
  case poseShape(PoseRule, model: [TensorSignature])
  /// Keypoints of one object for a number of classes other than one.
  case poseClasses(Int)
  /// A keypoint whose score, or the highest value of whose heat map, is far from the range of probabilities.
  case keypointScore(sample: String, value: Float)
  /// The score of an image's only object that is not from 0 to 1.
  case objectScore(sample: String, value: Float)
  /// An angle of more than a whole turn.
  case angleOutOfRange(sample: String, value: Float, AngleUnit)
  /// A keypoint far outside the image.
  case noKeypoint(sample: String, values: [Float])
  /// Boxes that probably do not have the manifest's order and units; with an example.
  case boxesDoubtful(BoxAnomaly, values: [Float], head: DetectorRule.Head)
  /// Outputs that are already probabilities before the manifest's activation is applied.
  case alreadyProbabilities(sample: String, outputs: [Float], activation: Activation)
}

extension InferenceError {
  /// True if a manifest's input or classes do not fit the shapes of the model.
  package var isShape: Bool {
    switch self {
    case .inputShape, .outputShape, .classNumberShape, .mapShape, .gridShape, .anchorShape,
      .boxShape,
      .finalShape, .chosenShape, .centerShape, .boxPairShape:
      true
    default: false
    }
  }

  /// True if a runner could not start because its program or a module of Python is missing.
  package var lacksModule: Bool {
    guard case .runnerFailed(_, let reason, let messages, _) = self else { return false }
    return messages.contains("No module named") || reason.contains("cannot be started")
  }
}

/// Two outputs of one sample that differ.
package struct SelfCheckFailure: Hashable, Sendable {
  /// The sample's key.
  package var sample: String
  /// The values that the run computed, in its batches.
  package var inRun: [Float]
  /// The values that a newly compiled model, or the runner, computed for the sample alone.
  package var alone: [Float]
  /// The batch size of the run.
  package var batch: Int

  /// The index of the first value that differs.
  package var place: Int? {
    zip(inRun, alone).enumerated().first { $1.0.bitPattern != $1.1.bitPattern }?.offset
  }

  package init(sample: String, inRun: [Float], alone: [Float], batch: Int) {
    self.sample = sample
    self.inRun = inRun
    self.alone = alone
    self.batch = batch
  }
}

extension InferenceError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .libraryNotFound(let searched, let failures):
      failures.isEmpty
        ? "OpenVINO (\(LibrarySearch.fileName)) was not found in: "
          + searched.joined(separator: ", ")
          + ". \(LibrarySearch.advice)"
        : "OpenVINO cannot be loaded: " + failures.joined(separator: "; ")
          + ". \(LibrarySearch.advice)"
    case .noProcess(let reason):
      "models run in a separate process, which cannot be started: \(reason)"
    case .precisionUnsupported(let precision, let supported):
      "this processor does not support \(precision.rawValue); it supports "
        + Self.list(supported.map(\.rawValue))
    case .precisionOfRunner(let precision):
      "--precision \(precision.rawValue) is for models that OpenVINO runs; a runner chooses its arithmetic itself"
    case .runnerFailed(let command, let reason, let messages, _):
      "the runner \(command) failed: \(reason)" + Self.lastLines(messages)
    case .runnerNeedsFiles(let command, let sample):
      "the runner \(command) asks for image files (“images”: “files”), but the image of \(sample) is in no file of its"
        + " own: it is embedded, in an archive, of a merged dataset, flipped, or annotated as it is stored, without the orientation"
        + " that its file states. Let the runner take arrays (“images”:"
        + " “arrays”), or import a folder of images"
    case .runnerReadsFiles(let command, let purpose):
      "the runner \(command) asks for image files (“images”: “files”) and preprocesses them itself, so that"
        + " \(purpose). Let it take arrays (“images”: “arrays”) for this"
    case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
    case .tooLarge(let path, let limit): "\(path) exceeds the limit of \(limit) bytes"
    case .unknownModelFormat(let path, let looksLike):
      "\(path): unsupported model format"
        + (looksLike.map { "; it looks like \($0)" } ?? "") + ". Supported are "
        + Self.list(ModelFormat.allCases.map(\.title))
        + "; convert it to one of them, or let a program of yours run it (--runner)"
    case .foreignModel(let path, let name, let conversion):
      "\(path) is \(name); supported are \(Self.list(ModelFormat.allCases.map(\.title)))"
        + (conversion.map { ". To convert it: \($0)" } ?? "")
    case .weightsMissing(let xml, let expected):
      "\(xml) is OpenVINO IR, but its weights are missing: place \(expected) next to it"
    case .onnxRefused(let path, let fault): "\(path) \(fault)"
    case .modelRefused(let path, let reason):
      "OpenVINO cannot read \(path): \(reason)" + Self.remedy(forRefused: reason)
    case .manifest(let path, let line, let fault):
      "\(path)\(line.map { ":\($0)" } ?? ""): \(fault)"
    case .inputCount(let inputs):
      "the model has \(inputs.count) inputs (\(Self.list(inputs.map(\.description))));"
        + " assay gives it one image. Name the others under “constant-inputs” with their values, for example"
        + " “constant-inputs: {pixel_mask: 1, scale_factor: [1, 1], im_shape: [height, width]}”"
    case .queryMasks(let classes, let masks):
      "the outputs “\(classes)” and “\(masks)” are those of MaskFormer and Mask2Former, a class and a mask for each"
        + " query, which are not supported: queries are no classes. Export the model with its post-processing"
        + " (post_process_semantic_segmentation), so that it gives a map per class or the number of each pixel's"
        + " class, or let a runner compute it (--runner)"
    case .noImageInput(let inputs):
      "the model takes no image: its inputs are \(Self.list(inputs.map(\.description))). An image input is"
        + " [N, channels, height, width], [N, height, width, channels] or the same without N, with 1 or 3 channels;"
        + " export the model with such an input (a reshape before it can make flat or further dimensions), or let a"
        + " program compute it: “runner” in a manifest"
    case .constantUnknown(let name, let inputs):
      "“constant-inputs” names “\(name)”, but the model has \(Self.list(inputs.map(\.description))). An input that the"
        + " file lists and no operation uses needs no value: leave it out"
    case .constantShape(let tensor, let count):
      "the model's input \(tensor) cannot be filled with \(count == 1 ? "one value" : "\(count) values"):"
        + " “constant-inputs” takes one value for all elements, or a list with one for each of the last dimension;"
        + " the only lengths that may be open are the first (the batch) and, of three or more, the last two (height"
        + " and width)"
    case .rowsVary(let tensor, let activation):
      "the number of boxes in the model's output \(tensor) depends on the image's size, and “activation:"
        + " \(activation.rawValue)” cannot be applied to boxes that are not there; set letterbox or stretch with a"
        + " fixed width and height"
    case .outputUnclear(let wanted?, let outputs):
      "the manifest reads the output “\(wanted)”, but the model has "
        + Self.list(outputs.map(\.description))
    case .outputUnclear(nil, let outputs):
      "the model has \(outputs.count) outputs; choose one in the manifest with “output: NAME” (of a"
        + " detector's two, “boxes-output” and “scores-output”): "
        + Self.list(outputs.map(\.description)) + Self.remedy(forOutputs: outputs)
    case .elementType(let tensor, let isInput):
      "the element type of the model's \(isInput ? "input" : "output") \(tensor) is not among those that"
        + " assay reads: \(Self.list(TensorElement.allCases.map(\.rawValue)))"
    case .integerInput(let tensor, let value):
      "the model's input \(tensor) takes whole numbers"
        + (TensorElement(rawValue: tensor.element)?.range.map {
          " from \(Int($0.lowerBound)) to \(Int($0.upperBound))"
        } ?? "")
        + "; “scale” and “offset” of the manifest give \(value), too. Set “scale: 1” and “offset:"
        + " \(tensor.element == "i8" ? "-128" : "0")”, unless the model's own documents say otherwise"
    case .integerOutput(let tensor, let task):
      Self.integerOutput(tensor, task)
    case .inputShape(let manifest, let layout, let model):
      "the manifest does not fit the model: it gives \(TensorSignature.text(manifest)) (\(layout)),"
        + " the model's input \(model.name) takes \(model.shapeText)"
    case .outputShape(let classes, let positive, let model):
      "the manifest does not fit the model: it names \(classes) classes, "
        + (positive.map { "[N, 1] with “positive: \($0)”" } ?? "[N, \(classes)]") + ", the model's"
        + " output \(model.name) gives \(model.shapeText)"
        + (classes == 2 && positive == nil && ModelManifest.classCount(of: model) == 1
          ? ". If the one value is the probability of one of the two classes, name it: “positive: NAME”"
          : "")
    case .classNumberShape(let hasScores, let model):
      "the manifest does not fit the model: “labels-output” of a classifier reads the number of the class, [N] or"
        + " [N, 1]" + (hasScores ? ", with “scores-output” [N, k] of both" : "")
        + "; the model gives \(Self.list(model.map(\.description)))"
        + (hasScores
          ? ""
          : ". If these are the best classes of several, name their scores: “scores-output: NAME”")
    case .mapShape(_, true, let model):
      "the manifest does not fit the model: “label-map: yes” reads [N, H, W], [N, 1, H, W] or [N, H, W, 1], the"
        + " model's output \(model.name) gives \(model.shapeText)"
    case .mapShape(let classes, false, let model):
      "the manifest does not fit the model: for \(classes) \(classes == 1 ? "class" : "classes") task"
        + " segmentation reads \(classes == 1 ? "[N, H, W], " : "")[N, \(classes), H, W] or"
        + " [N, H, W, \(classes)], the model's output \(model.name) gives \(model.shapeText)"
        + (model.shape?.count == 3 && classes > 1
          ? ". If it gives the number of each pixel's class, set “label-map: yes”" : "")
    case .mapLayoutUnclear(let classes, let model):
      "the model's output \(model.name), \(model.shapeText), can be [N, \(classes), H, W] and"
        + " [N, H, W, \(classes)]; choose one in the manifest: “output-layout: NCHW” or “output-layout:"
        + " NHWC”"
    case .mapShapeOpen(let model):
      "the model's output \(model.name) is \(model.shapeText) even for an input of known size; export"
        + " the model with a fixed input size"
    case .gridShape, .anchorShape, .offsetsOutOfRange, .boxShape, .objectnessOpen, .finalShape,
      .chosenShape, .chosenCount,
      .finalScoreOutOfRange,
      .classOutOfRange, .boxPairShape, .boxLayoutUnclear, .boxCountOpen, .tooManyBoxes,
      .labelsUnread, .boxesUnread, .objectnessUnread, .otherClassCount, .countUnread, .centerShape,
      .centerClasses,
      .scoresOutOfRange, .noBox, .noKeypoint, .prototypeShape, .cellShape, .gridCount,
      .gridOutOfRange, .angleOutOfRange, .boxesDoubtful, .poseShape, .poseClasses,
      .keypointScore, .objectScore:
      boxesDescription
    case .featureOutput(let wanted?, let outputs):
      "the model has no output “\(wanted)”; it has \(Self.list(outputs.map(\.description))). An inner"
        + " tensor can be read once the model is exported with it as an output"
    case .featureOutput(nil, let outputs):
      "name the output that has the features, MODEL:OUTPUT; the model has "
        + Self.list(outputs.map(\.description))
    case .featureShape(let model, let limit):
      "the model's output \(model.name) of \(model.shapeText) gives no features: between 2 and \(limit)"
        + " values per image are needed, after the mean over the positions of a map"
    case .embeddingOutput(let wanted, let outputs):
      "the model has no output “\(wanted)” for “embedding”; it has \(Self.list(outputs.map(\.description)))."
        + " An inner tensor can be read once the model is exported with it as an output"
    case .embeddingShape(let model, let limit):
      "“embedding” needs one vector for each image, [N, 2 to \(limit) values], or a map of one size, whose"
        + " mean over the positions is taken; the output \(model.name) is \(model.shapeText). Of a vector"
        + " for each token, export the pooled one as an output"
    case .embeddingNotFinite(let sample, let output):
      "the vector of sample \(sample) in the output “\(output)” has values that are not finite. Check “scale” in"
        + " the manifest"
    case .otherTask(let task, let model):
      "\(model) is a model for \(task.rawValue) and cannot be used for another task"
    case .inferenceFailed(let reason): "OpenVINO failed to run the model: \(reason)"
    case .selfCheckFailed(let failure): failure.description
    case .notFinite(let sample, let outputs):
      "the model's outputs for sample \(sample) are not finite: \(Self.values(outputs)). Check"
        + " “scale” in the manifest"
    case .notProbabilities(let sample, let outputs, let activation):
      Self.notProbabilities(sample, outputs, activation)
    case .binaryOutOfRange(let sample, let value, let activation):
      "sample \(sample) gives \(value), which is not a probability. Set “activation: sigmoid” in the manifest for"
        + " logits (now \(activation.rawValue))"
    case .classNumberOutOfRange(let sample, let value, let classes, let base):
      "sample \(sample) has the class \(value), but the manifest names \(base) to \(base + classes - 1), with"
        + " “class-base: \(base)”. List all classes in the model's order under “outputs” or “classes”"
    case .labelOutOfRange(let sample, let value, let classes):
      "the label map of sample \(sample) has the value \(value), but the manifest names the classes 0 to"
        + " \(classes - 1). List all classes in the model's order, or “label-map: no” if these are logits"
    case .scoreOutOfRange(let sample, let name, let value):
      "the score of “\(name)” for sample \(sample) is \(value), but must be from 0 to 1. If these are logits, set"
        + " “activation: sigmoid” in the manifest (now none)"
    case .mapsAreNumbers(let highest):
      "all values of the maps are whole numbers from 0 to \(Int(highest)), as the numbers of classes are. Set"
        + " “label-map: yes” and name all \(Int(highest) + 1) or more classes in their order; if they are logits all"
        + " the same, predict samples whose values differ"
    case .mapsOutOfRange(let sample, let low, let high, let activation):
      Self.mapsOutOfRange(sample, low, high, activation)
    case .activationRepeated(let output, let kind, let activation):
      "the model's output \(output) is computed by \(kind), so “activation: \(activation.rawValue)” would be a"
        + " second one. Set “activation: none” in the manifest"
        + (kind == "Softmax"
          ? ""
          : ", or “activation: sigmoid-in-model” for a classifier whose classes do not sum to 1")
    case .classNumbersUnread(let output, let scores):
      "the model's output \(output) seems to hold the numbers of the classes that \(scores) has the scores of, from the"
        + " best class on: read in the order of the manifest's classes they would be wrong. Set"
        + " “labels-output: \(output.name)”, “scores-output: \(scores.name)” and “class-base:” 0 or 1"
    case .alreadyProbabilities(let sample, let outputs, let activation)
    where ProbabilityCheck.arePercentages(outputs):
      "the model already outputs percentages: sample \(sample) gives \(Self.values(outputs)) before"
        + " “activation: \(activation.rawValue)”. Set “activation: none”, “output-scale: 1/100” and “output-offset: 0”"
        + " in the manifest"
    case .alreadyProbabilities(let sample, let outputs, let activation):
      "the model already outputs probabilities: sample \(sample) gives \(Self.values(outputs)) before"
        + " “activation: \(activation.rawValue)”. Set “activation: none” in the manifest"
        + (outputs.count > 1 && abs(outputs.reduce(0, +) - 1) > 0.25
          ? ", or “activation: sigmoid-in-model” if they are sigmoids that do not sum to 1"
          : "")
    }
  }

  /// The last lines that a runner printed, as the end of a message.
  private static func lastLines(_ text: String) -> String {
    let lines = text.split(whereSeparator: \.isNewline).suffix(8)
      .map { line in
        String(
          line.unicodeScalars.prefix(300).map { scalar in
            scalar.properties.generalCategory == .control ? " " : Character(scalar)
          })
      }
    return lines.isEmpty ? "" : ". It printed:\n  " + lines.joined(separator: "\n  ")
  }

  private static func integerOutput(_ tensor: TensorSignature, _ task: ModelTask) -> String {
    let start = "the model's output \(tensor) holds whole numbers. "
    return switch task {
    case .segmentation:
      start + "If they are the numbers of classes, set “label-map: yes”; if they are quantized, set"
        + " “output-scale:” and “output-offset:” (value = number · scale + offset), as the model's"
        + " quantization states"
    case .multiLabel:
      start
        + "If they are quantized scores, set “output-scale:” and “output-offset:” (value = number ·"
        + " scale + offset), as the model's quantization states, for instance 1/256 and 0"
    case .classification:
      start
        + "If they are quantized scores, set “output-scale:” and “output-offset:” (value = number ·"
        + " scale + offset), as the model's quantization states, for instance 1/256 and 0. If it is the"
        + " number of the best class, set “labels-output: \(tensor.name)” and “class-base:” 0 or 1 for a run of"
        + " classes without scores"
    case .detection:
      start
        + "Boxes with a score per class are floats. If it is the number of each box's class, set “head:"
        + " final” with “boxes-output:”, “scores-output:” and “labels-output:”"
    }
  }

  /// The first eight values.
  static func values(_ values: [Float]) -> String {
    let head = values.prefix(8).map { "\($0)" }.joined(separator: ", ")
    return "[\(head)\(values.count > 8 ? ", …" : "")]"
  }

  static func list(_ items: [String]) -> String {
    guard let last = items.last, items.count > 1 else { return items.first ?? "none" }
    return items.dropLast().joined(separator: ", ") + " and " + last
  }
}

extension SelfCheckFailure: CustomStringConvertible {
  package var description: String {
    "the run's self-check failed: for sample \(sample) it computed"
      + " \(text(inRun)) in a batch of \(batch), but computed alone the"
      + " sample gives \(text(alone)). The results cannot be trusted; run again,"
      + " with --batch 1 if the model mixes the samples of a batch"
  }

  /// All values if there are few; otherwise the first that differs.
  private func text(_ values: [Float]) -> String {
    guard let place, values.count > 8 else { return InferenceError.values(values) }
    return "\(values[place]) at index \(place) of \(values.count)"
  }
}

extension ONNXFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .truncated(let offset):
      "is a damaged ONNX file: it ends within the field at byte \(offset)"
    case .malformed(let offset): "is a damaged ONNX file: invalid field at byte \(offset)"
    case .tooDeep(let limit): "is nested more than \(limit) levels deep, the limit for ONNX models"
    case .cycle(let node):
      "is not a valid ONNX model: the node “\(String(node.prefix(200)))” depends on its own result, directly or"
        + " through others; export the model again"
    case .wrongOperator(let node, let kind, let version, let result, let remedy):
      "has \(kind)" + (version > 0 ? " of operator set \(version)" : "")
        + (node.isEmpty ? "" : " (node “\(String(node.prefix(200)))”)")
        + ", which OpenVINO computes \(result): its results would be wrong. \(remedy); or run it as it is with"
        + " another runtime through a runner (assay model runner-template)"
    case .externalData(let tensor, let location, let reason):
      "stores the values of “\(tensor)” in another file"
        + (location.isEmpty ? "" : " (“\(location.prefix(200))”)")
        + ", which cannot be used: \(reason). Put the file there, or save the model as one file: torch.onnx.export(…, external_data=False), or"
        + " python3 -c \"import onnx; onnx.save(onnx.load('FILE'), 'one.onnx')\""
    }
  }
}
