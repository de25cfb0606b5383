import AssayCore

extension InferenceError {
  /// The text of an error about a detector or its outputs; empty for other errors.
  var boxesDescription: String {
    switch self {
    case .gridShape(let input, let strides, let rows, let values, let model):
      "the manifest does not fit the model: “head: yolox” of \(values - 5)"
        + " \(values == 6 ? "class" : "classes") reads [N, \(rows), \(values)]: the cells of"
        + " \(input) pixels at the strides \(strides.map(String.init).joined(separator: ", ")), each"
        + " with 4 numbers, an objectness and the classes; the model's output \(model.name) gives"
        + " \(model.shapeText)"
    case .anchorShape(let anchors, let height, let width, let values, let model):
      "the manifest does not fit the model: “head: anchors” reads grids of \(height) × \(width) cells with \(anchors)"
        + " \(anchors == 1 ? "anchor" : "anchors") of \(values) values (4 numbers, an objectness, \(values - 5)"
        + " \(values == 6 ? "class" : "classes")): [N, \(anchors * values), \(height), \(width)], [N, \(anchors),"
        + " \(height), \(width), \(values)], [N, \(height), \(width), \(anchors * values)] and the like; the model gives"
        + " \(model). Are “grid-outputs”, “strides” and “anchors” in the same order?"
    case .offsetsOutOfRange(let sample, let values):
      "sample \(sample) has a box with the values \(Self.values(values)), which are not from 0 to 1; set “activation:"
        + " sigmoid” if the model does not apply the sigmoids itself"
    case .boxShape(let classes, let hasObjectness, let extra, let model):
      "the manifest does not fit the model: “head: boxes” of \(classes)"
        + " \(classes == 1 ? "class" : "classes") "
        + (hasObjectness.map { "with “objectness: \($0 ? "yes" : "no")” " } ?? "")
        + Self.boxWidths(classes, hasObjectness, extra) + "; the model's output"
        + " \(model.name) gives \(model.shapeText)" + Self.suppressionHint(model)
        + Self.angleHint(model, width: (hasObjectness == true ? 5 : 4) + classes + extra)
    case .objectnessOpen(let classes, let model):
      "the manifest does not say whether the boxes of the model's output \(model.name),"
        + " \(model.shapeText), have an objectness. Set “objectness: yes” if each box has 4 numbers, an"
        + " objectness and the scores of its classes (YOLOv5, YOLOv6, YOLOv7, decoded YOLOX), “objectness: no”"
        + " if it has none (YOLOv8 and later, RT-DETR); with the \(classes)"
        + " \(classes == 1 ? "class" : "classes") of the manifest, only one of them fits: if it is the wrong one, so is the list of classes"
    case .finalShape(let row, let width, let model):
      "the manifest does not fit the model: “head: final”"
        + (row == .boxScoreClass ? "" : " with “row: \(row.rawValue)”")
        + " reads [N, boxes, \(width)] or"
        + " [N, \(width), boxes], of one image also [boxes, \(width)]: \(row.words) (“row:” names other orders:"
        + " \(DetectorRule.Row.allCases.filter { $0 != row }.map(\.rawValue).joined(separator: ", "))); the model's output \(model.name) gives \(model.shapeText)"
        + (model.shape?.dropFirst().contains(nil) == true
          ? ". A number of boxes that is open is read only from [N, boxes, \(width)]" : "")
    case .chosenShape(let keypoints, let model):
      "the manifest does not fit the model: “head: final” with several outputs reads boxes [N, boxes, 4], scores"
        + " and classes [N, boxes] (without “scores-output”: [N, boxes, 5] with the score as the fifth value; without"
        + " “labels-output”: boxes of the only class), a number [N]"
        + (keypoints.map { ", and keypoints [N, boxes, \($0.points), \($0.values)]" } ?? "")
        + "; the model's outputs give \(Self.list(model.map(\.description)))"
    case .finalScoreOutOfRange(let sample, let row, let order):
      "sample \(sample) has the box \(Self.values(Array(row.prefix(4)))) with the score \(row[4]), which is not from 0"
        + " to 1"
        + (row.count > 5
          ? ", and the class \(row[5]); “head: final” reads \(order.words), in this order, and “row:” can name another"
            + " one: \(order.others.joined(separator: ", "))"
          : "; “head: final” reads boxes whose scores are probabilities")
    case .chosenCount(let sample, let value, let rows):
      "sample \(sample) has the number \(value) in the output that “count-output” names; it must be a whole"
        + " number from 0 to \(rows), the number of boxes that the model gives"
    case .classOutOfRange(let sample, let row, let order, let classes, let base):
      "sample \(sample) has the box \(Self.values(Array(row.prefix(4)))) with the score \(row[4]) and the class \(row[5]),"
        + " which is not the number of a class (read as \(order.words)): the manifest names \(classes), \(base) to \(base + classes - 1) with “class-base: \(base)”"
    case .boxPairShape(let classes, let boxes, let scores):
      "the manifest does not fit the model: “head: boxes” of \(classes)"
        + " \(classes == 1 ? "class" : "classes") reads [N, boxes, 4] and [N, boxes, \(classes)], or"
        + " both transposed; the model's outputs \(boxes.name) and \(scores.name) give"
        + " \(boxes.shapeText) and \(scores.shapeText)"
    case .centerShape(let input, let rule, let rows, let values, let model):
      "the manifest does not fit the model: “head: blazeface” reads boxes [N, \(rows), \(values)] and scores"
        + " [N, \(rows), 1]: the cells of \(input) pixels at the strides"
        + " \(rule.strides.map(String.init).joined(separator: ", ")) with"
        + " \(rule.anchorsPerCell.map(String.init).joined(separator: ", ")) anchors each"
        + (values > 4 ? ", 4 numbers of a box and \((values - 4) / 2) keypoints" : "")
        + "; the model's outputs give \(Self.list(model.map(\.description))). Check “strides”, “anchors-per-cell” and"
        + " “keypoints”"
    case .centerClasses(let count):
      "“head: blazeface” reads one score for each box, so “classes” must name one class, not \(count)"
    case .boxLayoutUnclear(let classes, let model):
      "the model's output \(model.map(\.shapeText).joined(separator: " with ")) could be boxes of \(classes)"
        + " classes by rows and by columns; export it with another number of boxes, or in two outputs"
    case .boxCountOpen(let model):
      "the model's output \(model.name) is \(model.shapeText) even for a fixed input size: it selects its"
        + " boxes itself. Set “head: final”\(Self.finalRow(model)), or export the model without built-in NMS; assay applies"
        + " NMS itself"
    case .labelsUnread(let output):
      "the model's output \(output) seems to hold the number of each box's class, which the manifest does not"
        + " read: all boxes would be of the same class. Set “head: final” with “boxes-output:” and"
        + " “labels-output: \(output.name)” (and “scores-output:” if the scores are in an output of their own)"
    case .boxesUnread(let output, let read):
      "the model's output \(output) has four numbers for each row of \(read.name), which seem to be the boxes, and the"
        + " manifest reads only \(read.name). Set “head: boxes” with “boxes-output: \(output.name)” and"
        + " “scores-output: \(read.name)”"
    case .objectnessUnread(let output):
      "the model's output \(output) has one number for each box and is called like an objectness, which the manifest does"
        + " not read: without it the scores are too high. Multiply the scores by it in the export, or in a runner"
        + " (assay model runner-template)"
    case .otherClassCount(let count, let names):
      "the manifest has \(count) \(count == 1 ? "class" : "classes") and the model's own metadata \(names.count)"
        + " (\(names.prefix(3).joined(separator: ", "))\(names.count > 3 ? ", …" : "")): the scores would be of other"
        + " classes. Name all \(names.count) in their order (“outputs:”), and map them with “classes: {OUTPUT: CLASS}”"
        + " if yours are others"
    case .countUnread(let output):
      "the model's output \(output) seems to hold the number of boxes, which the manifest does not read: rows beyond it"
        + " would be taken for boxes. Set “count-output: \(output.name)”"
    case .tooManyBoxes(let count, let limit, let model):
      "the model's output \(model.name), \(model.shapeText), has \(count) boxes per image; the"
        + " limit is \(limit)"
    case .scoresOutOfRange(let sample, let low, let high, let activation):
      "the scores of sample \(sample) range from \(low) to \(high), so they are logits, not"
        + " probabilities. Set “activation:” in the manifest (now \(activation.rawValue)): sigmoid for independent"
        + " classes, softmax for one class per box"
    case .noBox(let sample, let values, .anchors):
      "sample \(sample) has the box \(Self.values(values)), which is not finite after exp(value) · anchor; check"
        + " “decode” and “anchors” in the manifest"
    case .noBox(let sample, let values, .yolox):
      "sample \(sample) has the box \(Self.values(values)), which is not finite after exp(value) · stride. If"
        + " the model gives decoded boxes, set “head: boxes”, “box-order: cxcywh”, “box-units: pixels”"
    case .noBox(let sample, let values, .blazeface):
      "sample \(sample) has the box \(Self.values(values)), which is far outside the image; check “box-units” in the"
        + " manifest"
    case .noBox(let sample, let values, .boxes), .noBox(let sample, let values, .final),
      .noBox(let sample, let values, .keypoints):
      "sample \(sample) has the box \(Self.values(values)), which is far outside the image"
    case .prototypeShape(let maps, let model):
      "“masks-output:” reads [N, \(maps), height, width] or [N, height, width, \(maps)], as “masks: \(maps)”"
        + " says; the model gives \(model)"
    case .cellShape(let frame, let input, let model):
      "“masks-output:” with “boxes-output:” reads a grid of probabilities for each box, [N, boxes, 1, height, width] or"
        + " [N, boxes, height, width]"
        + (frame == .input
          ? ", of \(input.height) × \(input.width) if height and width are open"
          : ", with a known height and width (open ones are read with “masks-frame: input”, as large as the input)")
        + ", at most \(BoxTensorLayout.limit) values per image; the model gives \(model)"
    case .gridCount(let sample, let values, let boxes, let width, let height):
      "sample \(sample) has \(values) values in the output that “masks-output” names, which are not"
        + " \(height) × \(width) for each of its \(boxes) boxes"
    case .gridOutOfRange(let sample, let low, let high):
      "the masks of sample \(sample) range from \(low) to \(high), so they are not probabilities; export the model"
        + " with a sigmoid after its masks"
    case .poseShape(let rule, let model):
      "the manifest does not fit the model: “keypoints: \(rule.form.points)x\(rule.form.values)” reads "
        + Self.poseShapes(rule)
        + (rule.scoreOutput == nil ? "" : ", and one score per image from “scores-output”")
        + "; the model gives \(Self.list(model.map(\.description)))"
    case .poseClasses(let count):
      "“head: keypoints” reads one object per image, so “classes” must name one class, not \(count)"
    case .keypointScore(let sample, let value):
      "sample \(sample) has a keypoint with the score \(value), which is not a probability; set “activation: sigmoid”"
        + " if the model does not apply the sigmoid itself, “keypoint-depth: yes” if the third of three values is a depth"
    case .objectScore(let sample, let value):
      "sample \(sample) has the value \(value) in “scores-output”, which is not a score from 0 to 1; set"
        + " “score-activation: sigmoid” if the model does not apply the sigmoid itself"
    case .angleOutOfRange(let sample, let value, let unit):
      "sample \(sample) has a box with the angle \(value), which is more than a whole turn in \(unit.rawValue); check"
        + " “angle:” in the manifest"
    case .noKeypoint(let sample, let values):
      "sample \(sample) has the keypoint \(Self.values(values)), which is far outside the image; check"
        + " “keypoints:” and “masks:” in the manifest"
    case .boxesDoubtful(let doubt, let values, let head):
      Self.doubtful(doubt, values, head)
    default: ""
    }
  }

