import AssayCore
import AssayImaging

extension ModelManifest {
  /// The keys that only a detector has.
  static let detectorKeys = [
    "head", "strides", "grid-outputs", "anchors", "decode", "center-scale", "box-order",
    "box-units", "objectness", "class-base", "row", "masks",
    "masks-output", "masks-frame", "keypoints", "keypoints-output", "boxes-output", "scores-output",
    "labels-output", "count-output", "heat-maps-output", "keypoint-order", "keypoint-names",
    "keypoint-depth", "keypoint-axes", "score-activation", "anchors-per-cell",
    "angle", "score", "nms", "nms-kind",
    "max", "box-classes",
  ]

  /// Reads the detector settings of the manifest; `nil` for other tasks.
  static func parseDetector(
    _ top: ManifestSection, _ task: ModelTask, _ input: ModelInput
  ) throws(LocatedManifestFault) -> DetectorRule? {
    guard task.output == .objects else {
      let shared = task.output == .label ? classNumberKeys : []
      if let key = detectorKeys.first(where: { top.has($0) && !shared.contains($0) }) {
        throw top.complaint(key, .otherTask(key: key, owner: .detection, task))
      }
      return nil
    }
    switch input.resize {
    case .centerCrop, .shorterCrop, .stretchCrop: throw top.complaint("input", .croppedDetector)
    case .stretch, .letterbox, .edges: break
    }
    let head = try parseHead(top, input)
    if case .keypoints(let rule) = head { return try parsePose(top, rule) }
    if case .blazeface = head { return try parseBlazeFace(top, head) }
    let outputs = try parseOutputs(top, head)
    let ofOne =
      ["output", "objectness", "row", "masks", "angle"]
      + (head.isFinal ? [] : ["masks-output", "masks-frame", "keypoints", "keypoints-output"])
    if outputs != nil, let key = ofOne.first(where: top.has) {
      throw top.complaint(key, .keyOfOneOutput(key))
    }
    if outputs == nil || !head.isFinal, top.has("threshold") {
      throw top.complaint(
        "threshold", .otherTask(key: "threshold", owner: .segmentation, task))
    }
    try checkParts(top, hasSeveral: outputs != nil)
    if top.has("angle"), let order = head.boxes?.order, order != .cxcywh {
      throw top.complaint("angle", .angleOfEdges(order))
    }
    if top.has("angle"), let key = ["masks", "keypoints"].first(where: top.has) {
      throw top.complaint(key, .angleAndParts(key))
    }
    let keypoints = try parseKeypoints(top)
    return DetectorRule(
      head: head, outputs: outputs, grids: try parseGrids(top, head),
      row: try top.choice("row", of: DetectorRule.Row.self, or: .boxScoreClass),
      maskCoefficients: top.has("masks") ? try top.count("masks", in: 1...1_024) : 0,
      masksOutput: outputs == nil ? try top.text("masks-output") : nil,
      maskFrame: try top.choice("masks-frame", of: MaskFrame.self, or: .box),
      maskThreshold: try share(top, "threshold") ?? usualThreshold,
      keypoints: keypoints,
      angle: top.has("angle") ? try top.choice("angle", of: AngleUnit.self, or: nil) : nil,
      hasObjectness: top.has("objectness")
        ? try top.choice("objectness", of: YesNo.self, or: nil) == .yes : nil,
      leastScore: try share(top, "score") ?? DetectorRule.usualLeastScore,
      overlap: try share(top, "nms")
        ?? (head.isFinal ? DetectorRule.finalOverlap : DetectorRule.usualOverlap),
      limit: top.has("max") ? try top.count("max", in: DetectorRule.limitRange) : nil,
      bestClassOnly: try top.choice("box-classes", of: BoxClasses.self, or: .all) == .best,
      keypointNames: try parseKeypointNames(top, keypoints))
  }

