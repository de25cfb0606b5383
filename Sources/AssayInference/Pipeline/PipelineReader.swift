import AssayCore

extension PipelineFile {
  /// The maximum number of steps.
  package static let stepLimit = 20

  /// Reads a pipeline from a file of YAML.
  ///
  /// - Throws: ``InferenceError``.
  package static func read(_ path: String) throws(InferenceError) -> (
    pipeline: PipelineFile, text: String
  ) {
    let bytes = try FileBytes.all(of: path, limit: ModelManifest.sizeLimit)
    guard let text = String(ofFile: bytes) else {
      throw .manifest(path: path, line: nil, .syntax("it is not UTF-8"))
    }
    return (try PipelineFile(yaml: text, path: path), text)
  }

  /// Reads a pipeline's text; an unknown key is an error.
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

  private static func parse(_ text: String) throws(LocatedManifestFault) -> PipelineFile {
    let top = try ManifestSection(yaml: text, title: "the pipeline")
    try top.allow(["name", "description", "steps"])
    guard let name = try top.text("name") else {
      throw top.complaint("name", .missing(key: "name", example: "name: faces"))
    }
    let sections = try top.sections(
      "steps", limit: stepLimit, example: "steps: [{detect: MODEL}]")
    var steps: [PipelineStep] = []
    for (index, section) in sections.enumerated() {
      steps.append(try parseStep(section, isFirst: index == 0))
    }
    try checkAttributes(steps, sections)
    return PipelineFile(name: name, description: try top.text("description"), steps: steps)
  }

  /// The attributes that no step may be called after.
  private static let reserved = ["qualifies", "reason", "angle", "sharpness", "mask_score"]

  /// Checks that no two steps write an attribute of the same name.
  private static func checkAttributes(
    _ steps: [PipelineStep], _ sections: [ManifestSection]
  ) throws(LocatedManifestFault) {
    var taken = Set(reserved)
    for (step, section) in zip(steps, sections) {
      for name in step.attributes {
        guard taken.insert(name).inserted else {
          let example =
            step.action == .segment ? "another step" : "“as: NAME”, a name of its own"
          throw section.complaint(
            "as",
            .expected(
              key: "the attribute \(name)", "that of one step: give \(example)",
              found: reserved.contains(name) ? "one of every object" : "that of two"))
        }
      }
      guard step.action == .classify || step.action == .keypoints else { continue }
      let isPlain = step.attribute.utf8.allSatisfy {
        0x61...0x7A ~= $0 || 0x41...0x5A ~= $0 || 0x30...0x39 ~= $0
          || [0x5F, 0x2D, 0x2E].contains($0)
      }
      guard isPlain, step.attribute.utf8.count <= 64 else {
        throw section.complaint(
          "as",
          .expected(
            key: "as", "at most 64 letters, digits, “_”, “-” and “.”", found: "“\(step.attribute)”")
        )
      }
    }
  }

  private static let actions = ["detect", "qualify", "classify", "segment", "keypoints"]

