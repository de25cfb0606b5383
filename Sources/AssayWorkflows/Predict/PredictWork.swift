import AssayCore
import AssayInference
import AssayStore

/// The task of a model, and the settings of its run.
struct PredictWork {
  let task: any PredictTask
  /// The settings that distinguish runs besides model and samples, as JSON. Batch size and workers are
  /// not included because they do not affect results.
  let settings: String

  /// - Throws: ``PredictError`` if the request does not fit the model; `InferenceError`.
  init(_ request: PredictRequest, _ model: ModelRecord) throws {
    let manifest = try model.readManifest()
    let plain: String
    switch model.task {
    case .classification, .multiLabel:
      guard request.keepsMaps else { throw PredictError.noMaps(model: model.name) }
      let isLabels = manifest.classNumbers != nil
      plain = JSONValue.object(
        model.task.settingsMembers + [.init("precision", .string(request.precision.rawValue))]
          + (isLabels ? [RunRecord.labelsOnlyMember] : [])
      ).text()
      // The image is flipped, and the scores belong to all of it.
      task = isLabels ? LabelsTask() as any PredictTask : ScoresTask()
    case .detection:
      guard request.keepsMaps else { throw PredictError.noMaps(model: model.name) }
      guard let rule = manifest.detector else {
        throw InferenceError.otherTask(manifest.task, model: model.path)
      }
      guard !request.isFlipped || rule.keypoints == nil && !rule.hasMasks && rule.angle == nil
      else {
        throw PredictError.flippedObjects(model: model.name)
      }
      plain = DetectorSettings(precision: request.precision.rawValue, rule).text
      task = DetectionTask(
        input: manifest.input, areRelative: rule.givesRelativeBoxes, isFlipped: request.isFlipped)
    case .segmentation:
      let recipe = SegmentationRecipe(
        of: manifest, precision: request.precision.rawValue, keepsMaps: request.keepsMaps)
      guard !request.isFlipped || manifest.input.resize == .stretch else {
        throw PredictError.flippedMaps(model: model.name)
      }
      plain = recipe.settings
      task = SegmentationTask(
        recipe: recipe, kept: manifest.keptClasses, isFlipped: request.isFlipped)
    }
    settings = try Self.settings(plain, request.isFlipped, manifest.embedding)
  }

  /// Settings with the mark of flipped images and the output whose vectors are kept.
  private static func settings(
    _ plain: String, _ isFlipped: Bool, _ embedding: String?
  ) throws -> String {
    guard isFlipped || embedding != nil else { return plain }
    var members = try JSONValue(parsing: plain).members ?? []
    if isFlipped { members.append(.init("flip", .bool(true))) }
    if let embedding { members.append(.init("embedding", .string(embedding))) }
    return JSONValue.object(members).text()
  }
}

/// The versions that are stored with a run.
enum RunVersions {
  /// The versions of this program and of what computes a model, as JSON.
  static func text(of model: ValidatedModel, program version: String) throws -> String {
    JSONValue.object([.init("assay", .string(version))] + (try engine(of: model))).text()
  }

  /// The versions of what computes a model; of a runner also its command and its scripts' hashes.
  private static func engine(of model: ValidatedModel) throws -> [JSONValue.Member] {
    guard let runner = model.runner else {
      let runtime = try OpenVINO.load()
      return [
        .init("openvino", .string(runtime.version)),
        .init("openvino_cpu", .string(runtime.pluginVersion)),
      ]
    }
    let scripts = try RunnerTrust.scripts(of: runner.program).map {
      JSONValue.Member($0.path, .string($0.hash))
    }
    return [
      .init("runner", .string(runner.program.command.text)),
      .init("runner_scripts", .object(scripts)), .init("runner_versions", .object(runner.versions)),
    ]
  }
}
