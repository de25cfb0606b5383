import AssayCore

extension ModelManifest {
  /// The end of a line whose value a person must check.
  static let todo = "  " + ManifestSection.openMarks[0]

  /// A draft of a manifest for a model, as far as it can be derived from the inputs and outputs.
  /// Lines that a person must fill in end in `# TODO`; the manifest is rejected until the markers
  /// are removed.
  ///
  /// - Parameters:
  ///   - name: the model's name.
  ///   - metadata: the facts that the file states; what they settle has no marker.
  package static func draft(
    for signature: ModelSignature, name: String, metadata: ModelMetadata = ModelMetadata()
  ) -> String {
    if let draft = centerDraft(signature, name, metadata) { return draft }
    if let draft = landmarkDraft(signature, name, metadata) { return draft }
    let input = InputGuess(signature.image, metadata)
    let grids = AnchorGuess(signature.outputs, input: input.size)
    let boxes =
      grids != nil
      ? nil
      : BoxGuess(
        signature.outputs, input: input.size, metadata: metadata, isBatched: signature.isBatched,
        batch: signature.image?.shape?.first ?? nil)
    let statedInput = input.stated(by: metadata)
    let isSettled =
      (boxes?.isSettled(by: metadata) ?? false) && (input.size != nil || statedInput != nil)
    func settled(_ lines: [String]) -> [String] { isSettled ? lines.map(withoutMarker) : lines }
    let mapPlace = signature.outputs.firstIndex { MapGuess($0.shape, of: input) != nil }
    let numbers =
      boxes == nil && mapPlace == nil
      ? ClassNumberGuess(signature.outputs, isBatched: signature.isBatched) : nil
    let place = mapPlace ?? numbers?.allScores ?? 0
    let output = signature.outputs.dropFirst(place).first
    let maps = boxes == nil && grids == nil ? MapGuess(output?.shape, of: input) : nil
    let isLabelMap = maps?.classes == 1 && output?.isInteger == true
    let isBinary =
      boxes == nil && maps == nil && numbers == nil && output.flatMap(classCount(of:)) == 1
    var lines = headerLines(signature)
    if let vector = vectorOutput(signature.outputs) {
      lines += [
        "# To keep this vector of each image beside the predictions, delete the number sign:",
        "# embedding: \(quoted(vector.name))",
      ]
    }
    lines += anomalyLines(signature.outputs)
    lines.append("name: \(quoted(name))")
    let pose = boxes == nil && grids == nil ? heatMaps(signature.outputs) : nil
    let points = boxes == nil && grids == nil && pose == nil ? onePose(signature.outputs) : nil
    if pose != nil {
      lines.append("task: detection\(todo): its output is named as heat maps of keypoints")
    } else if points != nil {
      lines.append("task: detection\(todo): its output looks like the keypoints of one object")
    } else if grids != nil {
      lines.append("task: detection\(todo): its outputs look like grids with anchors")
    } else if boxes != nil {
      lines += settled(["task: detection\(todo): its output looks like boxes with scores"])
    } else if maps != nil {
      lines.append("task: segmentation\(todo): its output looks like maps of regions")
      if isLabelMap {
        lines.append("label-map: yes\(todo): yes if it gives the number of each pixel's class")
      }
    } else if numbers?.labels != nil {
      lines.append("task: classification\(todo): its output looks like the number of the class")
    } else {
      let isLabels = metadata.statedTask.map { [.label, .labels].contains($0.output) } ?? false
      lines.append(
        (isLabels ? metadata.statedTask?.rawValue : nil).map {
          "task: \($0)  # as \(metadata.isUltralytics ? "the file" : "config.json") states it"
        }
          ?? "task: classification\(todo): classification for one class per image, multilabel if an image can have several"
      )
    }
    let isStated = metadata.statedTask != nil
    lines +=
      metadata.description.map { ["source: \(quoted($0))"] }
      ?? (isStated ? [] : ["source: where the model is from\(todo)"])
    lines +=
      metadata.license.map { ["license: \(quoted($0))"] }
      ?? (isStated ? [] : ["# license: its license, for people"])
    if isSettled, metadata.isUltralytics {
      lines.append("# as Ultralytics trains and exports, by the file's own statement")
    }
    if let statedInput {
      lines += statedInput
    } else {
      let own = inputLines(
        input, isGrid: boxes?.isGrid == true,
        isByColumns: !metadata.isRTDETR
          && (grids != nil || boxes?.isByColumns == true || boxes?.isFinal == true),
        tensor: signature.image)
      lines += metadata.isDETR ? own : settled(own)  // mean and deviation follow from no shape
    }
    lines += settled(constantLines(signature))
    if let pose = pose.map(heatMapLines) ?? points.map(pointLines) {
      lines += pose + classLines(1, metadata, "; one, such as person", isClassifier: false)
      return lines.joined(separator: "\n") + "\n"
    }
    if let grids {
      lines += anchorLines(grids, signature.outputs)
      lines += classLines(
        grids.classes, metadata, "; background is none", isClassifier: false)
      return lines.joined(separator: "\n") + "\n"
    }
    if let boxes {
      lines += settled(boxLines(boxes, signature.outputs, metadata))
      lines += classLines(
        boxes.classes, metadata,
        boxes.isFinal ? "; the model does not state their number" : "; background is none",
        isClassifier: false)
      return lines.joined(separator: "\n") + "\n"
    }
    if isLabelMap {
      lines += outputLine(signature, output)
      lines += classLines(
        2, metadata, "; also of those that are no class: background", isClassifier: false)
      return lines.joined(separator: "\n") + "\n"
    }
    if let numbers, let labels = numbers.labels {
      lines += classNumberLines(
        labels: signature.outputs[labels], scores: numbers.scores.map { signature.outputs[$0] })
      lines += classLines(
        1, metadata, "; the model does not state their number", isClassifier: false)
      return lines.joined(separator: "\n") + "\n"
    }
    lines.append(
      metadata.statedActivation.flatMap { activation in
        (metadata.statedTask?.output == .masks) == (maps != nil)
          ? "activation: \(activation.rawValue)  # the architecture's outputs are "
            + (activation == .none ? "probabilities" : "logits") : nil
      }
        ?? (maps?.classes == 1
          ? "activation: none\(todo): none if the model already applies a sigmoid, else sigmoid"
          : maps == nil
            ? "activation: none\(todo): none if the model already applies softmax or sigmoid; softmax or sigmoid for"
              + " logits (multilabel: sigmoid)"
            : "activation: none\(todo): none if the model already applies softmax, else softmax or sigmoid")
    )
    if output?.isInteger == true {
      lines += [
        "output-scale: 1/256\(todo): value = number * output-scale + output-offset, as the quantization states",
        "output-offset: 0\(todo)",
      ]
    }
    lines += outputLine(signature, output)
    if isBinary {
      lines.append(
        "positive: class 1\(todo): for one value per image and two classes, the class whose probability it is"
      )
    }
    if let maps, maps.isUnclear {
      lines.append(
        "output-layout: NCHW\(todo): NCHW or NHWC: classes before or after height and width")
    }
    if maps?.classes == 1 {
      lines.append("threshold: 0.5\(todo): the minimum probability inside a mask")
    }
    lines += classLines(
      isBinary ? 2 : maps?.classes ?? output.flatMap(classCount(of:)) ?? 0, metadata,
      maps == nil ? "" : "; background is none", isClassifier: maps == nil)
    return lines.joined(separator: "\n") + "\n"
  }

