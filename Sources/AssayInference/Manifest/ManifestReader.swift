import AssayCore
import AssayImaging
import Yams

extension ModelManifest {
  /// The maximum size of a manifest in bytes: 1 MiB.
  package static let sizeLimit = 1 << 20
  /// The maximum number of classes of a model.
  package static let classLimit = 100_000

  /// Reads a manifest from a file.
  ///
  /// - Returns: the manifest and its text.
  /// - Throws: ``InferenceError``.
  package static func read(_ path: String) throws(InferenceError) -> (
    manifest: ModelManifest, text: String
  ) {
    let bytes = try FileBytes.all(of: path, limit: sizeLimit)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .manifest(path: path, line: nil, .syntax("it is not UTF-8"))
    }
    return (try ModelManifest(yaml: text, path: path), text)
  }

  /// Reads a manifest's text; an unknown key is an error.
  ///
  /// - Parameter path: the path of its file, for messages.
  /// - Throws: ``InferenceError/manifest(path:line:_:)``.
  package init(yaml text: String, path: String) throws(InferenceError) {
    do throws(LocatedManifestFault) {
      self = try Self.parse(text)
    } catch {
      throw .manifest(path: path, line: error.line, error.fault)
    }
  }

  private static func parse(_ text: String) throws(LocatedManifestFault) -> ModelManifest {
    let top = try ManifestSection(yaml: text)
    try top.allow(
      [
        "name", "task", "source", "licence", "license", "notes", "input", "activation", "output",
        "output-layout", "output-scale", "output-offset", "label-map", "positive", "threshold",
        "outputs", "classes",
      ] + detectorKeys)
    let input = try parseInput(top.section("input", example: "input: {width: 64, height: 64, …}"))
    let task = try top.choice("task", of: ModelTask.self, or: nil)
    let (outputs, renamed) = try parseClasses(top)
    let licenseKey = top.has("license") ? "license" : "licence"
    let manifest = ModelManifest(
      name: try top.text("name"),
      task: task, input: input,
      activation: try top.choice("activation", of: Activation.self, or: Activation.none),
      positive: try top.text("positive"),
      isLabelMap: try top.choice("label-map", of: YesNo.self, or: .no) == .yes,
      outputScale: try parseOutputScale(top, task),
      output: try top.text("output"),
      outputLayout: top.has("output-layout")
        ? try top.choice("output-layout", of: ModelInput.Layout.self, or: nil) : nil,
      threshold: try share(top, "threshold"),
      detector: try parseDetector(top, task, input), outputs: outputs, renamed: renamed,
      source: try top.text("source"),
      license: try top.text(licenseKey), notes: try top.text("notes"))
    if let (key, fault) = manifest.masksFault() ?? manifest.detectorFault()
      ?? manifest.labelsFault() ?? manifest.binaryFault()
    {
      throw top.complaint(key, fault)
    }
    return manifest
  }

  private static func parseInput(_ section: ManifestSection) throws(LocatedManifestFault)
    -> ModelInput
  {
    var section = section
    try section.allow([
      "preset", "width", "height", "layout", "colour", "color", "scale", "offset", "mean", "std",
      "resize", "filter", "shorter", "fill", "anchor", "rounding",
    ])
    let preset =
      section.has("preset")
      ? try section.choice("preset", of: InputPreset.self, or: nil) : nil
    if let preset { section = section.filled(from: preset.values(replacing: section.has)) }
    let width = try section.count("width")
    let height = try section.count("height")
    guard let size = ImageSize.checked(width: width, height: height) else {
      throw section.complaint(
        "height",
        .outOfRange(
          key: "width × height", value: "\(width) × \(height)",
          range: "at most \(ImageSize.pixelLimit) pixels"))
    }
    let colorKey = section.has("color") ? "color" : "colour"
    let color = try section.choice(colorKey, of: ModelInput.Color.self, or: nil)
    let (scale, offset) = try parseValues(section, color)
    return ModelInput(
      size: size, layout: try section.choice("layout", of: ModelInput.Layout.self, or: nil),
      color: color, scale: scale, offset: offset, resize: try parseResize(section, size),
      filter: try section.choice("filter", of: ResizeFilter.self, or: .bilinear))
  }

  /// Scale and offset, also from mean and standard deviation: of pixels in 0...1,
  /// (pixel / 255 − mean) / std.
  private static func parseValues(
    _ section: ManifestSection, _ color: ModelInput.Color
  ) throws(LocatedManifestFault) -> (scale: [Double], offset: [Double]) {
    guard section.has("mean") || section.has("std") else {
      return (
        try parseScale(section, color), try section.numbers("offset", channels: color.channels)
      )
    }
    if let key = ["scale", "offset"].first(where: section.has) {
      throw section.complaint(key, .meanAndScale)
    }
    let mean = try section.numbers("mean", channels: color.channels)
    let deviation = try section.numbers("std", channels: color.channels)
    guard deviation.allSatisfy({ $0 > 0 }) else {
      throw section.complaint(
        "std", .outOfRange(key: "std", value: "\(deviation)", range: "above 0"))
    }
    let count = max(mean.count, deviation.count)
    let each = (0..<count).map {
      (mean[mean.count == 1 ? 0 : $0], deviation[deviation.count == 1 ? 0 : $0])
    }
    return (each.map { 1 / (255 * $0.1) }, each.map { -$0.0 / $0.1 })
  }

  /// The conversion of quantized outputs; `nil` if the manifest has none.
  private static func parseOutputScale(
    _ top: ManifestSection, _ task: ModelTask
  ) throws(LocatedManifestFault) -> OutputScale? {
    let keys = ["output-scale", "output-offset"]
    guard let key = keys.first(where: top.has) else { return nil }
    guard task.output != .objects else {
      throw top.complaint(key, .otherTask(key: key, owner: .classification, task))
    }
    if let missing = keys.first(where: { !top.has($0) }) {
      throw top.complaint(key, .halfOutputScale(missing: missing))
    }
    guard let scale = try top.numbers("output-scale", channels: 1).first,
      let offset = try top.numbers("output-offset", channels: 1).first, scale > 0
    else {
      throw top.complaint(
        "output-scale",
        .outOfRange(
          key: "output-scale", value: try top.text("output-scale") ?? "0", range: "above 0"))
    }
    return OutputScale(scale: scale, offset: offset)
  }

  /// The scale, which must not be 0: every image would look the same to the model.
  private static func parseScale(
    _ section: ManifestSection, _ color: ModelInput.Color
  ) throws(LocatedManifestFault) -> [Double] {
    let scale = try section.numbers("scale", channels: color.channels)
    guard !scale.contains(0) else {
      throw section.complaint(
        "scale", .outOfRange(key: "scale", value: "0", range: "a number other than 0"))
    }
    return scale
  }

  private static func parseResize(
    _ section: ManifestSection, _ size: ImageSize
  ) throws(LocatedManifestFault) -> ResizeRule {
    let rule = try section.choice("resize", of: ResizeSpelling.self, or: nil)
    if rule != .letterbox, let key = ["fill", "anchor", "rounding"].first(where: section.has) {
      throw section.complaint(key, .fillWithoutLetterbox)
    }
    if rule != .shorterCrop, section.has("shorter") {
      throw section.complaint("shorter", .shorterWithoutCrop)
    }
    switch rule {
    case .stretch: return .stretch
    case .centerCrop: return .centerCrop
    case .shorterCrop:
      let least = max(size.width, size.height)
      return .shorterCrop(shorter: try section.count("shorter", in: least...65_536))
    case .letterbox: break
    }
    let fill = section.has("fill") ? try section.count("fill", in: 0...255) : 0
    return .letterbox(
      fill: UInt8(clamping: fill),
      anchor: try section.choice("anchor", of: LetterboxAnchor.self, or: .center),
      rounding: try section.choice("rounding", of: LetterboxRounding.self, or: .down))
  }

  /// The model's names in output order, and the dataset's if they differ.
  private static func parseClasses(_ top: ManifestSection) throws(LocatedManifestFault) -> (
    outputs: [String], renamed: [String: String]
  ) {
    let listsOutputs = top.has("outputs")
    let mapsClasses = top.isMap("classes")
    if mapsClasses, !listsOutputs { throw top.complaint("classes", .orderUnknown) }
    if listsOutputs, top.has("classes"), !mapsClasses {
      throw top.complaint("classes", .twoLists)
    }
    let key = listsOutputs ? "outputs" : "classes"
    let outputs = try top.names(key, limit: classLimit)
    var seen: Set<String> = []
    var renamed: [String: String] = [:]
    if mapsClasses {
      for (name, target) in try top.section("classes", example: "").texts() {
        guard outputs.contains(name) else {
          let near = NearMiss.suggestion(for: name, among: outputs)
          throw top.complaint("classes", .unknownOutput(name, suggestion: near))
        }
        renamed[name] = target
      }
    }
    let placeholders = listsOutputs ? [] : ModelManifest.placeholders(among: outputs)
    if !placeholders.isEmpty {
      throw top.complaint(key, .placeholders(placeholders, of: outputs.count))
    }
    for name in outputs where !seen.insert(renamed[name] ?? name).inserted {
      throw top.complaint(key, .duplicateClass(renamed[name] ?? name))
    }
    return (outputs, renamed)
  }
}