  private static func parseHead(
    _ top: ManifestSection, _ input: ModelInput
  ) throws(LocatedManifestFault) -> DetectorRule.Head {
    let own: [HeadSpelling: [String]] = [
      .yolox: ["strides"],
      .anchors: ["strides", "grid-outputs", "anchors", "decode", "center-scale"],
      .keypoints: [
        "keypoints", "heat-maps-output", "keypoints-output", "keypoint-order", "scores-output",
        "box-units", "decode", "keypoint-names", "keypoint-depth", "keypoint-axes",
        "score-activation",
      ],
      .blazeface: [
        "strides", "anchors-per-cell", "box-units", "boxes-output", "scores-output", "keypoints",
        "keypoint-names", "nms-kind",
      ],
      .boxes: [
        "box-order", "box-units", "objectness", "boxes-output", "scores-output", "masks",
        "masks-output", "keypoints", "keypoint-names", "angle",
      ],
      .final: [
        "box-order", "box-units", "class-base", "row", "boxes-output", "scores-output",
        "labels-output", "count-output", "masks", "masks-output", "masks-frame", "keypoints",
        "keypoints-output", "keypoint-names", "angle",
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
    if head == .keypoints { return .keypoints(try parsePoseRule(top)) }
    if head == .blazeface { return .blazeface(try parseCenterRule(top, input)) }
    guard head == .yolox || head == .anchors else {
      let order = try top.choice("box-order", of: BoxOrder.self, or: nil)
      let units = try top.choice("box-units", of: BoxUnits.self, or: nil)
      guard head == .final else { return .boxes(order, units) }
      return .final(order, units, classBase: try parseClassBase(top))
    }
    if head == .anchors, !top.has("strides") {
      throw top.complaint("strides", .missing(key: "strides", example: "strides: [8, 16, 32]"))
    }
    let strides =
      top.has("strides")
      ? try top.counts("strides", limit: 8) : DetectorRule.usualStrides
    try checkCells(top, strides, input.size)
    return head == .yolox
      ? .yolox(strides: strides) : .anchors(try parseAnchors(top, strides: strides))
  }

  /// The number of the first class of chosen boxes; `nil` if they have no numbers.
  private static func parseClassBase(
    _ top: ManifestSection
  ) throws(LocatedManifestFault) -> Int? {
    let row = try top.choice("row", of: DetectorRule.Row.self, or: .boxScoreClass)
    let hasNumbers =
      top.has("boxes-output") ? top.has("labels-output") : row.places.label != nil
    guard !hasNumbers else { return try top.count("class-base", in: 0...1) }
    if top.has("class-base") { throw top.complaint("class-base", .classBaseWithoutNumbers) }
    return nil
  }

  /// Checks that strides divide the input into whole cells.
  static func checkCells(
    _ top: ManifestSection, _ strides: [Int], _ size: ImageSize
  ) throws(LocatedManifestFault) {
    if let stride = strides.first(where: {
      !size.width.isMultiple(of: $0) || !size.height.isMultiple(of: $0)
    }) {
      throw top.complaint(
        top.has("strides") ? "strides" : "input", .noWholeCells(input: size, stride: stride))
    }
  }

  /// The maximum number of anchors of each cell.
  static let anchorLimit = 64

  private static func parseAnchors(
    _ top: ManifestSection, strides: [Int]
  ) throws(LocatedManifestFault) -> AnchorRule {
    let lists = try top.numberLists("anchors", example: "anchors: [[10,13, 16,30], [30,61, 62,45]]")
    guard lists.count == strides.count else {
      throw top.complaint(
        "anchors",
        .expected(
          key: "anchors", "a list of widths and heights for each of the \(strides.count) strides",
          found: "\(lists.count) lists"))
    }
    let count = lists.first?.count ?? 0
    guard count > 0, count.isMultiple(of: 2), count <= 2 * anchorLimit,
      lists.allSatisfy({ $0.count == count && $0.allSatisfy { $0 > 0 && $0 <= 65_536 } })
    else {
      throw top.complaint(
        "anchors",
        .expected(
          key: "anchors",
          "a width and a height over 0 for each anchor, in pixels, and as many anchors for each stride",
          found: "lists of \(lists.map { "\($0.count)" }.joined(separator: ", ")) numbers"))
    }
    let decode = try top.choice("decode", of: AnchorRule.Decode.self, or: nil)
    var scales = [Double](repeating: 1, count: strides.count)
    if top.has("center-scale") {
      guard decode == .yolov3 else {
        throw top.complaint("center-scale", .centerScaleFixed)
      }
      let given = try top.numbers("center-scale", channels: strides.count)
      guard given.allSatisfy({ $0 >= 1 && $0 <= 2 }) else {
        throw top.complaint(
          "center-scale",
          .outOfRange(key: "center-scale", value: "\(given)", range: "from 1 to 2"))
      }
      scales = given.count == 1 ? scales.map { _ in given[0] } : given
    }
    return AnchorRule(
      strides: strides,
      anchors: lists.map { list in
        stride(from: 0, to: list.count, by: 2).map {
          AnchorRule.Anchor(width: list[$0], height: list[$0 + 1])
        }
      }, decode: decode, centerScales: scales)
  }

  /// The outputs with raw grids; `nil` for other heads.
  private static func parseGrids(
    _ top: ManifestSection, _ head: DetectorRule.Head
  ) throws(LocatedManifestFault) -> [String]? {
    guard case .anchors(let rule) = head else { return nil }
    if top.has("output") { throw top.complaint("output", .keyOfOneOutput("output")) }
    guard top.has("grid-outputs") else {
      throw top.complaint(
        "grid-outputs", .missing(key: "grid-outputs", example: "grid-outputs: [NAME, NAME, NAME]"))
    }
    let names = try top.names("grid-outputs", limit: 8)
    guard names.count == rule.strides.count, Set(names).count == names.count else {
      throw top.complaint(
        "grid-outputs",
        .expected(
          key: "grid-outputs", "\(rule.strides.count) different outputs, one for each stride",
          found: "[\(names.joined(separator: ", "))]"))
    }
    return names
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
    if !head.isFinal, scores == nil {
      throw top.complaint(
        "boxes-output", .missing(key: "scores-output", example: "scores-output: NAME"))
    }
    return DetectorRule.Outputs(
      boxes: boxes, scores: scores, labels: labels, count: count,
      keypoints: try top.text("keypoints-output"), masks: try top.text("masks-output"))
  }

  /// Checks that keys of masks and keypoints have those that they need.
  private static func checkParts(
    _ top: ManifestSection, hasSeveral: Bool
  ) throws(LocatedManifestFault) {
    let needs =
      hasSeveral
      ? [
        ("masks-output", "masks-frame", "masks-frame: box or input"),
        ("masks-frame", "masks-output", "masks-output: NAME"),
        ("threshold", "masks-output", "masks-output: NAME"),
        ("keypoints-output", "keypoints", "keypoints: 17x3"),
        ("keypoints", "keypoints-output", "keypoints-output: NAME"),
      ]
      : [
        ("masks-output", "masks", "masks: 32"),
        ("masks-frame", "boxes-output", "boxes-output: NAME"),
        ("keypoints-output", "boxes-output", "boxes-output: NAME"),
      ]
    if let (key, needed, example) = needs.first(where: { top.has($0.0) && !top.has($0.1) }) {
      throw top.complaint(key, .missing(key: needed, example: example))
    }
  }

  /// The keypoints of each box; `nil` if it has none.
  static func parseKeypoints(
    _ top: ManifestSection, values allowed: ClosedRange<Int> = 2...3
  ) throws(LocatedManifestFault) -> KeypointForm? {
    guard let text = try top.text("keypoints") else { return nil }
    let parts = text.lowercased().split(separator: "x").map { Int($0) }
    guard parts.count == 2, let points = parts[0], let values = parts[1],
      (1...1_000).contains(points), allowed.contains(values)
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
    if case .final(_, _, nil) = detector.head, outputs.count > 1 {
      return ("classes", .classesWithoutNumbers(outputs.count))
    }
    if detector.head.isFinal, activation != .none {
      return ("activation", .activationOfFinal(activation))
    }
    if !input.hasFixedSize, let reader = fixedSizeReader(detector) {
      return ("input", .needsFixedSize(reader))
    }
    if input.resize.isBetweenPixels, detector.masksOutput != nil || detector.hasMasks {
      return ("input", .masksBetweenPixels("a model with masks"))
    }
    guard activation == .softmax else { return nil }
    switch detector.head {
    case .keypoints:
      return ("activation", .softmaxOfCells(head: HeadSpelling.keypoints.rawValue))
    case .yolox: return ("activation", .softmaxOfCells(head: HeadSpelling.yolox.rawValue))
    case .anchors: return ("activation", .softmaxOfCells(head: HeadSpelling.anchors.rawValue))
    case .blazeface: return ("activation", .softmaxOfOne)
    case .boxes, .final: break
    }
    return outputs.count == 1 ? ("activation", .softmaxOfOne) : nil
  }

  /// The key whose reading needs inputs of one size; `nil` if none does.
  private func fixedSizeReader(_ detector: DetectorRule) -> String? {
    switch detector.head {
    case .yolox: return "head: yolox"
    case .anchors: return "head: anchors"
    case .blazeface: return "head: blazeface"
    case .keypoints: return "head: keypoints"
    case .boxes, .final: break
    }
    if detector.angle != nil { return "angle" }
    if detector.masksOutput != nil { return "masks-output" }
    if detector.hasMasks, detector.maskFrame == .input { return "masks-frame: input" }
    return nil
  }
}