  /// The outputs of a classifier that gives the number of the class.
  private static func classNumberLines(
    labels: TensorSignature, scores: TensorSignature?
  ) -> [String] {
    ["labels-output: \(quoted(labels.name))\(todo): the number of the class"]
      + (scores.map { ["scores-output: \(quoted($0.name))\(todo): a score for each number"] } ?? [])
      + ["class-base: 0\(todo): the number of the first class, 0 or 1"]
  }

  /// The output beside others that is named as one with a vector for each image.
  private static func vectorOutput(_ outputs: [TensorSignature]) -> TensorSignature? {
    guard outputs.count > 1 else { return nil }
    return outputs.first { output in
      let name = output.name.lowercased()
      let isVector = output.shape.map { $0.dropFirst().filter { $0 != 1 }.count == 1 } ?? false
      return isVector && !output.isInteger
        && ["embed", "feature", "pooler"].contains { name.contains($0) }
    }
  }

  /// A remark on the two results of an anomaly detector, of which a manifest reads one.
  private static func anomalyLines(_ outputs: [TensorSignature]) -> [String] {
    guard outputs.contains(where: { $0.name.lowercased().contains("anomaly_map") }),
      let score = outputs.first(where: { $0.name.lowercased().contains("score") })
    else { return [] }
    return [
      "# An anomaly detector has two results: its map (task: segmentation) and its score (task: classification, output:",
      "# \(score.name), positive: anomalous, outputs: [normal, anomalous]). Add the file under two names to have both.",
    ]
  }

