import AssayCore
import AssayImaging
import Yams

extension ModelManifest {
  /// The most bytes a manifest may have: 1 MiB.
  package static let sizeLimit = 1 << 20
  /// The most classes a model may have.
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
  /// - Parameter path: the file it is from, for messages.
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
        "output-layout", "threshold", "outputs", "classes",
      ] + detectorKeys)
    let input = try parseInput(top.section("input", example: "input: {width: 64, height: 64, …}"))
    let task = try top.choice("task", of: ModelTask.self, or: nil)
    let (outputs, renamed) = try parseClasses(top)
    let licenseKey = top.has("license") ? "license" : "licence"
    let manifest = ModelManifest(
      name: try top.text("name"),
      task: task, input: input,
      activation: try top.choice("activation", of: Activation.self, or: Activation.none),
      output: try top.text("output"),
      outputLayout: top.has("output-layout")
        ? try top.choice("output-layout", of: ModelInput.Layout.self, or: nil) : nil,
      threshold: try share(top, "threshold"),
      detector: try parseDetector(top, task, input), outputs: outputs, renamed: renamed,
      source: try top.text("source"),
      licence: try top.text(licenseKey), notes: try top.text("notes"))
    if let (key, fault) = manifest.masksFault() ?? manifest.detectorFault()
      ?? manifest.labelsFault()
    {
      throw top.complaint(key, fault)
    }
    return manifest
  }

  private static func parseInput(_ section: ManifestSection) throws(LocatedManifestFault)
    -> ModelInput
  {
    try section.allow([
      "width", "height", "layout", "colour", "color", "scale", "offset", "resize", "fill",
      "anchor",
    ])
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
    let colour = try section.choice(colorKey, of: ModelInput.Color.self, or: nil)
    return ModelInput(
      size: size, layout: try section.choice("layout", of: ModelInput.Layout.self, or: nil),
      colour: colour,
      scale: try parseScale(section, colour),
      offset: try section.numbers("offset", channels: colour.channels),
      resize: try parseResize(section))
  }

  /// The scale, which is not 0: every picture would look the same to the model.
  private static func parseScale(
    _ section: ManifestSection, _ colour: ModelInput.Color
  ) throws(LocatedManifestFault) -> [Double] {
    let scale = try section.numbers("scale", channels: colour.channels)
    guard !scale.contains(0) else {
      throw section.complaint(
        "scale", .outOfRange(key: "scale", value: "0", range: "a number other than 0"))
    }
    return scale
  }

  private static func parseResize(_ section: ManifestSection) throws(LocatedManifestFault)
    -> ResizeRule
  {
    let rule = try section.choice("resize", of: ResizeSpelling.self, or: nil)
    guard rule == .letterbox else {
      if let key = ["fill", "anchor"].first(where: section.has) {
        throw section.complaint(key, .fillWithoutLetterbox)
      }
      return rule == .stretch ? .stretch : .centerCrop
    }
    let fill = section.has("fill") ? try section.count("fill", in: 0...255) : 0
    return .letterbox(
      fill: UInt8(clamping: fill),
      anchor: try section.choice("anchor", of: LetterboxAnchor.self, or: .center))
  }

  /// The model's names in output order, and the dataset's where they differ.
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
