extension DraftReading {
  /// Boxes with scores, as offsets from cells or decoded, or chosen by the model itself.
  static func boxes(_ facts: DraftFacts) -> DraftReading? {
    let (signature, metadata) = (facts.signature, facts.metadata)
    guard
      let guess = BoxGuess(
        facts.outputs, input: facts.input.size, metadata: metadata, isBatched: signature.isBatched,
        batch: signature.image?.shape?.first ?? nil)
    else { return nil }
    let isSettled =
      guess.isSettled(by: metadata) && (facts.input.size != nil || facts.statedInput != nil)
    func settled(_ lines: [String]) -> [String] {
      isSettled ? lines.map(ModelManifest.withoutMarker) : lines
    }
    let isLetterboxed = !metadata.isRTDETR && (guess.isByColumns || guess.isFinal)
    return DraftReading(
      task: settled([
        "task: detection\(ModelManifest.todo): its output looks like boxes with scores"
      ]),
      input: guess.isGrid ? .grid : isLetterboxed ? .letterboxed : .plain,
      lines: settled(
        [headLines, outputLines, choiceLines].flatMap { $0(guess, facts.outputs, metadata) }),
      classCount: guess.classes,
      classNote: guess.hasOneClass
        ? "; one, for the boxes have no class numbers"
        : guess.isFinal ? "; the model does not state their number" : "; background is none",
      isSettled: isSettled)
  }

  /// The lines of the head and of what its numbers mean.
  private static func headLines(
    _ boxes: BoxGuess, _ outputs: [TensorSignature], _ metadata: ModelMetadata
  ) -> [String] {
    let todo = ModelManifest.todo
    var lines: [String] = []
    if boxes.isGrid {
      lines.append(
        "head: yolox\(todo): yolox for offsets from grid cells; boxes for decoded boxes (with box-order,"
          + " box-units, and objectness: yes)")
    } else if boxes.isFinal {
      let isTensorFlow = outputs.contains { $0.name.lowercased().contains("detection_boxes") }
      // torchvision's and TensorFlow's class 0 is the background, which no chosen box has.
      let hasOwnScores = if case .chosen(_, .some, _, _) = boxes.outputs { true } else { false }
      let isRelative = isTensorFlow || boxes.hasImageFirst || metadata.isRTDETR
      let isCentered = metadata.isRTDETR || metadata.task == "obb"
      let order = isTensorFlow ? "yxyx" : isCentered ? "cxcywh" : "xyxy"
      let countsFromOne =
        (isTensorFlow || boxes.hasImageFirst || hasOwnScores) && !isTensorRT(outputs)
      lines += [
        "head: final\(todo): boxes that the model chose itself, each with a score"
          + (boxes.hasOneClass ? "" : " and the number of its class"),
        "box-order: \(order)\(todo): xyxy, yxyx (TensorFlow), xywh or cxcywh (the center, width and height)",
        "box-units: \(isRelative ? "relative" : "pixels")\(todo): pixels of the model's input, or relative: fractions of it",
      ]
      if !boxes.hasOneClass {
        lines.append(
          "class-base: \(boxes.isSettled(by: metadata) || !countsFromOne ? 0 : 1)\(todo): the number of the first class, 0 or 1 (1 if 0 is the background)"
        )
      }
      if boxes.hasOneClass, case .one = boxes.outputs {
        lines.append(
          "row: \(DetectorRule.Row.boxScore.rawValue)\(todo): the order of the five values of a box: four numbers and its score"
        )
      } else if boxes.hasImageFirst {
        let row: DetectorRule.Row = boxes.isOfOneImage ? .imageBoxClassScore : .imageClassScoreBox
        lines.append(
          "row: \(row.rawValue)\(todo): the order of the seven values of a box, or \(row.others.joined(separator: ", "))"
        )
      } else if boxes.isOfOneImage {
        let row = DetectorRule.Row.classScoreBox
        lines.append(
          "row: \(row.rawValue)\(todo): PaddleDetection's order of the six values of a box, or"
            + " \(row.others.joined(separator: ", "))")
      }
    } else {
      let isRelative = metadata.isRTDETR || isDETR(boxes, outputs)
      lines += [
        "head: boxes",
        "box-order: cxcywh\(todo): xyxy, yxyx, xywh or cxcywh (the center, width and height)",
        "box-units: \(isRelative ? "relative" : "pixels")\(todo): pixels of the model's input, or relative: fractions of it",
      ]
    }
    return lines
  }

