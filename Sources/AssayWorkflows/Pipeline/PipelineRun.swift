import AssayCore
import AssayInference
package import AssayStore
import Foundation

/// The request of `assay pipeline run`.
package struct PipelineRequest: Sendable {
  /// The name of a ready-made pipeline, or the path of a file.
  package var pipeline: String
  /// The VIEW argument.
  package var view: String
  /// The run's name; `nil` for `PIPELINE-VIEW`.
  package var name: String?
  /// The name of a classification run for the labels of each sample's best object; `nil` for none.
  package var labels: String?
  /// Models to use in place of others, by the pipeline's name.
  package var replacements: [String: String] = [:]
  /// The folder of model files of ready-made pipelines; `nil` for the usual ones.
  package var modelFolder: String?
  /// The number of threads; `nil` for one per core. It does not affect results.
  package var workers: Int?
  /// The maximum number of samples, from the start of the view.
  package var limit: Int?
  package var programVersion: String

  package init(pipeline: String, view: String, programVersion: String) {
    (self.pipeline, self.view, self.programVersion) = (pipeline, view, programVersion)
  }
}

/// The result of a pipeline.
package struct PipelineSummary: Sendable {
  package var run: RunRecord
  package var start: PredictSummary.Start
  /// The number of samples computed now.
  package var computed = 0
  /// The time in seconds from the first to the last sample.
  package var seconds = 0.0
  package var workers = 0
  /// All objects of the run, and those that qualify.
  package var objects = 0
  package var qualified = 0
  /// The number of images with as many objects as the detector keeps (``limit``), of a class or of all: there may be more.
  package var atLimit = 0
  package var limit = 0
  package var isLimitOfClass = true
  /// The name of the model that found the objects.
  package var detector = ""
  /// The reasons why objects do not qualify, with their numbers, most frequent first; numbers in them are left out.
  package var reasons: [(reason: String, count: Int)] = []
  /// The labels of the objects that qualify, most frequent first.
  package var labels: [(label: String, count: Int)] = []
  /// The steps with their models.
  package var steps: [String] = []
  /// The classification run of the labels; `nil` if none was asked for.
  package var labelRun: RunRecord?
  package var failures: [FailedSample] = []
}

/// Runs a pipeline over a view: finds or creates the run, and computes the pending samples.
package struct PipelineRun {
  private let request: PipelineRequest
  private let catalog: Catalog
  private let progress: any ProgressSink

  package init(
    _ request: PipelineRequest, catalog: Catalog, progress: any ProgressSink = NoProgress()
  ) {
    (self.request, self.catalog, self.progress) = (request, catalog, progress)
  }

  /// Computes the pending samples. Repeating a request resumes an interrupted run and retries failed samples.
  ///
  /// - Throws: ``PipelineError``, ``PredictError``, ``Interrupted``, `InferenceError`, `StoreError`.
  package func run() throws -> PipelineSummary {
    let pipeline = try ReadyPipeline.read(request.pipeline).pipeline
      .replacing(request.replacements)
    let selection = try catalog.resolve(request.view)
    let compiler = PipelineCompiler(
      pipeline: pipeline, catalog: catalog, folder: request.modelFolder)
    let models = try compiler.models()
    try compiler.checkAlignment(models)
    let classes = try compiler.classes(models)
    guard let last = compiler.lastDetector, let detector = models[last] else {
      throw PipelineError.notReady(model: pipeline.name)
    }
    let labeler = try pipeline.steps.lastIndex { $0.action == .classify }.flatMap { index in
      try models[index].map {
        (
          attribute: pipeline.steps[index].attribute, model: $0,
          isLabel: try $0.readManifest().task.output == .label
        )
      }
    }
    if request.labels != nil, labeler?.isLabel != true {
      throw PipelineError.noLabels(pipeline: pipeline.name)
    }
    let samples = try catalog.samples(in: selection, limit: request.limit)
    guard !samples.isEmpty else { throw PredictError.emptyView(request.view) }
    let settings = try settings(pipeline, models, detector)
    let name =
      request.name
      ?? pipeline.name + "-" + request.view.replacing("/", with: "-").replacing(":", with: "-")
    let earlier = try EarlierRun(catalog: catalog).find(
      named: name, model: detector, dataset: selection.dataset, settings: settings,
      samples: samples.map(\.id))
    if let labels = request.labels, let labeler {
      try PipelineResults(catalog: catalog, attribute: nil).checkLabels(
        named: labels, classifier: labeler.model,
        settings: try PipelineResults.labelSettings(of: name, settings),
        samples: samples.map(\.id), dataset: selection.dataset)
    }
    var summary: PipelineSummary
    if let earlier, earlier.done == earlier.total {
      summary = PipelineSummary(run: earlier, start: .alreadyDone)
    } else {
      let pending =
        try earlier.map { try EarlierRun(catalog: catalog).left(of: $0, among: samples) } ?? samples
      let loop = try PipelineLoop(
        compiler, models, catalog: catalog, dataset: selection.dataset, view: request.view,
        pending: pending, isResumed: earlier != nil, workers: request.workers, progress: progress)
      let run =
        try earlier
        ?? catalog.createRun(
          RunDraft(
            name: name, model: detector.id, task: .detection, dataset: selection.dataset.id,
            view: request.view, settings: settings, versions: try versions(), classes: classes,
            samples: samples.map(\.id)))
      summary = try loop.compute(run, start: earlier == nil ? .new : .resumed)
    }
    summary.run = try catalog.run(named: summary.run.name)
    summary.failures = Array(try catalog.failures(of: summary.run.id).prefix(10))
    if summary.run.done == 0, let first = summary.failures.first {
      throw PredictError.allFailed(
        run: summary.run.name, count: summary.run.failed, first: first.message)
    }
    summary.steps = pipeline.steps.map(\.title)
    summary.detector = detector.name
    let limit = try detector.readManifest().detector?.limit
    (summary.limit, summary.isLimitOfClass) = (limit ?? DetectorRule.usualClassLimit, limit == nil)
    let results = PipelineResults(
      catalog: catalog, attribute: labeler?.attribute, limit: summary.limit,
      isLimitOfClass: summary.isLimitOfClass)
    try results.count(into: &summary)
    if let name = request.labels, let labeler {
      summary.labelRun = try results.storeLabels(
        named: name, of: summary.run, samples: samples.map(\.id), classifier: labeler.model,
        versions: try versions())
    }
    return summary
  }

  /// The settings that distinguish runs: those of the detector, and the steps with their models' hashes.
  private func settings(
    _ pipeline: PipelineFile, _ models: [ModelRecord?], _ detector: ModelRecord
  ) throws -> String {
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
    return JSONValue.object(members).text()
  }

  private func versions() throws -> String {
    let runtime = try OpenVINO.load()
    return JSONValue.object([
      .init("assay", .string(request.programVersion)), .init("openvino", .string(runtime.version)),
      .init("openvino_cpu", .string(runtime.pluginVersion)),
    ]).text()
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