  /// The output that is read, for models with several.
  private static func outputLine(
    _ signature: ModelSignature, _ output: TensorSignature?
  ) -> [String] {
    signature.outputs.count > 1
      ? ["output: \(quoted(output?.name ?? ""))\(todo): the output to read"] : []
  }

  /// The inputs besides the image. Known names have a value.
  private static func constantLines(_ signature: ModelSignature) -> [String] {
    let others = signature.inputs.filter { $0 != signature.image }
    guard !others.isEmpty else { return [] }
    let known = [
      "pixel_mask": "1", "scale_factor": "[1, 1]", "im_shape": "[height, width]",
      "orig_target_sizes": "[width, height]", "orig_size": "[width, height]",
      "target_sizes": "[height, width]", "image_shape": "[height, width]",
    ]
    return ["constant-inputs:  # the model's other inputs; width and height are those of its image"]
      + others.map {
        "  \(quoted($0.name)): \(known[$0.name] ?? "0")\(todo): \($0.element) \($0.shapeText)"
      }
  }

  private static func inputLines(
    _ guess: InputGuess, isGrid: Bool, isByColumns: Bool, tensor: TensorSignature?
  ) -> [String] {
    let integer = tensor.flatMap { $0.isInteger ? $0.element : nil }
    let values =
      integer.map {
        [
          "  scale: 1  # an input of \($0) takes the pixels as they are",
          "  offset: \($0 == "i8" ? "-128" : "0")",
        ]
      }
      ?? [
        "  scale: \(isGrid ? "1" : "1/255")\(todo): a pixel of 0...255 becomes pixel * scale + offset",
        "  offset: 0\(todo)",
      ]
    return [
      "input:",
      "  width: \(guess.width ?? 224)\(guess.width == nil ? todo : "")",
      "  height: \(guess.height ?? 224)\(guess.height == nil ? todo : "")",
      "  layout: \(guess.layout?.rawValue ?? "\(guess.suggestsChannelsFirst ? "NCHW" : "NHWC")\(todo)")",
      "  color: "
        + (guess.channels == 1 ? "gray" : "\(isGrid ? "bgr" : "rgb")\(todo): gray, rgb or bgr"),
    ] + values
      + (isGrid || isByColumns
        ? [
          "  resize: letterbox\(todo): letterbox or stretch", "  fill: 114\(todo)",
          "  anchor: \(isGrid ? "top-left" : "center")\(todo): top-left or center",
        ] + (isGrid ? [] : ["  rounding: nearest\(todo): nearest as Ultralytics does, or down"])
        : [
          "  resize: stretch\(todo): stretch, shorter-crop, stretch-crop, center-crop or letterbox"
        ])
  }

  /// The keys of the lines of a draft that a person must fill in.
  package static func openKeys(ofDraft text: String) -> [String] {
    text.split(separator: "\n").filter { !$0.hasPrefix("#") && $0.contains(todo) }.map { line in
      String(line.drop { $0 == " " || $0 == "-" }.prefix { $0 != ":" && $0 != " " })
    }
  }

  /// A line as it is once its value was checked.
  private static func withoutMarker(_ line: String) -> String {
    line.firstRange(of: todo).map { String(line[..<$0.lowerBound]) } ?? line
  }