  /// The lines that name the outputs and the values of a box beside its numbers.
  private static func outputLines(
    _ boxes: BoxGuess, _ outputs: [TensorSignature], _ metadata: ModelMetadata
  ) -> [String] {
    let todo = ModelManifest.todo
    var lines: [String] = []
    switch boxes.outputs {
    case .one(let place):
      if !boxes.isGrid, !boxes.isFinal {
        let width = boxes.classes + (boxes.hasObjectness ? 5 : 4)
        if let stated = boxes.objectness(of: metadata.names.count) {
          lines.append(
            "objectness: \(stated ? "yes" : "no")  # the file names \(metadata.names.count) classes"
          )
        } else {
          lines.append(
            "objectness: \(boxes.hasObjectness ? "yes" : "no")\(todo): no if the \(width) values of a box are 4"
              + " numbers and \(width - 4) scores of classes; yes if 4, an objectness and \(width - 5)"
          )
        }
      }
      if boxes.extra > 0 {
        if metadata.task == "obb" {
          lines.append("angle: radians  # the last value of each box is its rotation")
        } else if let keypoints = metadata.keypoints {
          lines.append(
            "keypoints: \(keypoints.points)x\(keypoints.values)  # x, y\(keypoints.values == 3 ? " and a score" : "") of each keypoint"
          )
        } else {
          lines.append("masks: \(boxes.extra)  # coefficients of each box's mask")
          if let prototypes = prototypes(outputs, besides: place, count: boxes.extra) {
            lines.append(
              "masks-output: \(ModelManifest.quoted(prototypes.name))  # the prototypes of the masks"
            )
          }
        }
      }
      if outputs.count > 1 {
        lines.append(
          "output: \(ModelManifest.quoted(outputs[place].name))\(todo): the output to read")
      }
    case .chosen(let place, let scores, let labels, let count):
      lines.append("boxes-output: \(ModelManifest.quoted(outputs[place].name))\(todo)")
      if let scores {
        lines.append("scores-output: \(ModelManifest.quoted(outputs[scores].name))\(todo)")
      }
      if let labels {
        lines.append(
          "labels-output: \(ModelManifest.quoted(outputs[labels].name))\(todo): the numbers of the classes"
        )
      }
      if let count {
        lines.append(
          "count-output: \(ModelManifest.quoted(outputs[count].name))\(todo): the number of boxes")
      }
      if let masks = boxes.masks {
        lines += [
          "masks-output: \(ModelManifest.quoted(outputs[masks].name))\(todo): a grid of probabilities for each box",
          "masks-frame: \(boxes.maskFrame.rawValue)\(todo): the part of the input that each grid fills, box or input",
          "threshold: \(ModelManifest.usualThreshold)\(todo): the minimum probability inside a mask",
        ]
      }
      if let (place, form) = boxes.keypoints {
        lines += [
          "keypoints-output: \(ModelManifest.quoted(outputs[place].name))\(todo)",
          "keypoints: \(form.points)x\(form.values)  # x, y\(form.values == 3 ? " and a score" : "") of each",
        ]
      }
    case .two(let place, let scores):
      lines.append("boxes-output: \(ModelManifest.quoted(outputs[place].name))\(todo)")
      lines.append("scores-output: \(ModelManifest.quoted(outputs[scores].name))\(todo)")
    }
    return lines
  }

  /// The lines by which boxes are chosen.
  private static func choiceLines(
    _ boxes: BoxGuess, _ outputs: [TensorSignature], _ metadata: ModelMetadata
  ) -> [String] {
    let todo = ModelManifest.todo
    guard !boxes.isFinal else {
      return [
        "score: \(DetectorRule.usualLeastScore)\(todo): the minimum score of a box",
        "nms: 1\(todo): the maximum IoU with a better box of the same class; 1 keeps all",
      ]
    }
    // DETR and its relatives give a box once, and logits.
    let isSet = isDETR(boxes, outputs) || metadata.isRTDETR
    let activation =
      metadata.isRTDETR ? Activation.none : metadata.isDETR ? metadata.statedActivation : nil
    var lines: [String] = []
    if activation == .softmax {
      lines.append("box-classes: best\(todo): best for the best class of each box only, or all")
    }
    return lines + [
      "activation: \(activation?.rawValue ?? "none")\(todo): none if the scores are probabilities, else sigmoid or softmax"
        + (isDETR(boxes, outputs)
          ? " (logits: softmax with a class for no object, as DETR, or sigmoid)" : ""),
      "score: \(DetectorRule.usualLeastScore)\(todo): the minimum score of a box",
      "nms: \(isSet ? "1" : "\(DetectorRule.usualOverlap)")\(todo): the maximum IoU with a better box of the same class; 1 keeps all",
    ]
  }

  /// True if the outputs have the names of Hugging Face's DETR family.
  private static func isDETR(_ boxes: BoxGuess, _ outputs: [TensorSignature]) -> Bool {
    guard case .two(let boxes, let scores) = boxes.outputs else { return false }
    return outputs[boxes].name == "pred_boxes" && outputs[scores].name == "logits"
  }

  /// True if the outputs have the names of TensorRT's non-maximum suppression, which counts classes from 0.
  private static func isTensorRT(_ outputs: [TensorSignature]) -> Bool {
    outputs.contains { $0.name == "det_classes" }
  }

  /// The output with that many maps over the input; `nil` if none or several have them.
  private static func prototypes(
    _ outputs: [TensorSignature], besides place: Int, count: Int
  ) -> TensorSignature? {
    let found = outputs.indices.filter { index in
      guard index != place, let shape = outputs[index].shape, shape.count == 4 else { return false }
      return shape[1] == count || shape[3] == count
    }
    return found.count == 1 ? outputs[found[0]] : nil
  }
}
