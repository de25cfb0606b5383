import AssayCore

extension InferenceError {
  /// What is wrong with a detector or its outputs; empty for other errors.
  var boxesDescription: String {
    switch self {
    case .gridShape(let input, let strides, let rows, let values, let model):
      "the manifest does not fit the model: “head: yolox” of \(values - 5)"
        + " \(values == 6 ? "class" : "classes") reads [N, \(rows), \(values)]: the cells of"
        + " \(input) pixels at the strides \(strides.map(String.init).joined(separator: ", ")), each"
        + " with 4 numbers, an objectness and the classes; the model's output \(model.name) gives"
        + " \(model.shapeText)"
    case .boxShape(let classes, let model):
      "the manifest does not fit the model: “head: boxes” of \(classes)"
        + " \(classes == 1 ? "class" : "classes") reads [N, boxes, \(4 + classes)] or"
        + " [N, \(4 + classes), boxes], \(5 + classes) with an objectness; the model's output"
        + " \(model.name) gives \(model.shapeText)" + Self.suppressionHint(model)
    case .boxPairShape(let classes, let boxes, let scores):
      "the manifest does not fit the model: “head: boxes” of \(classes)"
        + " \(classes == 1 ? "class" : "classes") reads [N, boxes, 4] and [N, boxes, \(classes)], or"
        + " both turned; the model's outputs \(boxes.name) and \(scores.name) give"
        + " \(boxes.shapeText) and \(scores.shapeText)"
    case .boxLayoutUnclear(let classes, let model):
      "the model's output \(model.map(\.shapeText).joined(separator: " with ")) can be boxes of \(classes)"
        + " classes by rows and by columns; export it with another number of boxes, or in two outputs"
    case .boxCountOpen(let model):
      "the model's output \(model.name) is \(model.shapeText) even for an input of known size: it chooses its"
        + " boxes itself. Export the model without its own non-maximum suppression; assay does that"
    case .tooManyBoxes(let count, let limit, let model):
      "the model's output \(model.name), \(model.shapeText), has \(count) boxes an image; the limit is \(limit)"
    case .scoresOutOfRange(let sample, let low, let high, let activation):
      "the scores of sample \(sample) run from \(low) to \(high), which are no probabilities but look like"
        + " logits. Set “activation:” in the manifest (now \(activation.rawValue)): sigmoid for classes that"
        + " exclude nothing, softmax for one class a box"
    case .noBox(let sample, let values, .yolox):
      "sample \(sample) has the box \(Self.values(values)), which is none after exp(value) · stride. Where"
        + " the model gives decoded boxes, set “head: boxes”, “box-order: cxcywh”, “box-units: pixels”"
    case .noBox(let sample, let values, .boxes):
      "sample \(sample) has the box \(Self.values(values)), which lies beyond any picture"
    case .boxesDoubtful(let doubt, let values, let head):
      Self.doubtful(doubt, values, head)
    default: ""
    }
  }

  private static func doubtful(
    _ doubt: BoxAnomaly, _ values: [Float], _ head: DetectorRule.Head
  ) -> String {
    let example = "for instance \(Self.values(values))"
    switch (doubt, head) {
    case (.looksRelative, _):
      return
        "the boxes of the first samples all lie within two pixels (\(example)); set “box-units:"
        + " relative”, or “head: yolox” where they are offsets from cells"
    case (.looksLikePixels, _):
      return
        "most boxes of the first samples lie far outside the picture (\(example)); set “box-units: pixels”"
    case (.turnedRound, .boxes(let order, _)):
      return "most boxes of the first samples have a negative width or height as \(order.rawValue)"
        + " (\(example)); set “box-order:” to another of "
        + BoxOrder.allCases.map(\.rawValue).joined(separator: ", ")
    case (.turnedRound, .yolox):
      return "most boxes of the first samples have a negative size (\(example))"
    }
  }

  /// What to say of a shape such as models with their own suppression have.
  private static func suppressionHint(_ model: TensorSignature) -> String {
    guard case .some(.some(let last)) = model.shape?.last, last == 6 || last == 7 else { return "" }
    return ". It looks like boxes after the model's own non-maximum suppression: export it without"
  }
}