  /// The shapes of a model's keypoints of one object.
  private static func poseShapes(_ rule: PoseRule) -> String {
    let form = rule.form
    switch rule.source {
    case .heatMaps:
      return "[N, \(form.points), height, width] or [N, height, width, \(form.points)]"
    case .points: return "[N, \(form.points), \(form.values)] or [N, \(form.count)]"
    }
  }

  /// The shapes of boxes with scores in one output.
  private static func boxWidths(_ classes: Int, _ hasObjectness: Bool?, _ extra: Int) -> String {
    let width = (hasObjectness == true ? 5 : 4) + classes + extra
    return "reads [N, boxes, \(width)] or [N, \(width), boxes]"
      + (hasObjectness == nil ? ", \(width + 1) with an objectness" : "")
  }

  private static func doubtful(
    _ doubt: BoxAnomaly, _ values: [Float], _ head: DetectorRule.Head
  ) -> String {
    let example = "for example \(Self.values(values))"
    switch (doubt, head) {
    case (.looksRelative, .keypoints):
      return
        "the keypoints of the first samples are all within two pixels (\(example)); set “box-units: relative”"
    case (.looksLikePixels, .keypoints):
      return
        "most keypoints of the first samples are far outside the image (\(example)); set “box-units: pixels”"
    case (.looksRelative, _):
      return
        "the boxes of the first samples are all within two pixels (\(example)); set “box-units:"
        + " relative”, or “head: yolox” if they are offsets from cells"
    case (.looksLikePixels, _):
      return
        "most boxes of the first samples are far outside the image (\(example)); set “box-units:"
        + " pixels”"
    case (.turnedRound, .boxes(let order, _)), (.turnedRound, .final(let order, _, _)):
      return
        "too many boxes of the first samples have a negative width or height as \(order.rawValue)"
        + " (\(example)); set “box-order:” to another of "
        + BoxOrder.allCases.map(\.rawValue).joined(separator: ", ")
        + ", or, if the model gives offsets from its anchors (SSD, RetinaNet), export it with their decoding"
    case (.turnedRound, .yolox), (.turnedRound, .anchors), (.turnedRound, .blazeface),
      (.turnedRound, .keypoints):
      return "most boxes of the first samples have a negative size (\(example))"
    }
  }

  /// A hint for the shapes of boxes with one more value.
  private static func angleHint(_ model: TensorSignature, width: Int) -> String {
    guard model.shape?.dropFirst().contains(width + 1) == true else { return "" }
    return ". If the last value of each box is its rotation (YOLO-OBB), set “angle: radians”"
  }

  /// The keys that boxes of that many values need beside “head: final”.
  private static func finalRow(_ model: TensorSignature) -> String {
    switch model.shape?.last {
    case .some(5): " with “row: box-score”, for one class"
    case .some(6): " with “class-base:” 0 or 1"
    case .some(7):
      " with “class-base:” 0 or 1 and “row: image-class-score-box”, or another order of the row"
    default: ""
    }
  }

  /// A hint for the shapes of models with built-in NMS.
  private static func suppressionHint(_ model: TensorSignature) -> String {
    guard case .some(.some(let last)) = model.shape?.last, last == 6 || last == 7 else { return "" }
    return ". It looks like boxes after built-in NMS: set “head: final”" + finalRow(model)
  }
}