extension ModelManifest {
  /// The keys that only a detector has.
  static let detectorKeys = [
    "head", "strides", "box-order", "box-units", "objectness", "class-base", "row", "masks",
    "keypoints", "boxes-output", "scores-output", "labels-output", "count-output", "score", "nms",
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
    case .stretch, .letterbox: break
    }
    let head = try parseHead(top, input)
    let outputs = try parseOutputs(top, head)
    if outputs != nil, top.has("output") { throw top.complaint("output", .pairAndOutput) }
    if outputs != nil, top.has("objectness") {
      throw top.complaint("objectness", .objectnessOfPair)
    }
    return DetectorRule(
      head: head, outputs: outputs,
      row: try top.choice("row", of: DetectorRule.Row.self, or: .boxScoreClass),
      extraValues: try parseExtraValues(top, outputs),
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
        "keypoints",
      ],
      .final: [
        "box-order", "box-units", "class-base", "row", "boxes-output", "scores-output",
        "labels-output", "count-output", "masks", "keypoints",
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
    if top.has("row") { throw top.complaint("row", .pairAndOutput) }
    return DetectorRule.Outputs(boxes: boxes, scores: scores, labels: labels, count: count)
  }

  /// The number of values of each box that are not read.
  private static func parseExtraValues(
    _ top: ManifestSection, _ outputs: DetectorRule.Outputs?
  ) throws(LocatedManifestFault) -> Int {
    guard let key = ["masks", "keypoints"].first(where: top.has) else { return 0 }
    guard outputs == nil else { throw top.complaint(key, .pairAndOutput) }
    let masks = top.has("masks") ? try top.count("masks", in: 1...1_024) : 0
    guard let text = try top.text("keypoints") else { return masks }
    let parts = text.lowercased().split(separator: "x").map { Int($0) }
    guard parts.count == 2, let points = parts[0], let values = parts[1],
      (1...1_000).contains(points), (2...3).contains(values)
    else {
      throw top.complaint(
        "keypoints",
        .expected(
          key: "keypoints", "the number of points and of values each, such as 17x3", found: text))
    }
    return masks + points * values
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
    guard activation == .softmax else { return nil }
    if case .yolox = detector.head { return ("activation", .softmaxOfYOLOX) }
    return outputs.count == 1 ? ("activation", .softmaxOfOne) : nil
  }
}