  private static func boxLines(
    _ boxes: BoxGuess, _ outputs: [TensorSignature], _ metadata: ModelMetadata
  ) -> [String] {
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
        "head: final\(todo): boxes that the model chose itself, each with a score and the number of its class",
        "box-order: \(order)\(todo): xyxy, yxyx (TensorFlow), xywh or cxcywh (the center, width and height)",
        "box-units: \(isRelative ? "relative" : "pixels")\(todo): pixels of the model's input, or relative: fractions of it",
        "class-base: \(boxes.isSettled(by: metadata) || !countsFromOne ? 0 : 1)\(todo): the number of the first class, 0 or 1 (1 if 0 is the background)",
      ]
      if boxes.hasImageFirst {
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
              "masks-output: \(quoted(prototypes.name))  # the prototypes of the masks")
          }
        }
      }
      if outputs.count > 1 {
        lines.append("output: \(quoted(outputs[place].name))\(todo): the output to read")
      }
    case .chosen(let place, let scores, let labels, let count):
      lines.append("boxes-output: \(quoted(outputs[place].name))\(todo)")
      if let scores { lines.append("scores-output: \(quoted(outputs[scores].name))\(todo)") }
      lines.append(
        "labels-output: \(quoted(outputs[labels].name))\(todo): the numbers of the classes")
      if let count {
        lines.append("count-output: \(quoted(outputs[count].name))\(todo): the number of boxes")
      }
      if let masks = boxes.masks {
        lines += [
          "masks-output: \(quoted(outputs[masks].name))\(todo): a grid of probabilities for each box",
          "masks-frame: \(boxes.maskFrame.rawValue)\(todo): the part of the input that each grid fills, box or input",
          "threshold: \(usualThreshold)\(todo): the minimum probability inside a mask",
        ]
      }
      if let (place, form) = boxes.keypoints {
        lines += [
          "keypoints-output: \(quoted(outputs[place].name))\(todo)",
          "keypoints: \(form.points)x\(form.values)  # x, y\(form.values == 3 ? " and a score" : "") of each",
        ]
      }
    case .two(let place, let scores):
      lines.append("boxes-output: \(quoted(outputs[place].name))\(todo)")
      lines.append("scores-output: \(quoted(outputs[scores].name))\(todo)")
    }
    guard !boxes.isFinal else {
      return lines + [
        "score: \(DetectorRule.usualLeastScore)\(todo): the minimum score of a box",
        "nms: 1\(todo): the maximum IoU with a better box of the same class; 1 keeps all",
      ]
    }
    // DETR and its relatives give a box once, and logits.
    let isSet = isDETR(boxes, outputs) || metadata.isRTDETR
    let activation =
      metadata.isRTDETR ? Activation.none : metadata.isDETR ? metadata.statedActivation : nil
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

  /// The placeholder name that a draft gives to the class of an output.
  private static func placeholder(_ index: Int) -> String { "class \(index)" }

  /// The classes that still have the placeholder names of a draft. Empty if the first class is
  /// named `background`: the others can then have the names of an unnamed mask's values.
  static func placeholders(among classes: [String]) -> [String] {
    guard classes.first != backgroundName else { return [] }
    return classes.enumerated().compactMap { index, name in
      name == placeholder(index) ? name : nil
    }
  }

  /// A remark about COCO's category ids if the number of classes is that of models with all of
  /// them; empty for other numbers.
  private static func numbersRemark(_ count: Int) -> String {
    let unused = "12, 26, 29, 30, 45, 66, 68, 69, 71 and 83"
    return switch count {
    case 91:
      "; if these are COCO's ids 0 to 90: 0 is background, and \(unused) name no class (write unused 12, …)"
    case 90:
      "; if output k is COCO's id k + 1: the ids \(unused) name no class (write unused 12, …)"
    default: ""
    }
  }

  static func classLines(
    _ count: Int, _ metadata: ModelMetadata, _ note: String, isClassifier: Bool
  ) -> [String] {
    if !metadata.names.isEmpty {
      return [
        "outputs:  # the names that the file states; if the dataset spells one otherwise: classes: {name: its name}"
      ] + metadata.names.map { "  - \(quoted($0))" }
    }
    var lines = [
      "classes:\(todo): the names in output order, as the dataset spells them"
        + note + numbersRemark(count)
    ]
    let listed = min(max(count, 1), 1000)
    for index in 0..<listed { lines.append("  - \(placeholder(index))") }
    if count > listed {
      lines.append(
        "\(todo): and \(count - listed) more" + (isClassifier ? "; is this a classifier?" : ""))
    }
    return lines
  }

  /// A tensor for a comment: a name from a file must not start a new line.
  static func singleLine(_ tensor: TensorSignature) -> String {
    String(
      "\(tensor)".map { character in
        character.isNewline || character.unicodeScalars.contains { $0.value < 0x20 }
          ? " " : character
      })
  }

  /// A text as YAML that is always read as a string.
  static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      default: scalar.value < 0x20 ? " " : String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }
}
