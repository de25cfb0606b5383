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
  /// - Returns: the manifest and its text, with the names of a file of classes in place.
  /// - Throws: ``InferenceError``.
  package static func read(_ path: String) throws(InferenceError) -> (
    manifest: ModelManifest, text: String
  ) {
    let bytes = try FileBytes.all(of: path, limit: sizeLimit)
    guard let plain = String(ofFile: bytes) else {
      throw .manifest(path: path, line: nil, .syntax("it is not UTF-8"))
    }
    let text = try ClassNamesFile.expanded(plain, path: path)
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
        "name", "task", "source", "licence", "license", "notes", "input", "constant-inputs",
        "activation", "output", "embedding",
        "output-layout", "output-scale", "output-offset", "label-map", "positive", "threshold",
        "outputs", "classes", "runner", "runner-folder",
      ] + detectorKeys)
    let input = try parseInput(top.section("input", example: "input: {width: 64, height: 64, …}"))
    let task = try top.choice("task", of: ModelTask.self, or: nil)
    let (outputs, renamed) = try parseClasses(top)
    let classNumbers = try parseClassNumbers(top, task)
    let licenseKey = top.has("license") ? "license" : "licence"
    var manifest = ModelManifest(
      name: try top.text("name"),
      task: task, input: input,
      activation: try top.choice("activation", of: Activation.self, or: Activation.none),
      positive: try top.text("positive"),
      isLabelMap: try top.choice("label-map", of: YesNo.self, or: .no) == .yes,
      outputScale: try parseOutputScale(top, task),
      output: try top.text("output"),
      outputLayout: top.has("output-layout")
        ? try top.choice("output-layout", of: ModelInput.Layout.self, or: nil) : nil,
      classNumbers: classNumbers,
      threshold: task.output == .objects ? nil : try share(top, "threshold"),
      detector: try parseDetector(top, task, input), runner: try parseRunner(top),
      runnerFolder: try parseRunnerFolder(top), outputs: outputs,
      renamed: renamed,
      source: try top.text("source"),
      license: try top.text(licenseKey), notes: try top.text("notes"))
    manifest.constantInputs = try parseConstantInputs(top)
    manifest.embedding = try top.text("embedding")
    if let (key, fault) = manifest.masksFault() ?? manifest.detectorFault()
      ?? manifest.labelsFault() ?? manifest.binaryFault() ?? manifest.classNumbersFault()
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
      "resize", "filter", "shorter", "longer", "fill", "anchor", "rounding", "multiple",
    ])
    let preset =
      section.has("preset")
      ? try section.choice("preset", of: InputPreset.self, or: nil) : nil
    if let preset { section = section.filled(from: preset.values(replacing: section.has)) }
    let size = try parseSize(section)
    let colorKey = section.has("color") ? "color" : "colour"
    let color = try section.choice(colorKey, of: ModelInput.Color.self, or: nil)
    let (scale, offset) = try parseValues(section, color)
    let resize = try parseResize(section, size)
    let filter = try section.choice("filter", of: ResizeFilter.self, or: .bilinear)
    guard resize.allows(filter) else {
      throw section.complaint(filter == .warp ? "filter" : "rounding", .warpOfWholePixels)
    }
    return ModelInput(
      size: size, layout: try section.choice("layout", of: ModelInput.Layout.self, or: nil),
      color: color, scale: scale, offset: offset, resize: resize, filter: filter)
  }

  /// The input's size; with `resize: edges` the largest that an image can have.
  private static func parseSize(
    _ section: ManifestSection
  ) throws(LocatedManifestFault) -> ImageSize {
    let width: Int
    let height: Int
    if try section.choice("resize", of: ResizeSpelling.self, or: nil) == .edges {
      if let key = ["width", "height"].first(where: section.has) {
        throw section.complaint(key, .sizeWithEdges)
      }
      (width, height) = (try section.count("longer"), try section.count("longer"))
    } else {
      (width, height) = (try section.count("width"), try section.count("height"))
    }
    guard let size = ImageSize.checked(width: width, height: height) else {
      throw section.complaint(
        section.has("height") ? "height" : "longer",
        .outOfRange(
          key: "width × height", value: "\(width) × \(height)",
          range: "at most \(ImageSize.pixelLimit) pixels"))
    }
    return size
  }

  /// The inputs besides the image, by name.
  private static func parseConstantInputs(
    _ top: ManifestSection
  ) throws(LocatedManifestFault) -> [ConstantInput] {
    guard top.has("constant-inputs") else { return [] }
    if top.has("runner") { throw top.complaint("constant-inputs", .constantsOfRunner) }
    let section = try top.section("constant-inputs", example: "constant-inputs: {scale_factor: 1}")
    var inputs: [ConstantInput] = []
    for name in section.keys {
      let texts =
        section.isList(name)
        ? try section.names(name, limit: 1_024) : [try section.text(name) ?? ""]
      var values: [ConstantInput.Value] = []
      for text in texts {
        switch text.lowercased() {
        case "width": values.append(.width)
        case "height": values.append(.height)
        default: values.append(.number(try section.number(text, key: name)))
        }
      }
      inputs.append(ConstantInput(name: name, values: values))
    }
    return inputs
  }

  /// The program that computes the model, a text or a list of words; `nil` for OpenVINO.
  private static func parseRunner(
    _ top: ManifestSection
  ) throws(LocatedManifestFault) -> RunnerCommand? {
    guard top.has("runner") else { return nil }
    if top.isList("runner") {
      return RunnerCommand(words: try top.names("runner", limit: RunnerCommand.wordLimit))
    }
    let text = try top.text("runner") ?? ""
    guard let command = RunnerCommand(text) else {
      throw top.complaint(
        "runner",
        .expected(
          key: "runner", "a command such as “python3 my_model.py {model}”", found: "“\(text)”"))
    }
    return command
  }

  private static func parseRunnerFolder(
    _ top: ManifestSection
  ) throws(LocatedManifestFault) -> String? {
    guard let folder = try top.text("runner-folder") else { return nil }
    guard top.has("runner"), folder.hasPrefix("/") else {
      throw top.complaint(
        "runner-folder",
        .expected(
          key: "runner-folder", "an absolute path, beside “runner”", found: "“\(folder)”"))
    }
    return folder
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
    // Several outputs are quantized by different scales.
    let several = ["boxes-output", "grid-outputs", "heat-maps-output"]
    if task.output == .objects, let other = several.first(where: top.has) {
      throw top.complaint(key, .scaleOfSeveral(key: key, other))
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
    let isCrop = rule == .shorterCrop || rule == .stretchCrop
    if rule != .letterbox,
      let key = ["fill", "anchor", "rounding"].first(where: {
        section.has($0) && !($0 == "rounding" && isCrop)
      })
    {
      throw section.complaint(key, .fillWithoutLetterbox)
    }
    if ![.shorterCrop, .stretchCrop, .edges].contains(rule), section.has("shorter") {
      throw section.complaint("shorter", .shorterWithoutCrop)
    }
    if rule != .edges, section.has("longer") {
      throw section.complaint("longer", .longerWithoutEdges)
    }
    if rule != .edges, rule != .letterbox, section.has("multiple") {
      throw section.complaint("multiple", .multipleOfFixed)
    }
    switch rule {
    case .stretch: return .stretch
    case .centerCrop: return .centerCrop
    case .shorterCrop, .stretchCrop:
      let least = max(size.width, size.height)
      let side = try section.count("shorter", in: least...65_536)
      let rounding = try section.choice("rounding", of: CropRounding.self, or: .nearest)
      return rule == .shorterCrop
        ? .shorterCrop(shorter: side, rounding: rounding)
        : .stretchCrop(side: side, rounding: rounding)
    case .edges:
      let longer = try section.count("longer")
      return .edges(
        shorter: section.has("shorter") ? try section.count("shorter", in: 1...longer) : nil,
        longer: longer,
        multiple: section.has("multiple") ? try section.count("multiple", in: 1...longer) : 1)
    case .letterbox: break
    }
    var multiple: Int?
    if section.has("multiple") {
      let value = try section.count("multiple", in: 1...min(size.width, size.height))
      guard size.width.isMultiple(of: value), size.height.isMultiple(of: value) else {
        throw section.complaint("multiple", .noWholeCells(input: size, stride: value))
      }
      multiple = value
    }
    let anchor = try section.choice("anchor", of: LetterboxAnchor.self, or: .center)
    let rounding = try section.choice("rounding", of: LetterboxRounding.self, or: .down)
    if rounding == .none {
      if anchor != .center { throw section.complaint("anchor", .notCentered) }
      if multiple != nil { throw section.complaint("multiple", .multipleOfExact) }
    }
    let fill = section.has("fill") ? try section.count("fill", in: 0...255) : 0
    return .letterbox(
      fill: UInt8(clamping: fill),
      anchor: anchor, rounding: rounding, multiple: multiple)
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
    for name in outputs where !seen.insert(name).inserted {
      throw top.complaint(key, .duplicateClass(name))
    }
    return (outputs, renamed)
  }
}
