import AssayCore
import AssayInference
import AssayStore

/// A pipeline whose models are in the catalog and fit its steps.
struct PipelinePlan {
  /// The last classifier of a pipeline.
  struct Labeler {
    /// The index of its step.
    let step: Int
    /// The attribute that has the label.
    let attribute: String
    let model: ModelRecord
    /// True if it gives one label, false for a multi-label model.
    let isLabel: Bool
  }

  let pipeline: PipelineFile
  /// The models of the steps; `nil` for a rule.
  let models: [ModelRecord?]
  /// The class names of a run: those of the last detector that are kept.
  let classes: [String]
  /// The last detector, whose objects a run stores.
  let detector: ModelRecord
  /// `nil` if no step classifies.
  let labeler: Labeler?
  private let plain: PipelineCompiler

  /// Reads a pipeline, and finds its models.
  ///
  /// - Parameters:
  ///   - name: the name of a ready-made pipeline, or the path of a file.
  ///   - replacements: models to use in place of others, by the pipeline's name.
  ///   - folder: the folder of model files of ready-made pipelines; `nil` for the usual ones.
  /// - Throws: ``PipelineError``, `InferenceError`, `StoreError`.
  init(
    _ name: String, replacements: [String: String], models folder: String?, in catalog: Catalog
  ) throws {
    pipeline = try ReadyPipeline.read(name).pipeline.replacing(replacements)
    plain = PipelineCompiler(pipeline: pipeline, catalog: catalog, folder: folder)
    models = try plain.models()
    try plain.checkAlignment(models)
    classes = try plain.classes(models)
    guard let last = plain.lastDetector, let detector = models[last] else {
      throw PipelineError.notReady(model: pipeline.name)
    }
    self.detector = detector
    let (steps, records) = (pipeline.steps, models)
    labeler = try steps.lastIndex { $0.action == .classify }.flatMap { index in
      try records[index].map {
        Labeler(
          step: index, attribute: steps[index].attribute, model: $0,
          isLabel: try $0.readManifest().task.output == .label)
      }
    }
  }

  /// The compiler of the steps.
  func compiler(deciding decision: PipelineDecision?) -> PipelineCompiler {
    var compiler = plain
    compiler.decision = decision
    return compiler
  }

  /// The settings that distinguish runs: those of the detector, and the steps with their models' hashes.
  ///
  /// - Parameter decision: the decision that the run records; `nil` for none.
  /// - Throws: ``PipelineError/otherTask(model:step:task:)``, `InferenceError`.
  func settings(deciding decision: PipelineDecision? = nil) throws -> String {
    guard let rule = try detector.readManifest().detector else {
      throw PipelineError.otherTask(
        model: detector.name, step: "detect", task: detector.task.rawValue)
    }
    var settings = DetectorSettings(precision: Precision.f32.rawValue, rule)
    let detectStep = pipeline.steps.lastIndex { $0.action == .detect } ?? 0
    settings.leastScore = max(settings.leastScore, pipeline.steps[detectStep].minScore ?? 0)
    let hasMasks = pipeline.steps[detectStep...].contains { $0.action == .segment }
    // Boxes in a crop have no region in the image.
    settings.hasRegions =
      hasMasks || (settings.hasRegions && pipeline.steps[detectStep].crop == nil)
    if let place = pipeline.steps.indices[detectStep...].last(where: {
      pipeline.steps[$0].action == .keypoints && pipeline.steps[$0].keepsPoints
    }) {
      settings.hasKeypoints = true
      settings.keypointNames = try models[place]?.readManifest().detector?.keypointNames ?? []
    }
    let steps = zip(pipeline.steps, models).map { step, model in
      var members = step.settings
      if let model { members.append(.init("hash", .string(model.hash))) }
      return JSONValue.object(members)
    }
    let members =
      (try JSONValue(parsing: settings.text).members ?? []) + [
        .init(
          "pipeline", ["name": .string(pipeline.name), "steps": .array(steps)])
      ]
    let plain = JSONValue.object(members).text()
    return try decision?.recorded(in: plain) ?? plain
  }
}

extension PipelineStep {
  /// The step as members of the run's settings.
  fileprivate var settings: [JSONValue.Member] {
    var members: [JSONValue.Member] = [.init("step", .string(title))]
    if case .qualify(let rule) = action {
      members += [
        .init("min-side", JSONValue(rule.minSide)), .init("min-score", JSONValue(rule.minScore)),
        .init("max-angle", JSONValue(rule.maxAngle)),
        .init("min-sharpness", JSONValue(rule.minSharpness)),
      ].filter { $0.value != .null }
    }
    if let crop {
      var rule: [JSONValue.Member] = [
        .init("pad", .array(crop.pad.map { .number($0) })), .init("scale", .number(crop.scale)),
        .init("shape", .string(crop.shape.rawValue)), .init("align", .bool(crop.aligns)),
        .init("size", JSONValue(crop.size)), .init("sampling", .string(crop.sampling.rawValue)),
      ]
      if crop.stretches { rule.append(.init("stretch", true)) }
      if crop.pivot != .box { rule.append(.init("pivot", .string(crop.pivot.rawValue))) }
      members.append(.init("crop", .object(rule)))
    }
    if let classes { members.append(.init("classes", .array(classes.map { .string($0) }))) }
    if let className { members.append(.init("class", .string(className))) }
    if let minScore { members.append(.init("min-score", .number(minScore))) }
    switch action {
    case .classify, .keypoints: members.append(.init("as", .string(attribute)))
    case .detect, .segment, .qualify: break
    }
    if !refinements.isEmpty {
      members.append(.init("refine", .array(refinements.map { .string($0.text) })))
    }
    if keepsPoints { members.append(.init("keep-points", .bool(true))) }
    if drops { members.append(.init("drop", .bool(true))) }
    return members
  }
}

extension PipelineFile {
  /// The pipeline with other models.
  ///
  /// - Parameter others: the new name of each model by its name in the pipeline.
  /// - Throws: ``PipelineError/unusedReplacement(_:models:)``.
  func replacing(_ others: [String: String]) throws(PipelineError) -> PipelineFile {
    let models = steps.compactMap(\.model)
    for name in others.keys.sorted() where !models.contains(name) {
      throw .unusedReplacement(name, models: models)
    }
    var pipeline = self
    for index in pipeline.steps.indices {
      guard let name = steps[index].model, let other = others[name] else { continue }
      pipeline.steps[index].model = other
    }
    return pipeline
  }
}
