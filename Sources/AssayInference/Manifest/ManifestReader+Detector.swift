import AssayCore
import AssayImaging

extension ModelManifest {
  /// The keys that only a detector has.
  static let detectorKeys = [
    "head", "strides", "box-order", "box-units", "boxes-output", "scores-output", "score", "nms",
    "max", "box-classes",
  ]

  /// What the manifest says of a detector's outputs; `nil` for other tasks.
  static func parseDetector(
    _ top: ManifestSection, _ task: ModelTask, _ input: ModelInput
  ) throws(LocatedManifestFault) -> DetectorRule? {
    guard task.output == .objects else {
      if let key = detectorKeys.first(where: top.has) {
        throw top.complaint(key, .otherTask(key: key, owner: .detection, task))
      }
      return nil
    }
    guard input.resize != .centerCrop else { throw top.complaint("input", .croppedDetector) }
    let head = try parseHead(top, input)
    let outputs = try parsePair(top, head)
    if outputs != nil, top.has("output") { throw top.complaint("output", .pairAndOutput) }
    return DetectorRule(
      head: head, outputs: outputs,
      leastScore: try share(top, "score") ?? DetectorRule.usualLeastScore,
      overlap: try share(top, "nms") ?? DetectorRule.usualOverlap,
      limit: top.has("max") ? try top.count("max", in: DetectorRule.limitRange) : nil,
      bestClassOnly: try top.choice("box-classes", of: BoxClasses.self, or: .all) == .best)
  }

  private static func parseHead(
    _ top: ManifestSection, _ input: ModelInput
  ) throws(LocatedManifestFault) -> DetectorRule.Head {
    let own: [HeadSpelling: [String]] = [
      .yolox: ["strides"], .boxes: ["box-order", "box-units", "boxes-output", "scores-output"],
    ]
    let head = try top.choice("head", of: HeadSpelling.self, or: nil)
    for other in HeadSpelling.allCases where other != head {
      if let key = own[other]?.first(where: top.has) {
        throw top.complaint(key, .otherHead(key: key, owner: other.rawValue, head.rawValue))
      }
    }
    guard head == .yolox else {
      return .boxes(
        try top.choice("box-order", of: BoxOrder.self, or: nil),
        try top.choice("box-units", of: BoxUnits.self, or: nil))
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

  private static func parsePair(
    _ top: ManifestSection, _ head: DetectorRule.Head
  ) throws(LocatedManifestFault) -> DetectorRule.Outputs? {
    let (boxes, scores) = (try top.text("boxes-output"), try top.text("scores-output"))
    switch (boxes, scores) {
    case (nil, nil): return nil
    case (let boxes?, let scores?): return DetectorRule.Outputs(boxes: boxes, scores: scores)
    case (nil, _):
      throw top.complaint(
        "scores-output", .missing(key: "boxes-output", example: "boxes-output: NAME"))
    case (_, nil):
      throw top.complaint(
        "boxes-output", .missing(key: "scores-output", example: "scores-output: NAME"))
    }
  }

  /// A number over 0 and at most 1; `nil` where the key is missing.
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

  /// Checks what a detector's activation and classes must not be.
  func detectorFault() -> (key: String, fault: ManifestFault)? {
    guard let detector else { return nil }
    if foreground.isEmpty { return ("classes", .onlyBackground) }
    guard activation == .softmax else { return nil }
    if case .yolox = detector.head { return ("activation", .softmaxOfYOLOX) }
    return outputs.count == 1 ? ("activation", .softmaxOfOne) : nil
  }
}
