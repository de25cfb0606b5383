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
    let facts = DraftFacts(signature, metadata)
    let reading = DraftReading.first(of: facts)
    var lines = headerLines(signature)
    lines += reading.remarks
    if let vector = vectorOutput(signature.outputs) {
      lines += [
        "# To keep this vector of each image beside the predictions, delete the number sign:",
        "# embedding: \(quoted(vector.name))",
      ]
    }
    lines += anomalyLines(signature.outputs)
    lines.append("name: \(quoted(name))")
    lines += reading.task
    let isStated = metadata.statedTask != nil
    lines +=
      metadata.description.map { ["source: \(quoted($0))"] }
      ?? (isStated ? [] : ["source: where the model is from\(todo)"])
    lines +=
      metadata.license.map { ["license: \(quoted($0))"] }
      ?? (isStated ? [] : ["# license: its license, for people"])
    if reading.isSettled, metadata.isUltralytics {
      lines.append("# as Ultralytics trains and exports, by the file's own statement")
    }
    lines += inputLines(facts, reading)
    let constants = constantLines(signature)
    lines += reading.isSettled ? constants.map(withoutMarker) : constants
    lines += reading.lines
    lines += classLines(
      reading.classCount, reading.usesStatedNames ? metadata.names : [], reading.classNote,
      isClassifier: reading.isClassifier)
    return lines.joined(separator: "\n") + "\n"
  }

  /// True if one of the outputs is recognized by its form and what the file states.
  package static func recognizes(_ signature: ModelSignature, _ metadata: ModelMetadata) -> Bool {
    DraftReading.first(of: DraftFacts(signature, metadata)).isRecognized
  }

  /// The comments at the top: how to use the draft, and the inputs and outputs.
  private static func headerLines(_ signature: ModelSignature) -> [String] {
    [
      "# How assay preprocesses images for this model and reads its outputs. Fill in the lines",
      "# marked TODO: check the value, then delete the marker and the text after it.",
    ] + signature.inputs.map { "# input  \(singleLine($0))" }
      + signature.outputs.map { "# output \(singleLine($0))" }
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

  /// The lines of the input.
  private static func inputLines(_ facts: DraftFacts, _ reading: DraftReading) -> [String] {
    if case .own(let lines) = reading.input { return lines }
    if let stated = facts.statedInput { return stated }
    let lines = guessedInput(facts, reading.input)
    // Mean and deviation of a DETR follow from no shape.
    return reading.isSettled && !facts.metadata.isDETR ? lines.map(withoutMarker) : lines
  }

  /// The lines of an input that nothing states.
  private static func guessedInput(_ facts: DraftFacts, _ kind: DraftReading.Input) -> [String] {
    let (guess, tensor) = (facts.input, facts.signature.image)
    let isGrid = if case .grid = kind { true } else { false }
    let isPlain = if case .plain = kind { true } else { false }
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
      + (!isPlain
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
  static func withoutMarker(_ line: String) -> String {
    line.firstRange(of: todo).map { String(line[..<$0.lowerBound]) } ?? line
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

  /// The classes, by the names that the file states if there are any.
  private static func classLines(
    _ count: Int, _ names: [String], _ note: String, isClassifier: Bool
  ) -> [String] {
    if !names.isEmpty {
      return [
        "outputs:  # the names that the file states; if the dataset spells one otherwise: classes: {name: its name}"
      ] + names.map { "  - \(quoted($0))" }
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
  private static func singleLine(_ tensor: TensorSignature) -> String {
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