  private static func parseStep(
    _ section: ManifestSection, isFirst: Bool
  ) throws(LocatedManifestFault) -> PipelineStep {
    let named = section.keys.filter(actions.contains)
    guard named.count == 1, let key = named.first else {
      throw section.complaint(
        named.first ?? "",
        .expected(
          key: "a step", "one of " + actions.joined(separator: ", "),
          found: named.isEmpty
            ? section.keys.joined(separator: ", ") : named.joined(separator: " and ")))
    }
    guard isFirst == (key == "detect") || !isFirst else {
      throw section.complaint(
        key,
        .expected(
          key: "the first step", "detect, which finds the objects for the steps after it",
          found: key))
    }
    let isQualify = key == "qualify"
    var known = [key]
    if !isQualify { known += ["min-score"] }
    if key != "detect" { known.append("drop") }
    if !isQualify, !isFirst { known.append("crop") }
    switch key {
    case "detect": known.append("classes")
    case "classify": known.append("as")
    case "segment": known += ["class", "refine"]
    case "keypoints": known += ["as", "keep-points"]
    default: break
    }
    try section.allow(known)
    let action: PipelineStep.Action =
      switch key {
      case "detect": .detect
      case "classify": .classify
      case "segment": .segment
      case "keypoints": .keypoints
      default: .qualify(try parseRule(try section.section(key, example: "qualify: {min-side: 20}")))
      }
    let model = isQualify ? nil : try section.text(key)
    var step = PipelineStep(
      action: action, model: model,
      crop: section.has("crop")
        ? try parseCrop(try section.section("crop", example: "crop: {scale: 1.1}"))
        : isFirst || isQualify ? nil : CropRule(),
      classes: section.has("classes") ? try section.names("classes", limit: 1_000) : nil,
      className: try section.text("class"),
      minScore: try number(section, "min-score", in: 0...1),
      attribute: try section.text("as") ?? (key == "keypoints" ? model ?? key : "label"),
      keepsPoints: try section.choice("keep-points", of: YesNo.self, or: .no) == .yes,
      drops: try section.choice("drop", of: YesNo.self, or: .no) == .yes)
    if let text = try section.text("refine") {
      do throws(UnknownStep) {
        step.refinements = try MaskRefinement.list(text)
      } catch {
        throw section.complaint(
          "refine",
          .expected(
            key: "refine", "steps such as grabcut:5,holes (\(MaskRefinement.spellings))",
            found: "“\(error.text)”"))
      }
    }
    return step
  }

  private static func parseRule(
    _ section: ManifestSection
  ) throws(LocatedManifestFault) -> ObjectRule {
    try section.allow(["min-side", "min-score", "max-angle", "min-sharpness"])
    guard !section.keys.isEmpty else {
      throw section.complaint(
        "qualify", .missing(key: "min-side", example: "qualify: {min-side: 20}"))
    }
    return ObjectRule(
      minSide: try number(section, "min-side", in: 0...100_000),
      minScore: try number(section, "min-score", in: 0...1),
      maxAngle: try number(section, "max-angle", in: 0...180),
      minSharpness: try number(section, "min-sharpness", in: 0...1_000))
  }

  private static func parseCrop(
    _ section: ManifestSection
  ) throws(LocatedManifestFault) -> CropRule {
    try section.allow(["pad", "scale", "shape", "align", "pivot", "size", "stretch", "sampling"])
    var crop = CropRule()
    if section.has("pad") {
      let pad = try section.numberList(
        "pad", counts: [1, 4], meaning: "one number, or four: left, top, right, bottom")
      for value in pad where !(-0.45...10).contains(value) {
        throw section.complaint(
          "pad", .outOfRange(key: "pad", value: "\(value)", range: "from -0.45 to 10"))
      }
      crop.pad = pad.count == 1 ? Array(repeating: pad[0], count: 4) : pad
    }
    crop.scale = try number(section, "scale", in: 0.05...20) ?? 1
    crop.shape = try section.choice("shape", of: CropRule.Shape.self, or: .box)
    crop.aligns = try section.choice("align", of: YesNo.self, or: .no) == .yes
    crop.pivot = try section.choice("pivot", of: CropRule.Pivot.self, or: .box)
    if section.has("pivot"), !crop.aligns {
      throw section.complaint("pivot", .missing(key: "align: yes", example: "align: yes"))
    }
    if section.has("size") { crop.size = try section.count("size", in: 1...4_096) }
    crop.stretches = try section.choice("stretch", of: YesNo.self, or: .no) == .yes
    if crop.stretches, crop.size == nil {
      throw section.complaint("stretch", .missing(key: "size", example: "size: 48"))
    }
    crop.sampling = try section.choice("sampling", of: CropRule.Sampling.self, or: .centers)
    return crop
  }

  private static func number(
    _ section: ManifestSection, _ key: String, in range: ClosedRange<Double>
  ) throws(LocatedManifestFault) -> Double? {
    guard let text = try section.text(key) else { return nil }
    let value = try section.number(text, key: key)
    guard range.contains(value) else {
      throw section.complaint(
        key,
        .outOfRange(
          key: key, value: text, range: "from \(range.lowerBound) to \(range.upperBound)"))
    }
    return value
  }
}
