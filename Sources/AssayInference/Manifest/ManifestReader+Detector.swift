import AssayCore
import AssayImaging

extension ModelManifest {
  /// The keys that only a detector has.
  static let detectorKeys = [
    "head", "strides", "box-order", "box-units", "objectness", "class-base", "row", "masks",
    "masks-output", "keypoints", "boxes-output", "scores-output", "labels-output", "count-output",
    "score", "nms",
    "max", "box-classes",
  ]

  /// Reads the detector settings of the manifest; `nil` for other tasks.
  static func parseDetector(
    _ top: ManifestSection, _ task: ModelTask, _ input: ModelInput
  ) throws(LocatedManifestFault) -> DetectorRule? {
    guard task.output == .objects else {
      if let key = detectorKeys.first(where: top.has) {
        throw top.complaint(key, .otherTask(key: key, owner: .detection, task))
      }
      return nil
    }
    switch input.resize {
    case .centerCrop, .shorterCrop: throw top.complaint("input", .croppedDetector)
    case .stretch, .letterbox, .edges: break
    }
    let head = try parseHead(top, input)
    let outputs = try parseOutputs(top, head)
    let ofOne = ["output", "objectness", "row", "masks", "masks-output", "keypoints"]
    if outputs != nil, let key = ofOne.first(where: top.has) {
      throw top.complaint(key, .keyOfOneOutput(key))
    }
    let masksOutput = try top.text("masks-output")
    if masksOutput != nil, !top.has("masks") {
      throw top.complaint("masks-output", .missing(key: "masks", example: "masks: 32"))
    }
    return DetectorRule(
      head: head, outputs: outputs,
      row: try top.choice("row", of: DetectorRule.Row.self, or: .boxScoreClass),
      maskCoefficients: top.has("masks") ? try top.count("masks", in: 1...1_024) : 0,
      masksOutput: masksOutput, keypoints: try parseKeypoints(top),
      hasObjectness: top.has("objectness")
        ? try top.choice("objectness", of: YesNo.self, or: nil) == .yes : nil,
      leastScore: try share(top, "score") ?? DetectorRule.usualLeastScore,
      overlap: try share(top, "nms")
        ?? (head.isFinal ? DetectorRule.finalOverlap : DetectorRule.usualOverlap),
      limit: top.has("max") ? try top.count("max", in: DetectorRule.limitRange) : nil,
      bestClassOnly: try top.choice("box-classes", of: BoxClasses.self, or: .all) == .best)
  }

  private static func parseHead(
    _ top: ManifestSection, _ input: ModelInput
  ) throws(LocatedManifestFault) -> DetectorRule.Head {
    let own: [HeadSpelling: [String]] = [
      .yolox: ["strides"],
      .boxes: [
        "box-order", "box-units", "objectness", "boxes-output", "scores-output", "masks",
        "masks-output", "keypoints",
      ],
      .final: [
        "box-order", "box-units", "class-base", "row", "boxes-output", "scores-output",
        "labels-output", "count-output", "masks", "masks-output", "keypoints",
      ],
    ]
    let head = try top.choice("head", of: HeadSpelling.self, or: nil)
    for other in HeadSpelling.allCases where other != head {
      if let key = own[other]?.first(where: { top.has($0) && own[head]?.contains($0) == false }) {
        throw top.complaint(key, .otherHead(key: key, owner: other.rawValue, head.rawValue))
      }
    }
    if head == .final, top.has("box-classes") {
      throw top.complaint(
        "box-classes", .otherHead(key: "box-classes", owner: "boxes", head.rawValue))
    }
    guard head == .yolox else {
      let order = try top.choice("box-order", of: BoxOrder.self, or: nil)
      let units = try top.choice("box-units", of: BoxUnits.self, or: nil)
      return head == .boxes
        ? .boxes(order, units)
        : .final(order, units, classBase: try top.count("class-base", in: 0...1))
    }
    let strides =
      top.has("strides") ? try top.counts("strides", limit: 8) : DetectorRule.usualStrides
    let size = input.size
    if let stride = strides.first(where: {
      !size.width.isMultiple(of: $0) || !size.height.isMultiple(of: $0)
    }) {
      throw top.complaint(
        top.has("strides") ? "strides" : "input", .noWholeCells(input: size, stride: stride))
    }
    return .yolox(strides: strides)
  }

  /// The names of several outputs; `nil` if one output has all.
  private static func parseOutputs(
    _ top: ManifestSection, _ head: DetectorRule.Head
  ) throws(LocatedManifestFault) -> DetectorRule.Outputs? {
    let (boxes, scores) = (try top.text("boxes-output"), try top.text("scores-output"))
    let (labels, count) = (try top.text("labels-output"), try top.text("count-output"))
    guard let boxes else {
      for key in ["scores-output", "labels-output", "count-output"] where top.has(key) {
        throw top.complaint(key, .missing(key: "boxes-output", example: "boxes-output: NAME"))
      }
      return nil
    }
    if head.isFinal, labels == nil {
      throw top.complaint(
        "boxes-output", .missing(key: "labels-output", example: "labels-output: NAME"))
    }
    if !head.isFinal, scores == nil {
      throw top.complaint(
        "boxes-output", .missing(key: "scores-output", example: "scores-output: NAME"))
    }
    return DetectorRule.Outputs(boxes: boxes, scores: scores, labels: labels, count: count)
  }

  /// The keypoints of each box; `nil` if it has none.
  private static func parseKeypoints(
    _ top: ManifestSection
  ) throws(LocatedManifestFault) -> KeypointForm? {
    guard let text = try top.text("keypoints") else { return nil }
    let parts = text.lowercased().split(separator: "x").map { Int($0) }
    guard parts.count == 2, let points = parts[0], let values = parts[1],
      (1...1_000).contains(points), (2...3).contains(values)
    else {
      throw top.complaint(
        "keypoints",
        .expected(
          key: "keypoints", "the number of points and of values each, such as 17x3", found: text))
    }
    return KeypointForm(points: points, values: values)
  }

  /// A number over 0 and at most 1; `nil` if the key is missing.
  static func share(_ top: ManifestSection, _ key: String) throws(LocatedManifestFault) -> Double? {
    guard top.has(key) else { return nil }
    guard let value = try top.numbers(key, channels: 1).first, value > 0, value <= 1 else {
      throw top.complaint(
        key,
        .outOfRange(
          key: key, value: try top.text(key) ?? "a list", range: "over 0 and at most 1"))
    }
    return value
  }

  /// Checks a detector's activation and classes for values that are not allowed.
  func detectorFault() -> (key: String, fault: ManifestFault)? {
    guard let detector else { return nil }
    if foreground.isEmpty { return ("classes", .onlyBackground) }
    if detector.head.isFinal, activation != .none {
      return ("activation", .activationOfFinal(activation))
    }
    if !input.hasFixedSize, let reader = fixedSizeReader(detector) {
      return ("input", .needsFixedSize(reader))
    }
    guard activation == .softmax else { return nil }
    if case .yolox = detector.head { return ("activation", .softmaxOfYOLOX) }
    return outputs.count == 1 ? ("activation", .softmaxOfOne) : nil
  }

  /// The key whose reading needs inputs of one size; `nil` if none does.
  private func fixedSizeReader(_ detector: DetectorRule) -> String? {
    if case .yolox = detector.head { return "head: yolox" }
    if detector.masksOutput != nil { return "masks-output" }
    return nil
  }
}
