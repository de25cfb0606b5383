import AssayCore
import AssayInference
import AssayStore

/// Finds the models of a pipeline's steps, checks that they fit, and compiles them.
struct PipelineCompiler {
  let pipeline: PipelineFile
  let catalog: Catalog
  /// The folder of model files of ready-made pipelines; `nil` for the usual ones.
  let folder: String?
  /// The decision whose thresholds are applied to labels; `nil` for none.
  var decision: PipelineDecision?

  /// The steps' models; `nil` for a rule.
  ///
  /// - Throws: ``PipelineError``, `InferenceError`, `StoreError`.
  func models() throws -> [ModelRecord?] {
    let found = try pipeline.steps.map { step in
      try step.model.map { name in
        let model = try ReadyPipeline.model(name, in: catalog, folder: folder)
        let fits =
          switch step.action {
          case .detect, .keypoints: model.task.output == .objects
          case .classify: model.task.output == .label || model.task.output == .labels
          case .segment: model.task.output == .masks
          case .qualify: true
          }
        guard fits else {
          throw PipelineError.otherTask(
            model: name, step: step.title, task: model.task.rawValue)
        }
        return model
      }
    }
    // Nothing is added before all are there.
    return try found.map { try $0?.record(in: catalog) }
  }

  /// The class names of the run: those of the last detector that are kept.
  ///
  /// - Throws: ``PipelineError/unknownClass(_:model:classes:)``, `InferenceError`.
  func classes(_ models: [ModelRecord?]) throws -> [String] {
    guard let last = lastDetector, let model = models[last] else { return [] }
    return try kept(of: pipeline.steps[last], model)
  }

  /// The index of the last detector, whose objects the run stores.
  var lastDetector: Int? { pipeline.steps.lastIndex { $0.action == .detect } }

  private func kept(of step: PipelineStep, _ model: ModelRecord) throws -> [String] {
    let all = try model.readManifest().classes
    guard let wanted = step.classes else { return all }
    for name in wanted where !all.contains(name) {
      throw PipelineError.unknownClass(name, model: model.name, classes: all)
    }
    return all.filter(wanted.contains)
  }

  /// Checks that aligned crops follow a detector with keypoints.
  ///
  /// - Throws: ``PipelineError/noKeypoints(model:)``, `InferenceError`.
  func checkAlignment(_ models: [ModelRecord?]) throws {
    var detector: ModelRecord?
    for (step, model) in zip(pipeline.steps, models) {
      if step.crop?.aligns == true, let detector {
        let points = try detector.readManifest().detector?.keypoints?.points ?? 0
        guard points >= 2 else { throw PipelineError.noKeypoints(model: detector.name) }
      }
      if step.action == .detect { detector = model }
    }
  }

  /// The compiled steps.
  ///
  /// - Parameter probe: images that the models are checked with.
  /// - Throws: ``PipelineError``, `InferenceError`, `PredictError`.
  func steps(
    _ models: [ModelRecord?], workers: Int, probe: [NamedRaster]
  ) throws -> [any CompiledStep] {
    try zip(pipeline.steps, models).enumerated().map { index, pair in
      let (step, record) = pair
      guard let record else {
        if case .qualify(let rule) = step.action {
          return QualifyStep(rule: rule, drops: step.drops)
        }
        throw PipelineError.notReady(model: step.model ?? step.title)
      }
      switch step.action {
      case .detect, .qualify:
        let kept = try kept(of: step, record)
        let all = try record.readManifest().classes
        return DetectStep(
          detector: try PipelineModel(record, workers: workers, probe: probe), step: step,
          classes: all.map(kept.firstIndex))
      case .classify:
        return ClassifyStep(
          classifier: try PipelineModel(record, workers: workers, probe: probe), step: step,
          decision: decision?.labels.flatMap { $0.step == index ? $0 : nil })
      case .keypoints:
        return KeypointStep(
          pose: try PipelineModel(record, workers: workers, probe: probe), step: step)
      case .segment:
        let segmenter = try PipelineModel<MapReader>(record, workers: workers, probe: probe)
        let manifest = segmenter.manifest
        let candidates = manifest.keptClasses.filter { $0 != manifest.background }
        let names = candidates.map { manifest.classes[$0] }
        if let name = step.className, !names.contains(name) {
          throw PipelineError.unknownClass(name, model: record.name, classes: names)
        }
        guard
          let place = step.className.map({ names.firstIndex(of: $0) ?? 0 })
            ?? (names.count == 1 ? 0 : nil)
        else { throw PipelineError.severalClasses(model: record.name, classes: names) }
        return SegmentStep(
          segmenter: segmenter, step: step,
          recipe: SegmentationRecipe(
            of: manifest, precision: Precision.f32.rawValue, keepsMaps: false),
          kept: manifest.keptClasses, subject: candidates[place])
      }
    }
  }
}

extension PipelineStep {
  /// The step for messages: what it does with which model.
  var title: String {
    let word =
      switch action {
      case .detect: "detect"
      case .qualify: "qualify"
      case .classify: "classify"
      case .segment: "segment"
      case .keypoints: "keypoints"
      }
    return model.map { "\(word): \($0)" } ?? word
  }
}
